"""Many keys that nobody saw before measured one plan within a day."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Final

from apps.runs.rules.common_words import NOTHING_TO_DO, SO_MANY_KEYS
from apps.runs.rules.history import BURST_PERIOD
from apps.runs.rules.rule import Rule, RuleKind, ThresholdBasis

if TYPE_CHECKING:
    from apps.runs.figures import Figures
    from apps.runs.rules.history import History

NEW_KEYS_ON_PLAN_MAX: Final = 10  # within a day: more than an article brings to one plan


def find_in(history: History) -> Figures | None:
    """Return the figures of the finding in what came before a run, or None."""
    keys = history.new_keys_on_plan
    if keys <= NEW_KEYS_ON_PLAN_MAX:
        return None
    return {"keys": keys, "hours": BURST_PERIOD // timedelta(hours=1)}


RULE: Final = Rule(
    id="new-keys-on-plan",
    version=1,
    kind=RuleKind.BEHAVIOUR,
    text="many new keys on one plan",
    why=f"Over {NEW_KEYS_ON_PLAN_MAX} new keys measured one plan within a day. Talk about a plan "
    "does that, and one person with many keys.",
    basis=ThresholdBasis.CONVENTION,
    remedy=NOTHING_TO_DO,
    finding=SO_MANY_KEYS,
    check=lambda facts: find_in(facts.history),
)
