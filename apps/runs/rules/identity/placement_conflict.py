"""Claim, firmware, metadata and machine do not agree on what was rented."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from apps.plans.placement import MEMORY_SHARE_MAX, MEMORY_SHARE_MIN
from apps.runs.rules.rule import Kind, Rule

if TYPE_CHECKING:
    from apps.runs.rules.facts import RunFacts


def check(facts: RunFacts) -> str | None:
    return " ".join(facts.placement.conflicts) or None


RULE: Final = Rule(
    id="placement-conflict",
    version=1,
    kind=Kind.IDENTITY,
    place=1,
    text="claim and machine disagree",
    explanation="The claim, the machine's firmware, the cloud's metadata and the machine "
    "itself do not agree on what was rented. The run stands where the firmware says, then the "
    "metadata, then the claim. It is no verdict: resellers rent out machines of others, and "
    "people run virtual machines on servers that they rent.",
    border="Speaks where two of them name different providers or types, or where the machine "
    "has another architecture, hypervisor, number of processors, memory "
    f"(outside of {MEMORY_SHARE_MIN:.0%} to {MEMORY_SHARE_MAX:.0%}) or kind of storage than "
    "the plan on which the run stands.",
    origin="A yes or no, but for the memory: kernel and firmware keep up to a quarter of a "
    "small machine's, and by a gigabyte providers mean 10^9 or 2^30 bytes. Half of the "
    "processors is no conflict, since hyper-threading can be off.",
    remedy="Name provider and plan as the invoice does, or leave them out where the firmware "
    "says them. If the catalogue of plans is wrong, tell us.",
    check=check,
)
