"""A drive says that its cache is volatile, and the kernel sends it no flushes.

Power-loss protection of the family makes that honest. A virtual disk has no data sheet.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from apps.drives.media import WRITE_BACK, WRITE_THROUGH
from apps.drives.models import PowerLossProtection
from apps.runs.models import KeepsOut
from apps.runs.rules.common_words import SET_WRITE_BACK
from apps.runs.rules.rule import Rule, RuleKind, ThresholdBasis

if TYPE_CHECKING:
    from apps.runs.figures import Figures
    from apps.runs.rules.run_facts import RunFacts


def check(facts: RunFacts) -> Figures | None:
    for device, family in zip(facts.members.devices, facts.members.families, strict=True):
        is_protected = (
            family is not None and not family.is_virtual and family.plp == PowerLossProtection.FULL
        )
        is_volatile = device.volatile_write_cache or device.driver_write_cache == WRITE_BACK
        if device.write_cache == WRITE_THROUGH and is_volatile and not is_protected:
            return {}
    return None


RULE: Final = Rule(
    id="volatile-write-through",
    version=2,
    kind=RuleKind.ENVIRONMENT,
    keeps_out=KeepsOut.RUN,
    text="volatile cache without flushes",
    why="The drive says that its cache is volatile, the kernel takes it for write through and "
    "sends no flushes, and no data sheet protects it.",
    basis=ThresholdBasis.DOCUMENTED,
    source="https://docs.kernel.org/block/writeback_cache_control.html",
    remedy=SET_WRITE_BACK,
    check=check,
)
