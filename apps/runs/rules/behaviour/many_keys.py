"""One machine, told by its pseudonym, sent runs under many keys from one network."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from apps.runs.rules.common_words import SO_MANY_KEYS
from apps.runs.rules.history import MACHINE_PERIOD
from apps.runs.rules.rule import Rule, RuleKind, ThresholdBasis

if TYPE_CHECKING:
    from apps.runs.figures import Figures
    from apps.runs.rules.history import History

KEYS_OF_MACHINE_MAX: Final = 3  # a reinstalled machine has a new key, and a new machine-id besides


def find_in(history: History) -> Figures | None:
    """Return the figures of the finding in what came before a run, or None."""
    keys = history.keys_of_machine
    if keys <= KEYS_OF_MACHINE_MAX:
        return None
    return {"keys": keys, "days": MACHINE_PERIOD.days}


RULE: Final = Rule(
    id="many-keys",
    version=1,
    kind=RuleKind.BEHAVIOUR,
    text="many keys of one machine",
    why=f"Over {KEYS_OF_MACHINE_MAX} keys of one network sent runs of one machine within "
    f"{MACHINE_PERIOD.days} days. They count as one uploader.",
    basis=ThresholdBasis.CONVENTION,
    remedy="Keep the agent's key: in a container, on a volume.",
    finding=SO_MANY_KEYS,
    check=lambda facts: find_in(facts.history),
)
