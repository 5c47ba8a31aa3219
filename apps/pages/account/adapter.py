"""What allauth leaves to us: whose address a request has, what mails say, and new addresses."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.authentication import get_authentication_records
from allauth.core import ratelimit
from allauth.core.exceptions import ImmediateHttpResponse, ReauthenticationRequired
from allauth.socialaccount.models import SocialAccount
from django.conf import settings
from django.contrib import messages
from django.core.mail import EmailMessage
from django.urls import reverse
from django.utils.crypto import get_random_string
from django.utils.translation import gettext

from apps.accounts.networks import client_address
from apps.accounts.people import ask_old_address, verified_address
from apps.pages.account.devices import known_device, remember_device
from apps.pages.account.mails import render_mail

if TYPE_CHECKING:
    from allauth.account.models import EmailAddress
    from django.contrib.auth.models import User
    from django.http import HttpRequest, HttpResponse

NAME_CHARACTERS = 12  # of 36 letters and digits: 62 bits


def shown_name(user: User) -> str:
    """What a page calls somebody who is signed in."""
    return user.email


def signed_in_lately(request: HttpRequest) -> bool:
    """Whether this session began, or was confirmed, within the time in which nobody is asked."""
    records = get_authentication_records(request, request.user)
    signed_in_at = max((each["at"] for each in records), default=0)
    return bool(time.time() - signed_in_at < settings.ACCOUNT_REAUTHENTICATION_TIMEOUT)


class AccountAdapter(DefaultAccountAdapter):  # type: ignore[misc]  # allauth has no types
    """Accounts of this site."""

    def get_client_ip(self, request: HttpRequest) -> str:
        """Return the address that limits of sign-ins count by, behind our own proxies."""
        return client_address(request)

    def pre_authenticate(self, request: HttpRequest, **credentials: Any) -> None:
        """Count an attempt: for a known browser, else for the address and the account."""
        device = known_device(request, credentials.get("email", ""))
        if device is None:
            if not ratelimit.consume(request, action="unknown_browser"):
                raise ImmediateHttpResponse(ratelimit.respond_429(request))
            super().pre_authenticate(request, **credentials)
        elif not ratelimit.consume(request, action="known_browser", key=device):
            raise self.validation_error("too_many_login_attempts")

    def post_login(self, request: HttpRequest, user: User, **more: Any) -> HttpResponse:
        """Know this browser from now on."""
        response: HttpResponse = super().post_login(request, user, **more)
        remember_device(response, user.email)
        return response

    def is_reauthentication_required(self, *, app: str, **more: Any) -> bool:
        """Ask at the provider whom nothing here can ask: allauth would let them pass."""
        user = self.request.user
        is_known_elsewhere_alone = not super().get_reauthentication_methods(user)
        if is_known_elsewhere_alone and not signed_in_lately(self.request):
            raise ReauthenticationRequired
        return bool(super().is_reauthentication_required(app=app, **more))

    def get_reauthentication_methods(self, user: User) -> list[dict[str, Any]]:
        """Return how somebody can say once more that it is them: here, or else at a provider."""
        methods: list[dict[str, Any]] = super().get_reauthentication_methods(user)
        if methods or not user.is_authenticated:
            return methods
        providers = SocialAccount.objects.filter(user=user).values_list("provider", flat=True)
        return [
            {"id": name, "description": name, "url": reverse(f"{name}_login")} for name in providers
        ]

    def populate_username(self, _request: HttpRequest, user: User) -> None:
        """Give a random name: one made of the mail address would tell it to others."""
        user.username = f"person-{get_random_string(NAME_CHARACTERS).lower()}"

    def render_mail(
        self, template_prefix: str, email: str, context: dict[str, Any], headers: Any = None
    ) -> EmailMessage:
        """Return a plain mail in our words."""
        subject, body = render_mail(template_prefix, {**context, "email": email})
        return EmailMessage(
            self.format_email_subject(subject), body, self.get_from_email(), [email],
            headers=headers,
        )  # fmt: skip

    def confirm_email(self, request: HttpRequest, email_address: EmailAddress) -> bool:
        """Take a verified address, but ask the old one first where there is one."""
        user = email_address.user
        old = verified_address(user)
        if not old or old == email_address.email:
            return bool(super().confirm_email(request, email_address))
        token = ask_old_address(user, email_address.email)
        self.send_mail("email_change", old, {"new": email_address.email, "token": token})
        messages.success(
            request,
            gettext("%(new)s is verified. Now confirm the change in the mail to %(old)s.")
            % {"new": email_address.email, "old": old},
        )
        return False
