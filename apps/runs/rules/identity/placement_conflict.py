"""Claim, firmware, metadata and machine do not agree on what was rented."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from apps.plans.placement import MEMORY_SHARE_MAX, MEMORY_SHARE_MIN
from apps.runs.figures import EACH
from apps.runs.rules.rule import Rule, RuleKind

if TYPE_CHECKING:
    from apps.runs.figures import Figures
    from apps.runs.rules.run_facts import RunFacts


def check(facts: RunFacts) -> Figures | None:
    return {EACH: list(facts.placement.conflicts)} if facts.placement.conflicts else None


RULE: Final = Rule(
    id="placement-conflict",
    version=1,
    kind=RuleKind.IDENTITY,
    text="claim and machine disagree",
    explanation="The claim, the machine's firmware, the cloud's metadata and the machine "
    "itself do not agree on what was rented. The run stands where the firmware says, then the "
    "metadata, then the claim. It is no verdict: resellers rent out machines of others, and "
    "people run virtual machines on servers that they rent.",
    threshold="Speaks where two of them name different providers or types, or where the machine "
    "has another architecture, hypervisor, number of processors, memory "
    f"(outside of {MEMORY_SHARE_MIN:.0%} to {MEMORY_SHARE_MAX:.0%}) or kind of storage than "
    "the plan on which the run stands.",
    origin="A yes or no, but for the memory: kernel and firmware keep up to a quarter of a "
    "small machine's, and by a gigabyte providers mean 10^9 or 2^30 bytes. Half of the "
    "processors is no conflict, since hyper-threading can be off.",
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
        "architecture": "{plan} is {sold}; the machine is {shown}.",
        "dedicated": "{plan} is a dedicated server; the system runs under {shown}.",
        "virtual": "{plan} is a virtual machine; the system runs on bare metal.",
        "local-storage": "{plan} has local drives; the file lay on a network volume.",
        "network-storage": "{plan} is storage on the network; the file lay on a local drive.",
        "processors": "{plan} has {sold} vCPUs; the machine shows {shown}.",
        "memory": "{plan} has {sold_milli:of_1000} GB of memory; the machine shows "
        "{shown_bytes:gib}.",
    },
    check=check,
)
