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
from apps.pages.show.address.query_string import (
    SLUG_CHARACTERS_MAX,
    changed_fields,
    page_number,
    query_string,
)
from apps.pages.show.table.paging import pager_of
from apps.stats.gates import RANKED_MACHINES_MIN, RANKED_UPLOADERS_MIN
from apps.words.catalogue import INTERFACES, PLAN_KINDS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from django.http import QueryDict
    from django.utils.functional import Promise

    from apps.pages.coverage.selectors import Coverage, OwnerRow

WORDS: Final[Mapping[str, str | Promise]] = {
    RANKED: gettext_lazy("Ranked"),
    FEW: gettext_lazy("Too few to rank"),
    PUBLISHED: gettext_lazy("Articles only"),
    NOBODY: gettext_lazy("None yet"),
    STALE: gettext_lazy("Older than a year"),
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
class MatrixRow:
    """A provider or a maker."""

    name: str
    url: str
    total: int
    cells: tuple[MatrixCell, ...]


@require_safe
def coverage(request: HttpRequest) -> HttpResponse:
    """The matrix, and the list of what is asked for with the command that measures it."""
    asked = read_query(request.GET)
    found = read_coverage(asked, now=timezone.now())
    context: dict[str, object] = {
        "asked": asked,
        "found": found,
        "rows": [_row(asked, line) for line in found.lines],
        "sums": _row(asked, found.sums),
        "heads": [(state, WORDS[state]) for state in COLUMNS],
        "state_word": WORDS[asked.state],
        "kinds": _kinds(asked, found),
        "kind_word": kind_word(asked.of, asked.kind),
        "of_plans": address_of(CoverageQuery()),
        "of_drives": address_of(CoverageQuery(of="drives")),
        "all_owners": address_of(replace(asked, owner="", page=1)) if asked.owner else "",
        "owner_name": next(
            (line.name for line in found.lines if line.owner == asked.owner), asked.owner
        ),
        "uploaders_min": RANKED_UPLOADERS_MIN,
        "machines_min": RANKED_MACHINES_MIN,
        "stale_days": STALE_AGE.days,
        "pager": pager_of(
            found.pages, lambda page: f"{address_of(replace(asked, page=page))}#list"
        ),
    }
    return render(request, "pages/coverage/coverage.html", context)


def read_query(asked: QueryDict) -> CoverageQuery:
    """Read the address; what is not known counts as not asked."""
    state = asked.get("state", "")
    text = {
        name: asked.get(name, "").replace("\x00", "")[:SLUG_CHARACTERS_MAX]
        for name in ("owner", "kind")
    }
    return CoverageQuery(
        of="drives" if asked.get("of") == "drives" else "plans",
        state=state if state in WORDS else NOBODY,
        page=page_number(asked.get("page", "")),
        **text,
    )


def address_of(asked: CoverageQuery) -> str:
    """The shortest address of a state of the page."""
    return reverse("pages:coverage") + query_string(changed_fields(asked))


def _row(asked: CoverageQuery, line: OwnerRow) -> MatrixRow:
    numbers = {**line.counts, STALE: line.stale}
    return MatrixRow(
        name=line.name,
        url=reverse("pages:provider", args=[line.owner])
        if asked.of == "plans" and line.owner
        else "",
        total=line.total,
        cells=tuple(
            MatrixCell(
                state=state,
                word=str(WORDS[state]),
                n=numbers[state],
                share=f"{100 * numbers[state] / line.total:.1f}%" if line.total else "0%",
                url=_cell_url(asked, line, state) if numbers[state] else "",
            )
            for state in COLUMNS
        ),
    )


def _cell_url(asked: CoverageQuery, line: OwnerRow, state: str) -> str:
    """The list on this page of what a cell counts: a board also has what nobody lists."""
    return f"{address_of(replace(asked, owner=line.owner, state=state, page=1))}#list"


def kind_word(of: str, kind: str) -> str:
    """A kind of plans, or an interface of drives, as people say it."""
    return str((INTERFACES if of == "drives" else PLAN_KINDS).get(kind, kind))


def _kinds(asked: CoverageQuery, found: Coverage) -> list[tuple[str, int, str, bool]]:
    """Kinds in words with how many there are, address, and whether it is the one that is shown."""
    return [
        (
            kind_word(asked.of, kind),
            n,
            address_of(replace(asked, kind=kind, page=1)),
            kind == asked.kind,
        )
        for kind, n in found.kinds.items()
        if kind
    ]
