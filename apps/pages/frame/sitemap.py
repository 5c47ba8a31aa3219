"""What search engines are told of: addresses of pages with the day on which they last changed."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.db.models import OuterRef, Q, QuerySet, Subquery

from apps.drives.models import DriveFamily
from apps.plans.models import Plan, Price, Provider
from apps.runs.lists.tallies import count_of
from apps.runs.models import LISTED, NOT_EXAMPLE, Level, Run
from apps.runs.selectors import NEWEST_FIRST

ADDRESSES_A_FILE: Final = 50_000 // 2  # sitemaps.org allows 50,000; each page is there twice
RUN_FILES_MAX: Final = 4  # a search engine reads no ten million; plans and drives link the others
_SENT: Final = NOT_EXAMPLE & ~Q(level=Level.PUBLISHED)


@dataclass(frozen=True, slots=True)
class SitePage:
    """One page: the name of its address, what it names, and when what it shows last changed."""

    name: str
    slug: str = ""
    changed: dt.date | None = None


Section = Callable[[], list[SitePage]]
Sections = Mapping[str, Sequence[Section]]

SITE_PAGES: Final = (
    "home", "plans", "drives", "providers", "runs", "compare", "advisor", "coverage", "guides",
    "lies", "measure", "embed", "propose", "uploads", "method", "rules", "about", "data",
    "terms", "privacy", "imprint",
)  # fmt: skip


def site_pages() -> list[SitePage]:
    """Pages that are always there. What they show changes with every run: the newest one's day."""
    newest = Run.objects.filter(NOT_EXAMPLE, LISTED).order_by(*NEWEST_FIRST)
    day = newest.values_list("listed_day", flat=True).first()
    of_figures = {"home", "plans", "drives", "providers", "runs"}
    return [SitePage(name, "", day if name in of_figures else None) for name in SITE_PAGES]


def plan_pages() -> list[SitePage]:
    """Every plan: its newest run or its newest list price."""
    runs = _newest_run("plan")
    prices = Price.objects.filter(plan=OuterRef("pk")).order_by("-valid_from")
    rows = Plan.objects.order_by("slug").annotate(
        newest=Subquery(runs), price=Subquery(prices.values("valid_from")[:1])
    )
    return [
        SitePage("plan", slug, max(filter(None, (_day(newest), price)), default=None))
        for slug, newest, price in rows.values_list("slug", "newest", "price")
    ]


def drive_pages() -> list[SitePage]:
    """Every drive family: its newest run."""
    rows = DriveFamily.objects.order_by("slug").annotate(
        newest=Subquery(_newest_run("drive_family"))
    )
    return [SitePage("drive", row.slug, _day(row.newest)) for row in rows]


def provider_pages() -> list[SitePage]:
    """Every provider: the newest run on one of its plans."""
    runs = Run.objects.filter(NOT_EXAMPLE, LISTED, provider=OuterRef("pk"))
    newest = runs.order_by(*NEWEST_FIRST)
    rows = Provider.objects.order_by("slug").annotate(
        newest=Subquery(newest.values("measured_at")[:1])
    )
    return [SitePage("provider", row.slug, _day(row.newest)) for row in rows]


def published_pages() -> list[SitePage]:
    """Every result that others published, most of which have no day."""
    return _pages_of(Run.objects.filter(NOT_EXAMPLE, LISTED, level=Level.PUBLISHED))


def run_pages(number: int) -> list[SitePage]:
    """One file of the other runs, the newest in the first file; numbered from 1."""
    start = (number - 1) * ADDRESSES_A_FILE
    runs = Run.objects.filter(_SENT, LISTED).order_by(*NEWEST_FIRST)
    return _pages_of(runs[start : start + ADDRESSES_A_FILE])


def run_files() -> int:
    """How many files the newest of them fill; one where there are none."""
    return max(1, min(RUN_FILES_MAX, -(-count_of(_SENT) // ADDRESSES_A_FILE)))


def _pages_of(runs: QuerySet[Run]) -> list[SitePage]:
    rows = runs.values_list("slug", "measured_at")
    return [SitePage("run", slug, _day(moment)) for slug, moment in rows]


def _newest_run(field: str) -> QuerySet[Run, Any]:
    runs = Run.objects.filter(NOT_EXAMPLE, LISTED, **{field: OuterRef("pk")})
    return runs.order_by(*NEWEST_FIRST).values("measured_at")[:1]


def _day(moment: dt.datetime | None) -> dt.date | None:
    return moment.date() if moment else None
