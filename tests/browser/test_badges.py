"""A badge is chosen on the page of a plan: it is shown at once, and so are the lines to copy."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.support.browser import DECODED_WIDTH_PX

if TYPE_CHECKING:
    from tests.support.browser import BrowserPage

pytestmark = pytest.mark.browser
PLAN = "/plans/hetzner-ax102-15-36-tb-nvme-dc-drive/"
PAGES = (PLAN, "/embed/?of=provider:hetzner")
ALIKE = ("/providers/hetzner/", "/drives/micron-7500-pro/")


@pytest.mark.parametrize(
    "address", [*PAGES, *(pytest.param(each, marks=pytest.mark.daily) for each in ALIKE)]
)
def test_a_choice_is_shown_at_once_where_one_reads(catalogue: BrowserPage, address: str) -> None:
    page = catalogue.open(address)
    for fold in page.locator("details#share").all():
        fold.locator("summary").first.click()
    where = page.url
    page.get_by_label("Style").select_option("flat-square")
    pictures = page.locator(".badge-shown img.badge")
    expect(pictures.first).to_have_attribute("src", re.compile(r"\.svg\?style=flat-square$"))
    page.get_by_label("Label").fill("my disk")
    expect(pictures.first).to_have_attribute(
        "src", re.compile(r"\.svg\?style=flat-square&label=my\+disk$")
    )
    expect(pictures).to_have_count(2)
    assert pictures.first.evaluate(DECODED_WIDTH_PX) > 0
    expect(page.locator("#badge-markdown")).to_contain_text("style=flat-square&label=my+disk")
    page.locator(".other-lines summary").click()
    page.get_by_label("Style").select_option("flat")
    expect(page.locator("#badge-typst")).to_contain_text("style=flat&label=my+disk")
    expect(page.locator("#badge-typst")).to_be_visible()  # the fold stays open
    assert page.url == where


def test_without_script_the_button_leads_to_the_same(catalogue: BrowserPage) -> None:
    page = catalogue.open("/embed/?of=provider:hetzner&metric=cost&style=flat")
    expect(page.get_by_label("Figure", exact=True)).to_have_value("cost")
    page.get_by_role("button", name="Show", exact=True).click()
    expect(page.locator(".badge-shown img.badge").first).to_have_attribute(
        "src", "/badge/provider/hetzner.svg?metric=cost&style=flat"
    )
