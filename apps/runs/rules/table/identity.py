"""Rules about what was measured: whether claim, machine, drive and network say the same of it."""

from __future__ import annotations

from typing import Final

from apps.plans.placement import MEMORY_SHARE_MAX, MEMORY_SHARE_MIN
from apps.runs.rules import identity
from apps.runs.rules.rule import Kind, Rule

RULES: Final = (
    Rule(
        id="placement-conflict",
        version=1,
        kind=Kind.IDENTITY,
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
        check=identity.placement_conflict,
    ),
    Rule(
        id="network-elsewhere",
        version=1,
        kind=Kind.IDENTITY,
        text="sent from another cloud",
        explanation="The upload came from the network of another provider than the one on which "
        "the run stands. A result that was kept and sent later from another machine looks like "
        "that, and so does a VPN: it is weak evidence, and moves no run.",
        border="Speaks where firmware, metadata or claim name one provider of the table of "
        "networks, and the address of the request lies in a block of another. Homes and "
        "unknown networks mean nothing.",
        origin="A yes or no: the blocks that providers publish or announce, as of the date in "
        "the table's own notes. Of the address only the provider is kept.",
        remedy="Nothing, if the result was sent from elsewhere. Else check what was claimed.",
        check=identity.network_elsewhere,
    ),
    Rule(
        id="medium-disagrees",
        version=1,
        kind=Kind.IDENTITY,
        text="device and family disagree",
        explanation="The device reports itself as another medium than the catalogue has for the "
        "family that its name means. Host adapters call flash rotational and bridges hide what "
        "lies behind them; a name may also be borrowed. Both are shown, neither is believed "
        "more.",
        border="Speaks where attachment and rotational flag of a member make it another medium "
        "than its family is. Virtual disks, drives on USB and devices that do not tell are not "
        "judged.",
        origin="A yes or no: the kernel's words and the facts of the catalogue of drives.",
        remedy="Look how the drive is attached, and at what the controller makes of it. If the "
        "drive is not the one that we recognised, tell us.",
        check=identity.medium_disagrees,
    ),
)
