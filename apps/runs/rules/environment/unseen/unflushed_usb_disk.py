"""A disk on USB takes no flushes and answers sooner than its medium can."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from apps.drives.media import WRITE_THROUGH
from apps.runs.models import KeepsOut
from apps.runs.rules.devices import PROGRAMMED_NS_MIN, TURNED_NS_MIN, medium_ns_min
from apps.runs.rules.rule import Rule, RuleKind

if TYPE_CHECKING:
    from apps.runs.figures import Figures
    from apps.runs.rules.run_facts import RunFacts

# Two commands cross the bridge besides, each with a round trip of 50 µs and more.
BRIDGE_NS_MIN: Final = 100_000


def check(facts: RunFacts) -> Figures | None:
    p50_ns = facts.commit_p50_ns
    for device in facts.members.devices:
        floor_ns = medium_ns_min(device) + BRIDGE_NS_MIN
        takes_none = device.transport == "usb" and device.write_cache == WRITE_THROUGH
        if takes_none and p50_ns is not None and p50_ns < floor_ns:
            return {"p50_ns": p50_ns, "floor_ns": floor_ns}
    return None


RULE: Final = Rule(
    id="unflushed-usb-disk",
    version=1,
    kind=RuleKind.ENVIRONMENT,
    keeps_out=KeepsOut.WEIGHT,
    text="USB disk without flushes",
    explanation="Many bridges between USB and a drive do not say what its cache is. Linux then "
    "assumes write through and sends no flushes, and commits are quicker than the medium. That "
    "cannot be told apart from a volatile cache that nobody empties.",
    threshold="Speaks where a disk on USB is taken for write through and half of the commits of "
    f"commit-8k took less than {(PROGRAMMED_NS_MIN + BRIDGE_NS_MIN) / 1000:g} µs, or "
    f"{(TURNED_NS_MIN + BRIDGE_NS_MIN) / 1000:g} µs where it calls itself rotational.",
    origin="The floors of NVMe drives without protection and of hard disks, and two commands over "
    "the bridge.",
    remedy="Let queue/write_cache of the disk say write back, if its bridge takes flushes, or "
    "attach the drive without the bridge.",
    finding="The disk on USB takes no flushes, and half of the commits took {p50_ns:us} µs or "
    "less; its medium needs {floor_ns:us} µs.",
    check=check,
)
