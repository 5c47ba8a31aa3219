"""Answers cards, as a page to frame or a picture, and what oEmbed asks of them."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.views.decorators.clickjacking import xframe_options_exempt
from django.views.decorators.http import require_safe

from apps.badges.answers import Content, answer, newest_of
from apps.badges.cards import oembed
from apps.badges.cards.compare import draw_compared
from apps.badges.cards.drawing import draw
from apps.badges.cards.options import CardOptions, card_options_of, compared_in
from apps.badges.cards.page import POLICY, framed
from apps.badges.cards.subjects import (
    COMPARE,
    CardSubject,
    compared,
    is_known,
    page_of,
    subject_at,
    title_of,
)
from apps.badges.cards.theme import SHEET_HASH
from apps.badges.cards.wording import card_of, compare_card_of
from apps.badges.drawing.png import png_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from apps.badges.badge_facts import Figures

CONTENT_TYPES: Final = {
    "html": "text/html; charset=utf-8",
    "svg": "image/svg+xml; charset=utf-8",
    "png": "image/png",
}
PICTURE_POLICY: Final = f"default-src 'none'; style-src '{SHEET_HASH}'; sandbox"
DATA_POLICY: Final = "default-src 'none'"
TEXT: Final = "text/plain; charset=utf-8"


@xframe_options_exempt
@require_safe
def card(request: HttpRequest, slug: str, kind: str, form: str) -> HttpResponse:
    """Answer the card of a run, plan, drive or provider."""
    return _answer(request, CardSubject(kind, ((kind, slug),)), form)


@xframe_options_exempt
@require_safe
def compare_card(request: HttpRequest, form: str) -> HttpResponse:
    """Answer the card of what the address compares."""
    return _answer(request, compared(compared_in(request.META.get("QUERY_STRING", ""))), form)


@require_safe
def oembed_card(request: HttpRequest) -> HttpResponse:
    """Answer how to embed an address of ours. Of any other, and of what is not there, 404."""
    form = request.GET.get("format", "json")
    if form not in oembed.FORMS:
        return _refused("format must be json or xml", status=501)
    if not (address := request.GET.get("url", "")):
        return _refused(f"url must be the address of a page of {settings.SITE_URL}", status=400)
    try:
        room = oembed.read_room(request.GET)
    except ValueError as error:
        return _refused(str(error), status=400)
    subject = subject_at(address)
    figures, caching = subject.read() if subject else ([], "")
    if subject is None or not is_known(figures):
        return _refused(
            f"url must be the page of a plan, drive, provider, run or comparison of "
            f"{settings.SITE_URL}",
            status=404,
        )
    document = oembed.document_of(subject, title=title_of(figures), room=room)
    content = Content(
        body=oembed.encoded(document, form),
        kind=oembed.FORMS[form],
        caching=caching,
        policy=DATA_POLICY,
    )
    return answer(request, content)


def _answer(request: HttpRequest, subject: CardSubject, form: str) -> HttpResponse:
    figures, caching = subject.read()
    picture = _drawn(subject, figures, card_options_of(request.META.get("QUERY_STRING", "")))
    content = Content(
        body=_body(picture, form, subject, figures),
        kind=CONTENT_TYPES[form],
        caching=caching,
        policy=POLICY if form == "html" else PICTURE_POLICY,
        modified=newest_of(figures),
    )
    return answer(request, content)


def _drawn(subject: CardSubject, figures: Sequence[Figures], options: CardOptions) -> str:
    today = datetime.now(UTC).date()
    if subject.kind == COMPARE:
        return draw_compared(compare_card_of(figures, today=today), options)
    return draw(card_of(figures[0], today=today), options)


def _body(picture: str, form: str, subject: CardSubject, figures: Sequence[Figures]) -> bytes:
    if form == "png":
        return png_of(picture)
    if form == "svg":
        return picture.encode()
    address = page_of(subject, figures)
    return framed(picture, title=title_of(figures), address=address).encode()


def _refused(detail: str, *, status: int) -> HttpResponse:
    headers = {"Access-Control-Allow-Origin": "*", "X-Content-Type-Options": "nosniff"}
    return HttpResponse(f"{detail}\n", status=status, content_type=TEXT, headers=headers)
