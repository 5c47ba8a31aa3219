"""One key of a person: its name, giving it up, and what is done when it is lost."""

from __future__ import annotations

from datetime import UTC, datetime, time
from typing import TYPE_CHECKING

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext
from django.views.decorators.http import require_http_methods

from apps.accounts.services import release_key, revoke_key
from apps.pages.account.forms import NameForm, RevokeForm
from apps.pages.account.selectors.keys import OwnKey, key_of
from apps.pages.account.views import acts, asks_again, person_of

if TYPE_CHECKING:
    from django import forms


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def key(request: HttpRequest, keyid: str) -> HttpResponse:
    """Show a key and what happened to it; a POST names it."""
    own = _own_key(request, keyid)
    form = NameForm(request.POST or None, initial={"name": own.key.name})
    if request.method == "POST" and form.is_valid():
        own.key.name = form.cleaned_data["name"]
        own.key.save(update_fields=["name"])
        messages.success(request, gettext("The name is stored."))
        return redirect("pages:account-key", keyid=keyid)
    return _page(request, own, name=form, revoke=RevokeForm())


@login_required
@acts
@asks_again
def release(request: HttpRequest, keyid: str) -> HttpResponse:
    """Give a key up: its runs are those of its network again, and it can be claimed anew."""
    release_key(_own_key(request, keyid).key)
    messages.success(request, gettext("The key is no longer linked with you."))
    return redirect("pages:account")


@login_required
@acts
@asks_again
def revoke(request: HttpRequest, keyid: str) -> HttpResponse:
    """Say that a key is no longer believed: nothing that it signs is taken from now on."""
    own = _own_key(request, keyid)
    form = RevokeForm(request.POST)
    if not form.is_valid():
        return _page(request, own, name=NameForm(initial={"name": own.key.name}), revoke=form)
    day = form.cleaned_data["compromised_since"]
    revoke_key(
        own.key,
        by=person_of(request),
        compromised_since=datetime.combine(day, time.min, tzinfo=UTC) if day else None,
        reason=form.cleaned_data["reason"],
    )
    messages.success(request, gettext("The key is revoked."))
    return redirect("pages:account-key", keyid=keyid)


def _own_key(request: HttpRequest, keyid: str) -> OwnKey:
    found = key_of(person_of(request), keyid)
    if found is None:
        raise Http404("no key of this person")
    return found


def _page(
    request: HttpRequest, own: OwnKey, *, name: forms.Form, revoke: forms.Form
) -> HttpResponse:
    context = {"own": own, "name_form": name, "revoke_form": revoke}
    return render(request, "pages/account/key.html", context)
