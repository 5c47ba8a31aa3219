"""The passes of a workload add up to the workload."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from apps.runs.models import KeepsOut, Outcome
from apps.runs.rules.consistency import ARITHMETIC, MEASURE_AGAIN
from apps.runs.rules.rule import Kind, Rule

if TYPE_CHECKING:
    from apps.runs.rules.facts import RunFacts


def check(facts: RunFacts) -> str | None:
    for each in facts.measured:
        sent, passes = each.sent, each.sent.passes
        totals = {
            "operations": (sum(one.operations for one in passes), sent.operations),
            "bytes": (sum(one.bytes for one in passes), sent.bytes),
            "elapsed nanoseconds": (sum(one.elapsed_ns for one in passes), sent.elapsed_ns),
        }
        for name, (added, stated) in totals.items():
            if added != stated:
                return f"{sent.id}: passes add up to {added} {name}, the workload says {stated}."
        for one in passes:
            if sum(one.rate_samples) > one.operations:
                return f"{sent.id}: samples hold more operations than their pass did."
            if len(one.rate_samples) * sent.sample_ns > one.elapsed_ns:
                return f"{sent.id}: there are more samples than fit into the pass."
    return None


RULE: Final = Rule(
    id="pass-totals",
    version=1,
    kind=Kind.CONSISTENCY,
    place=2,
    outcome=Outcome.QUARANTINE,
    keeps_out=KeepsOut.RUN,
    text="passes do not add up",
    explanation="Operations, bytes and time of the passes must add up to those of the "
    "workload, and the samples of a pass must fit into it.",
    border="Speaks from a difference of one operation, one byte or one nanosecond.",
    origin=ARITHMETIC,
    remedy=MEASURE_AGAIN,
    check=check,
)
