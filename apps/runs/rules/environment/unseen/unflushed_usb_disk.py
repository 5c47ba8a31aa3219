"""A disk on USB takes no flushes and answers sooner than its medium can."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from apps.drives.media import WRITE_THROUGH
from apps.runs.models import KeepsOut
from apps.runs.rules.common_words import P50_BELOW_FLOOR, SET_WRITE_BACK
from apps.runs.rules.devices import PROGRAMMED_NS_MIN, TURNED_NS_MIN, medium_ns_min
from apps.runs.rules.rule import Rule, RuleKind, ThresholdBasis

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
    why="A disk on USB is taken for write through, gets no flushes, and half of the commits took "
    f"less than {(PROGRAMMED_NS_MIN + BRIDGE_NS_MIN) / 1000:g} µs (rotational: "
    f"{(TURNED_NS_MIN + BRIDGE_NS_MIN) / 1000:g} µs). A volatile cache looks the same.",
    basis=ThresholdBasis.DOCUMENTED,
    remedy=SET_WRITE_BACK,
    finding=P50_BELOW_FLOOR,
    check=check,
)
