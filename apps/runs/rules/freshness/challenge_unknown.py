"""The run names a challenge that this server does not remember."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from apps.runs.models import ChallengeUse
from apps.runs.rules.freshness import NOTED_ON_ARRIVAL
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
    explanation="The run names a challenge that this server does not remember. It is shown, "
    "not ranked.",
    threshold="Speaks where no challenge of that name is stored.",
    origin=NOTED_ON_ARRIVAL,
    remedy="Measure again: a challenge counts only on the server that gave it.",
    finding="The challenge that the run names is not known here.",
    check=check,
)
