"""The page of a run, and of one of its workloads alone."""

from http import HTTPStatus

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_safe
from django_htmx.http import HttpResponseClientRefresh

from apps.pages.frame.htmx import (
    NO_CONTENT,
    REFRESH_SECONDS,
    no_store,
    page_or_part,
    wants_part,
)
from apps.pages.frame.structured import DateRange
from apps.pages.run import charts
from apps.pages.run.contexts import (
    RunContext,
    RunLinks,
    RunSubject,
    RunTrust,
    WaitingContext,
    WorkloadContext,
)
from apps.pages.run.device_evidence import device_evidence, others, useful
from apps.pages.run.facts.machine import machine_facts
from apps.pages.run.facts.measurement import measurement_facts, rate_facts
from apps.pages.run.facts.provenance import provenance_facts
from apps.pages.run.facts.workload import workload_facts
from apps.pages.run.graphs import graphs_of, slo_graph
from apps.pages.run.ladder import marks_of, place_run
from apps.pages.run.next_steps import next_steps
from apps.pages.run.selectors import (
    EnvelopeHeldError,
    RunDetails,
    fetch_passes,
    find_run,
    find_workload,
    public_envelope,
    run_of_short_code,
)
from apps.pages.run.verdict import (
    RunVerdict,
    answer_of,
    day_of,
    drive_beside,
    notes_of,
    quotation_of,
    summary_of,
    title_of,
    title_of_work,
    verdict_of,
    warnings_of,
    workload_answer,
)
from apps.pages.run.workloads import by_name, groups_of
from apps.pages.show import phrases, words
from apps.pages.show.table.rows import run_name
from apps.runs.clouds.selectors import provenance_of
from apps.runs.models import Run
from apps.runs.selectors import agrees_to_publish, envelope_is_held, find_tombstone
from apps.runs.whereabouts import find_waiting
from apps.wire import problems
from apps.wire.problems import Refusal, problem_document
from apps.words import confidence


@require_safe
def run(request: HttpRequest, slug: str) -> HttpResponse:
    """One run; or, while it waits to be normalised, where it is."""
    details = find_run(slug)
    if details is not None:
        if wants_part(request):  # the waiting page asked, and the run has arrived
            return HttpResponseClientRefresh()
        fetch_passes(details.measurements_with_passes)
        return render(request, "pages/run/run.html", run_context(details))
    where = find_waiting(slug)
    if where is None:
        return run_that_is_gone(request, slug)
    if wants_part(request) and request.GET.get("seen") == where.fingerprint:
        return no_store(HttpResponse(status=NO_CONTENT))
    context: WaitingContext = {
        "where": where,
        "refresh_seconds": REFRESH_SECONDS,
        "page_path": reverse("pages:run", args=[slug]),
    }
    return no_store(page_or_part(request, "pages/run/waiting.html", "state", context))


def run_that_is_gone(request: HttpRequest, slug: str) -> HttpResponse:
    """What is left of a deleted run. Raises Http404 where there never was one."""
    tombstone = find_tombstone(slug)
    if tombstone is None:
        raise Http404("no such run")
    context = {"tombstone": tombstone}
    return no_store(render(request, "pages/run/gone.html", context, status=HTTPStatus.GONE))


@require_safe
def short(_request: HttpRequest, code: str) -> HttpResponse:
    """The short address of a run leads to its page, for ever."""
    run_id = run_of_short_code(code)
    if run_id is None:
        raise Http404("no such short address")
    return redirect("pages:run", str(run_id), permanent=True)


def run_context(details: RunDetails) -> RunContext:
    """What the page of a run shows."""
    one, headline = details.run, details.headline
    verdict = verdict_of(details)
    summary = summary_of(details, verdict)
    return {
        "details": details,
        "dataset_days": DateRange(None, one.measured_at),
        "run": one,
        "is_made_up": one.is_example,
        "title": title_of(one, headline),
        "summary": summary,
        "subject": subject_of(details, verdict),
        "answer": answer_of(details, verdict),
        "verdict": verdict,
        "headline": charts.panel(one, headline, details.ghosts) if headline else None,
        "n_others": len(details.others),
        "groups": groups_of(one, details.others),
        "device_evidence": device_evidence(details.measurements) if one.upload_id else (),
        "graphs": graphs_of(details.measurements),
        "placed": place_run(details, verdict),
        "marks": marks_of(details),
        "rates": rate_facts(details.measurements),
        "steps": next_steps(details, verdict),
        "trust": trust_of(details),
        "links": links_of(details, verdict, summary),
    }


