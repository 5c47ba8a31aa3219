"""The page of each plan, drive family and provider."""

from collections.abc import Sequence

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_safe

from apps.pages import facts, words
from apps.pages.filters import BoardQuery
from apps.pages.rows import Row
from apps.pages.selectors import boards, things
from apps.pages.svg.prices import price_histories
from apps.pages.views.parts import page_urls
from apps.rankings.cost import pick_price


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
