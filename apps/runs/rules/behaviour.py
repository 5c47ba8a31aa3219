"""Checks how runs come in: many keys of one machine, new keys on one plan, runs never reported.

None of it excludes a run: keys of one network count as one uploader in any case.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from apps.runs.rules.history import BURST_PERIOD, MACHINE_PERIOD

if TYPE_CHECKING:
    from apps.runs.rules.facts import RunFacts

KEYS_OF_MACHINE_MAX: Final = 3  # a reinstalled machine has a new key, and a new machine-id besides
NEW_KEYS_ON_PLAN_MAX: Final = 10  # within a day: more than an article brings to one plan
ABANDONED_SHARE_MAX: Final = 0.3
CHALLENGES_MIN: Final = 10  # of fewer, a few broken runs are already a third


def many_keys(facts: RunFacts) -> str | None:
    """One machine, told by its pseudonym, sent runs under many keys from one network."""
    keys = facts.history.keys_of_machine
    if keys <= KEYS_OF_MACHINE_MAX:
        return None
    return f"{keys} keys sent runs of this machine from this network in {MACHINE_PERIOD.days} days."


def new_keys_on_plan(facts: RunFacts) -> str | None:
    """Many keys that nobody saw before measured one plan within a day."""
    keys = facts.history.new_keys_on_plan
    if keys <= NEW_KEYS_ON_PLAN_MAX:
        return None
    hours = BURST_PERIOD.total_seconds() / 3600
    return f"{keys} keys that were new sent runs of this plan within {hours:.0f} hours."


def abandoned_challenges(facts: RunFacts) -> str | None:
    """Many of the runs that this key asked challenges for were never reported."""
    issued, abandoned = facts.history.challenges_issued, facts.history.challenges_abandoned
    if not issued or abandoned is None or issued < CHALLENGES_MIN:
        return None
    if abandoned <= issued * ABANDONED_SHARE_MAX:
        return None
    return f"{abandoned} of {issued} runs that this key asked a challenge for were never reported."
