"""Many keys that nobody saw before measured one plan within a day."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Final

from apps.runs.rules.history import BURST_PERIOD
from apps.runs.rules.rule import Rule, RuleKind

if TYPE_CHECKING:
    from apps.runs.figures import Figures
    from apps.runs.rules.run_facts import RunFacts

NEW_KEYS_ON_PLAN_MAX: Final = 10  # within a day: more than an article brings to one plan


def check(facts: RunFacts) -> Figures | None:
    keys = facts.history.new_keys_on_plan
    if keys <= NEW_KEYS_ON_PLAN_MAX:
        return None
    return {"keys": keys, "hours": BURST_PERIOD // timedelta(hours=1)}


RULE: Final = Rule(
    id="new-keys-on-plan",
    version=1,
    kind=RuleKind.BEHAVIOUR,
    text="many new keys on one plan",
    explanation="Many keys that nobody had seen before measured one plan within a day. That "
    "happens when people talk about a plan, and when one person makes many keys.",
    threshold=f"Speaks above {NEW_KEYS_ON_PLAN_MAX} new keys within "
    f"{BURST_PERIOD.days} day, on runs of those keys.",
    origin="A convention, to be looked at when more is known of how runs come in.",
    remedy="Nothing: uploaders count once, and a median does not follow a crowd of copies from "
    "one network.",
    finding="{keys} keys that were new sent runs of this plan within {hours} hours.",
    check=check,
)
