"""What a reader who names nothing can start from: the first plans and drives of the boards."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.db.models import Count, Q

from apps.drives.models import VIRTUAL
from apps.rankings.models import Evidence, Standing
from apps.rankings.selectors import COMPARABLE_PLACE, FOR_RENT, RATE, ROW, best_of_each

if TYPE_CHECKING:
    from collections.abc import Sequence


@dataclass(frozen=True, slots=True)
class Leads:
    """The standing that stands for each plan for rent, and for each drive; the boards' order."""

    plans: Sequence[Any]
    drives: Sequence[Any]  # with n_figures, how many standings a drive has


def read_leads() -> Leads:
    """What somebody measured or published: two queries."""
    rows = Standing.objects.exclude(evidence=Evidence.EXAMPLE).exclude(is_illustrative=True)
    of_plans = rows.filter(FOR_RENT, plan__isnull=False)
    of_drives = rows.filter(~Q(drive_family__kind=VIRTUAL), drive_family__isnull=False)
    n_figures = Count("drive_family__standings")
    plans, drives = (
        best_of_each(each, thing)
        .select_related("plan__provider", "drive_family")
        .defer("curve", "points")
        .order_by(COMPARABLE_PLACE, RATE.desc(), *ROW)
        for thing, each in (("plan", of_plans), ("drive_family", of_drives))
    )
    return Leads(list(plans), list(drives.annotate(n_figures=n_figures)))
