"""The form for reports, the private address of one, and the public log."""

from __future__ import annotations

from typing import Any, Final

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect, QueryDict
from django.shortcuts import render
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import get_language
from django.views.decorators.http import require_http_methods, require_safe

from apps.accounts.networks import quota_network_of
from apps.moderation.models import Report, Subject
from apps.moderation.selectors.log import DECISIONS_A_PAGE, decisions
from apps.moderation.selectors.reports import ANSWERABLE, REPORTABLE, find_report, find_reported
from apps.moderation.services.reports import NewReport, TooManyReportsError, store_report
from apps.pages.frame.decisions import SUBJECTS, lines_of, reason_words, url_of
from apps.pages.frame.htmx import no_store
from apps.pages.report.forms import KINDS, ReportForm
from apps.pages.show import dates
from apps.pages.show.address.query_string import page_number, plain
from apps.pages.show.phrases import join_facts
from apps.pages.show.table.paging import pager_of, paging
from apps.pages.show.table.rows import run_name
from apps.runs.models import Run

SLUG_CHARACTERS: Final = 160  # of the column
TOO_MANY: Final = 429
UNPROCESSABLE: Final = 422
# What the log can be narrowed to beside what can be reported.
LOGGED: Final = (*REPORTABLE, Subject.KEY, Subject.NAME, Subject.UPLOADERS)


@require_http_methods(["GET", "HEAD", "POST"])
def report(request: HttpRequest) -> HttpResponse:
    """The form about one run, plan, drive or provider; sent, it leads to its private address."""
    subject, slug = _about(request.GET, tuple(REPORTABLE))
    thing = find_reported(subject, slug) if subject else None
    if subject is None or thing is None:
        raise Http404("nothing of that name to report")
    form = ReportForm(request.POST) if request.method == "POST" else ReportForm()
    retry_after_s = 0
    if form.is_bound and form.is_valid():
        try:
            token = store_report(_new(request, form, subject, slug))
        except TooManyReportsError as error:
            retry_after_s = error.retry_after_s
        else:
            address = reverse("pages:report-status", args=[token])
            return no_store(HttpResponseRedirect(address, status=303))
    context = {
        "form": form,
        "kinds": _kinds(form) if subject in ANSWERABLE else (),
        "kind": SUBJECTS[subject],
        "name": _name_of(thing),
        "about_url": url_of(subject, slug),
        "is_too_many": bool(retry_after_s),
    }
    response = render(request, "pages/report/report.html", context)
    if retry_after_s:
        response.status_code, response["Retry-After"] = TOO_MANY, str(retry_after_s)
    elif form.is_bound:
        response.status_code = UNPROCESSABLE
    return no_store(response)


@require_safe
def status(request: HttpRequest, token: str) -> HttpResponse:
    """What became of a report, for whoever has its address."""
    found = find_report(token)
    if found is None:
        raise Http404("no such report")
    thing = find_reported(Subject(found.subject), found.subject_id)
    context = {
        "report": found,
        "name": _name_of(thing) if thing else found.subject_id,
        "is_answered": found.state == Report.State.ANSWERED,
        "answer": reason_words(found.answer),
        "kind": SUBJECTS[found.subject],
        "about_url": url_of(found.subject, found.subject_id),
        "log_url": _log_url(found),
    }
    return no_store(render(request, "pages/report/status.html", context))


@require_safe
def moderation(request: HttpRequest) -> HttpResponse:
    """The public log: all decisions, or those about one thing."""
    subject, slug = _about(request.GET, LOGGED)
    found = decisions(subject, slug)
    number = page_number(request.GET.get("page", ""))
    pages, span = paging(total=found.count(), page=number, size=DECISIONS_A_PAGE)
    own: dict[str, str | int] = {subject.value: slug} if subject else {}
    context = {
        "lines": lines_of(found[span]),
        "kind": SUBJECTS[subject] if subject else "",
        "slug": slug,
        "about_url": url_of(subject, slug) if subject else "",
        "address": reverse("pages:moderation"),
        "pager": pager_of(pages, lambda page: f"?{urlencode({**own, 'page': page})}"),
    }
    return render(request, "pages/report/log.html", context)


def _about(given: QueryDict, subjects: tuple[Subject, ...]) -> tuple[Subject | None, str]:
    """Return what an address is about, or None: the first of these that it names."""
    for subject in subjects:
        slug = plain(given.get(subject.value, ""), SLUG_CHARACTERS)
        if slug:
            return subject, slug
    return None, ""


def _new(request: HttpRequest, form: ReportForm, subject: Subject, slug: str) -> NewReport:
    kind = form.cleaned_data["kind"] if subject in ANSWERABLE else Report.Kind.REPORT
    return NewReport(
        kind=kind,
        subject=subject,
        subject_id=slug,
        text=form.cleaned_data["text"],
        email=form.cleaned_data["email"],
        language=get_language() or "en",
        network=quota_network_of(request),
    )


def _name_of(thing: Any) -> str:
    """What people call what is reported: runs have no name but what they are of, and their day."""
    if isinstance(thing, Run):
        return join_facts((run_name(thing), dates.plain(thing.measured_at, thing.slug)))
    return str(getattr(thing, "full_name", thing.name))


def _kinds(form: ReportForm) -> list[tuple[str, str, bool]]:
    chosen = form["kind"].value()
    return [(kind.value, str(words), kind == chosen) for kind, words in KINDS]


def _log_url(found: Report) -> str:
    return f"{reverse('pages:moderation')}?{urlencode({found.subject: found.subject_id})}"
