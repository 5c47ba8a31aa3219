"""Boards and the list of runs as CSV and JSON; a file takes the query string of its page."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from django.db.models import Prefetch
from django.http import JsonResponse, StreamingHttpResponse
from django.urls import reverse
from django.views.decorators.http import require_safe

from apps.pages.boards.exports import (
    EXPORT_ROWS_MAX,
    RUN_FIELDS,
    absolute,
    as_records,
    csv_lines,
    fields_of,
)
from apps.pages.boards.rows import row_of
from apps.pages.boards.runs_query import Cursor, RunListQuery
from apps.pages.boards.selectors import boards
from apps.pages.boards.selectors.providers import provider_standings, providers_in_order
from apps.pages.boards.selectors.runs import count_runs, runs_in_order
from apps.pages.boards.views import DRIVES, PLANS, PROVIDERS
from apps.pages.show.table.columns import columns_shown
from apps.pages.show.table.row import ListedRunFacts
from apps.pages.show.table.rows import row_of_run
from apps.rankings.selectors import read_runs
from apps.runs.selectors import LABELS_GRAVEST_FIRST, keeping_out
from apps.runs.trust.licences import CC0, LICENCES

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from django.http import HttpRequest
    from django.http.response import HttpResponseBase

    from apps.pages.boards.exports import Field
    from apps.pages.boards.query import BoardQuery
    from apps.pages.boards.views import BoardPage
    from apps.pages.show.table.row import Row
    from apps.runs.models import Run

CSV, JSON = "csv", "json"
_LABELS: Final = Prefetch("labels", LABELS_GRAVEST_FIRST)
RUNS_A_PART = 250  # of a file, read at once: a quarter of a second


def rows_of(page: BoardPage, query: BoardQuery) -> tuple[list[Row], int]:
    """All rows of a board in its order, up to the limit, and how many there are: 2 or 3 queries."""
    if page is PROVIDERS:
        standings_of_providers, facets = provider_standings(query)
        ordered = providers_in_order(
            standings_of_providers, query, facets, slice(EXPORT_ROWS_MAX), is_dated=True
        )
        return [row_of(each, is_drawn=False) for each in ordered], facets.total
    read_standings = boards.plan_standings if page is PLANS else boards.drive_standings
    standings, facets = read_standings(query)
    in_order = boards.in_order(standings, query, facets)[:EXPORT_ROWS_MAX]
    return [row_of(each, is_drawn=False) for each in in_order], facets.total


@dataclass(frozen=True, slots=True)
class Sheet:
    """The contents of a file."""

    name: str
    address: str  # of the page with these rows
    rows: Iterable[Row]
    fields: Sequence[Field]
    total: int  # rows on all pages, those beyond the limit included


def board_file(request: HttpRequest, page: BoardPage, form: str) -> HttpResponseBase:
    """A board as a file with the rows of all its pages."""
    query = replace(page.read(request), page=1, needs=1)
    rows, total = rows_of(page, query)
    fields = fields_of(columns_shown(page.kind, query.cols))
    return as_file(
        form, Sheet(page.kind, reverse(page.address) + query.address, rows, fields, total)
    )


def as_file(form: str, sheet: Sheet) -> HttpResponseBase:
    """The response: a sheet as CSV or JSON."""
    open_to_all = {"Access-Control-Allow-Origin": "*"}
    if form == CSV:
        return StreamingHttpResponse(
            csv_lines(sheet.rows, sheet.fields),
            content_type="text/csv; charset=utf-8",
            headers={
                **open_to_all,
                "Content-Disposition": f'attachment; filename="fsyncmark-{sheet.name}.csv"',
            },
        )
    document: dict[str, Any] = {
        "page": absolute(sheet.address),
        "licence": CC0,  # of measurements; `licence` of a row says which it has
        "licences": [asdict(each) for each in LICENCES],
        "total": sheet.total,
        "rows_max": EXPORT_ROWS_MAX,
        "rows": as_records(sheet.rows, sheet.fields),
    }
    return JsonResponse(document, headers=open_to_all)


@require_safe
def plans(request: HttpRequest, form: str) -> HttpResponseBase:
    """The board of plans."""
    return board_file(request, PLANS, form)


@require_safe
def providers(request: HttpRequest, form: str) -> HttpResponseBase:
    """The board of providers."""
    return board_file(request, PROVIDERS, form)


@require_safe
def drives(request: HttpRequest, form: str) -> HttpResponseBase:
    """The board of drive families."""
    return board_file(request, DRIVES, form)


@require_safe
def runs(request: HttpRequest, form: str) -> HttpResponseBase:
    """The list of runs, read in parts: a file begins at once, however many there are."""
    query = replace(RunListQuery.read(request.GET), before="")
    address = reverse("pages:runs") + query.address
    total = 0 if form == CSV else count_runs(query)  # only JSON says it
    return as_file(form, Sheet("runs", address, _rows_of_runs(query), RUN_FIELDS, total))


def _rows_of_runs(query: RunListQuery) -> Iterator[Row]:
    left = EXPORT_ROWS_MAX
    while left > 0:
        part = min(RUNS_A_PART, left)
        found = read_runs(runs_in_order(query).prefetch_related(_LABELS)[:part])
        yield from (replace(row_of_run(run, is_drawn=False), run=_facts(run)) for run in found)
        left -= part
        if len(found) < part:
            return
        query = replace(query, before=str(Cursor.of(found[-1])))


def _facts(run: Run) -> ListedRunFacts:
    """What a file says of a run beside its figures; its labels are loaded, the gravest first."""
    labels = tuple(run.labels.all())
    keeping = [each.rule for each in keeping_out(labels)]
    return ListedRunFacts(
        provider=run.provider_id or "",
        plan=run.plan_id or "",
        drive=run.drive_family_id or "",
        labels=tuple(each.rule for each in labels),
        in_standings=run.in_standings,
        reason="" if run.in_standings else next(iter(keeping), run.shown_level),
    )
