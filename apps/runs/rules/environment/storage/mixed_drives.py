"""The members of a RAID or volume are not alike."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from apps.runs.rules.common_words import NOTHING_TO_DO
from apps.runs.rules.rule import Rule, RuleKind

if TYPE_CHECKING:
    from apps.runs.figures import Figures
    from apps.runs.rules.run_facts import RunFacts


def check(facts: RunFacts) -> Figures | None:
    if len(set(facts.members.families)) <= 1:
        return None
    return {"members": facts.members.reported_name}


RULE: Final = Rule(
    id="mixed-drives",
    version=1,
    kind=RuleKind.ENVIRONMENT,
    text="mixed drives",
    why="The volume has drives of several families or of none that is known: it counts for its "
    "plan and for no drive.",
    remedy=NOTHING_TO_DO,
    finding="Members: {members}.",
    check=check,
)
