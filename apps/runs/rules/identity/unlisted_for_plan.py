"""The machine has a drive, or stands in a region, that the catalogue does not list for its plan."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from apps.runs.figures import EACH
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
    explanation="Providers mix drives and open regions, and the catalogue's lists rarely have all "
    "of them: nothing is wrong with the run. It is looked at, so that the catalogue may learn.",
    threshold="Speaks where the catalogue names drives or regions of the plan, and the run has "
    "another. Where it has all of them the run does not count for the plan (plan-contradicted).",
    origin="A yes or no: apps/plans/data/plans.csv.",
    remedy="Nothing. Check provider and plan, if you claimed them by hand.",
    cases=LIST_CASES,
    check=check,
)
