"""Claim, firmware, metadata and machine do not agree on what was rented."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from apps.runs.figures import EACH
from apps.runs.rules.identity import MACHINE_CASES
from apps.runs.rules.rule import Rule, RuleKind

if TYPE_CHECKING:
    from apps.runs.figures import Figures
    from apps.runs.rules.run_facts import RunFacts


def check(facts: RunFacts) -> Figures | None:
    return {EACH: list(facts.placement.questions)} if facts.placement.questions else None


RULE: Final = Rule(
    id="placement-conflict",
    version=2,
    kind=RuleKind.IDENTITY,
    text="claim and machine disagree",
    explanation="The claim, the machine's firmware, the cloud's metadata and the machine "
    "itself do not agree on what was rented. The run stands where the firmware says, then the "
    "metadata, then the claim. It is no verdict: resellers rent out machines of others, and "
    "people run virtual machines on servers that they rent.",
    threshold="Speaks where two of them name different providers or types, where the file lay on "
    "another kind of storage than the plan has, or where the machine is not as the plan is sold "
    "although its own firmware or metadata names it.",
    origin="A yes or no.",
    remedy="Name provider and plan as the invoice does, or leave them out where the firmware "
    "says them. If the catalogue of plans is wrong, tell us.",
    cases={
        "metadata-provider": "The cloud's metadata names {metadata}; the firmware names "
        "{firmware}.",
        "metadata-type": "The cloud's metadata names the type {metadata}; the firmware names "
        "{firmware}.",
        "provider": "The claim says {claim}; {teller:word} names {named}.",
        "type": "The claim says {claim}; {teller:word} names the type {named}.",
        "firmware": "the firmware",
        "metadata": "the cloud's metadata",
        **MACHINE_CASES,
        "local-storage": "{plan} has local drives; the file lay on a network volume.",
        "network-storage": "{plan} is storage on the network; the file lay on a local drive.",
    },
    check=check,
)
