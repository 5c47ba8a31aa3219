"""More bytes a second than the way to the device, or memory itself, can carry."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from apps.runs.figures import CASE
from apps.runs.models import KeepsOut, Outcome
from apps.runs.rules.common_words import TELL_MACHINE
from apps.runs.rules.environment.storage import memory_filesystem
from apps.runs.rules.rule import Rule, RuleKind, ThresholdBasis

if TYPE_CHECKING:
    from apps.runs.figures import Figures
    from apps.runs.rules.run_facts import RunFacts

BUS_BYTES_PER_S: Final = 121_000_000_000  # PCIe 6.0 with 16 lanes, of each device
MEMORY_BYTES_PER_S: Final = 1_230_000_000_000  # 24 channels of DDR5-6400


def check(facts: RunFacts) -> Figures | None:
    ways = max(len(facts.run.devices), 1)
    for each in facts.workloads:
        if each.definition is None:
            continue
        case, most = "memory", MEMORY_BYTES_PER_S
        if not each.definition.page_cache and memory_filesystem.check(facts) is None:
            case, most = "bus", BUS_BYTES_PER_S * ways
        for one in each.workload.passes:
            if one.bytes * 10**9 > most * one.elapsed_ns:
                return {
                    CASE: case,
                    "workload": each.workload.id,
                    "bytes": one.bytes,
                    "elapsed_ns": one.elapsed_ns,
                    "most": most,
                }
    return None


_BUS: Final = (
    "{workload}: {bytes} bytes in {elapsed_ns} ns, and {most} bytes a second are possible."
)

RULE: Final = Rule(
    id="beyond-bus",
    version=1,
    kind=RuleKind.CONSISTENCY,
    outcome=Outcome.QUARANTINE,
    keeps_out=KeepsOut.RUN,
    text="more bytes than the bus carries",
    why=f"No bus carries over {BUS_BYTES_PER_S / 1e9:g} GB/s a device (PCIe 6.0, 16 lanes), no "
    f"memory over {MEMORY_BYTES_PER_S / 1e12:g} TB/s (two sockets of DDR5-6400).",
    basis=ThresholdBasis.DOCUMENTED,
    remedy=TELL_MACHINE,
    cases={
        "bus": _BUS,
        "memory": _BUS,
    },
    check=check,
)
