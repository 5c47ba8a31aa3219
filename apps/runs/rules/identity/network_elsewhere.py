"""The upload came from the network of another provider."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from apps.runs.rules.identity import NETWORK_CASES
from apps.runs.rules.rule import Rule, RuleKind

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
    explanation="The upload came from the network of another provider than the one on which "
    "the run stands. A result that was kept and sent later from another machine looks like "
    "that, and so does a VPN: it is weak evidence, and moves no run.",
    threshold="Speaks where firmware, metadata or claim name one provider of the table of "
    "networks, and the address of the request lies in a block of another. Homes and "
    "unknown networks mean nothing.",
    origin="A yes or no: the blocks that providers publish or announce, as of the date in "
    "the table's own notes. Of the address only the provider is kept.",
    remedy="Nothing, if the result was sent from elsewhere. Else check what was claimed.",
    cases=NETWORK_CASES,
    check=check,
)
