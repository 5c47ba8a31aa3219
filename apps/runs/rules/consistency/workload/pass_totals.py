"""The passes of a workload add up to the workload."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from apps.runs.figures import CASE
from apps.runs.models import KeepsOut, Outcome
from apps.runs.rules.common_words import COUNTED_ONCE, MEASURE_AGAIN
from apps.runs.rules.rule import Rule, RuleKind

if TYPE_CHECKING:
    from apps.runs.figures import Figures
    from apps.runs.rules.run_facts import RunFacts


def check(facts: RunFacts) -> Figures | None:
    for each in facts.workloads:
        workload, passes = each.workload, each.workload.passes
        totals = {
            "operations": (sum(one.operations for one in passes), workload.operations),
            "bytes": (sum(one.bytes for one in passes), workload.bytes),
            "elapsed": (sum(one.elapsed_ns for one in passes), workload.elapsed_ns),
        }
        for case, (added, stated) in totals.items():
            if added != stated:
                return {CASE: case, "workload": workload.id, "added": added, "stated": stated}
        for one in passes:
            if sum(one.rate_samples) > one.operations:
                return {CASE: "sampled", "workload": workload.id}
            if len(one.rate_samples) * workload.sample_ns > one.elapsed_ns:
                return {CASE: "samples", "workload": workload.id}
    return None


_OPERATIONS: Final = (
    "{workload}: the passes add up to {added} {case:unit}, the workload has {stated}."
)
_SAMPLED: Final = "{workload}: the samples do not fit into their pass."

RULE: Final = Rule(
    id="pass-totals",
    version=1,
    kind=RuleKind.CONSISTENCY,
    outcome=Outcome.QUARANTINE,
    keeps_out=KeepsOut.RUN,
    text="passes do not add up",
    why=COUNTED_ONCE,
    remedy=MEASURE_AGAIN,
    cases={
        "operations": _OPERATIONS,
        "bytes": _OPERATIONS,
        "elapsed": _OPERATIONS,
        "sampled": _SAMPLED,
        "samples": _SAMPLED,
    },
    check=check,
)
