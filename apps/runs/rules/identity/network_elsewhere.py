"""The upload came from the network of another provider."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from apps.runs.rules.common_words import NOTHING_TO_DO
from apps.runs.rules.identity import NETWORK_CASES
from apps.runs.rules.rule import Rule, RuleKind, ThresholdBasis

if TYPE_CHECKING:
    from apps.runs.figures import Figures
    from apps.runs.rules.run_facts import RunFacts


def check(facts: RunFacts) -> Figures | None:
    return facts.placement.sent_elsewhere


RULE: Final = Rule(
    id="network-elsewhere",
    version=1,
    kind=RuleKind.IDENTITY,
    text="sent from another cloud",
    why="The upload came from another provider's network than firmware, metadata or claim name. A "
    "VPN looks like that: it moves no run.",
    basis=ThresholdBasis.DOCUMENTED,
    remedy=NOTHING_TO_DO,
    cases=NETWORK_CASES,
    check=check,
)
