"""Addresses out of the URL table, so that a new one is tried without anybody adding it."""

from __future__ import annotations

import re
from typing import Final

from django.urls import URLPattern, URLResolver, get_resolver

PERSONAL: Final = re.compile(r"(?:account|claim)/")
# What stands in an address for what is named there.
STAND_INS: Final = {
    "keyid": "0" * 64,
    "machine": "0" * 32,
    "run_id": "01890a5d-ac96-774b-bcce-b302099a8057",
    "kind": "hidden",
    "token": "no-such-token",
    "pk": "1",
}
# Mail programs post there without a cookie (RFC 8058): its token is the permission.
ONE_CLICK: Final = "account/watches/stop/"
PLACE: Final = re.compile(r"<(?:\w+:)?(\w+)>")


def routes() -> list[str]:
    """Every route of the site in its English form, without the slash in front."""
    return sorted(set(_below(get_resolver(), "")))


def _below(resolver: URLResolver, prefix: str) -> list[str]:
    found = []
    for each in resolver.url_patterns:
        route = prefix + str(each.pattern)
        if isinstance(each, URLPattern):
            found.append(route)
        else:
            found += _below(each, route)
    return found


def personal_forms() -> list[str]:
    """Every address of a person, with a stand-in for what it names."""
    return [
        "/" + PLACE.sub(lambda place: STAND_INS[place[1]], route)
        for route in routes()
        if PERSONAL.match(route) and not route.startswith(ONE_CLICK)
    ]
