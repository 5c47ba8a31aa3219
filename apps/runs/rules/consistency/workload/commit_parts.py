"""A commit takes as long as its write and its sync together.

Group commits are not judged: one writer writes and syncs for all, and commits wait for their turn.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from apps.runs.models import KeepsOut, Outcome
from apps.runs.rules.common_words import MEASURE_AGAIN
from apps.runs.rules.consistency import TOLERANCE
from apps.runs.rules.rule import Rule, RuleKind

if TYPE_CHECKING:
    from apps.runs.figures import Figures
    from apps.runs.rules.run_facts import RunFacts

GROUP_COMMIT: Final = "group-commit"


def check(facts: RunFacts) -> Figures | None:
    for each in facts.workloads:
        sides = each.histograms
        if each.definition is not None and each.definition.operation == GROUP_COMMIT:
            continue
        if not sides.keys() >= {"write", "sync", "commit"}:
            continue
        parts = sides["write"].sum_ns + sides["sync"].sum_ns
        whole = sides["commit"].sum_ns
        if abs(parts - whole) > TOLERANCE * whole:
            return {"workload": each.workload.id, "parts_ns": parts, "commits_ns": whole}
    return None


RULE: Final = Rule(
    id="commit-parts",
    version=2,
    kind=RuleKind.CONSISTENCY,
    outcome=Outcome.QUARANTINE,
    keeps_out=KeepsOut.RUN,
    text="commit is not write and sync",
    why="The times of writes and syncs must add up to those of commits within {tolerance:.0%}. "
    "Group commits are not judged.",
    why_figures={"tolerance": TOLERANCE},
    remedy=MEASURE_AGAIN,
    finding="{workload}: writes and syncs took {parts_ns} ns, commits {commits_ns} ns.",
    check=check,
)
