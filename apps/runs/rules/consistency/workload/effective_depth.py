"""The effective queue depth is that of the histograms: by Little's law, latencies over time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from apps.runs.models import KeepsOut, Outcome
from apps.runs.rules.common_words import MEASURE_AGAIN
from apps.runs.rules.rule import Rule, RuleKind
from apps.runs.sides import COMMIT

if TYPE_CHECKING:
    from apps.runs.figures import Figures
    from apps.runs.rules.run_facts import RunFacts
    from apps.runs.rules.workloads import MeasuredWorkload


def check(facts: RunFacts) -> Figures | None:
    for each in facts.workloads:
        engine = each.workload.engine
        if engine is None or not each.workload.elapsed_ns:
            continue
        due = _depth_milli(each)
        if engine.effective_depth_milli != due:
            return {
                "workload": each.workload.id,
                "said_milli": engine.effective_depth_milli,
                "due_milli": due,
            }
    return None


def _depth_milli(each: MeasuredWorkload) -> int:
    """Return the mean number of operations in flight in thousandths, rounded down."""
    wholes = (
        [each.histograms[COMMIT]] if COMMIT in each.histograms else list(each.histograms.values())
    )
    return sum(whole.sum_ns for whole in wholes) * 1000 // each.workload.elapsed_ns


RULE: Final = Rule(
    id="effective-depth",
    version=1,
    kind=RuleKind.CONSISTENCY,
    outcome=Outcome.QUARANTINE,
    keeps_out=KeepsOut.RUN,
    text="queue depth and latencies disagree",
    why="By Little's law operations in flight are all latencies over the time, to within a "
    "thousandth.",
    remedy=MEASURE_AGAIN,
    finding="{workload}: {said_milli} thousandths of an operation in flight were sent, the "
    "histograms say {due_milli}.",
    check=check,
)
