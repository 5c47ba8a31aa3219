"""Browsers in which somebody signed in before: what strangers try does not hold them up.

OWASP calls it a device cookie. It is signed, is of one address, and opens nothing: attempts to sign
in to that address are counted for the browser instead of for the address and the network.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.conf import settings
from django.core import signing
from django.utils.crypto import constant_time_compare, get_random_string, salted_hmac

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse

DEVICE_COOKIE_AGE: Final = 365 * 24 * 3600  # seconds since the last sign-in
_SALT: Final = "fsyncmark.device"


def remember_device(response: HttpResponse, email: str) -> None:
    """Let a browser be known as one in which an address signed in, by a new name."""
    response.set_cookie(
        settings.DEVICE_COOKIE_NAME,
        signing.dumps([_hashed(email), get_random_string(22)], salt=_SALT),
        max_age=DEVICE_COOKIE_AGE,
        secure=settings.IS_HTTPS,
        httponly=True,
        samesite="Lax",
    )


def known_device(request: HttpRequest, email: str) -> str | None:
    """Return the name of a browser in which this address signed in before, or None."""
    cookie = request.COOKIES.get(settings.DEVICE_COOKIE_NAME, "")
    try:
        whose, name = signing.loads(cookie, salt=_SALT, max_age=DEVICE_COOKIE_AGE)
    except signing.BadSignature:
        return None
    return str(name) if constant_time_compare(whose, _hashed(email)) else None


def _hashed(email: str) -> str:
    return salted_hmac(_SALT, email.lower(), algorithm="sha256").hexdigest()
