"""Names of drives that no family claims: how often each was seen, and nothing about machines."""

from dataclasses import dataclass, replace
from typing import Any

from django.db.models import Count, QuerySet

from apps.drives.models import DriveName
from apps.pages.show.table.paging import Pages, paging
from apps.pages.things.selectors.kin import Kin, NameParts, kin_of_name

NAMES_A_PAGE = 100  # lines of one string: more are hard to look through


@dataclass(frozen=True, slots=True)
class UnknownName:
    """What a drive calls itself, and how many runs were measured on such drives."""

    key: str  # in its address
    text: str  # vendor and model
    n_runs: int
    kin: tuple[Kin, ...] = ()


@dataclass(frozen=True, slots=True)
class UnknownNames:
    """One page of the names, those in most runs first."""

    names: tuple[UnknownName, ...]
    pages: Pages


def unknown_names(page: int) -> UnknownNames:
    """The names that wait for somebody who knows them: 2 queries."""
    waiting = _with_counts()
    pages, cut = paging(total=waiting.count(), page=page, size=NAMES_A_PAGE)
    rows = waiting.order_by("-n_runs", "key")[cut]
    return UnknownNames(tuple(_unknown(row) for row in rows), pages)


def find_unknown_name(key: str) -> UnknownName | None:
    """One of them with its measured kin: 3 queries."""
    row = _with_counts().filter(key=key).first()
    if row is None:
        return None
    return replace(_unknown(row), kin=kin_of_name(NameParts(row.vendor, row.model)))


def _with_counts() -> QuerySet[Any]:
    """Unknown names with the number of runs; what was set aside, or is in no run, is left out."""
    unknown = DriveName.objects.filter(family__isnull=True, is_set_aside=False)
    with_counts = unknown.annotate(n_runs=Count("run_drives__run", distinct=True))
    return with_counts.filter(n_runs__gt=0)


def _unknown(row: Any) -> UnknownName:
    return UnknownName(key=row.key, text=str(row), n_runs=row.n_runs)
