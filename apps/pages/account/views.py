"""The pages of a signed-in person: what is theirs, in one view."""

from __future__ import annotations

from functools import wraps
from typing import TYPE_CHECKING, Any, TypeVar, cast

from allauth.account.decorators import reauthentication_required
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from apps.pages.account.selectors.keys import keys_of
from apps.pages.account.selectors.machines import machines_of
from apps.pages.account.selectors.runs import runs_of
from apps.pages.frame.terms import terms_agreed

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.contrib.auth.models import User

    View = TypeVar("View", bound=Callable[..., HttpResponse])

NEWEST_RUNS = 5  # of the list that has its own page


def person_of(request: HttpRequest) -> User:
    """Return who is signed in; login_required lets nobody else in."""
    return cast("User", request.user)


def asks_again(view: View) -> View:
    """Let a view do what hurts only for who has just said once more that it is them."""
    return cast("View", reauthentication_required(view))


def acts(view: View) -> View:
    """Let a view act on a POST alone; who comes back from a provider lands on the account."""

    @wraps(view)
    def act(request: HttpRequest, *args: Any, **names: Any) -> HttpResponse:
        if request.method != "POST":
            return redirect("pages:account")
        return view(request, *args, **names)

    return cast("View", act)


@login_required
@terms_agreed
@require_safe
def account(request: HttpRequest) -> HttpResponse:
    """Show a person their keys, their machines and their newest runs."""
    user = person_of(request)
    newest = runs_of(user, page=1)
    machines = machines_of(user)
    context = {
        "keys": keys_of(user, machines),
        "machines": machines,
        "runs": newest.runs[:NEWEST_RUNS],
        "n_runs": newest.pages.total,
    }
    return render(request, "pages/account/account.html", context)
