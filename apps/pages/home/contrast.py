"""The contrast on the first page: two plans that look alike until each write must be durable."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from apps.pages.frame.shared_link import SharedMark
from apps.runs.published.services import published_month
from apps.words.confidence import basis_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from apps.rankings.models import Standing


class ContrastSource(NamedTuple):
    """What a figure of the contrast rests on: its article, the month of it, and how many runs."""

    title: str
    url: str
    month: str
    basis: str

    @property
    def short_title(self) -> str:
        """The title without what follows its first colon."""
        return self.title.partition(": ")[0]


@dataclass(frozen=True, slots=True)
class PlanContrast:
    """Two plans of one provider whose durable commits were timed with the same workload."""

    fast: Standing
    slow: Standing
    unsynced_times: float  # how much faster the first is in a test that never syncs

    @property
    def sources(self) -> tuple[ContrastSource, ...]:
        """The sources of both figures, once where they share one."""
        return tuple(dict.fromkeys(source_of(each) for each in (self.fast, self.slow)))

    @property
    def shared_marks(self) -> tuple[SharedMark, ...]:
        """What the picture of a shared link has of both."""
        return tuple(
            SharedMark(each.plan.name, each.rate_per_s)
            for each in (self.fast, self.slow)
            if each.plan is not None
        )

    @property
    def subjects(self) -> Iterable[str]:
        """The names under which the two may stand on the ladder."""
        for standing in (self.fast, self.slow):
            yield standing.drive_names
            if standing.plan is not None:
                yield standing.plan.name


def source_of(standing: Standing) -> ContrastSource:
    """The article of a standing that was read by `contrast_candidates`."""
    measured_at = getattr(standing, "measured_at", None)
    return ContrastSource(
        title=getattr(standing, "source_title", None) or "",
        url=getattr(standing, "source_url", None) or "",
        month=f"{measured_at:%Y-%m}" if measured_at else published_month(standing.newest_run_slug),
        basis=basis_of(standing),
    )


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
    unsynced = (float(getattr(each, "unsynced_per_s", 0)) for each in (fast, slow))
    return PlanContrast(fast=fast, slow=slow, unsynced_times=next(unsynced) / next(unsynced))


def is_comparable(fast: Standing, slow: Standing) -> bool:
    """Whether a buyer would take two plans for alike: one provider, one kind of storage."""
    if fast.plan is None or slow.plan is None or fast.workload != slow.workload:
        return False
    return (
        fast.plan_id != slow.plan_id
        and fast.plan.provider_id == slow.plan.provider_id
        and fast.plan.kind == slow.plan.kind
        and fast.plan.storage_kind == slow.plan.storage_kind
    )
