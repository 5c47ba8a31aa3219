"""The upload came after its challenge had ended."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from apps.runs.models import ChallengeUse
from apps.runs.rules.common_words import MEASURE_WITH_SERVER
from apps.runs.rules.rule import Rule, RuleKind

if TYPE_CHECKING:
    from apps.runs.figures import Figures
    from apps.runs.rules.run_facts import RunFacts


def check(facts: RunFacts) -> Figures | None:
    issued_at = facts.challenge_issued_at
    if facts.challenge_use != ChallengeUse.EXPIRED or issued_at is None:
        return None
    return {"issued_at": int(issued_at.timestamp())}


RULE: Final = Rule(
    id="challenge-expired",
    version=1,
    kind=RuleKind.FRESHNESS,
    text="uploaded late",
    why="The upload came after its challenge had ended: after four times the longest duration of "
    "its suite, 30 minutes at least and a day at most.",
    remedy=MEASURE_WITH_SERVER,
    check=check,
)
