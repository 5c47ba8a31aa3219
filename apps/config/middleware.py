"""Adds the response headers that neither Django nor django-csp sets, and reads the language."""

from __future__ import annotations

import re
from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils import translation

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
PERSONAL_ROUTE = re.compile(r"(?:[a-z-]+/)?(?:account|claim|desk)/")


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
    """Keeps pages of a person out of every cache and referrer, and lets them ask for a passkey."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if request.resolver_match and PERSONAL_ROUTE.match(request.resolver_match.route):
            response.headers["Cache-Control"] = "private, no-store"
            response.headers["Referrer-Policy"] = "no-referrer"
            response.headers["Permissions-Policy"] = PERMISSIONS_POLICY.replace(
                "publickey-credentials-get=()", "publickey-credentials-get=(self)"
            )
        return response


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
