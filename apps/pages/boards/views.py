"""The boards of plans, providers, drives and runs."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from apps.pages.boards import table as board_parts
from apps.pages.boards.answer import board_answer
from apps.pages.boards.choices import choices_of
from apps.pages.boards.query import BoardQuery, unread
from apps.pages.boards.rows import other_rows
from apps.pages.boards.run_choices import row_in_list, run_picks, run_tokens
from apps.pages.boards.runs_query import RunListQuery
from apps.pages.boards.selectors import boards
from apps.pages.boards.selectors.providers import providers_board
from apps.pages.boards.selectors.runs import list_runs
from apps.pages.frame.htmx import page_or_part, wants_part
from apps.pages.frame.structured import DateRange
from apps.pages.show.address.query_string import has_empty_values
from apps.pages.show.table.columns import BESIDE_PICTURE_MAX, columns_shown
from apps.pages.show.table.paging import pager_of
from apps.runs.models import EXAMPLE

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardPage:
    """What the boards of plans, providers and drives differ in."""

    kind: str
    title: StrOrPromise
    lede: StrOrPromise
    address: str
    examples: tuple[str, ...]  # what a reader may look for

    def read(self, request: HttpRequest) -> BoardQuery:
        """The state that an address of this board holds."""
        return BoardQuery.read(request.GET, self.kind)


PLANS = BoardPage(
    kind="plans",
    title=_("Plans"),
    lede=_("Durable commits a second of one writer, their p99, and what a billion of them cost."),
    address="pages:plans",
    examples=("ax102", "gp3"),
)
PROVIDERS = BoardPage(
    kind="providers",
    title=_("Providers"),
    lede=_("Each provider by its fastest plan, and by the plan whose commits cost least."),
    address="pages:providers",
    examples=("hetzner",),
)
DRIVES = BoardPage(
    kind="drives",
    title=_("Drives"),
    lede=_("Drives by durable commits a second, beside the writes that their data sheets promise."),
    address="pages:drives",
    examples=("990 pro", "pm9a3"),
)

READ = {
    "plans": boards.plans_board,
    "providers": providers_board,
    "drives": boards.drives_board,
}


def board_page(request: HttpRequest, page: BoardPage) -> HttpResponse:
    """A board in the state that the address holds."""
    query = page.read(request)
    address = reverse(page.address)
    if has_empty_values(request.GET):
        return HttpResponseRedirect(address + query.address)
    board = READ[page.kind](query)
    query = replace(query, workload=board.facets.workload)  # a row may have led to its own
    table = board_parts.table_of(page.kind, board, query, address=address, name_words=page.title)
    filters = choices_of(query, board.facets)
    context: dict[str, object] = {
        "page": page,
        "title": board_parts.title_of(page.title, filters.tokens, query),
        "address": address,
        "query": query,
        "board": board,
        "unread": unread(request.GET, query),
        **board_parts.links_to_others(query),
        "dataset_days": DateRange(None, board.facets.offered.newest_at),
        "table": table,
        "filters": filters,
        "has_typed_words": filters.has_typed_words,
        "answer": board_answer(page.kind, board, table.groups, query),
        "clear_url": query.unfiltered(),
        "compare_url": reverse("pages:compare"),
        "export_title": board_parts.export_words(board.pages.total),
        **board_parts.export_addresses(page.kind, query),
        "compared_min": board_parts.COMPARED_MIN,
        "compared_max": board_parts.COMPARED_MAX,
        "pager": pager_of(board.pages, query.on_page),
        "needs_pager": pager_of(board.needs_pages, query.on_needs_page),
    }
    response = page_or_part(request, "pages/boards/board.html", "board", context)
    if wants_part(request):  # whatever the form sent: the address that is kept is the short one
        response["HX-Push-Url"] = address + query.address
    return response


@require_safe
def plans(request: HttpRequest) -> HttpResponse:
    """The board of plans."""
    return board_page(request, PLANS)


@require_safe
def providers(request: HttpRequest) -> HttpResponse:
    """The board of providers."""
    return board_page(request, PROVIDERS)


@require_safe
def drives(request: HttpRequest) -> HttpResponse:
    """The board of drive families."""
    return board_page(request, DRIVES)


@require_safe
def plan_figures(request: HttpRequest, slug: str) -> HttpResponse:
    """The other figures of a plan, as rows below its row."""
    return figures_below(request, PLANS, plan=slug)


@require_safe
def drive_figures(request: HttpRequest, slug: str) -> HttpResponse:
    """The other figures of a drive family, as rows below its row."""
    return figures_below(request, DRIVES, drive_family=slug)


def figures_below(request: HttpRequest, page: BoardPage, **thing: str) -> HttpResponse:
    """Rows of a board, in its columns, below the row that the address names: 1 query.

    A second one for volumes. What is not comparable stands on the page of the thing alone.
    """
    query = page.read(request)
    standings = boards.figures_of(query.row, **thing)
    if not standings:
        raise Http404("nobody measured it")
    columns = columns_shown(page.kind, query.cols)
    rows = other_rows(standings, columns)
    has_picture = len(columns) <= BESIDE_PICTURE_MAX
    context = {
        "rows": [row for row in rows if row.key != query.row],
        "n_apart": getattr(standings[0], "n_apart", 0),
        "apart_url": f"{rows[0].url}#figures",
        "below": query.row,
        "table": {
            "is_wide": not has_picture,
            "is_by_money": query.is_by_money,
            "span": board_parts.span_of(columns, has_picture=has_picture),
        },
    }
    return render(request, "pages/boards/figures_below.html", context)


@require_safe
def runs(request: HttpRequest) -> HttpResponse:
    """All runs, newest first."""
    query = RunListQuery.read(request.GET)
    address = reverse("pages:runs")
    if has_empty_values(request.GET):
        return HttpResponseRedirect(address + query.address)
    run_list = list_runs(query)
    picks = run_picks(query, run_list)
    context = {
        "query": query,
        "list": run_list,
        "rows": tuple(row_in_list(query, run) for run in run_list.runs),
        "picks": picks,
        "tokens": run_tokens(query, picks),
        "examples_address": replace(query, level=EXAMPLE, before="").address,
        "newest_address": replace(query, before="").address or "?",
        "address": address,
        "compare_url": reverse("pages:compare"),
        "compared_min": board_parts.COMPARED_MIN,
        "compared_max": board_parts.COMPARED_MAX,
        "export_title": board_parts.export_words(run_list.total.n),
        **board_parts.export_addresses("runs", query),
    }
    response = page_or_part(request, "pages/boards/runs.html", "board", context)
    if wants_part(request):
        response["HX-Push-Url"] = address + query.address
    return response
