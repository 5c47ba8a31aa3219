"""The contrast on the first page: two plans that look alike until each write must be durable."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from apps.pages.draw.ladder import RatioLine, draw_ratio

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from apps.rankings.models import Standing


@dataclass(frozen=True, slots=True)
class PlanContrast:
    """Two plans of one provider, with and without syncs. Rates a second."""

    fast: Standing
    slow: Standing
    synced: RatioLine
    unsynced: RatioLine
    fast_unsynced_per_s: float
    slow_unsynced_per_s: float

    @property
    def subjects(self) -> Iterable[str]:
        """The names under which the two may stand on the ladder."""
        for standing in (self.fast, self.slow):
            yield standing.drive_names
            if standing.plan is not None:
                yield standing.plan.name


def find_contrast(published: Sequence[Standing]) -> PlanContrast | None:
    """The two plans of one provider that are furthest apart once each write is synced.

    Both must be dedicated to one drive kind and have a figure for a test that never syncs.
    """
    with_both = [each for each in published if getattr(each, "unsynced_per_s", None)]
    pairs = [
        (fast, slow)
        for fast in with_both
        for slow in with_both
        if fast.rate_per_s > slow.rate_per_s and is_comparable(fast, slow)
    ]
    if not pairs:
        return None
    fast, slow = max(pairs, key=lambda pair: pair[0].rate_per_s / pair[1].rate_per_s)
    fast_unsynced = float(getattr(fast, "unsynced_per_s", 0))
    slow_unsynced = float(getattr(slow, "unsynced_per_s", 0))
    return PlanContrast(
        fast=fast,
        slow=slow,
        synced=draw_ratio(fast_per_s=fast.rate_per_s, slow_per_s=slow.rate_per_s),
        unsynced=draw_ratio(fast_per_s=fast_unsynced, slow_per_s=slow_unsynced),
        fast_unsynced_per_s=fast_unsynced,
        slow_unsynced_per_s=slow_unsynced,
    )


def is_comparable(fast: Standing, slow: Standing) -> bool:
    """Whether a buyer would take two plans for alike: one provider, one kind of storage."""
    if fast.plan is None or slow.plan is None:
        return False
    return (
        fast.plan_id != slow.plan_id
        and fast.plan.provider_id == slow.plan.provider_id
        and fast.plan.kind == slow.plan.kind
        and fast.plan.storage_kind == slow.plan.storage_kind
    )
