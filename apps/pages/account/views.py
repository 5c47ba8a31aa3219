"""The pages of a signed-in person."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from apps.pages.account.selectors import account_of
from apps.pages.frame.terms import terms_agreed

if TYPE_CHECKING:
    from django.contrib.auth.models import User


@login_required
@terms_agreed
@require_safe
def account(request: HttpRequest) -> HttpResponse:
    """Show a person their keys and what is theirs."""
    found = account_of(cast("User", request.user))  # login_required lets nobody else in
    return render(request, "pages/account/account.html", {"account": found})
