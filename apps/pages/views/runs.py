"""Runs: the list of them, the page of one, and one of its workloads alone."""

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe
from django_htmx.http import HttpResponseClientRefresh

from apps.pages import board_parts, charts, facts, words
from apps.pages.filters import RunsQuery, has_empty_values
from apps.pages.findings import findings_of, useful
from apps.pages.graphs import graphs_of, slo_graph
from apps.pages.next_steps import next_steps
from apps.pages.rows import run_name
from apps.pages.run_ladder import place_run
from apps.pages.selectors.run_lists import list_runs
from apps.pages.selectors.runs import (
    RunDetails,
    agrees_to_publish,
    find_run,
    find_workload,
    public_envelope,
    with_passes,
)
from apps.pages.selectors.uploads import find_waiting
from apps.pages.structured import Days
from apps.pages.verdict import day_of, quotation_of, summary_of, title_of, verdict_of
from apps.pages.views.parts import page_or_part, page_urls, wants_part
from apps.pages.views.uploads import NO_CONTENT, REFRESH_SECONDS, no_store
from apps.pages.workload_facts import workload_facts
from apps.pages.workloads import groups_of
from apps.runs.models import Run


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
        "compare_url": reverse("pages:compare"),
        "compared_min": board_parts.COMPARED_MIN,
        "compared_max": board_parts.COMPARED_MAX,
        "export_title": board_parts.export_words(found.pages.total),
        **board_parts.export_addresses("runs", query),
    }
    response = page_or_part(request, "pages/boards/runs.html", "board", context)
    if wants_part(request):
        response["HX-Push-Url"] = address + query.address
    return response


@require_safe
def run(request: HttpRequest, slug: str) -> HttpResponse:
    """One run; or, while it waits to be normalised, where it is."""
    details = find_run(slug)
    if details is not None:
        with_passes(details.told_by_passes)
        if wants_part(request):  # the waiting page asked, and the run has arrived
            return HttpResponseClientRefresh()
        return render(request, "pages/run/run.html", run_context(details))
    where = find_waiting(slug)
    if where is None:
        raise Http404("no such run")
    if wants_part(request) and request.GET.get("seen") == where.seen:
        return no_store(HttpResponse(status=NO_CONTENT))
    context = {
        "where": where,
        "refresh_seconds": REFRESH_SECONDS,
        "page_path": reverse("pages:run", args=[slug]),
    }
    return no_store(page_or_part(request, "pages/run/waiting.html", "state", context))


def run_context(details: RunDetails) -> dict[str, object]:
    """What the page of a run shows."""
    one, headline = details.run, details.headline
    page_path = reverse("pages:run", args=[one.slug])
    has_envelope = one.upload_id is not None and not one.is_example and agrees_to_publish(one)
    verdict = verdict_of(details)
    summary = summary_of(details, verdict)
    return {
        "details": details,
        "dataset_days": Days(None, one.measured_at),
        "run": one,
        "is_made_up": one.is_example,
        "name": run_name(one),
        "currency": details.price.currency if details.price else "",
        "drive_name": one.drive_family.name if one.drive_family else one.drive_reported,
        "title": title_of(one, headline),
        "day": day_of(one),
        "summary": summary,
        "headline": charts.panel(one, headline, details.ghosts) if headline else None,
        "chips": facts.measurement_facts(headline) if headline else (),
        "panels": [charts.panel(one, each) for each in details.drawn if each != headline],
        "groups": groups_of(one, details.others) if details.is_long else (),
        "findings": findings_of(details.measurements) if one.upload_id else (),
        "graphs": graphs_of(details.measurements),
        "verdict": verdict,
        "placed": place_run(one, details.classes, verdict),
        "steps": next_steps(details, verdict),
        "quotation": quotation_of(details, verdict, settings.SITE_URL + page_path),
        "level": words.level_words(one.shown_level),
        "flush": words.FLUSH_VERDICTS.get(one.flush_verdict),
        "facts": facts.machine_facts(one),
        "trust": words.WHAT_TRUST_MEANS,
        "challenge": facts.CHALLENGE_WORDS[one.upload.challenge_use] if one.upload else "",
        "envelope_url": reverse("files:run-envelope", args=[one.slug]) if has_envelope else "",
        "envelope_name": envelope_name(one.slug),
        "page_path": page_path,
        "badge_path": reverse("badges:run", args=[one.slug]),
        "badge_alt": summary,
        "api_path": api_path_of(one),
    }


@require_safe
def run_workload(request: HttpRequest, slug: str, workload: str) -> HttpResponse:
    """One workload of a run: its curve, its rate over time, and how it was measured."""
    found = find_workload(slug, workload)
    if found is None:
        raise Http404("no such workload in this run")
    context = {
        "run": found.run,
        "is_made_up": found.run.is_example,
        "name": run_name(found.run),
        "title": title_of(found.run, found),
        "day": day_of(found.run),
        "panel": charts.panel(found.run, found),
        "search": useful(found),
        "graph": slo_graph(found),
        "chips": facts.measurement_facts(found),
        "facts": workload_facts(found),
        "page_path": reverse("pages:run-workload", args=[slug, workload]),
        "api_path": api_path_of(found.run),
    }
    return render(request, "pages/run/workload.html", context)


def api_path_of(one: Run) -> str:
    """The address of a measured run in the API."""
    return f"/api/v1/runs/{one.slug}" if one.upload_id else ""


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
