"""Every operation moves one block."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from apps.runs.models import KeepsOut, Outcome
from apps.runs.rules.common_words import COUNTED_ONCE, MEASURE_AGAIN
from apps.runs.rules.rule import Rule, RuleKind

if TYPE_CHECKING:
    from apps.runs.figures import Figures
    from apps.runs.rules.run_facts import RunFacts


def check(facts: RunFacts) -> Figures | None:
    for each in facts.workloads:
        if each.definition is None:
            continue
        block = each.definition.block_bytes
        if each.workload.bytes != each.workload.operations * block:
            return {
                "workload": each.workload.id,
                "bytes": each.workload.bytes,
                "operations": each.workload.operations,
                "block_bytes": block,
            }
    return None


RULE: Final = Rule(
    id="bytes-per-operation",
    version=1,
    kind=RuleKind.CONSISTENCY,
    outcome=Outcome.QUARANTINE,
    keeps_out=KeepsOut.RUN,
    text="bytes do not fit operations",
    why=COUNTED_ONCE,
    remedy=MEASURE_AGAIN,
    finding="{workload}: {bytes} bytes in {operations} operations of {block_bytes} bytes.",
    check=check,
)
