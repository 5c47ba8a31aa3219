"""The passes of a workload add up to the workload."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from apps.runs.figures import CASE
from apps.runs.models import KeepsOut, Outcome
from apps.runs.rules.consistency import ARITHMETIC, MEASURE_AGAIN
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


RULE: Final = Rule(
    id="pass-totals",
    version=1,
    kind=RuleKind.CONSISTENCY,
    outcome=Outcome.QUARANTINE,
    keeps_out=KeepsOut.RUN,
    text="passes do not add up",
    explanation="Operations, bytes and time of the passes must add up to those of the "
    "workload, and the samples of a pass must fit into it.",
    threshold="Speaks from a difference of one operation, one byte or one nanosecond.",
    origin=ARITHMETIC,
    remedy=MEASURE_AGAIN,
    cases={
        "operations": "{workload}: passes add up to {added} operations, the workload says "
        "{stated}.",
        "bytes": "{workload}: passes add up to {added} bytes, the workload says {stated}.",
        "elapsed": "{workload}: passes add up to {added} elapsed nanoseconds, the workload says "
        "{stated}.",
        "sampled": "{workload}: samples hold more operations than their pass did.",
        "samples": "{workload}: there are more samples than fit into the pass.",
    },
    check=check,
)
