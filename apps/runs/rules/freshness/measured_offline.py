"""The run names no challenge, so nothing shows when it was made."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from apps.runs.models import ChallengeUse
from apps.runs.rules.freshness import NOTED_ON_ARRIVAL
from apps.runs.rules.rule import Rule, RuleKind

if TYPE_CHECKING:
    from apps.runs.figures import Figures
    from apps.runs.rules.run_facts import RunFacts


def check(facts: RunFacts) -> Figures | None:
    if facts.challenge_use != ChallengeUse.NONE:
        return None
    return {}


RULE: Final = Rule(
    id="measured-offline",
    version=1,
    kind=RuleKind.FRESHNESS,
    text="measured offline",
    explanation="No server was asked for a challenge before this run, so nothing shows when it "
    "was made or how many others were left out. It is shown, and not ranked.",
    threshold="Speaks where the run names no challenge.",
    origin=NOTED_ON_ARRIVAL,
    remedy="Measure again with `--server` while the machine can reach it.",
    finding="The agent did not reach a server before it measured.",
    check=check,
)
