"""What oEmbed (https://oembed.com) says of a card: a frame in the size that has room.

There is no quotation before the frame: a blog that does not know us hides the frame behind one
until a script of ours calls, and a card has none.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final
from urllib.parse import urlencode
from xml.etree import ElementTree as ET

from django.conf import settings
from django.http import QueryDict
from django.utils.html import escape

from apps.badges.cards.card import CardSize

if TYPE_CHECKING:
    from apps.badges.cards.subjects import CardSubject

SITE_NAME: Final = "Fsyncmark"
CACHE_SECONDS: Final = 86_400  # of the frame's address and size: what is in it is always new
FORMS: Final = {"json": "application/json", "xml": "text/xml; charset=utf-8"}
PICTURE_SIZE: Final = (1200, 630)  # of a shared link
PIXELS: Final = re.compile(r"[1-9][0-9]{0,4}")  # a longer number is no width


@dataclass(frozen=True, slots=True)
class Room:
    """How much a host has, in pixels; None: as much as there is."""

    width: int | None
    height: int | None

    def holds(self, width: int, height: int) -> bool:
        """Whether something of this size has room."""
        is_wide = self.width is None or width <= self.width
        return is_wide and (self.height is None or height <= self.height)


def read_room(asked: QueryDict) -> Room:
    """Return how much room a host has. Raises ValueError with what to write instead."""
    sizes = []
    for name in ("maxwidth", "maxheight"):
        text = asked.get(name, "").strip()
        if text and not PIXELS.fullmatch(text):
            raise ValueError(f"{name} must be a number of pixels from 1 to 99999")
        sizes.append(int(text) if text else None)
    return Room(*sizes)


def size_in(room: Room) -> CardSize | None:
    """Return the first card that has room; None: there is none so small."""
    return next((size for size in CardSize if room.holds(size.width, size.height)), None)


def document_of(subject: CardSubject, *, title: str, room: Room) -> dict[str, str | int]:
    """Return the document: a rich one with the frame, or a link where no card has room."""
    size = size_in(room)
    document: dict[str, str | int] = {
        "version": "1.0",
        "type": "rich" if size else "link",
        "title": title,
        "provider_name": SITE_NAME,
        "provider_url": settings.SITE_URL,
        "cache_age": CACHE_SECONDS,
    }
    if subject.picture_path and room.holds(*PICTURE_SIZE):
        document["thumbnail_url"] = f"{settings.SITE_URL}{subject.picture_path}"
        document["thumbnail_width"], document["thumbnail_height"] = PICTURE_SIZE
    if size is not None:
        document["html"] = frame_of(subject, size=size, title=title)
        document["width"], document["height"] = size.width, size.height
    return document


def frame_of(subject: CardSubject, *, size: CardSize, title: str) -> str:
    """Return the element that shows a card in a page."""
    path = subject.card_path
    if size is not CardSize.WIDE:
        path += f"{'&' if '?' in path else '?'}{urlencode({'size': size.value})}"
    return (
        f'<iframe src="{escape(settings.SITE_URL + path)}" width="{size.width}" '
        f'height="{size.height}" title="{escape(title)}" frameborder="0" scrolling="no"></iframe>'
    )


def encoded(document: dict[str, str | int], form: str) -> bytes:
    """Return the document as JSON or XML."""
    if form == "json":
        return json.dumps(document, ensure_ascii=False).encode()
    root = ET.Element("oembed")
    for name, value in document.items():
        ET.SubElement(root, name).text = str(value)
    written: bytes = ET.tostring(root, encoding="utf-8", xml_declaration=True)
    return written
