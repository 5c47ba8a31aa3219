"""Who may work at the desk: a permission, and a sign-in with a second factor."""

from __future__ import annotations

from functools import wraps
from typing import TYPE_CHECKING, Concatenate, ParamSpec

from allauth.account.authentication import get_authentication_records
from django.contrib import messages
from django.shortcuts import redirect
from django.utils.translation import gettext as _

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.http import HttpRequest, HttpResponse

P = ParamSpec("P")
SECOND_FACTOR = "mfa"  # what allauth calls a sign-in with a code, a passkey or a recovery code


def second_factor_required(
    view: Callable[Concatenate[HttpRequest, P], HttpResponse],
) -> Callable[Concatenate[HttpRequest, P], HttpResponse]:
    """Let a view answer only who signed in with a second factor; others are sent to set one up."""

    @wraps(view)
    def with_second_factor(
        request: HttpRequest, /, *args: P.args, **kwargs: P.kwargs
    ) -> HttpResponse:
        records = get_authentication_records(request)
        if any(each.get("method") == SECOND_FACTOR for each in records):
            return view(request, *args, **kwargs)
        messages.info(request, _("Sign in with a second factor first."))
        return redirect("mfa_index")

    return with_second_factor
