"""Pages on which a key gets an owner, by a code or by a private link, and loses it again."""

from __future__ import annotations

from dataclasses import replace
from http import HTTPStatus
from typing import TYPE_CHECKING, Final, cast

from allauth.account.decorators import reauthentication_required
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from apps.accounts.attempts import (
    CLAIMS,
    CODES,
    AttemptLimit,
    TooManyAttemptsError,
    count_attempt,
    forget_attempt,
)
from apps.accounts.linking.claim_links import FoundLink, LinkState, find_link, use_link
from apps.accounts.linking.logins import decide_login, find_login, find_login_by_id
from apps.accounts.mail import key_to_unlink
from apps.accounts.models import Attempt
from apps.accounts.networks import quota_network_of
from apps.accounts.services import (
    KeyRefusedError,
    release_key,
    undo_rotation,
    was_linked_by_rotation,
)
from apps.pages.account.selectors.logins import asker_of, known_key

if TYPE_CHECKING:
    from django.contrib.auth.models import User

LOGIN_SESSION_KEY: Final = "key_login"  # the login whose code this session typed
NEIGHBOURS: Final = 4  # people of one network who may be wrong at once
FORM_METHODS: Final = ["GET", "HEAD", "POST"]


@login_required
@require_http_methods(FORM_METHODS)
def link(request: HttpRequest) -> HttpResponse:
    """Type the code that a terminal shows."""
    form = pressed(request)
    if form is None:
        return render(request, "pages/account/link.html", {"wrong": ""})
    try:
        attempt = count_attempt(Attempt.Kind.CODE, _senders(request, CODES))
    except TooManyAttemptsError as error:
        return _too_many(request, "pages/account/link.html", error)
    login = find_login(form.get("code", ""))
    if login is None:
        return render(
            request,
            "pages/account/link.html",
            {"wrong": "code"},
            status=HTTPStatus.UNPROCESSABLE_ENTITY,
        )
    forget_attempt(attempt)
    request.session[LOGIN_SESSION_KEY] = login.pk
    return redirect("pages:link-key")


@login_required
@require_http_methods(FORM_METHODS)
@reauthentication_required  # type: ignore[untyped-decorator]  # allauth has no types
def link_key(request: HttpRequest) -> HttpResponse:
    """Compare the key with the terminal, then approve or deny."""
    login = find_login_by_id(request.session.get(LOGIN_SESSION_KEY, ""))
    if login is None:
        return redirect("pages:link")
    form = pressed(request)
    if form is None:
        context = {
            "login": login,
            "known": known_key(login.key),
            "asker": asker_of(login, network=quota_network_of(request)),
        }
        return render(request, "pages/account/link_key.html", context)
    request.session.pop(LOGIN_SESSION_KEY, None)
    approve = form.get("decision") == "approve"
    try:
        is_open = decide_login(login, _person(request), approve=approve)
    except KeyRefusedError:
        return _done(request, "refused", status=HTTPStatus.CONFLICT)
    if not is_open:
        return _done(request, "expired", status=HTTPStatus.CONFLICT)
    return _done(request, "linked" if approve else "denied")


@login_required
@require_http_methods(FORM_METHODS)
def claim(request: HttpRequest, token: str) -> HttpResponse:
    """Show what a private link claims; a press of its button claims it, once."""
    try:
        attempt = count_attempt(Attempt.Kind.CLAIM, _senders(request, CLAIMS))
    except TooManyAttemptsError as error:
        return _too_many(request, "pages/account/claim.html", error)
    is_press = pressed(request) is not None
    found = use_link(token, _person(request)) if is_press else find_link(token)
    if found is None:
        return _claim_page(request, None, status=HTTPStatus.NOT_FOUND)
    forget_attempt(attempt)
    if found.state is not LinkState.OPEN:
        return _claim_page(request, found, status=HTTPStatus.GONE)
    return _done(request, "linked") if is_press else _claim_page(request, found)


@require_http_methods(FORM_METHODS)
def unlink(request: HttpRequest, token: str) -> HttpResponse:
    """Take a link of a key back, with the address from the mail: no sign-in is needed.

    A key that was linked by a rotation is revoked, and the one before it stays.
    """
    key = key_to_unlink(token)
    if key is None:
        return render(
            request, "pages/account/unlink.html", {"key": None}, status=HTTPStatus.NOT_FOUND
        )
    is_rotation = was_linked_by_rotation(key)
    if pressed(request) is None:
        context = {"key": key, "is_rotation": is_rotation}
        return render(request, "pages/account/unlink.html", context)
    if is_rotation:
        undo_rotation(key)
        return _done(request, "revoked")
    release_key(key)
    return _done(request, "released")


def pressed(request: HttpRequest) -> QueryDict | None:
    """Return what a form holds once its button is pressed, else None: addresses change nothing."""
    return request.POST if request.method == "POST" else None


def _claim_page(
    request: HttpRequest, found: FoundLink | None, *, status: int = HTTPStatus.OK
) -> HttpResponse:
    context = {
        "state": found.state.value if found else "unknown",
        "known": known_key(found.key) if found else None,
        "run_id": found.link.run_id if found else None,
        "wrong": "",
    }
    return render(request, "pages/account/claim.html", context, status=status)


def _done(request: HttpRequest, what: str, *, status: int = HTTPStatus.OK) -> HttpResponse:
    return render(request, "pages/account/key_done.html", {"what": what}, status=status)


def _too_many(request: HttpRequest, template: str, error: TooManyAttemptsError) -> HttpResponse:
    response = render(request, template, {"wrong": "too-many"}, status=HTTPStatus.TOO_MANY_REQUESTS)
    response.headers["Retry-After"] = str(error.retry_after_s)
    return response


def _senders(request: HttpRequest, limit: AttemptLimit) -> dict[str, AttemptLimit]:
    """Return whose attempts a request counts as: the person's, and those of the network.

    One person alone keeps no neighbour from linking a key.
    """
    of_network = replace(limit, most=limit.most * NEIGHBOURS)
    return {
        f"user:{_person(request).pk}": limit,
        f"network:{quota_network_of(request)}": of_network,
    }


def _person(request: HttpRequest) -> User:
    return cast("User", request.user)  # login_required lets nobody else in
