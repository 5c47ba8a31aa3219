"""The search beyond things: guides, traps, rules and sections of the method by their words."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING
from urllib.parse import quote

import pytest
from django.utils.translation import override

from apps.pages.reading.method import read_method
from apps.pages.search.pages import PAGES_MAX, pages_of
from apps.pages.urls import INDEXES
from tests.pages.site import main, plan_at, text

if TYPE_CHECKING:
    from django.test import Client

pytestmark = pytest.mark.django_db


def test_pages_and_rules_are_found_by_their_words(client: Client) -> None:
    assert "/rules/faster-than-medium/" in text(client, "/search/?q=faster+than")
    assert "/method/" in text(client, "/search/?q=method")
    assert "/import/" in text(client, "/search/?q=yabs")


@pytest.mark.parametrize(
    ("typed", "address"),
    [
        ("etcd", "/guides/etcd/"),
        ("etdc", "/guides/etcd/"),
        ("zfs slog", "/guides/zfs-slog/"),
        ("lies", "/lies/"),
        ("668", "/lies/#668-ns"),
        ("badge", "/embed/"),
        ("where is my run", "/uploads/"),
    ],
)
def test_guides_and_lies_are_found_with_typos_too(client: Client, typed: str, address: str) -> None:
    page = main(client, f"/search/?q={quote(typed)}")
    assert f'href="{address}"' in page


def test_what_is_said_of_a_misleading_figure_is_no_lie_itself() -> None:
    [found] = [page for page in pages_of(["fsync", "macos"], INDEXES) if "/lies/#macos" in page.url]
    assert found.is_what == "a trap"


def test_a_section_of_the_method_is_found_by_its_title_and_its_text(client: Client) -> None:
    section = read_method().sections[0]
    page = main(client, f"/search/?q={quote(section.title)}")
    assert f'href="/method/#{section.anchor}"' in page
    assert "a section of the method" in page
    (formulae,) = [each for each in read_method().sections if each.title == "Formulae"]
    assert "weighted" in formulae.text
    assert "weighted" not in formulae.title
    assert f"/method/#{formulae.anchor}" in [page.url for page in pages_of(["weighted"], INDEXES)]


def test_what_names_a_page_goes_before_what_mentions_it() -> None:
    titles = [page.title for page in pages_of(["rules"], INDEXES)]
    assert titles[0] == "Rules"
    assert len(titles) <= PAGES_MAX
    assert pages_of(["qzxv"], INDEXES) == []
    assert pages_of([], INDEXES) == []


def test_beside_a_thing_that_fits_no_page_is_guessed(client: Client) -> None:
    assert [page.url for page in pages_of(["etdc"], INDEXES)] == ["/guides/etcd/"]
    assert pages_of(["etdc"], INDEXES, is_guessed=False) == []
    plan_at(1_000, "ETDC-4")
    assert "/guides/etcd/" not in main(client, "/search/?q=etdc")


def test_chinese_words_are_found_inside_a_sentence(client: Client) -> None:
    with override("zh-hans"):
        found = pages_of(["持久"], INDEXES) or pages_of(["写入"], INDEXES)
    assert found
    assert all(page.url.startswith("/zh-hans/") for page in found)
    assert found[0].title in html.unescape(text(client, "/zh-hans/search/?q=持久"))
