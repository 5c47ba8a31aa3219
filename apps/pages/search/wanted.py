"""Counts what readers look for: a thing named, one chosen of the list, a command that was copied.

What waits for a first run is ordered by these totals. Who asked is not stored; `apps.interest` says
how one network counts once an hour.
"""

from __future__ import annotations

import re
from http import HTTPStatus
from typing import TYPE_CHECKING, Final

from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST

from apps.accounts.networks import client_address, network_of
from apps.accounts.origins import is_from_elsewhere
from apps.interest.services import count_interest
from apps.pages.search.selectors.things import can_be_wanted

if TYPE_CHECKING:
    from apps.pages.search.results import Result

# Programs that say so. Others run no script and are kept out of /search/ by robots.txt.
_PROGRAM: Final = re.compile(r"bot|crawl|spider|slurp|curl|wget|python", re.IGNORECASE)


@csrf_exempt  # it takes no cookie and changes nothing of anybody's: a page of elsewhere is refused
@require_POST
def wanted(request: HttpRequest) -> HttpResponse:
    """Take the thing that a reader chose or whose command they copied; always 204."""
    if not is_from_elsewhere(request):
        kind, _, slug = request.POST.get("thing", "").partition(":")
        count_wanted(request, kind=kind, slug=slug)
    return HttpResponse(status=HTTPStatus.NO_CONTENT)


def count_named(request: HttpRequest, named: Result | None) -> None:
    """Count the one thing that a search named, where a person asked for the page of it."""
    if named is not None and request.method == "GET":
        count_wanted(request, kind=named.kind, slug=named.key)


def count_wanted(request: HttpRequest, *, kind: str, slug: str) -> None:
    """Count a thing of the catalogue for the network of a request."""
    if _PROGRAM.search(request.headers.get("User-Agent", "")) or not can_be_wanted(kind, slug):
        return
    network = network_of(client_address(request))
    count_interest(kind=kind, slug=slug, network=network, today=timezone.now().date())
