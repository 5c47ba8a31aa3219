"""The machine says that it is none of a hypervisor's, and its disk is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from apps.runs.members import BARE_METAL, names_of
from apps.runs.rules.common_words import TELL_MACHINE
from apps.runs.rules.devices import is_host_disk, is_on_a_hypervisor_bus
from apps.runs.rules.rule import Rule, RuleKind

if TYPE_CHECKING:
    from apps.runs.figures import Figures
    from apps.runs.rules.run_facts import RunFacts

ARCHITECTURE: Final = "x86_64"  # whose processors say whether there is a hypervisor


def check(facts: RunFacts) -> Figures | None:
    env = facts.run.env
    if env.virt != BARE_METAL or env.arch != ARCHITECTURE:
        return None
    members = facts.members
    for device, family in zip(members.devices, members.named_families, strict=True):
        if is_on_a_hypervisor_bus(device) or (family and is_host_disk(device, family)):
            return {"disk": names_of([device])[0] or device.device_class}
    return None


RULE: Final = Rule(
    id="hypervisor-hidden",
    version=1,
    kind=RuleKind.IDENTITY,
    text="a host's disk on bare metal",
    why="On x86-64 processor and firmware name no hypervisor, and the disk is a hypervisor's: on "
    "virtio, on Xen or by its name.",
    remedy=TELL_MACHINE,
    finding="The disk is {disk}.",
    check=check,
)
