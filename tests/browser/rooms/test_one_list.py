"""A board in a real browser: rows begin at once, unfold, and say where figures come from."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.support.browser import WIDTHS_PX

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from tests.support.browser import BrowserPage

pytestmark = pytest.mark.browser
BEFORE_ROWS_PX_MAX = 160  # below the ruler: a reader came for the rows
MANY = ".row:has(.unfold)"


@pytest.mark.parametrize("board", ["/plans/", "/drives/", "/providers/"])
def test_the_rows_begin_at_once(catalogue: BrowserPage, board: str) -> None:
    catalogue.resize(width_px=1440)
    page = catalogue.open(board)
    gap = page.evaluate(
        """() => document.querySelector("#board .row").getBoundingClientRect().top
             - document.querySelector(".ruler").getBoundingClientRect().bottom"""
    )
    assert 0 <= gap <= BEFORE_ROWS_PX_MAX


def rows_below(page: Page, key: str | None) -> int:
    """How many rows below a row are seen: its further figures, and the way to other work."""
    return page.locator(f'[data-below="{key}"]:visible').count()


@pytest.mark.parametrize("width_px", WIDTHS_PX.values(), ids=list(WIDTHS_PX))
def test_a_row_unfolds_to_its_other_figures_and_folds_again(
    catalogue: BrowserPage, width_px: int
) -> None:
    catalogue.resize(width_px=width_px)
    page = catalogue.open("/plans/")
    row = page.locator(MANY).first
    key, unfold = row.get_attribute("id"), row.locator(".unfold")
    n_more = int(unfold.inner_text().split()[0].removeprefix("+"))
    unfold.click()
    expect(page.locator(f'[data-below="{key}"]:not(.apart)')).to_have_count(n_more)
    n_rows = n_more + page.locator(f'.apart[data-below="{key}"]').count()
    expect(unfold).to_have_attribute("aria-expanded", "true")
    expect(page).to_have_url("/plans/")
    assert row.evaluate("(e) => e.nextElementSibling.dataset.below") == key
    catalogue.assert_accessible()
    unfold.click()
    expect(unfold).to_have_attribute("aria-expanded", "false")
    assert rows_below(page, key) == 0
    unfold.focus()
    page.keyboard.press("Enter")
    expect(unfold).to_have_attribute("aria-expanded", "true")
    assert rows_below(page, key) == n_rows


def test_two_quick_clicks_unfold_once(catalogue: BrowserPage) -> None:
    page = catalogue.open("/plans/")
    row = page.locator(MANY).first
    key, unfold = row.get_attribute("id"), row.locator(".unfold")
    n_more = int(unfold.inner_text().split()[0].removeprefix("+"))
    unfold.evaluate("(e) => { e.click(); e.click(); }")
    catalogue.settle()
    expect(page.locator(f'[data-below="{key}"]:not(.apart)')).to_have_count(n_more)


def test_the_mark_of_a_row_opens_and_closes_by_the_keyboard(catalogue: BrowserPage) -> None:
    page = catalogue.open("/plans/?sort=cost")
    mark = page.locator(".row .about").first
    mark.locator("summary").focus()
    page.keyboard.press("Enter")
    expect(mark.locator("dl")).to_be_visible()
    expect(mark.locator("dl")).to_contain_text("Price")
    catalogue.assert_accessible()
    page.keyboard.press("Enter")
    expect(mark.locator("dl")).to_be_hidden()


@pytest.mark.parametrize("board", ["/plans/", "/drives/", "/providers/"])
def test_on_a_phone_a_mark_opens_as_wide_as_its_row_and_moves_nothing(
    catalogue: BrowserPage, board: str
) -> None:
    catalogue.resize(width_px=WIDTHS_PX["phone"])
    row = catalogue.open(board).locator(".row:has(.about)").first
    cells = row.locator(":scope > *")
    catalogue.settle()
    boxes = [each.bounding_box() for each in cells.all()]
    row.locator(".about > summary").click()
    opened, whole = row.locator(".about dl").bounding_box(), row.bounding_box()
    assert opened
    assert whole
    assert (opened["x"], opened["width"]) == (whole["x"], whole["width"])
    assert [each.bounding_box() for each in cells.all()] == boxes
    catalogue.assert_accessible()
