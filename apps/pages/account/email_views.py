"""The mail address of a person: its page, and what the old address says to a change."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from allauth.account.adapter import get_adapter
from allauth.account.views import EmailView
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.decorators import method_decorator
from django.utils.translation import gettext
from django.views.decorators.http import require_http_methods, require_POST

from apps.accounts.models import EmailChange
from apps.accounts.people import (
    AddressTakenError,
    NoSuchChangeError,
    find_email_change,
    finish_email_change,
    free_email_change,
    stop_email_change,
    verified_address,
)
from apps.pages.account.views import acts, asks_again, person_of

if TYPE_CHECKING:
    from django.contrib.auth.models import User


@method_decorator(login_required, name="dispatch")
class AddressView(EmailView):  # type: ignore[misc]  # allauth has no types
    """allauth's page, with the change that waits for the old address."""

    def get_context_data(self, **more: Any) -> dict[str, Any]:
        """Return allauth's context, and the change."""
        user = person_of(self.request)
        return {
            **super().get_context_data(**more),
            "change": EmailChange.objects.filter(user=user).first(),
            "is_free": free_email_change(user) is not None,
        }


@require_http_methods(["GET", "HEAD", "POST"])
def answer(request: HttpRequest, token: str) -> HttpResponse:
    """Let the old address confirm a change or stop it: who has its mail needs no sign-in."""
    change = find_email_change(token)
    if change is None:
        raise Http404("no such change")
    if request.method != "POST":
        old = verified_address(change.user)
        return render(request, "pages/account/email_answer.html", {"change": change, "old": old})
    if "confirm" in request.POST:
        _finish(request, change)
    else:
        _stop(request, change, gettext("The change is stopped. Set a new password now."))
    return redirect("account_email")


@login_required
@acts
@asks_again
def finish(request: HttpRequest) -> HttpResponse:
    """Finish a change that the old address did not stop in a week."""
    change = free_email_change(person_of(request))
    if change is None:
        raise Http404("no change that waited long enough")
    _finish(request, change)
    return redirect("account_email")


@login_required
@require_POST
def stop(request: HttpRequest) -> HttpResponse:
    """Let whoever is signed in forget a change of their own."""
    change = EmailChange.objects.filter(user=person_of(request)).first()
    if change is not None:
        _stop(request, change, gettext("Your address stays as it is."))
    return redirect("account_email")


def _stop(request: HttpRequest, change: EmailChange, said: str) -> None:
    """Stop a change, and say so; or say that it was finished a moment before."""
    try:
        stop_email_change(change)
    except NoSuchChangeError:
        if verified_address(change.user) != change.email:
            raise Http404("no such change any more") from None
        messages.error(request, gettext("Your address is changed."))
    else:
        messages.success(request, said)


def _finish(request: HttpRequest, change: EmailChange) -> None:
    user: User = change.user
    try:
        old = finish_email_change(change)
    except NoSuchChangeError:
        raise Http404("no such change any more") from None
    except AddressTakenError:
        messages.error(request, gettext("Another account has this address by now."))
        return
    get_adapter(request).send_notification_mail(
        "account/email/email_changed", user, {"from_email": old, "to_email": user.email}, email=old
    )
    messages.success(request, gettext("Your address is changed."))
