"""Whether a form was sent by a page of this site: the check of forms that use no cookie."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from django.http import HttpRequest

OWN: Final = ("same-origin", "none")  # none: the address was typed


def is_from_elsewhere(request: HttpRequest) -> bool:
    """Return whether a browser says that a page of another site sent this request.

    Every browser since 2023 sends Sec-Fetch-Site, and older ones Origin with each POST. Who sends
    neither is a program, which sends what it likes and in nobody's name.
    """
    site = request.headers.get("Sec-Fetch-Site")
    if site is not None:
        return site not in OWN
    origin = request.headers.get("Origin")
    return origin is not None and urlsplit(origin).netloc != request.get_host()
