"""The file lay in memory: its filesystem, or a layer or disk under it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from apps.runs.models import KeepsOut
from apps.runs.rules.environment.storage import YES_OR_NO
from apps.runs.rules.rule import Rule, RuleKind
from apps.wire.judgement import thresholds

if TYPE_CHECKING:
    from apps.runs.figures import Figures
    from apps.runs.rules.run_facts import RunFacts

MEMORY_LAYERS: Final = frozenset(thresholds().surroundings.memory_layers.value)
# A disk of the kernel's own tests, which may bear any name; its driver may not.
MEMORY_MODELS: Final = frozenset({"scsi_debug"})


def check(facts: RunFacts) -> Figures | None:
    layers = [facts.run.env.fs, *facts.run.stack]
    for device in facts.members.devices:
        layers += [device.model.strip(), device.driver or ""]
    in_memory = next((layer for layer in layers if layer in MEMORY_LAYERS | MEMORY_MODELS), None)
    return {"layer": in_memory} if in_memory else None


RULE: Final = Rule(
    id="memory-filesystem",
    version=5,
    kind=RuleKind.ENVIRONMENT,
    keeps_out=KeepsOut.RUN,
    text="in memory",
    explanation="The file lay in memory, on a filesystem, a layer or a disk made of it: "
    "nothing written there survives a power cut.",
    threshold="Speaks where a layer is {layers:list}, or a disk or its driver calls itself "
    "{models:list}. Of pmem-e820, memory that firmware or a boot option set aside, nothing says "
    "that it keeps its content.",
    threshold_figures={"layers": sorted(MEMORY_LAYERS), "models": sorted(MEMORY_MODELS)},
    origin=YES_OR_NO,
    remedy="Name a folder on the disk that you want to measure.",
    finding="The file lay on {layer}.",
    check=check,
)
