"""Boards between phone and desk: nothing is lost or lies on something else on the way."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

if TYPE_CHECKING:
    from tests.support.browser import BrowserPage

pytestmark = pytest.mark.browser

WIDTHS_PX = (700, 800, 899, 900, 960, 1000, 1079, 1100, 1329, 1330)
# Rows whose words lie on their own marks; both are boxes on the screen.
COVERED = """() => [...document.querySelectorAll(".rows .row:has(.row-note)")].filter((row) => {
  const words = document.createRange();
  words.selectNodeContents(row.querySelector(".row-note"));
  const lines = [...words.getClientRects()].filter((box) => box.width > 1 && box.height < 20);
  const marks = [...row.querySelectorAll(".field .mark, .field .tick")]
    .map((mark) => mark.getBoundingClientRect());
  return marks.some((mark) => lines.some((line) =>
    mark.left < line.right - 1 && line.left < mark.right - 1
    && mark.top < line.bottom - 1 && line.top < mark.bottom - 1));
}).map((row) => row.id)"""


@pytest.mark.parametrize("board", ["/plans/", "/drives/"])
def test_levels_keep_their_bars_and_words_their_room(catalogue: BrowserPage, board: str) -> None:
    page = catalogue.open(board)
    for width_px in WIDTHS_PX:
        catalogue.resize(width_px=width_px)
        bars = page.locator(".rows .row .level svg")
        expect(bars.first).to_be_visible()
        assert bars.evaluate_all("all => all.every((each) => each.getBoundingClientRect().width)")
        assert page.evaluate(COVERED) == [], width_px
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), width_px
