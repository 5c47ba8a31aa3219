"""The pages, one view each: ask once, render once. The same view answers htmx with a part."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import cast

from django.conf import settings
from django.http import (
    FileResponse,
    Http404,
    HttpRequest,
    HttpResponse,
    HttpResponseBase,
    HttpResponseRedirect,
)
from django.shortcuts import render
from django.urls import reverse
from django.utils.cache import patch_vary_headers
from django.views.decorators.http import require_safe
from django_htmx.http import HttpResponseClientRefresh
from django_htmx.middleware import HtmxDetails

from apps.pages import charts, downloads, facts, words
from apps.pages.filters import (
    EVIDENCE_CHOICES,
    INTERFACE_CHOICES,
    LEVEL_CHOICES,
    PLP_CHOICES,
    STORAGE_CHOICES,
    BoardQuery,
    RunsQuery,
    Sort,
    has_empty_values,
)
from apps.pages.method import read_method
from apps.pages.rows import Row, run_name
from apps.pages.selectors import boards, things
from apps.pages.selectors.home import read_home
from apps.pages.selectors.paging import Pages
from apps.pages.selectors.runs import (
    RunDetails,
    agrees_to_publish,
    find_run,
    find_upload,
    list_runs,
    public_envelope,
)
from apps.pages.verdict import summary_of, verdict_of
from apps.runs.models import ATTEMPTS_MAX, Upload

Choices = tuple[tuple[str, str], ...]
REFRESH_SECONDS = 3  # how often a page that waits for a run asks again


class HtmxHttpRequest(HttpRequest):
    """A request as django-htmx's middleware leaves it."""

    htmx: HtmxDetails


def wants_part(request: HttpRequest) -> bool:
    """Whether htmx asks for a part; going back in the history needs the whole page."""
    htmx = cast("HtmxHttpRequest", request).htmx
    return bool(htmx) and not htmx.history_restore_request


def page_or_part(
    request: HttpRequest, template: str, part: str, context: dict[str, object]
) -> HttpResponse:
    """The page, or the named part of it for htmx; caches keep the two apart."""
    name = f"{template}#{part}" if wants_part(request) else template
    response = render(request, name, context)
    patch_vary_headers(response, ("HX-Request", "HX-History-Restore-Request"))
    return response


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
    INTERFACE_CHOICES,
    "Interface",
    "Drive family",
    "p50",
    "990 pro, pm9a3",
)


SORT_WORDS = {"rate": "commits a second", "p99": "p99", "cost": "cost"}


def board_page(request: HttpRequest, page: BoardPage) -> HttpResponse:
    """A board in the state that the address holds."""
    query = BoardQuery.read(request.GET, storage_choices=page.storage_choices)
    address = reverse(page.address)
    if has_empty_values(request.GET):
        return HttpResponseRedirect(address + query.address)
    read = {"plans": boards.plans_board, "providers": boards.providers_board}
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


def page_urls(
    pages: Pages, address_of: Callable[[int], str], prefix: str = ""
) -> dict[str, object]:
    """The addresses of the pages before and after this one."""
    return {
        f"{prefix}previous_url": address_of(pages.previous) if pages.previous else "",
        f"{prefix}next_url": address_of(pages.next) if pages.next else "",
    }


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
        "facts": facts.plan_facts(details.plan),
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
    query = BoardQuery.read(request.GET, storage_choices=())
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


@require_safe
def runs(request: HttpRequest) -> HttpResponse:
    """All runs, newest first."""
    query = RunsQuery.read(request.GET)
    address = reverse("pages:runs")
    if has_empty_values(request.GET):
        return HttpResponseRedirect(address + query.address)
    found = list_runs(query)
    context = {
        "query": query,
        "list": found,
        **page_urls(found.pages, query.on_page),
        "address": address,
        "level_choices": LEVEL_CHOICES,
    }
    return page_or_part(request, "pages/runs.html", "board", context)


@require_safe
def run(request: HttpRequest, slug: str) -> HttpResponse:
    """One run; or, while it waits to be normalised, where it is."""
    details = find_run(slug)
    if details is not None:
        if wants_part(request):  # the waiting page asked, and the run has arrived
            return HttpResponseClientRefresh()
        return render(request, "pages/run.html", run_context(details))
    upload = find_upload(slug)
    if upload is None:
        raise Http404("no such run")
    context = {
        "upload": upload,
        "is_poison": upload.state == Upload.State.POISON,
        "attempts_max": ATTEMPTS_MAX,
        "refresh_seconds": REFRESH_SECONDS,
    }
    response = page_or_part(request, "pages/run_waiting.html", "state", context)
    response["Cache-Control"] = "no-store"
    return response


def run_context(details: RunDetails) -> dict[str, object]:
    """What the page of a run shows."""
    one, headline = details.run, details.headline
    others = [each for each in details.measurements if each != headline]
    page_path = reverse("pages:run", args=[one.slug])
    has_envelope = one.upload_id is not None and agrees_to_publish(one)
    verdict = verdict_of(details)
    summary = summary_of(details, verdict)
    return {
        "details": details,
        "run": one,
        "name": run_name(one),
        "currency": details.price.currency if details.price else "",
        "drive_name": one.drive_family.name if one.drive_family else one.drive_reported,
        "summary": summary,
        "headline": charts.panel(one, headline, details.ghosts) if headline else None,
        "chips": facts.measurement_facts(headline) if headline else (),
        "panels": [charts.panel(one, each) for each in others],
        "verdict": verdict,
        "level": words.level_words(one.level),
        "facts": facts.machine_facts(one),
        "trust": words.WHAT_TRUST_MEANS,
        "challenge": facts.CHALLENGE_WORDS[one.upload.challenge_use] if one.upload else "",
        "envelope_url": reverse("pages:run-envelope", args=[one.slug]) if has_envelope else "",
        "envelope_name": envelope_name(one.slug),
        "page_path": page_path,
        "badge_path": reverse("badges:run", args=[one.slug]),
        "badge_alt": summary,
        "api_path": f"/api/v1/runs/{one.slug}" if one.upload_id else "",
    }


def envelope_name(slug: str) -> str:
    """The name under which a browser saves an envelope."""
    return f"fsyncmark-{slug}.json"


@require_safe
def run_envelope(_request: HttpRequest, slug: str) -> HttpResponse:
    """The signed bytes, exactly as they were sent."""
    envelope = public_envelope(slug)
    if envelope is None:
        raise Http404("no public envelope of this run")
    return HttpResponse(
        envelope,
        content_type="application/vnd.fsyncmark.dsse.v1+json",
        headers={
            "Content-Disposition": f'attachment; filename="{envelope_name(slug)}"',
            "Access-Control-Allow-Origin": "*",
        },
    )


@require_safe
def measure(request: HttpRequest) -> HttpResponse:
    """How to measure one's own machine."""
    context = {"downloads": downloads.downloads(), "site_url": settings.SITE_URL}
    return render(request, "pages/measure.html", context)


@require_safe
def download(_request: HttpRequest, name: str) -> HttpResponseBase:
    """A binary of the agent, or the checksums of all."""
    path = downloads.path_of(name)
    if path is None:
        raise Http404("no such download")
    is_text = name == downloads.SUMS
    return FileResponse(
        path.open("rb"),
        as_attachment=not is_text,
        filename=name,
        content_type="text/plain; charset=utf-8" if is_text else "application/octet-stream",
    )


@require_safe
def method(request: HttpRequest) -> HttpResponse:
    """How it is measured, and what is not claimed."""
    return render(request, "pages/method.html", {"method": read_method()})
