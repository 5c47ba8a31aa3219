"""The machine has a drive, or stands in a region, that the catalogue does not list for its plan."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from apps.runs.figures import EACH
from apps.runs.rules.common_words import TELL_PLAN
from apps.runs.rules.identity import LIST_CASES
from apps.runs.rules.rule import Rule, RuleKind

if TYPE_CHECKING:
    from apps.runs.figures import Figures
    from apps.runs.rules.run_facts import RunFacts


def check(facts: RunFacts) -> Figures | None:
    found = facts.placement.other_places
    return {EACH: list(found)} if found else None


RULE: Final = Rule(
    id="unlisted-for-plan",
    version=1,
    kind=RuleKind.IDENTITY,
    text="not on the plan's list",
    why="The catalogue lists other drives or regions for the plan. Its list is not complete, so "
    "the run counts.",
    remedy=TELL_PLAN,
    cases=LIST_CASES,
    check=check,
)
