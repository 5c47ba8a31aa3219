"""Home in a real browser: short, an output answered in place, marks where the ruler says."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest
from playwright.sync_api import Page, expect

from apps.runs.models import ImportedFile, Level, Run
from tests.browser.test_site import assert_good_as_it_stands, assert_good_everywhere
from tests.support.browser import WIDTHS_PX, BrowserPage
from tests.support.browsing.budgets import assert_short, assert_within_budget
from tests.support.catalogue import store_catalogue

pytestmark = pytest.mark.browser
FIXTURES = Path(__file__).parents[2] / "intake" / "importers" / "fixtures"
FIO = (FIXTURES / "fio-3.33-debian.fsync.json").read_text()
# As the AX41-NVMe's own article has it: 187 commits a second.
SLOW = FIO.replace('"iops" : 7013.698630,', '"iops" : 187.150000,')
WORDS_MAX: Final = 500
HEIGHTS_PX: Final = {"desktop": 1_800, "phone": 6_500}


def paste(page: Page, output: str) -> None:
    page.get_by_label("Paste the output of fio").fill(output)
    page.get_by_role("button", name="Where do I stand?").click()


def test_home_is_short(catalogue: BrowserPage) -> None:
    assert_within_budget(
        catalogue, "/", "/?example=1", words_max=WORDS_MAX, heights_px=HEIGHTS_PX, answers=0
    )


def test_an_output_is_answered_in_place_and_nothing_is_stored(browser_page: BrowserPage) -> None:
    store_catalogue()
    page = browser_page.open("/")
    paste(page, SLOW)
    heading = page.get_by_role("heading", name="Where does your output stand?")
    expect(heading).to_be_focused()
    expect(page.locator(".answer")).to_contain_text("Unlikely: 0.19 times what you need")
    expect(page.locator(".yours")).to_be_in_viewport()
    expect(page.get_by_role("heading", name="Fastest plans")).to_be_attached()  # still home
    browser_page.settle()
    assert_good_as_it_stands(browser_page, "the answer")
    for width, width_px in WIDTHS_PX.items():
        browser_page.resize(width_px=width_px)
        assert_short(page, width, words_max=WORDS_MAX, height_px=HEIGHTS_PX[width])
    assert not ImportedFile.objects.exists()


def test_ones_own_mark_is_where_the_ruler_says(browser_page: BrowserPage) -> None:
    store_catalogue()
    page = browser_page.open("/")
    paste(page, SLOW)
    mark = page.locator(".yours .mark").bounding_box()
    ruler = page.locator(".ruler-field").bounding_box()
    assert mark
    assert ruler
    share = (mark["x"] + mark["width"] / 2 - ruler["x"]) / ruler["width"]
    assert 100 * 10 ** (6 * share) == pytest.approx(1e9 / 187.15, rel=0.03)  # nanoseconds


def test_what_is_not_understood_is_said_where_it_was_pasted(browser_page: BrowserPage) -> None:
    page = browser_page.open("/")
    paste(page, "sysbench 1.0")
    expect(page.get_by_role("alert")).to_contain_text("No output that is read here")
    expect(page.get_by_label("Paste the output of fio")).to_have_value("sysbench 1.0")
    browser_page.assert_accessible()
    browser_page.complaints.clear()  # the browser reports the 422 that this test asked for


def test_an_output_is_shared_by_keyboard_with_names_of_the_catalogue(
    browser_page: BrowserPage,
) -> None:
    store_catalogue()
    page = browser_page.open("/")
    paste(page, FIO)
    page.get_by_label("Provider", exact=True).press_sequentially("hetz")
    expect(page.locator("#provider-names option[value='Hetzner']")).to_be_attached()
    page.get_by_label("Provider", exact=True).fill("Hetzner")
    page.keyboard.press("Tab")
    page.keyboard.type("cax")
    expect(page.locator("#plan-names option[value='CAX41']")).to_be_attached()
    page.keyboard.type("41")
    page.keyboard.press("Tab")  # to the drive, which nobody knows
    page.keyboard.press("Tab")
    page.keyboard.press("Space")
    page.keyboard.press("Tab")  # what CC0 is
    page.keyboard.press("Tab")
    expect(page.get_by_role("button", name="Share")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="CAX41", level=1)).to_be_visible()
    assert Run.objects.get(level=Level.IMPORTED).plan_id == "hetzner-cax41"


def test_made_up_figures_are_accessible_too(catalogue: BrowserPage) -> None:
    assert_good_everywhere(catalogue, "/?example=1")
