"""The plans that a person watches: the list, its form, and the end of it out of a mail."""

from __future__ import annotations

from http import HTTPStatus
from typing import TYPE_CHECKING, Final, cast

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import get_language, gettext
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from apps.accounts.people import verified_address
from apps.pages.watches.selectors import watched_by
from apps.watches.mail import user_of_token
from apps.watches.services import (
    NO_ADDRESS,
    WatchRefusedError,
    begin_watch,
    end_all_watches,
    end_watch,
    watchable,
)

if TYPE_CHECKING:
    from django.contrib.auth.models import User

FORM_METHODS: Final = ["GET", "HEAD", "POST"]


@login_required
@require_http_methods(FORM_METHODS)
def watches(request: HttpRequest) -> HttpResponse:
    """List what a person watches; `?add=` names a plan that a press of the button adds."""
    user = cast("User", request.user)  # login_required lets nobody else in
    if request.method == "POST":
        return _change(request, user)
    wanted = request.GET.get("add", "")
    plan = watchable(wanted) if wanted else None
    if wanted and plan is None:
        raise Http404("no such plan of the catalogue")
    watched = watched_by(user)
    context = {
        "watched": watched,
        "plan": plan if plan not in watched else None,
        "address": verified_address(user),
    }
    return render(request, "pages/watches/watches.html", context)


@csrf_exempt  # a mail program presses it, without a cookie: the token is the permission
@require_http_methods(FORM_METHODS)
def stop(request: HttpRequest, token: str) -> HttpResponse:
    """End every watch of who got the mail (RFC 8058); reading the page ends nothing."""
    user_id = user_of_token(token)
    is_press = request.method == "POST"
    if user_id is not None and is_press:
        end_all_watches(user_id)
    context = {"is_known": user_id is not None, "is_done": is_press}
    status = HTTPStatus.OK if user_id is not None else HTTPStatus.NOT_FOUND
    return render(request, "pages/watches/stop.html", context, status=status)


def _change(request: HttpRequest, user: User) -> HttpResponse:
    if ended := request.POST.get("end", ""):
        end_watch(user, ended)
        return redirect("pages:watches")
    plan = watchable(request.POST.get("add", ""))
    if plan is None:
        raise Http404("no such plan of the catalogue")
    try:
        today = timezone.now().date()
        begin_watch(user, plan, language=get_language() or "en", today=today)
    except WatchRefusedError as error:
        messages.error(
            request,
            gettext("Verify a mail address first.")
            if error.reason == NO_ADDRESS
            else gettext("These are as many plans as one mail can hold: stop one first."),
        )
    return redirect("pages:watches")
