"""Its owner withdrew the run."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from apps.runs.models import KeepsOut, RunRuling
from apps.runs.rules.common_words import RULING_CASES
from apps.runs.rules.rule import Rule, RuleKind
from apps.runs.rules.run_facts import ruling_figures

if TYPE_CHECKING:
    from apps.runs.figures import Figures
    from apps.runs.rules.run_facts import RunFacts


def check(facts: RunFacts) -> Figures | None:
    ruling = facts.rulings.get(RunRuling.Kind.WITHDRAWN)
    return None if ruling is None else ruling_figures(ruling)


RULE: Final = Rule(
    id="withdrawn",
    version=1,
    kind=RuleKind.DECISION,
    keeps_out=KeepsOut.RUN,
    text="withdrawn by its owner",
    why="Who measured it says that it should not count.",
    remedy="If it is yours, take that back.",
    cases=RULING_CASES,
    check=check,
)
