"""Servers without one of their guards of accounts, of sign-ins, and of roles."""

from __future__ import annotations

import contextlib
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from allauth.account.adapter import DefaultAccountAdapter
from allauth.mfa.models import Authenticator
from django.conf import settings
from django.contrib.auth.models import User
from django.core.handlers.base import BaseHandler
from django.http import HttpResponse
from django.test import override_settings
from django.urls import get_resolver, re_path

from apps.accounts.models import AgentKey, KeyEvent
from apps.pages.account.run_views import UNDONE
from apps.runs.models import RunRuling
from tests.attacks.weakened import UNBOUNDED, changed

if TYPE_CHECKING:
    from collections.abc import Iterator

    from django.db.models import QuerySet
    from django.http import HttpRequest

Server = contextlib.AbstractContextManager[Any]
ADAPTER = "apps.pages.account.adapter.AccountAdapter"


# --- who somebody is, and what they may ----------------------------------------------------------


def with_everybody_taken_for(user: User) -> Server:
    """Who comes is this person: nobody signs in."""
    return changed(("django.contrib.auth.middleware.get_user", lambda _: user))


def with_things_looked_up_for(user: User) -> Server:
    """The account pages show and change what is this person's, whoever asks."""
    views = ("data_views", "key_views", "machine_views", "run_views")
    return changed(*((f"apps.pages.account.{each}.person_of", lambda _: user) for each in views))


def without_roles() -> Server:
    """Whoever is signed in may everything."""
    return changed(("django.contrib.auth.models.PermissionsMixin.has_perm", lambda *_, **__: True))


def without_second_factors() -> Server:
    """Staff sign in by their password alone."""
    return changed(
        ("apps.pages.frame.staff.has_second_factor", lambda _: True),
        ("apps.config.staff.has_second_factor", lambda _: True),
    )


@contextlib.contextmanager
def with_staff_of_everybody() -> Iterator[None]:
    """Whoever is signed in is of the staff: roles and second factors hold both, so both are off."""
    with (
        without_roles(),
        without_second_factors(),
        changed(("apps.config.staff.StaffSite.has_permission", lambda *_: True)),
    ):
        yield


@contextlib.contextmanager
def with_a_route_of_nobody() -> Iterator[None]:
    """There is a page of which nobody said who may see it."""
    with routed(r"^unheard-of/$", lambda _request: HttpResponse("secret")):
        yield


@contextlib.contextmanager
def routed(pattern: str, view: Any) -> Iterator[None]:
    """The server with one more address, before all others."""
    patterns = get_resolver().url_patterns
    route = re_path(pattern, view)
    patterns.insert(0, route)
    try:
        yield
    finally:
        patterns.remove(route)


def without_form_tokens() -> Server:
    """A form of any site is one of ours."""
    return changed(("django.middleware.csrf.CsrfViewMiddleware._check_token", lambda *_: None))


def with_links_as_forms() -> Server:
    """What is asked for is done, as if a form had been sent."""
    resolve = BaseHandler.resolve_request

    def as_form(handler: BaseHandler, request: HttpRequest) -> Any:
        request.method, request.POST = "POST", request.GET
        return resolve(handler, request)

    return changed(("django.core.handlers.base.BaseHandler.resolve_request", as_form))


# --- sign-ins ------------------------------------------------------------------------------------


@contextlib.contextmanager
def with_words_about_accounts() -> Iterator[None]:
    """Each form says whether somebody has an account: ours by a word of its own."""

    def tell(adapter: DefaultAccountAdapter, _request: HttpRequest, **sent: Any) -> None:
        if not User.objects.filter(email=sent["email"]).exists():
            raise adapter.validation_error("unknown_email")

    with (
        override_settings(ACCOUNT_PREVENT_ENUMERATION=False),
        changed((f"{ADAPTER}.authentication_failed", tell)),
    ):
        yield


def without_limits_of_attempts() -> Server:
    """Passwords and codes are tried as often as somebody likes, and mails sent so too."""
    return override_settings(ACCOUNT_RATE_LIMITS=False, MFA_RATE_LIMITS=False)


def without_known_browsers() -> Server:
    """No browser is told from another."""
    return changed(("apps.pages.account.adapter.known_device", lambda *_: None))


def with_browsers_of_everybody() -> Server:
    """Where one person signed in, all others have."""
    return changed(("apps.pages.account.devices.constant_time_compare", lambda *_: True))


def with_limits_by_address() -> Server:
    """Each address has attempts of its own."""
    return changed(("allauth.core.internal.ratelimit.truncate_ip", lambda ip: ip))


def with_codes_that_stand() -> Server:
    """A code of a mail outlives any number of wrong ones."""
    return override_settings(
        ACCOUNT_EMAIL_VERIFICATION_BY_CODE_MAX_ATTEMPTS=UNBOUNDED,
        ACCOUNT_PASSWORD_RESET_BY_CODE_MAX_ATTEMPTS=UNBOUNDED,
    )


