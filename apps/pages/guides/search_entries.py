"""What the search and the sitemap know of the guides and of the numbers that lie."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from django.urls import reverse
from django.utils.translation import gettext

from apps.pages.frame.search_entries import Page, english
from apps.pages.frame.sitemap import SitePage
from apps.pages.guides.all import GUIDES
from apps.pages.guides.fits import fits_of
from apps.pages.guides.lies.all import LIES
from apps.pages.show.phrases import join_sentences

if TYPE_CHECKING:
    from collections.abc import Iterator


def guides_index() -> Iterator[Page]:
    """Each guide, by its question and its workloads."""
    for guide in GUIDES:
        address = reverse("pages:guide", args=[guide.slug])
        in_english = f"{english(guide.title)} {english(guide.question)}"
        nearest = " ".join(each.workload for each in guide.nearest)
        called = f"{guide.slug} {guide.question} {in_english} {nearest}"
        yield Page(
            str(guide.title), address, gettext("a guide"), called, str(guide.answer),
            asks=str(guide.question), answer=str(guide.answer), judge=partial(fits_of, guide),
        )  # fmt: skip


def lies_index() -> Iterator[Page]:
    """Each number that lies, by its claim."""
    lies = reverse("pages:lies")
    for lie in LIES:
        called = f"{lie.anchor} {lie.claim} {english(lie.title)} {english(lie.claim)}"
        says = join_sentences((lie.claim, lie.says, lie.answer.sure))
        yield Page(
            str(lie.title), f"{lies}#{lie.anchor}", gettext("a trap"), called, str(lie.truth),
            answer=says,
        )  # fmt: skip


def guide_pages() -> list[SitePage]:
    """Each guide, for the sitemap."""
    return [SitePage("guide", guide.slug) for guide in GUIDES]
