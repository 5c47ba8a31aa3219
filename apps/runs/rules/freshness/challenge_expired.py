"""The upload came after its challenge had ended."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from apps.runs.models import ChallengeUse
from apps.runs.rules.freshness import NOTED_ON_ARRIVAL
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
    explanation="The run was uploaded after its challenge had ended. It is shown, and not ranked.",
    threshold="Speaks where the upload came after the challenge had ended, by the server's clock.",
    origin=NOTED_ON_ARRIVAL,
    remedy="Measure again and let the agent upload right after the run.",
    finding="The challenge was issued {issued_at:minute} UTC.",
    check=check,
)
