"""Home, and the boards of plans, providers and drives."""

from dataclasses import dataclass

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from apps.pages.filters import (
    EVIDENCE_CHOICES,
    INTERFACE_CHOICES,
    PLP_CHOICES,
    REGION_CHOICES,
    STORAGE_CHOICES,
    BoardQuery,
    Choices,
    Sort,
    has_empty_values,
)
from apps.pages.selectors import boards
from apps.pages.selectors.home import read_home
from apps.pages.selectors.provider_boards import providers_board
from apps.pages.views.parts import page_or_part, page_urls


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """What this is, in one screen."""
    return render(request, "pages/home.html", {"home": read_home()})


@dataclass(frozen=True, slots=True)
class BoardPage:
    """What the boards of plans, providers and drives differ in."""

    kind: str
    title: str
    lede: str
    address: str
    region_choices: Choices
    storage_choices: Choices
    storage_label: str
    column: str  # head of the column of names
    third: str  # what the third column of figures holds
    example: str  # what a reader may look for


PLANS = BoardPage(
    "plans",
    "Plans",
    "What one writer gets, what the slow commits cost, and what a billion of them costs in rent.",
    "pages:plans",
    REGION_CHOICES,
    STORAGE_CHOICES,
    "Storage",
    "Plan and drive",
    "cost",
    "ax102, gp3",
)
PROVIDERS = BoardPage(
    "providers",
    "Providers",
    "A provider has no single rate: each line shows its fastest plan, and the plan whose commits "
    "cost least.",
    "pages:providers",
    (),
    STORAGE_CHOICES,
    "Storage",
    "Provider and plan",
    "cost",
    "hetzner",
)
DRIVES = BoardPage(
    "drives",
    "Drives",
    "Families of drives by what a sync takes on them, wherever they were found.",
    "pages:drives",
    (),
    INTERFACE_CHOICES,
    "Interface",
    "Drive family",
    "p50",
    "990 pro, pm9a3",
)


SORT_WORDS = {"rate": "commits a second", "p99": "p99", "cost": "cost"}


def board_page(request: HttpRequest, page: BoardPage) -> HttpResponse:
    """A board in the state that the address holds."""
    query = BoardQuery.read(
        request.GET, storage_choices=page.storage_choices, region_choices=page.region_choices
    )
    address = reverse(page.address)
    if has_empty_values(request.GET):
        return HttpResponseRedirect(address + query.address)
    read = {"plans": boards.plans_board, "providers": providers_board}
    board = read.get(page.kind, boards.drives_board)(query)
    context = {
        "page": page,
        "address": address,
        "query": query,
        "board": board,
        "plp_choices": PLP_CHOICES,
        "evidence_choices": EVIDENCE_CHOICES,
        "sorted_by": SORT_WORDS[query.sort],
        "by_rate": query.sorted_by(Sort.RATE),
        "by_p99": query.sorted_by(Sort.P99),
        "by_cost": query.sorted_by(Sort.COST),
        **page_urls(board.pages, query.on_page),
        **page_urls(board.needs_pages, query.on_needs_page, "needs_"),
    }
    return page_or_part(request, "pages/board.html", "board", context)


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
