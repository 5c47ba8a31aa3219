"""The run names a challenge that this server does not remember."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from apps.runs.models import ChallengeUse
from apps.runs.rules.common_words import MEASURE_WITH_SERVER, NO_CHALLENGE
from apps.runs.rules.rule import Rule, RuleKind

if TYPE_CHECKING:
    from apps.runs.figures import Figures
    from apps.runs.rules.run_facts import RunFacts


def check(facts: RunFacts) -> Figures | None:
    if facts.challenge_use != ChallengeUse.UNKNOWN:
        return None
    return {}


RULE: Final = Rule(
    id="challenge-unknown",
    version=1,
    kind=RuleKind.FRESHNESS,
    text="challenge not known",
    why=NO_CHALLENGE,
    remedy=MEASURE_WITH_SERVER,
    check=check,
)