def subject_of(details: RunDetails, verdict: RunVerdict | None) -> RunSubject:
    """What a run is of."""
    one, headline = details.run, details.headline
    return RunSubject(
        name=run_name(one),
        drive_name=drive_beside(one),
        day=day_of(one),
        level=words.level_words(one.shown_level),
        chips=(title_of_work(headline), *measurement_facts(headline)) if headline else (),
        currency=details.price.currency if details.price else "",
        warnings=warnings_of(details),
        notes=notes_of(details, verdict),
    )


def trust_of(details: RunDetails) -> RunTrust:
    """What stands behind the figures of a run."""
    one = details.run
    behind = provenance_facts(provenance_of(one)) if one.upload_id else ()
    shares = others(by_name(details.measurements)) if one.upload_id else None
    is_public = agrees_to_publish(one) and not envelope_is_held(one)
    has_envelope = one.upload_id is not None and not one.is_example and is_public
    return RunTrust(
        facts=(*machine_facts(one), *behind),
        level=words.level_words(one.shown_level),
        why=confidence.why_of_run(one),
        flush=words.FLUSH_VERDICTS.get(one.flush_verdict),
        others=phrases.with_name(shares.name, shares.value) if shares else "",
        proves=words.WHAT_TRUST_MEANS,
        envelope_url=reverse("files:run-envelope", args=[one.slug]) if has_envelope else "",
        envelope_name=envelope_name(one.slug),
    )


def links_of(details: RunDetails, verdict: RunVerdict | None, summary: str) -> RunLinks:
    """Where a run is, and how others show it."""
    slug = details.run.slug
    page_path = reverse("pages:run", args=[slug])
    return RunLinks(
        page_path=page_path,
        badge_path=reverse("badges:run", args=[slug]),
        badge_alt=summary,
        api_path=api_path_of(details.run),
        quotation=quotation_of(details, verdict, settings.SITE_URL + page_path),
    )


@require_safe
def run_workload(request: HttpRequest, slug: str, workload: str) -> HttpResponse:
    """One workload of a run: its curve, its rate over time, and how it was measured."""
    workload_page = find_workload(slug, workload)
    if workload_page is None:
        raise Http404("no such workload in this run")
    search = useful(workload_page)
    context: WorkloadContext = {
        "run": workload_page.run,
        "is_made_up": workload_page.run.is_example,
        "name": run_name(workload_page.run),
        "title": title_of(workload_page.run, workload_page),
        "day": day_of(workload_page.run),
        "answer": workload_answer(workload_page, search),
        "panel": charts.panel(workload_page.run, workload_page),
        "search": search,
        "graph": slo_graph(workload_page),
        "chips": measurement_facts(workload_page),
        "facts": workload_facts(workload_page),
        "page_path": reverse("pages:run-workload", args=[slug, workload]),
        "api_path": api_path_of(workload_page.run),
    }
    return render(request, "pages/run/workload/workload.html", context)


def api_path_of(one: Run) -> str:
    """The address of a measured run in the API."""
    return reverse("api:run", args=[one.slug]) if one.upload_id else ""


def envelope_name(slug: str) -> str:
    """The name under which a browser saves an envelope."""
    return f"fsyncmark-{slug}.json"


def envelope_held(request: HttpRequest) -> HttpResponse:
    """The problem of signed bytes that nobody may have now."""
    held = Refusal(
        problems.NOT_FOUND,
        "The signed bytes are held: a moderator has not read the names in them, or the run was"
        " taken out.",
    )
    document = problem_document(held, site_url=settings.SITE_URL, instance=request.path)
    return no_store(
        JsonResponse(
            document,
            status=problems.NOT_FOUND.status,
            content_type=problems.CONTENT_TYPE,
            headers={"Access-Control-Allow-Origin": "*"},
        )
    )


@require_safe
def run_envelope(request: HttpRequest, slug: str) -> HttpResponse:
    """The signed bytes, exactly as they were sent; or a problem document while they are held."""
    try:
        envelope = public_envelope(slug)
    except EnvelopeHeldError:
        return envelope_held(request)
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
