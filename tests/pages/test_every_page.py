"""What holds of all pages in both languages: their head, their weight, how often they ask."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import cache
from html.parser import HTMLParser
from typing import TYPE_CHECKING, Any

import brotli
import pytest
from django.conf import settings
from django.contrib.staticfiles import finders

from tests.bench.pages.scores import WEIGHT_MAX
from tests.support.addresses import CHINESE, PAGES, Page
from tests.support.crawl import READS_EVERY_PAGE, Rendered

if TYPE_CHECKING:
    from django.test import Client

pytestmark = [pytest.mark.django_db, READS_EVERY_PAGE]
QUERIES_MAX = 6
DESCRIPTION_CHARACTERS = {"en": (30, 320), "zh-Hans": (15, 160)}
TITLE_CHARACTERS_MAX = 100
HTML_QUALITY = 4  # what a proxy spends on a page that it compresses for each reader
THEIR_OWN_ADDRESS = re.compile(r"^https?://[^/]+(/.*)$")


class Head(HTMLParser):
    """Everything of a page that this file asks about."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.language = ""
        self.title = ""
        self.headings = 0
        self.metas: dict[str, str] = {}
        self.canonical: list[str] = []
        self.alternates: dict[str, str] = {}
        self.files: list[str] = []
        self.data: list[Any] = []
        self.inside = ""
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = {name: value or "" for name, value in attrs}
        self.inside = tag
        if tag == "html":
            self.language = found["lang"]
        self.headings += tag == "h1"
        if tag == "meta":
            self.metas[found.get("name") or found.get("property", "")] = found.get("content", "")
        if tag == "link":
            self._link(found)
        if tag == "script":
            self.inside = found.get("type", "")
            self.files += [found["src"]] if "src" in found else []

    def _link(self, found: dict[str, str]) -> None:
        if found["rel"] == "canonical":
            self.canonical.append(found["href"])
        elif "hreflang" in found:
            self.alternates[found["hreflang"]] = found["href"]
        elif found["rel"] == "stylesheet":
            self.files.append(found["href"])

    def handle_endtag(self, tag: str) -> None:  # noqa: ARG002 -- its parent names it
        self.inside = ""

    def handle_data(self, data: str) -> None:
        if self.inside == "title":
            self.title += data
        if self.inside == "application/ld+json":
            self.data.append(json.loads(data))


def head_of(page: Rendered) -> Head:
    assert page.status == 200
    return Head(page.html)


@cache
def weight_of(file: str) -> int:
    """What a static file weighs as it is sent."""
    found = finders.find(file.removeprefix(settings.STATIC_URL))
    assert isinstance(found, str), file
    with open(found, "rb") as opened:  # noqa: PTH123 -- finders answer text
        return len(brotli.compress(opened.read()))


def test_every_page_has_a_head_of_its_own(every_page: Mapping[str, Rendered]) -> None:
    titles: dict[str, str] = {}
    for path, page in every_page.items():
        head = head_of(page)
        language = "zh-Hans" if path.startswith(CHINESE) else "en"
        assert head.language == language, path
        assert head.headings == 1, path
        assert 0 < len(head.title.strip()) <= TITLE_CHARACTERS_MAX, path
        shortest, longest = DESCRIPTION_CHARACTERS[language]
        assert shortest <= len(head.metas["description"].strip()) <= longest, (
            path, head.metas["description"],
        )  # fmt: skip
        if language == "en":
            assert titles.setdefault(head.title, path) == path


def test_every_page_names_itself_and_its_translations(
    every_page: Mapping[str, Rendered],
) -> None:
    for page in PAGES:
        for prefix in ("", CHINESE):
            head = head_of(every_page[prefix + page.path])
            if not page.is_indexed:
                assert head.metas["robots"] == "noindex", page.path
                continue
            assert head.canonical == [settings.SITE_URL + prefix + page.path]
            assert head.alternates == {
                "en": settings.SITE_URL + page.path,
                "zh-Hans": settings.SITE_URL + CHINESE + page.path,
                "x-default": settings.SITE_URL + page.path,
            }


def test_every_page_can_be_shared(every_page: Mapping[str, Rendered], catalogued: Client) -> None:
    pictures = set()
    for page in PAGES:
        head = head_of(every_page[page.path])
        if page.is_indexed:
            assert head.metas["twitter:card"] == "summary_large_image"
            assert head.metas["og:title"].strip(), page.path
            assert head.metas["og:description"].strip(), page.path
            assert head.metas["og:image:alt"], page.path
            pictures.add(head.metas["og:image"])
    assert len(pictures) > 5
    for picture in pictures:
        path = THEIR_OWN_ADDRESS.fullmatch(picture)
        assert path
        assert catalogued.get(path[1]).headers["Content-Type"] == "image/png"


def test_every_page_asks_the_database_at_most_six_times(
    every_page: Mapping[str, Rendered],
) -> None:
    for path, page in every_page.items():
        assert len(page.queries) <= QUERIES_MAX, "\n".join((path, *page.queries))


@pytest.mark.parametrize("prefix", ["", CHINESE], ids=["en", "zh"])
def test_every_page_is_light(every_page: Mapping[str, Rendered], prefix: str) -> None:
    def weight(page: Page) -> int:
        html = every_page[prefix + page.path].html
        files = Head(html).files
        return len(brotli.compress(html.encode(), quality=HTML_QUALITY)) + sum(
            map(weight_of, files)
        )

    too_heavy = [
        f"{page.path}: {found}"
        for page in PAGES
        if (found := weight(page)) > WEIGHT_MAX[page.has_chart]
    ]
    assert not too_heavy


def test_figures_are_data_sets_for_programs(
    every_page: Mapping[str, Rendered], catalogued: Client
) -> None:
    for path in ("/plans/", "/plans/hetzner-cax41/", "/drives/micron-7500-pro/"):
        (data,) = head_of(every_page[path]).data
        assert data["@type"] == "Dataset"
        assert data["url"] == settings.SITE_URL + path
        assert len(data["description"]) >= 50
        for file in data["distribution"]:
            source = THEIR_OWN_ADDRESS.fullmatch(file["contentUrl"])
            assert source
            assert catalogued.get(source[1]).status_code == 200
    (site,) = head_of(every_page[CHINESE + "/"]).data
    assert site["@type"] == "WebSite"
    assert "{search_term_string}" in site["potentialAction"]["target"]["urlTemplate"]


def test_every_name_for_those_who_do_not_see_says_something(
    every_page: Mapping[str, Rendered],
) -> None:
    unnamed = {
        path: labels
        for path, page in every_page.items()
        if (labels := re.findall(r'aria-label="\s*(?:"|[.,。])', page.html))
    }
    assert not unnamed
