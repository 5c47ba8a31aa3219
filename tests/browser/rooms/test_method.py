"""The method page in a real browser: a link to a section leads there in both languages."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.test_site import assert_good_everywhere
from tests.support.addresses import CHINESE
from tests.support.browser import WIDTHS_PX, BrowserPage

pytestmark = pytest.mark.browser


@pytest.mark.parametrize(
    ("prefix", "intervals", "levels"),
    [("", "Intervals", "Levels"), (CHINESE, "区间", "级别")],
    ids=["English", "Chinese"],
)
def test_a_link_to_a_section_leads_to_it(
    browser_page: BrowserPage, prefix: str, intervals: str, levels: str
) -> None:
    for width_px in WIDTHS_PX.values():
        browser_page.resize(width_px=width_px)
        page = browser_page.open(f"{prefix}/method/#intervals")
        expect(page.get_by_role("heading", name=intervals, exact=True)).to_be_in_viewport()
        beside = page.locator(".contents").get_by_role("link", name=levels, exact=True)
        heading = page.get_by_role("heading", name=levels, exact=True)
        if beside.is_visible():
            beside.click()
            assert page.url.endswith(f"{prefix}/method/#levels")
        else:  # on a phone the folds are their own contents
            heading.click()
        expect(heading).to_be_in_viewport()
        expect(page.locator("details", has=heading)).to_have_attribute("open", "")


@pytest.mark.parametrize("anchor", ["ranks", "formulae", "how-sure"])
def test_a_link_into_a_folded_section_opens_it(browser_page: BrowserPage, anchor: str) -> None:
    page = browser_page.open("/method/")
    fold = page.locator("details.fold", has=page.locator(f"#{anchor}"))
    expect(fold).not_to_have_attribute("open", "")
    page.goto(f"{browser_page.site_url}/method/#{anchor}")
    expect(fold).to_have_attribute("open", "")
    expect(page.locator(f"#{anchor}")).to_be_in_viewport()


def test_on_a_phone_the_contents_are_a_touch_away(browser_page: BrowserPage) -> None:
    browser_page.resize(width_px=WIDTHS_PX["phone"])
    page = browser_page.open("/method/#levels")
    page.get_by_role("link", name="Back to contents").click()
    expect(page.get_by_role("heading", name="Words", exact=True)).to_be_in_viewport()


def test_the_method_in_chinese_is_accessible_and_fits(browser_page: BrowserPage) -> None:
    assert_good_everywhere(browser_page, f"{CHINESE}/method/")
