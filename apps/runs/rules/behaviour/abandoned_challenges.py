"""Many of the runs that this key asked challenges for were never reported."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from apps.runs.rules.history import CHALLENGES_PERIOD
from apps.runs.rules.rule import Rule, RuleKind

if TYPE_CHECKING:
    from apps.runs.figures import Figures
    from apps.runs.rules.run_facts import RunFacts

ABANDONED_SHARE_MAX: Final = 0.3
CHALLENGES_MIN: Final = 10  # of fewer, a few broken runs are already a third


def check(facts: RunFacts) -> Figures | None:
    issued, abandoned = facts.history.challenges_issued, facts.history.challenges_abandoned
    if not issued or abandoned is None or issued < CHALLENGES_MIN:
        return None
    if abandoned <= issued * ABANDONED_SHARE_MAX:
        return None
    return {"abandoned": abandoned, "issued": issued}


RULE: Final = Rule(
    id="abandoned-challenges",
    version=2,
    kind=RuleKind.BEHAVIOUR,
    text="many runs never reported",
    explanation="This key asked for challenges and did not report what it measured. Whoever "
    "uploads only the best of many runs looks like that; so does a machine that loses its "
    "network.",
    threshold=f"Speaks above {ABANDONED_SHARE_MAX:.0%} of the challenges of the last "
    f"{CHALLENGES_PERIOD.days} days, from {CHALLENGES_MIN} on. A challenge "
    "is abandoned when no run answered it and its run must be over: after four times the "
    "longest duration of its suite. A run that was broken off now and then is not enough.",
    origin="A convention, until it is known how often honest runs break off.",
    remedy="Report every run, the bad ones too; `fsyncmark upload` sends what was left behind.",
    finding="{abandoned} of {issued} runs that this key asked a challenge for were never reported.",
    check=check,
)
