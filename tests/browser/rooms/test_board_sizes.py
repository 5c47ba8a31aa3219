"""Boards are short, and between phone and desk nothing is lost or lies on something else."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING, Final

import pytest
from playwright.sync_api import expect

from apps.plans.models import Provider
from tests import make
from tests.support.browsing.budgets import assert_within_budget, store_a_year

if TYPE_CHECKING:
    from tests.support.browser import BrowserPage
    from tests.support.live_site import Scenes

pytestmark = pytest.mark.browser

ANY: Final = math.inf  # the words of a board are its rows
ROW_MAX_PX: Final = 70  # three lines
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


@pytest.mark.parametrize("board", ["/plans/", "/drives/", "/providers/", "/runs/"])
def test_a_row_has_three_lines(catalogue: BrowserPage, board: str) -> None:
    catalogue.resize(width_px=1440)
    rows = catalogue.open(board).locator(".rows.board .row")
    heights_px = rows.evaluate_all("all => all.map((each) => each.offsetHeight)")
    assert heights_px
    assert max(heights_px) <= ROW_MAX_PX


@pytest.mark.parametrize("board", ["/plans/", "/drives/"])
def test_words_of_evidence_keep_their_room(catalogue: BrowserPage, board: str) -> None:
    page = catalogue.open(board)
    for width_px in WIDTHS_PX:
        catalogue.resize(width_px=width_px)
        expect(page.locator(".rows .row .level").first).to_be_visible()
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
    expect(page.locator(".row .evidence .cell-main").first).to_have_text(re.compile(r"^\s*2\s*$"))
    for width_px in (1440, 1920):
        browser_page.resize(width_px=width_px)
        assert page.evaluate(COVERED_LABELS) == [], width_px


def store_full_boards() -> None:
    """More ranked plans and drives than a page holds, with long names and every line of a row."""
    owner = Provider.objects.create(slug="acme", name="Acme", url="https://acme.example/")
    rung = make.ladder_class(name="NVMe SSD without power-loss protection")
    for n in range(45):
        of = {"workload": "commit-8k", "is_durable_single_writer": True, "rate_per_s": 9_000 - n,
              "rate_per_s_low": 8_000, "rate_per_s_high": 10_000, "ladder_class": rung,
              "n_uploaders": 9, "n_cell_uploaders": 9, "n_machines": 9, "coverage": 0.98,
              "tier": 1 + n // 9, "rank_low": 1, "rank_high": 45, "p99_ns": 2_000_000}  # fmt: skip
        plan = make.plan(
            provider=owner,
            slug=f"acme-x{n}",
            name=f"X{n} with local storage and a rather long name",
        )
        price = make.price(plan=plan)
        family = make.drive_family(
            slug=f"d{n}", name=f"Maker {n} of drives with a long name, second edition",
            plp="none", rated_rand_write_iops=850_000, ladder_class=rung,
        )  # fmt: skip
        make.standing(plan=plan, region_group="north-america", price=price, currency="EUR", **of)
        make.standing(drive_family=family, **of)
        make.plan(provider=owner, slug=f"acme-y{n}", name=f"Y{n}, which nobody measured")


def test_a_full_page_of_a_board_is_short(scenes: Scenes, reading_page: BrowserPage) -> None:
    scenes.show(store_full_boards)
    assert_within_budget(
        reading_page, "/plans/", "/plans/?workload=commit-8k", "/drives/", words_max=ANY
    )
    assert_within_budget(reading_page, "/plans/?page=3", words_max=ANY, answers=0)


def test_boards_of_the_catalogue_are_short(catalogue: BrowserPage) -> None:
    assert_within_budget(catalogue, "/plans/", "/drives/", "/providers/", words_max=ANY)
    assert_within_budget(catalogue, "/drives/?page=2", "/runs/", words_max=ANY, answers=0)


def test_the_next_rows_are_one_link_away_and_keep_what_was_asked(
    scenes: Scenes, reading_page: BrowserPage
) -> None:
    scenes.show(store_full_boards)
    page = reading_page.open("/plans/?provider=acme&sort=p99")
    rows = page.locator("#board .rows .row")
    expect(rows).to_have_count(18)
    page.get_by_role("link", name="Next").first.click()
    expect(page.get_by_text("Page 2 of 3")).to_be_visible()
    expect(page).to_have_url("/plans/?provider=acme&sort=p99&page=2")
    expect(rows).to_have_count(18)


def test_what_waits_is_folded_and_opens(scenes: Scenes, reading_page: BrowserPage) -> None:
    scenes.show(store_full_boards)
    page = reading_page.open("/plans/")
    waiting = page.get_by_role("link", name="which nobody measured").first
    expect(waiting).to_be_hidden()
    page.get_by_role("heading", name="Waiting for a first run").click()
    expect(waiting).to_be_visible()


@pytest.mark.daily
def test_boards_with_a_year_of_examples_are_short(
    scenes: Scenes, reading_page: BrowserPage
) -> None:
    scenes.show(store_a_year)
    assert_within_budget(
        reading_page, "/plans/", "/drives/", "/providers/", "/plans/?evidence=example",
        "/drives/?evidence=example", "/providers/?evidence=example", words_max=ANY,
    )  # fmt: skip
