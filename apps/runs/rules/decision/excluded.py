"""A moderator excluded the run."""

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
    ruling = facts.rulings.get(RunRuling.Kind.EXCLUDED)
    return None if ruling is None else ruling_figures(ruling)


RULE: Final = Rule(
    id="excluded",
    version=1,
    kind=RuleKind.DECISION,
    keeps_out=KeepsOut.RUN,
    text="excluded by a moderator",
    why="A moderator looked at it and decided that it does not count.",
    remedy="Report the run, and say why it should count.",
    cases=RULING_CASES,
    check=check,
)
