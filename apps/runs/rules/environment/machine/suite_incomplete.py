"""Workloads or passes of the suite are missing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from apps.runs.figures import CASE
from apps.runs.models import KeepsOut
from apps.runs.rules.rule import Rule, RuleKind

if TYPE_CHECKING:
    from apps.runs.figures import Figures
    from apps.runs.rules.run_facts import RunFacts
    from apps.runs.rules.workloads import MeasuredWorkload


def check(facts: RunFacts) -> Figures | None:
    if not facts.run.suite.complete:
        if any(_was_stopped(each) for each in facts.workloads):
            return {CASE: "stopped"}
        return {CASE: "part"}
    if facts.suite is None:
        return None
    done = {(each.workload.id, each.workload.version): each for each in facts.workloads}
    for definition in facts.suite.workloads:
        each = done.get((definition.id, definition.version))
        if each is None or not _ran_to_the_end(each, passes=definition.passes):
            return {CASE: "passes", "workload": definition.id}
    return None


def _ran_to_the_end(each: MeasuredWorkload, *, passes: int) -> bool:
    return (
        len(each.workload.passes) >= passes
        and not _was_stopped(each)
        and each.workload.operations > 0
    )


def _was_stopped(each: MeasuredWorkload) -> bool:
    return any(one.ended_by in ("interrupted", "error") for one in each.workload.passes)


_MISSING: Final = "Workloads or passes of the suite are missing."

RULE: Final = Rule(
    id="suite-incomplete",
    version=2,
    kind=RuleKind.ENVIRONMENT,
    keeps_out=KeepsOut.RUN,
    text="incomplete",
    why="A workload or a pass is missing. Ranked are complete runs only, or a bad run could be "
    "stopped half-way.",
    remedy="Measure again to the end, with all workloads.",
    cases={"stopped": _MISSING, "part": _MISSING, "passes": _MISSING},
    check=check,
)
