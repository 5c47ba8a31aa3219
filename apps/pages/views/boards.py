"""Home, the boards, and the page of each plan, provider and drive."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_safe

from apps.pages import facts, words
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
from apps.pages.rows import Row
from apps.pages.selectors import boards, things
from apps.pages.selectors.home import read_home
from apps.pages.selectors.provider_boards import providers_board
from apps.pages.svg.prices import price_histories
from apps.pages.views.parts import page_or_part, page_urls
from apps.rankings.cost import pick_price


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


def best_row(groups: Sequence[boards.Group]) -> Row | None:
    """The first row of the first group: what a page leads with."""
    return groups[0].rows[0] if groups else None


@require_safe
def plan(request: HttpRequest, slug: str) -> HttpResponse:
    """One plan."""
    details = things.find_plan(slug)
    if details is None:
        raise Http404("no such plan")
    context = {
        "details": details,
        "plan": details.plan,
        "best": best_row(details.groups),
        "facts": facts.plan_facts(details.plan, pick_price(details.prices)),
        "histories": price_histories(details.prices, today=timezone.now().date()),
        "page_path": reverse("pages:plan", args=[slug]),
        "badge_path": reverse("badges:plan", args=[slug]),
        "badge_alt": f"{details.plan.name}: durable commits a second",
    }
    return render(request, "pages/plan.html", context)


@require_safe
def drive(request: HttpRequest, slug: str) -> HttpResponse:
    """One drive family."""
    details = things.find_drive(slug)
    if details is None:
        raise Http404("no such drive family")
    context = {
        "details": details,
        "drive": details.drive,
        "best": best_row(details.groups),
        "plp": words.plp_words(details.drive.plp),
        "rated_ratio": rated_ratio(details),
        "facts": facts.drive_facts(details.drive),
        "page_path": reverse("pages:drive", args=[slug]),
        "badge_path": reverse("badges:drive", args=[slug]),
        "badge_alt": f"{details.drive.name}: durable commits a second",
    }
    return render(request, "pages/drive.html", context)


def rated_ratio(details: things.DriveDetails) -> float | None:
    """How many times its durable commits a drive is rated for, in writes without a sync."""
    best, rated = best_row(details.groups), details.drive.rated_rand_write_iops
    if best is None or not best.is_commit or not best.rate_per_s or not rated:
        return None
    return rated / best.rate_per_s


@require_safe
def provider(request: HttpRequest, slug: str) -> HttpResponse:
    """One provider."""
    query = BoardQuery.read(request.GET, storage_choices=(), region_choices=())
    details = things.find_provider(slug, query.needs)
    if details is None:
        raise Http404("no such provider")
    context = {
        "details": details,
        "provider": details.provider,
        "address": reverse("pages:provider", args=[slug]),
        **page_urls(details.needs_pages, query.on_needs_page, "needs_"),
    }
    return render(request, "pages/provider.html", context)
