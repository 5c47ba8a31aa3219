"""The runs of a person: a list, and of one what its owner may do with it."""

from __future__ import annotations

from functools import wraps
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, TypeVar, cast

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from apps.accounts.attempts import STATEMENTS_OF_KEY, TooManyAttemptsError, count_attempt
from apps.accounts.models import Attempt, RunNote
from apps.pages.account.forms import NoteForm, WithdrawForm
from apps.pages.account.selectors.runs import PersonRun, run_of, runs_of
from apps.pages.account.views import person_of
from apps.pages.show.address.query_string import page_number
from apps.pages.show.table.paging import pager_of
from apps.runs.models import RunRuling
from apps.runs.rulings import lift_ruling, rule_on_run
from apps.runs.selectors import keeping_out
from apps.words.labels import text_of

if TYPE_CHECKING:
    from collections.abc import Callable
    from uuid import UUID

    from django import forms

    View = TypeVar("View", bound=Callable[..., HttpResponse])

# What its owner may take back: what a moderator decided is none of these.
UNDONE = {"hidden": RunRuling.Kind.HIDDEN, "withdrawn": RunRuling.Kind.WITHDRAWN}
HIDDEN_BECAUSE = "hidden by its owner"  # public, in the dump: English as all that it says


def counted(view: View) -> View:
    """Let a person decide about runs as often as a key may: each time they are judged again."""

    @wraps(view)
    def act(request: HttpRequest, *args: Any, **names: Any) -> HttpResponse:
        try:
            limits = {f"user:{person_of(request).pk}": STATEMENTS_OF_KEY}
            count_attempt(Attempt.Kind.STATEMENT, limits)
        except TooManyAttemptsError as error:
            answer = render(request, "429.html", status=HTTPStatus.TOO_MANY_REQUESTS)
            answer.headers["Retry-After"] = str(error.retry_after_s)
            return answer
        return view(request, *args, **names)

    return cast("View", act)


@login_required
@require_safe
def runs(request: HttpRequest) -> HttpResponse:
    """List the runs that somebody's keys signed."""
    found = runs_of(person_of(request), page=page_number(request.GET.get("page", "")))
    pager = pager_of(found.pages, lambda page: f"?page={page}")
    return render(request, "pages/account/runs.html", {"runs": found.runs, "pager": pager})


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def run(request: HttpRequest, run_id: UUID) -> HttpResponse:
    """Show one run; a POST stores its note."""
    own = _own_run(request, run_id)
    form = NoteForm(request.POST or None, initial={"note": own.note})
    if request.method == "POST" and form.is_valid():
        _store_note(request, run_id, form.cleaned_data["note"])
        messages.success(request, gettext("The note is stored."))
        return redirect("pages:account-run", run_id=run_id)
    return _page(request, own, note=form, withdraw=WithdrawForm())


@login_required
@require_POST
@counted
def withdraw(request: HttpRequest, run_id: UUID) -> HttpResponse:
    """Take a run back: it counts nowhere, and its page says so with the reason."""
    own = _own_run(request, run_id)
    form = WithdrawForm(request.POST)
    if not form.is_valid():
        return _page(request, own, note=NoteForm(initial={"note": own.note}), withdraw=form)
    rule_on_run(run_id, RunRuling.Kind.WITHDRAWN, form.cleaned_data["reason"])
    messages.success(request, gettext("The run is withdrawn."))
    return redirect("pages:account-run", run_id=run_id)


@login_required
@require_POST
@counted
def hide(request: HttpRequest, run_id: UUID) -> HttpResponse:
    """Take a run out of lists; who has its address still sees it."""
    _own_run(request, run_id)
    rule_on_run(run_id, RunRuling.Kind.HIDDEN, HIDDEN_BECAUSE)
    messages.success(request, gettext("The run is in no list any more."))
    return redirect("pages:account-run", run_id=run_id)


@login_required
@require_POST
@counted
def undo(request: HttpRequest, run_id: UUID, kind: str) -> HttpResponse:
    """Take back what the owner decided, and nothing that a moderator did."""
    _own_run(request, run_id)
    if kind not in UNDONE:
        raise Http404("nothing that an owner decides")
    lift_ruling(run_id, UNDONE[kind])
    messages.success(request, gettext("That is undone."))
    return redirect("pages:account-run", run_id=run_id)


def _own_run(request: HttpRequest, run_id: UUID) -> PersonRun:
    found = run_of(person_of(request), run_id)
    if found is None:
        raise Http404("no run of this person")
    return found


def _store_note(request: HttpRequest, run_id: UUID, text: str) -> None:
    notes = RunNote.objects.filter(user=person_of(request), run_id=run_id)
    if not text:
        notes.delete()
        return
    RunNote.objects.update_or_create(
        user=person_of(request), run_id=run_id, defaults={"text": text}
    )


def _page(
    request: HttpRequest, own: PersonRun, *, note: forms.Form, withdraw: forms.Form
) -> HttpResponse:
    labels = keeping_out(own.run.labels.all()) if own.run else ()
    against = [text_of(each) for each in labels]
    context = {"own": own, "against": against, "note_form": note, "withdraw_form": withdraw}
    return render(request, "pages/account/run.html", context)
