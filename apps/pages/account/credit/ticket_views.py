"""The tickets of a person: what was measured by them, and how to take one back."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext
from django.views.decorators.http import require_POST, require_safe

from apps.accounts.credit.tickets import take_back
from apps.pages.account.credit.selectors import tickets_of
from apps.pages.account.run_views import counted
from apps.pages.account.views import person_of
from apps.pages.show.address.query_string import page_number
from apps.pages.show.table.paging import pager_of


@login_required
@require_safe
def tickets(request: HttpRequest) -> HttpResponse:
    """List the tickets that somebody made."""
    found = tickets_of(person_of(request), page=page_number(request.GET.get("page", "")))
    pager = pager_of(found.pages, lambda page: f"?page={page}")
    return render(request, "pages/account/tickets.html", {"tickets": found.tickets, "pager": pager})


@login_required
@require_POST
@counted
def end(request: HttpRequest, pk: int) -> HttpResponse:
    """Take a ticket back: nobody uses it any more, and its run is that of its network."""
    if not take_back(person_of(request), pk):
        raise Http404("no ticket of this person")
    messages.success(request, gettext("That is undone."))
    return redirect("pages:account-tickets")
