"""Answers the pictures of shared links: cheap for a crawler that asks for all of them."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.cache import get_conditional_response
from django.views.decorators.http import require_safe

from apps.pages.embed.cards.card import SITE, Card
from apps.pages.embed.cards.contents import CARDS, card_of, said_card
from apps.pages.embed.cards.drawing import png_of
from apps.pages.frame.shared_link import SharedText

# An hour: how long a preview may go on showing an old figure. A day: what a proxy may bridge.
CACHE = "public, max-age=3600, stale-while-revalidate=86400, stale-if-error=604800"
HEADERS = {"Cache-Control": CACHE, "Cross-Origin-Resource-Policy": "cross-origin"}
NOT_KEPT = "no-store"


@require_safe
def og(request: HttpRequest, kind: str, slug: str) -> HttpResponse:
    """The picture of a plan, drive, provider or run."""
    card = card_of(kind, slug) if kind in CARDS else None
    if card is None:
        raise Http404("no such picture")
    return _answer(request, card)


@require_safe
def og_page(request: HttpRequest, signature: str) -> HttpResponse:
    """The picture of what a page said; of what we never said that of the site.

    Only the one spelling that a page hands on is kept: of others there is no end.
    """
    said = SharedText.read(request.GET, signature)
    if said is None:
        return HttpResponseRedirect(reverse("files:og-site"), headers={"Cache-Control": NOT_KEPT})
    response = _answer(request, said_card(said))
    if request.META["QUERY_STRING"] != said.query:
        response.headers["Cache-Control"] = NOT_KEPT
    return response


@require_safe
def og_site(request: HttpRequest) -> HttpResponse:
    """The picture of every other page."""
    return _answer(request, SITE)


def _answer(request: HttpRequest, card: Card) -> HttpResponse:
    """The picture, or 304 to whoever names it by its ETag: then nothing is drawn."""
    request.META.pop("HTTP_ACCEPT_ENCODING", None)  # a PNG is compressed; gzip weakens its ETag
    unchanged = get_conditional_response(request, etag=card.etag)
    if unchanged is not None:
        for name, value in HEADERS.items():
            unchanged.headers[name] = value
        return unchanged
    return HttpResponse(
        png_of(card), content_type="image/png", headers={**HEADERS, "ETag": card.etag}
    )
