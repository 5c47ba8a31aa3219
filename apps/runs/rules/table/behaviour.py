"""Rules about how runs come in. They exclude nothing: keys of one network count as one uploader."""

from __future__ import annotations

from typing import Final

from apps.runs.rules import behaviour
from apps.runs.rules.history import BURST_PERIOD, CHALLENGES_PERIOD, MACHINE_PERIOD
from apps.runs.rules.rule import Kind, Rule

RULES: Final = (
    Rule(
        id="many-keys",
        version=1,
        kind=Kind.BEHAVIOUR,
        text="many keys of one machine",
        explanation="Several keys of one network sent runs of one machine, by its pseudonym. They "
        "count as one uploader, as every key of a network does.",
        border=f"Speaks above {behaviour.KEYS_OF_MACHINE_MAX} keys within {MACHINE_PERIOD.days} "
        "days, by the server's clock.",
        origin="A convention: a machine that is installed anew has another pseudonym as well, so a "
        "second key is rare and a fourth is a habit.",
        remedy="Keep the agent's key: in a container, put its folder on a volume.",
        check=behaviour.many_keys,
    ),
    Rule(
        id="new-keys-on-plan",
        version=1,
        kind=Kind.BEHAVIOUR,
        text="many new keys on one plan",
        explanation="Many keys that nobody had seen before measured one plan within a day. That "
        "happens when people talk about a plan, and when one person makes many keys.",
        border=f"Speaks above {behaviour.NEW_KEYS_ON_PLAN_MAX} new keys within "
        f"{BURST_PERIOD.days} day, on runs of those keys.",
        origin="A convention, to be looked at when more is known of how runs come in.",
        remedy="Nothing: uploaders count once, and a median does not follow a crowd of copies from "
        "one network.",
        check=behaviour.new_keys_on_plan,
    ),
    Rule(
        id="abandoned-challenges",
        version=2,
        kind=Kind.BEHAVIOUR,
        text="many runs never reported",
        explanation="This key asked for challenges and did not report what it measured. Whoever "
        "uploads only the best of many runs looks like that; so does a machine that loses its "
        "network.",
        border=f"Speaks above {behaviour.ABANDONED_SHARE_MAX:.0%} of the challenges of the last "
        f"{CHALLENGES_PERIOD.days} days, from {behaviour.CHALLENGES_MIN} on. A challenge "
        "is abandoned when no run answered it and its run must be over: after four times the "
        "longest duration of its suite. A run that was broken off now and then is not enough.",
        origin="A convention, until it is known how often honest runs break off.",
        remedy="Report every run, the bad ones too; `fsyncmark upload` sends what was left behind.",
        check=behaviour.abandoned_challenges,
    ),
)
