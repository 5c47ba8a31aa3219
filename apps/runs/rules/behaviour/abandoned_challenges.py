"""Many of the runs that this sender asked challenges for were never reported."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from apps.runs.rules.history import CHALLENGES_PERIOD
from apps.runs.rules.rule import Rule, RuleKind, ThresholdBasis

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
    version=3,
    kind=RuleKind.BEHAVIOUR,
    text="many runs never reported",
    why=f"Over {ABANDONED_SHARE_MAX:.0%} of the sender's challenges of {CHALLENGES_PERIOD.days} "
    f"days, {CHALLENGES_MIN} or more, were never answered: those of the key, of other keys of its "
    "machine and, for a key of this day, of other new keys in its network. Who uploads only the "
    "best looks like that, and so does a machine that loses its network.",
    basis=ThresholdBasis.CONVENTION,
    remedy="Report every run; `fsyncmark upload` sends what was left behind.",
    finding="{abandoned} of {issued} runs were never reported.",
    check=check,
)
