"""The figure that a plan or a drive is known for, where one line has to do."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.urls import reverse

from apps.pages.draw.spot import Spot, draw_spot
from apps.pages.show import words
from apps.pages.show.dates import figure_day
from apps.pages.show.table.rows import figures_of_standing, source_name
from apps.words.workloads import workload_short

if TYPE_CHECKING:
    from apps.rankings.models import Standing


@dataclass(frozen=True, slots=True)
class KnownFigure:
    """The figure that something is known for, with everything that it rests on."""

    rate_per_s: float
    low: float | None
    high: float | None
    interval: str
    workload: str
    when: str
    run_url: str
    source: str  # name of the article that it is from; empty: it was measured
    level: str
    spot: Spot | None


def known_figure(standing: Standing) -> KnownFigure:
    """The figure of a standing; its day and source only if it was read by `with_sources`."""
    measured_at = getattr(standing, "measured_at", None)
    return KnownFigure(
        rate_per_s=standing.rate_per_s,
        low=standing.rate_per_s_low,
        high=standing.rate_per_s_high,
        interval=str(words.INTERVALS.get(standing.interval_is, "")),
        workload=workload_short(standing.workload, standing.workload_title),
        when=figure_day(measured_at, standing.newest_run_slug),
        run_url=reverse("pages:run", args=[standing.newest_run_slug]),
        source=source_name(getattr(standing, "source_title", None)),
        level=words.level_of(standing.evidence, is_reproduced=standing.is_reproduced),
        spot=draw_spot(figures_of_standing(standing)),
    )
