"""Adds the response headers that neither Django nor django-csp sets, and reads the language."""

from __future__ import annotations

import re
from collections.abc import Callable
from http import HTTPStatus
from smtplib import SMTPException

import structlog
from allauth.socialaccount.models import SocialApp
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import translation
from django.views.defaults import page_not_found
from redis.exceptions import RedisError

logger = structlog.get_logger(__name__)

# no page uses any of these; listing them denies them to embedded content too
PERMISSIONS_POLICY = ", ".join(
    f"{feature}=()"
    for feature in (
        "accelerometer", "autoplay", "camera", "display-capture", "encrypted-media", "fullscreen",
        "geolocation", "gyroscope", "magnetometer", "microphone", "midi", "payment",
        "picture-in-picture", "publickey-credentials-get", "screen-wake-lock", "usb",
        "xr-spatial-tracking",
    )
)  # fmt: skip
# the addresses of a signed-in person, with or without a language before them
PERSONAL_ROUTE = re.compile(r"(?:[a-z-]+/)?(?:account|claim|desk|report|staff)/")
RETRY_AFTER_SECONDS = 30  # a Valkey or a mail server that is started again answers by then
# What counts attempts, or what sends codes, is away: nobody is let in uncounted or without a code.
AWAY = (RedisError, SMTPException, ConnectionError, TimeoutError)


class SecurityHeadersMiddleware:
    """Sets Permissions-Policy and Cross-Origin-Resource-Policy where the view has not."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        response.headers.setdefault("Permissions-Policy", PERMISSIONS_POLICY)
        response.headers.setdefault("Cross-Origin-Resource-Policy", "same-origin")
        return response


class AccountPagesMiddleware:
    """Keeps pages of a person out of caches and foreign referrers, and lets them use passkeys.

    Their forms may lead to the providers that one can sign in with. A page that cannot count or
    send mail just now is a 503, a provider that is not set up a 404.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if request.resolver_match and PERSONAL_ROUTE.match(request.resolver_match.route):
            response.headers["Cache-Control"] = "private, no-store"
            # no other site is told; with no-referrer forms would come without their origin
            response.headers["Referrer-Policy"] = "same-origin"
            response.headers["Permissions-Policy"] = PERMISSIONS_POLICY.replace(
                "publickey-credentials-get=()", "publickey-credentials-get=(self)"
            )
            if settings.SIGN_IN_ORIGINS:
                response._csp_update = {"form-action": settings.SIGN_IN_ORIGINS}  # type: ignore[attr-defined]  # noqa: SLF001  django-csp reads it there
        return response

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        """Answer for what is away; any other failure is ours, and a 500."""
        if not (request.resolver_match and PERSONAL_ROUTE.match(request.resolver_match.route)):
            return None
        if isinstance(exception, SocialApp.DoesNotExist):
            return page_not_found(request, exception)
        if not isinstance(exception, AWAY):
            return None
        logger.warning("account page without its servers", exc_info=exception)
        status = HTTPStatus.SERVICE_UNAVAILABLE
        answer = render(request, "pages/account/away.html", status=status)
        answer.headers["Retry-After"] = str(RETRY_AFTER_SECONDS)
        return answer


class AddressLanguageMiddleware:
    """Activates the language that the address names, English if it names none.

    Django's LocaleMiddleware also adds `Vary: Accept-Language` to every address without a prefix.
    Nothing here depends on that header, and a shared cache would keep a copy of each page for every
    browser's list of languages.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        language = translation.get_language_from_path(request.path_info) or settings.LANGUAGE_CODE
        with translation.override(language):
            request.LANGUAGE_CODE = language
            response = self.get_response(request)
        response.headers.setdefault("Content-Language", language)
        return response
