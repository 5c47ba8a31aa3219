"""Coverage: what nobody has measured, what has too few uploaders to rank, and what is old."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_safe

from apps.pages.coverage.selectors import (
    FEW,
    NOBODY,
    PUBLISHED,
    RANKED,
    STALE,
    STALE_AGE,
    CoverageQuery,
    read_coverage,
)
from apps.pages.show import downloads
from apps.pages.show.address.query_string import (
    changed_fields,
    page_number,
    query_string,
)
from apps.pages.show.table.paging import pager_of
from apps.plans.naming import SLUG_CHARACTERS_MAX
from apps.stats.standings.gates import RANKED_UPLOADERS_MIN
from apps.words.catalogue import INTERFACES, PLAN_KINDS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from django.http import QueryDict
    from django.utils.functional import Promise

    from apps.pages.coverage.selectors import Coverage, OwnerRow

WORDS: Final[Mapping[str, str | Promise]] = {
    RANKED: gettext_lazy("ranked"),
    FEW: gettext_lazy("too few uploaders"),
    PUBLISHED: gettext_lazy("published"),
    NOBODY: gettext_lazy("nobody yet"),
    STALE: gettext_lazy("over a year old"),
}
# In this order: on a phone the first two columns are seen without scrolling.
COLUMNS: Final = (NOBODY, PUBLISHED, FEW, RANKED, STALE)


@dataclass(frozen=True, slots=True)
class MatrixCell:
    """One number of the matrix with its bar and where it leads."""

    state: str
    word: str
    n: int
    share: str  # of its row, as an SVG length
    url: str  # empty where there is nothing


@dataclass(frozen=True, slots=True)
class NextToMeasure:
    """A plan, a drive or an owner, and how many of how many nobody measured."""

    name: str
    url: str
    nobody: int
    total: int


@dataclass(frozen=True, slots=True)
class MatrixRow:
    """A provider or a maker."""

    name: str
    url: str
    total: int
    cells: tuple[MatrixCell, ...]


@require_safe
def coverage(request: HttpRequest) -> HttpResponse:
    """What to measure next, the list of it with commands, and how much is measured at all."""
    query = read_query(request.GET)
    coverage_rows = read_coverage(query, now=timezone.now())
    context: dict[str, object] = {
        "query": query,
        "coverage": coverage_rows,
        "next": next_to_measure(query, coverage_rows),
        "rows": [_row(query, line) for line in coverage_rows.lines if line.is_begun],
        "bare": [_row(query, line) for line in coverage_rows.lines if not line.is_begun],
        "sums": _row(query, coverage_rows.sums),
        "heads": [(state, WORDS[state]) for state in COLUMNS],
        "state_word": WORDS[query.state],
        "kinds": _kinds(query, coverage_rows),
        "kind_word": kind_word(query.of, query.kind),
        "of_plans": address_of(CoverageQuery()),
        "of_drives": address_of(CoverageQuery(of="drives")),
        "all_owners": address_of(replace(query, owner="", page=1)) if query.owner else "",
        "owner_name": next(
            (line.name for line in coverage_rows.lines if line.owner == query.owner), query.owner
        ),
        "has_kits": bool(downloads.downloads()),
        "uploaders_min": RANKED_UPLOADERS_MIN,
        "stale_days": STALE_AGE.days,
        "pager": pager_of(
            coverage_rows.pages, lambda page: f"{address_of(replace(query, page=page))}#list"
        ),
    }
    return render(request, "pages/coverage/coverage.html", context)


def next_to_measure(query: CoverageQuery, coverage_rows: Coverage) -> NextToMeasure | None:
    """What readers look for most of what nobody measured, else the owner of the most of it."""
    is_top = query.state == NOBODY and coverage_rows.pages.number == 1
    first = coverage_rows.rows[0].thing if is_top and coverage_rows.rows else None
    if first is not None and first.looked_for:
        sums, page = coverage_rows.sums, "drive" if query.of == "drives" else "plan"
        url = reverse(f"pages:{page}", args=[first.slug])
        return NextToMeasure(first.name, url, sums.counts[NOBODY], sums.total)
    owner = next(iter(coverage_rows.lines), None)  # that of the most comes first
    if owner is None or not owner.counts[NOBODY]:
        return None
    return NextToMeasure(
        owner.name, _cell_url(query, owner, NOBODY), owner.counts[NOBODY], owner.total
    )


def read_query(address: QueryDict) -> CoverageQuery:
    """Read the address; what is not known counts as not asked."""
    state = address.get("state", "")
    text = {
        name: address.get(name, "").replace("\x00", "")[:SLUG_CHARACTERS_MAX]
        for name in ("owner", "kind")
    }
    return CoverageQuery(
        of="drives" if address.get("of") == "drives" else "plans",
        state=state if state in WORDS else NOBODY,
        page=page_number(address.get("page", "")),
        **text,
    )


def address_of(query: CoverageQuery) -> str:
    """The shortest address of a state of the page."""
    return reverse("pages:coverage") + query_string(changed_fields(query))


def _row(query: CoverageQuery, line: OwnerRow) -> MatrixRow:
    numbers = {**line.counts, STALE: line.stale}
    return MatrixRow(
        name=line.name,
        url=reverse("pages:provider", args=[line.owner])
        if query.of == "plans" and line.owner
        else "",
        total=line.total,
        cells=tuple(
            MatrixCell(
                state=state,
                word=str(WORDS[state]),
                n=numbers[state],
                share=f"{100 * numbers[state] / line.total:.1f}%" if line.total else "0%",
                url=_cell_url(query, line, state) if numbers[state] else "",
            )
            for state in COLUMNS
        ),
    )


def _cell_url(query: CoverageQuery, line: OwnerRow, state: str) -> str:
    """The list on this page of what a cell counts: a board also has what nobody lists."""
    return f"{address_of(replace(query, owner=line.owner, state=state, page=1))}#list"


def kind_word(board: str, kind: str) -> str:
    """A kind of plans, or an interface of drives, as people say it."""
    return str((INTERFACES if board == "drives" else PLAN_KINDS).get(kind, kind))


def _kinds(query: CoverageQuery, coverage_rows: Coverage) -> list[tuple[str, int, str, bool]]:
    """Kinds in words with how many there are, address, and whether it is the one that is shown."""
    return [
        (
            kind_word(query.of, kind),
            n,
            address_of(replace(query, kind=kind, page=1)),
            kind == query.kind,
        )
        for kind, n in coverage_rows.kinds.items()
        if kind
    ]
