"""Figures on the ruler where no percentile curve is known: of the thing itself, then of its kin.

Each mark stands at 1 / rate; its line reaches to the p99 of whole commits or syncs, where it is
known.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from apps.pages.draw.axis import NS_PER_S
from apps.pages.draw.lanes import LANE_PX, LanePoint, Lanes, draw_lanes
from apps.pages.show import dates, words
from apps.pages.show.phrases import join_facts
from apps.pages.show.standings import real_else_examples
from apps.pages.show.table.rows import band_of, subject_of
from apps.pages.things.kin import class_near, kin_name
from apps.rankings.choice import headline_key, may_lead
from apps.rankings.models import Evidence
from apps.runs.published.comparable import comparable_class
from apps.runs.sides import COMMIT_SIDES
from apps.stats.figures import significant
from apps.words.workloads import class_mark, workload_short

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from apps.drives.models import LadderClass
    from apps.pages.things.selectors.kin import Kin
    from apps.rankings.models import Standing

LANES_MAX: Final = 10  # as high as the words beside them
HEIGHT_PX: Final = 360  # that few lanes share
LANE_PX_MAX: Final = 54


def others_of(lead: Standing, standings: Iterable[Standing]) -> list[Standing]:
    """The published comparable figures beside a lead: by class of work, then rate."""
    others = [
        each
        for each in standings
        if each.pk != lead.pk and each.evidence == Evidence.PUBLISHED and may_lead(each)
    ]
    nearest = sorted(others, key=headline_key)[: LANES_MAX - 1]
    return sorted(nearest, key=lambda each: (comparable_class(each.workload), -each.rate_per_s))


def own_lanes(lead: Standing, standings: Iterable[Standing], kin: Sequence[Kin]) -> Lanes:
    """The figure that a page leads with, hot, its other comparable ones, and kin where few are."""
    own = [lead, *others_of(lead, standings)]
    points = [_own_point(each, is_hot=each is lead) for each in own]
    return _draw([*points, *_kin_points(kin)], lead.ladder_class)


def kin_lanes(standings: Iterable[Standing], kin: Sequence[Kin]) -> Lanes | None:
    """The kin of what has no comparable figure, behind what else was measured of it."""
    other_work = [
        each
        for each in standings
        if each.is_durable_single_writer
        and not each.is_illustrative
        and each.evidence != Evidence.EXAMPLE
    ]
    other_work.sort(key=lambda each: -each.rate_per_s)
    points = [*map(_own_point, other_work[: LANES_MAX // 2]), *_kin_points(kin)]
    return _draw(points, class_near(kin)) if points else None


def plan_lanes(plans: Sequence[Standing], lead: Standing) -> Lanes:
    """The plans of a provider, each by its headline figure; the first leads the page, hot."""
    others = (each for each in real_else_examples(plans) if each is not lead)
    shown = [lead, *others][:LANES_MAX]
    return _draw([_point(each, subject_of(each).name, is_hot=each is lead) for each in shown], None)


def _kin_points(kin: Sequence[Kin]) -> list[LanePoint]:
    return [_point(each.standing, kin_name(each), is_hot=False) for each in kin]


def _draw(points: Sequence[LanePoint], rung: LadderClass | None) -> Lanes:
    lane_px = min(LANE_PX_MAX, max(LANE_PX, HEIGHT_PX // len(points)))
    return draw_lanes(points, band_ns=band_of(rung), lane_px=lane_px)


def _own_point(standing: Standing, *, is_hot: bool = False) -> LanePoint:
    work = workload_short(standing.workload, standing.workload_title)
    name = join_facts((work, words.region(standing.region_group), _year(standing)))
    return _point(standing, name, is_hot=is_hot)


def _point(standing: Standing, name: str, *, is_hot: bool) -> LanePoint:
    is_whole = standing.latency_side in COMMIT_SIDES
    return LanePoint(
        name,
        NS_PER_S / standing.rate_per_s,
        to_ns=standing.p99_ns if is_whole else None,
        is_hot=is_hot,
        plp=standing.plp or "unknown",
        value=f"{significant(standing.rate_per_s)} /s",
        quantity=class_mark(comparable_class(standing.workload)),
    )


def _year(standing: Standing) -> str:
    return dates.year(getattr(standing, "measured_at", None), standing.newest_run_slug)
