"""Who may see the pages of staff: a permission, and a sign-in with more than a password."""

from __future__ import annotations

from functools import wraps
from typing import TYPE_CHECKING, Concatenate, ParamSpec

from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from apps.accounts.people import has_second_factor

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.http import HttpRequest, HttpResponse

P = ParamSpec("P")


def second_factor_required(
    view: Callable[Concatenate[HttpRequest, P], HttpResponse],
) -> Callable[Concatenate[HttpRequest, P], HttpResponse]:
    """Let a view answer only people with a second factor; others are sent to set one up."""

    @wraps(view)
    def with_second_factor(
        request: HttpRequest, /, *args: P.args, **kwargs: P.kwargs
    ) -> HttpResponse:
        if not request.user.is_authenticated:
            return redirect_to_login(request.get_full_path())
        if has_second_factor(request.user):
            return view(request, *args, **kwargs)
        messages.warning(request, _("Staff need a second factor: set one up first."))
        return redirect("mfa_index")

    return with_second_factor


def staff_page(
    permission: str,
) -> Callable[
    [Callable[Concatenate[HttpRequest, P], HttpResponse]],
    Callable[Concatenate[HttpRequest, P], HttpResponse],
]:
    """Let a view answer only people with a permission and a second factor."""

    def decorated(
        view: Callable[Concatenate[HttpRequest, P], HttpResponse],
    ) -> Callable[Concatenate[HttpRequest, P], HttpResponse]:
        checked = second_factor_required(view)

        @wraps(view)
        def with_permission(
            request: HttpRequest, /, *args: P.args, **kwargs: P.kwargs
        ) -> HttpResponse:
            if not request.user.is_authenticated:
                return redirect_to_login(request.get_full_path())
            if not request.user.has_perm(permission):
                raise PermissionDenied
            return checked(request, *args, **kwargs)

        return with_permission

    return decorated
