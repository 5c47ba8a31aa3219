"""What is kept of a person: to take along, and to leave behind."""

from __future__ import annotations

from typing import TYPE_CHECKING

from allauth.account.adapter import get_adapter
from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext
from django.views.decorators.http import require_safe

from apps.moderation.leaving import delete_person
from apps.pages.account.forms import LeaveForm
from apps.pages.account.selectors.data import data_of
from apps.pages.account.views import acts, asks_again, person_of

if TYPE_CHECKING:
    from django import forms


@login_required
@require_safe
def data(request: HttpRequest) -> HttpResponse:
    """Offer what is kept of a person, and its end."""
    return _page(request, LeaveForm())


@login_required
@acts
@asks_again
def export(request: HttpRequest) -> HttpResponse:
    """Hand out everything that is kept of a person as one JSON file."""
    answer = JsonResponse(data_of(person_of(request)), json_dumps_params={"indent": 2})
    answer.headers["Content-Disposition"] = 'attachment; filename="fsyncmark-account.json"'
    return answer


@login_required
@acts
@asks_again
def delete(request: HttpRequest) -> HttpResponse:
    """Delete the account, with or without its runs."""
    form = LeaveForm(request.POST)
    if not form.is_valid():
        return _page(request, form)
    user = person_of(request)
    email = user.email
    logout(request)
    delete_person(user, with_runs=form.cleaned_data["runs"] == "go")
    get_adapter(request).send_mail("deleted", email, {})
    messages.success(request, gettext("Your account is deleted."))
    return redirect("account_login")


def _page(request: HttpRequest, form: forms.Form) -> HttpResponse:
    return render(request, "pages/account/data.html", {"leave_form": form})
