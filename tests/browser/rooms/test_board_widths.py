"""Boards between phone and desk: nothing is lost or lies on something else on the way."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests import make

if TYPE_CHECKING:
    from tests.support.browser import BrowserPage

pytestmark = pytest.mark.browser

WIDTHS_PX = (700, 800, 899, 900, 960, 1000, 1079, 1100, 1329, 1330, 1440)
# Rows whose words lie on their own marks; both are boxes on the screen.
COVERED = """() => [...document.querySelectorAll(".rows .row:has(.evidence)")].filter((row) => {
  const words = row.querySelectorAll(".evidence :is(.cell-main, .level, .cell-note, summary)");
  const lines = [...words].map((each) => each.getBoundingClientRect());
  const marks = [...row.querySelectorAll(".field .mark, .field .tick")]
    .map((mark) => mark.getBoundingClientRect());
  return marks.some((mark) => lines.some((line) =>
    mark.left < line.right - 1 && line.left < mark.right - 1
    && mark.top < line.bottom - 1 && line.top < mark.bottom - 1));
}).map((row) => row.id)"""

COVERED_LABELS = COVERED.replace(".field .tick", ".field .tick, .field .says")


@pytest.mark.parametrize("board", ["/plans/", "/drives/"])
def test_levels_keep_their_bars_and_words_their_room(catalogue: BrowserPage, board: str) -> None:
    page = catalogue.open(board)
    for width_px in WIDTHS_PX:
        catalogue.resize(width_px=width_px)
        bars = page.locator(".rows .row .level svg")
        expect(bars.first).to_be_visible()
        assert bars.evaluate_all("all => all.every((each) => each.getBoundingClientRect().width)")
        assert page.locator(".rows .row .evidence .cell-main").count()
        assert page.evaluate(COVERED) == [], width_px
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), width_px


def test_what_a_row_rests_on_lies_on_no_mark_however_fast_it_is(
    browser_page: BrowserPage,
) -> None:
    """The evidence ends where the picture begins."""
    rung = make.ladder_class()
    for place, rate in enumerate((250, 2_000, 8_000, 16_000, 32_000, 64_000)):
        make.standing(
            drive_family=make.drive_family(name=f"D{place}"), rate_per_s=rate, ladder_class=rung,
            p50_ns=10**9 // rate, p99_ns=2 * 10**9 // rate, points=[rate * 0.9, rate * 1.1],
            needs_runs=True, tier=None, n_uploaders=2, n_machines=2, n_runs=4,
            is_durable_single_writer=True,
        )  # fmt: skip
    page = browser_page.open("/drives/")
    expect(page.locator(".row .evidence").first).to_contain_text("sorted")
    for width_px in (1440, 1920):
        browser_page.resize(width_px=width_px)
        assert page.evaluate(COVERED_LABELS) == [], width_px
