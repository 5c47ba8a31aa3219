"""Feeds as Atom, as every page that has one gives it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.conf import settings
from django.http import HttpResponse
from django.urls import reverse
from django.utils.feedgenerator import Atom1Feed

if TYPE_CHECKING:
    from django.utils.feedgenerator import SyndicationFeed

CACHE: Final = "public, max-age=3600"


def feed_of(
    *, title: str, description: str, page: str, name: str, guid: str | None = None
) -> SyndicationFeed:
    """Return an empty feed of a page; both are named as in the addresses.

    Its id is the address of the page, unless it has a `guid`, as one of several feeds of a page.
    """
    return Atom1Feed(
        title=title,
        link=f"{settings.SITE_URL}{reverse(page)}",
        feed_url=f"{settings.SITE_URL}{reverse(name)}",
        description=description,
        language="en",
        feed_guid=guid,
    )


def answer_with(feed: SyndicationFeed) -> HttpResponse:
    """Return the answer that holds a feed."""
    return HttpResponse(
        feed.writeString("utf-8"),
        content_type="application/atom+xml; charset=utf-8",
        headers={"Cache-Control": CACHE},
    )