def with_passwords_alone() -> Server:
    """A sign-in asks nobody for a second factor."""
    return changed(("allauth.mfa.stages.AuthenticateStage._should_handle", lambda *_: False))


def with_codes_that_last() -> Server:
    """A code of an app, or of recovery, is good again."""
    return changed(
        ("allauth.mfa.totp.internal.auth.TOTP._mark_code_used", lambda *_: True),
        (
            "allauth.mfa.recovery_codes.internal.auth.RecoveryCodes._is_code_used",
            lambda *_: False,
        ),
    )


def with_sessions_that_stay() -> Server:
    """The session of a sign-in is the one that was there before it."""
    return changed(("django.contrib.sessions.backends.base.SessionBase.cycle_key", lambda _: None))


def with_sessions_of_any_password() -> Server:
    """A session outlives the password that it began with."""
    base = "django.contrib.auth.base_user.AbstractBaseUser"
    return changed((f"{base}.get_session_auth_hash", lambda _: "same"))


def with_old_sessions() -> Server:
    """A sign-in of an hour ago was just now."""
    return override_settings(ACCOUNT_REAUTHENTICATION_TIMEOUT=UNBOUNDED)


def with_ways_to_anywhere() -> Server:
    """A form says where it leads.

    allauth asks for our own host, Django for a scheme of the web, and it writes no backslash: all
    are off.
    """
    return changed(
        (f"{ADAPTER}.is_safe_url", lambda *_: True),
        (
            "django.http.response.HttpResponseRedirectBase.allowed_schemes",
            ["http", "https", "javascript"],
        ),
        ("django.http.response.iri_to_uri", str),
    )


def with_providers() -> Server:
    """Each provider is set up, with an account of somebody's there."""
    apps = [{"client_id": "somebody", "secret": "theirs"}]
    providers = settings.SOCIALACCOUNT_PROVIDERS
    return override_settings(
        SOCIALACCOUNT_PROVIDERS={name: {**each, "APPS": apps} for name, each in providers.items()}
    )


def without_a_word_of_the_old_address() -> Server:
    """A new address counts as soon as it is verified."""
    return changed((f"{ADAPTER}.confirm_email", DefaultAccountAdapter.confirm_email))


def with_a_no_that_is_not_heard() -> Server:
    """What the old address stops goes on."""
    return changed(("apps.pages.account.email_views.stop_email_change", lambda _: None))


def with_changes_as_found() -> Server:
    """A change that is stopped while somebody confirms it is finished all the same."""
    return changed(("apps.accounts.people._hold", lambda _: True))


def without_the_week_of_the_old_address() -> Server:
    """The old address has no time to say no."""
    return changed(("apps.accounts.people.EMAIL_CHANGE_WAIT", timedelta(0)))


def with_tokens_that_repeat() -> Server:
    """Each change of an address has the token of the last one."""
    return changed(("apps.accounts.people.new_token", lambda: "s" * 22))


def with_passkeys_of_everybody() -> Server:
    """A passkey is found by its number alone."""
    views = "allauth.mfa.webauthn.views"
    return changed(
        (f"{views}.EditWebAuthnView.get_queryset", lambda _: Authenticator.objects.all()),
        (f"{views}.RemoveWebAuthnView.get_queryset", lambda _: Authenticator.objects.all()),
    )


def with_rulings_of_moderators_undone() -> Server:
    """An owner takes back whatever was decided about a run."""
    undone = {**UNDONE, "excluded": RunRuling.Kind.EXCLUDED}
    return changed(("apps.pages.account.run_views.UNDONE", undone))


def with_the_last_word_on_a_key() -> Server:
    """Whoever revokes a key last says since when its runs are in doubt."""

    def last(key: AgentKey) -> QuerySet[KeyEvent]:
        newest = key.events.filter(kind=KeyEvent.Kind.REVOKED).order_by("-pk")[:1]
        return KeyEvent.objects.filter(pk__in=list(newest.values_list("pk", flat=True)))

    return changed(("apps.accounts.services._revocations_of", last))


def without_limits_of_decisions() -> Server:
    """An owner decides about runs as often as somebody likes."""
    return changed(("apps.pages.account.run_views.count_attempt", lambda *_: []))


def with_keys_that_remember() -> Server:
    """A key tells who links it what happened before."""

    def all_of(user: User) -> QuerySet[KeyEvent]:
        return KeyEvent.objects.filter(key__owner=user)

    selectors = "apps.pages.account.selectors"
    return changed(*((f"{selectors}.{each}.key_events_of", all_of) for each in ("data", "keys")))


def with_names_as_typed() -> Server:
    """A name may hold any sign."""
    return changed(("apps.pages.account.forms.PlainText.clean", lambda _, value: value))
