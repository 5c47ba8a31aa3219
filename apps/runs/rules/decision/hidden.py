"""Its owner took the run out of lists."""

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
    ruling = facts.rulings.get(RunRuling.Kind.HIDDEN)
    return None if ruling is None else ruling_figures(ruling)


RULE: Final = Rule(
    id="hidden",
    version=1,
    kind=RuleKind.DECISION,
    keeps_out=KeepsOut.RUN,
    text="hidden by its owner",
    why="Its owner took it out of lists, and what is on no list counts nowhere.",
    remedy="If it is yours, show it again.",
    cases=RULING_CASES,
    check=check,
)
