"""Pages on paper: light, with their charts inside the page, sources with their addresses."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

if TYPE_CHECKING:
    from playwright.sync_api import Locator

    from tests.support.browser import BrowserPage

pytestmark = pytest.mark.browser

PAPER_PX = 718  # A4 between margins of 10 mm, at 96 pixels an inch


def test_a_dark_chart_is_printed_light_and_stays_on_its_paper(catalogue: BrowserPage) -> None:
    catalogue.page.emulate_media(color_scheme="dark")
    page = catalogue.open("/styleguide/")
    chart = page.locator('[data-chart="percentiles"]')
    chart.scroll_into_view_if_needed()
    expect(chart).to_have_attribute("data-drawn", "")
    root = page.locator("html")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    expect(root).to_have_attribute("data-theme", "light")
    page.emulate_media(media="print")
    catalogue.resize(width_px=PAPER_PX)
    box, field = chart.locator("canvas").bounding_box(), chart.bounding_box()
    assert box
    assert field
    assert box["x"] >= field["x"]
    assert box["x"] + box["width"] <= field["x"] + field["width"] + 1
    assert box["height"] <= field["height"] + 1
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.emulate_media(media="screen")
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    expect(root).not_to_have_attribute("data-theme", "light")


def test_sources_are_printed_with_their_addresses(catalogue: BrowserPage) -> None:
    page = catalogue.open("/lies/")
    page.emulate_media(media="print")
    link = page.locator('main a[href^="http"]').first
    assert str(link.get_attribute("href")) in printed_after(link)


def test_paper_says_whose_it_is_and_leaves_out_what_is_clicked(catalogue: BrowserPage) -> None:
    page = catalogue.open("/drives/")
    line = page.locator(".on-paper")
    expect(line).to_be_hidden()
    page.emulate_media(media="print")
    expect(line).to_be_visible()
    expect(line).to_have_text(re.compile(r"Fsyncmark, http\S+/drives/, 20\d\d-"))
    expect(page.locator("nav.pages .now").first).to_be_visible()
    expect(page.locator("nav.pages a").first).to_be_hidden()
    assert "/method/" in printed_after(page.locator("a.cited").last)
    own = page.locator('main a[href^="/drives/"]').first  # of the board, to itself
    assert printed_after(own) == "none"


def printed_after(link: Locator) -> str:
    """What the style sheet writes after a link."""
    return str(link.evaluate("(a) => getComputedStyle(a, '::after').content"))
