"""The file lay in memory: its filesystem, or a layer or disk under it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from apps.runs.models import KeepsOut
from apps.runs.rules.common_words import NAME_A_FOLDER
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
    why="A layer is {layers}, or a disk is {models}: that is memory, and a power cut empties it.",
    why_figures={
        "layers": ", ".join(sorted(MEMORY_LAYERS)),
        "models": ", ".join(sorted(MEMORY_MODELS)),
    },
    remedy=NAME_A_FOLDER,
    finding="The file lay on {layer}.",
    check=check,
)
