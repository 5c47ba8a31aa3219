"""More bytes a second than the way to the device, or memory itself, can carry."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from apps.runs.figures import CASE
from apps.runs.models import KeepsOut, Outcome
from apps.runs.rules.environment.storage import memory_filesystem
from apps.runs.rules.rule import Rule, RuleKind

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


RULE: Final = Rule(
    id="beyond-bus",
    version=1,
    kind=RuleKind.CONSISTENCY,
    outcome=Outcome.QUARANTINE,
    keeps_out=KeepsOut.RUN,
    text="more bytes than the bus carries",
    explanation="A pass moved more bytes than any bus to so many devices carries in its time or, "
    "through the page cache, than any memory.",
    threshold=f"Speaks above {BUS_BYTES_PER_S / 1e9:g} GB/s for each device past the page cache, "
    f"and above {MEMORY_BYTES_PER_S / 1e12:g} TB/s through it.",
    origin="PCIe 6.0 with 16 lanes carries 121 GB/s after its encoding, two sockets with 12 "
    "channels of DDR5-6400 each 1.23 TB/s: no machine that is rented has more.",
    remedy="If your machine really is as quick, tell us: then the rule is out of date.",
    cases={
        "bus": "{workload}: {bytes} bytes in {elapsed_ns} ns; its devices carry {most} bytes a "
        "second.",
        "memory": "{workload}: {bytes} bytes in {elapsed_ns} ns; memory carries {most} bytes a "
        "second.",
    },
    check=check,
)
