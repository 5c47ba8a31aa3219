"""Boards in a real browser: sort, filter, find, page, go back, and trouble said in place."""

from __future__ import annotations

import csv
import re
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Page, expect

from tests.support.browser import WIDTHS_PX, BrowserPage

pytestmark = pytest.mark.browser


def group_names(page: Page) -> list[str]:
    """The names of the rows of the first group, in order."""
    first = page.locator("#board table.rows tbody").first
    return first.locator(".row .called > a").all_inner_texts()


def test_sorting_filtering_and_going_back(catalogue: BrowserPage) -> None:
    page = catalogue.open("/plans/?workload=fallocated-8k-fsync")
    by_rate = group_names(page)
    assert by_rate[0].startswith("AX102")

    page.locator("#sort-cost").click()
    expect(page.locator("th[aria-sort=ascending]")).to_have_text(re.compile("Per billion"))
    expect(page).to_have_url(re.compile("sort=cost"))
    by_cost = group_names(page)
    assert sorted(by_cost) == sorted(by_rate)
    expect(page.locator("#sort-cost")).to_be_focused()
    page.locator("#sort-cost").click()
    expect(page.locator("th[aria-sort=descending]")).to_have_text(re.compile("Per billion"))
    expect(page).to_have_url(re.compile("sort=-cost"))
    assert group_names(page) == by_cost[::-1]
    page.go_back()
    expect(page.locator("th[aria-sort=ascending]")).to_be_visible()

    page.locator("#pick-plp").select_option("none")
    expect(page.locator(".count")).to_have_text(re.compile("1 result"))
    expect(page).to_have_url(re.compile("plp=none"))
    assert "provider=" not in page.url
    assert group_names(page) == ["AX41-NVMe"]
    page.reload()
    expect(page.locator("#pick-plp")).to_have_value("none")
    assert group_names(page) == ["AX41-NVMe"]

    page.go_back()
    expect(page.locator(".count")).to_have_text(re.compile("4 results"))
    assert group_names(page) == by_cost
    page.go_back()
    expect(page.locator("th[aria-sort=descending]")).to_have_text(re.compile("commits/s"))
    assert group_names(page) == by_rate


def test_an_address_that_was_shared_opens_the_same_board(catalogue: BrowserPage) -> None:
    page = catalogue.open("/plans/")
    page.locator("#find").fill("ax102")
    page.locator("#find").press("Enter")
    expect(page.locator(".count")).to_have_text(re.compile("1 result"))
    expect(page).to_have_url(re.compile("q=ax102"))
    shared = page.url
    page.goto("about:blank")
    page.goto(shared)
    expect(page.locator("#find")).to_have_value("ax102")
    expect(page.locator(".rows.board .row")).to_have_count(1)


def test_paging_keeps_the_filters(catalogue: BrowserPage) -> None:
    page = catalogue.open("/runs/?shape=all")
    first = page.locator(".row .name a").first.get_attribute("href")
    page.get_by_role("link", name="Next").click()
    expect(page).to_have_url(re.compile(r"/runs/\?shape=all&before=\d{8}T"))
    expect(page.locator(".row .name a").first).not_to_have_attribute("href", first or "")
    page.locator(".pages").get_by_role("link", name="Runs, newest first").click()
    expect(page).to_have_url("/runs/?shape=all")
    expect(page.locator(".row .name a").first).to_have_attribute("href", first or "")


@pytest.mark.parametrize("width_px", WIDTHS_PX.values(), ids=list(WIDTHS_PX))
def test_a_long_board_is_paged_in_place_and_going_back_restores_it(
    long_board: BrowserPage, width_px: int
) -> None:
    long_board.resize(width_px=width_px)
    page = long_board.open("/plans/")
    page.evaluate("window.isSameDocument = true")
    if width_px == WIDTHS_PX["phone"]:
        page.locator(".fold").click()
    page.locator("#pick-plp").select_option("full")
    expect(page.locator(".count")).to_have_text(re.compile("55 results"))
    page.get_by_role("link", name="Next").click()
    expect(page.locator(".pages .now")).to_have_text(re.compile("Page 2 of 4"))
    expect(page).to_have_url("/plans/?plp=full&page=2")
    assert group_names(page) == [f"P{place}" for place in range(18, 36)]
    expect(page.locator(".row .place").first).to_have_text("19")
    assert page.evaluate("window.isSameDocument")

    page.go_back()
    expect(page.locator(".pages .now")).to_have_text(re.compile("Page 1 of 4"))
    expect(page.locator("#pick-plp")).to_have_value("full")
    assert group_names(page)[0] == "P00"
    page.go_back()
    expect(page.locator(".count")).to_have_text(re.compile("60 results"))
    expect(page.locator("#pick-plp")).to_have_value("")
    page.go_forward()
    page.go_forward()
    expect(page.locator(".pages .now")).to_have_text(re.compile("Page 2 of 4"))


def test_a_phone_sorts_by_its_own_control(long_board: BrowserPage) -> None:
    long_board.resize(width_px=WIDTHS_PX["phone"])
    page = long_board.open("/plans/")
    page.locator("#pick-sort").select_option("p99")
    expect(page.locator(".row .called > a").first).to_have_text("P59")
    expect(page).to_have_url("/plans/?sort=p99")


@pytest.mark.parametrize(
    ("address", "column", "head"),
    [("/providers/", "cost", "Per billion"), ("/drives/", "p99", "p99")],
)
def test_the_other_boards_sort_and_filter_in_place(
    catalogue: BrowserPage, address: str, column: str, head: str
) -> None:
    page = catalogue.open(address)
    page.evaluate("window.isSameDocument = true")
    page.locator(f"#sort-{column}").click()
    expect(page.locator("th[aria-sort=ascending] .now")).to_have_text(head)
    page.locator("#pick-plp").select_option("full")
    expect(page.get_by_role("link", name="Clear filters")).to_be_visible()
    expect(page).to_have_url(f"{address}?plp=full&sort={column}")
    drawn = page.locator(".rows.board .row td .mark")
    assert drawn.count() == page.locator(".rows.board .row td .mark.full").count() > 0
    page.get_by_role("link", name="Clear filters").click()
    expect(page.get_by_role("link", name="Clear filters")).to_be_hidden()
    assert page.evaluate("window.isSameDocument")


def test_a_server_error_is_said_in_place(catalogue: BrowserPage) -> None:
    page = catalogue.open("/plans/")
    page.route("**/plans/?sort=p99", lambda route: route.fulfill(status=503, body="away"))
    page.locator("#sort-p99").click()
    expect(page.locator("#trouble")).to_contain_text("could not be loaded")
    assert group_names(page)
    catalogue.complaints.clear()  # the browser reports the 503 that this test made


def row_names(page: Page) -> list[str]:
    """The names of all rows of the board, in order."""
    return page.locator(".rows.board .row .called > a").all_inner_texts()


def test_columns_are_chosen_kept_in_the_address_and_sorted_by(long_board: BrowserPage) -> None:
    page = long_board.open("/plans/")
    page.locator("#columns > summary").click()
    page.locator("#col-cost").uncheck()
    expect(page.locator("#sort-cost")).to_have_count(0)
    expect(page.locator("#columns")).to_have_attribute("open", "")  # there is more to choose
    page.locator("#col-machines").check()
    expect(page.locator("#sort-machines")).to_be_visible()
    expect(page).to_have_url("/plans/?cols=rate,machines")
    page.locator("#col-p99").check()
    expect(page).to_have_url("/plans/?cols=rate,p99,machines")
    page.locator("#col-provider").check()
    expect(page.locator("#sort-provider")).to_be_visible()
    expect(page.locator(".rows.board td.field")).to_have_count(0)  # the table takes its place
    page.locator("#sort-p99").click()
    expect(page.locator("th[aria-sort=ascending]")).to_have_text("p99")
    expect(page).to_have_url("/plans/?cols=rate,p99,machines,provider&sort=p99")
    page.reload()
    expect(page.locator("th[aria-sort=ascending]")).to_have_text("p99")
    expect(page.locator(".rows.board .row .called > a").first).to_have_text("P59")


def test_one_workload_is_shown_alone_and_a_class_of_work_instead(catalogue: BrowserPage) -> None:
    page = catalogue.open("/plans/")
    page.locator("#more > summary").click()
    page.locator("#singles > summary").click()
    page.get_by_role("link", name="etcd's check, 2,300 bytes").click()
    expect(page).to_have_url("/plans/?workload=etcd-2300-fdatasync")
    expect(page.locator(".group th")).to_contain_text("etcd's check, 2,300 bytes")
    expect(page.locator("#pick-workload")).to_have_value("etcd-2300-fdatasync")
    page.locator("#pick-workload").select_option("overwrites")
    expect(page).to_have_url("/plans/?workload=overwrites")
    expect(page.locator(".group th")).to_contain_text("Overwrite with a data sync")


def test_an_export_has_what_is_on_screen(long_board: BrowserPage) -> None:
    page = long_board.open("/plans/?plp=none&sort=p99")
    shown = row_names(page)
    with page.expect_download() as download:
        page.get_by_role("link", name="CSV").click()
    rows = list(csv.DictReader(download.value.path().read_text().splitlines()))
    assert [row["name"] for row in rows] == shown == ["P59", "P58", "P57", "P56", "P55"]
    address = page.get_by_role("link", name="JSON", exact=True).get_attribute("href")
    assert address
    answer = page.request.get(long_board.site_url + address).json()
    assert [row["name"] for row in answer["rows"]] == shown
    assert answer["page"].endswith("/plans/?plp=none&sort=p99")


def test_a_row_is_linked_and_found_on_its_page(long_board: BrowserPage) -> None:
    page = long_board.open("/plans/?sort=-rate")
    link = page.get_by_role("link", name="Link to P45")
    link.focus()
    expect(link).to_have_css("opacity", "1")
    address = link.get_attribute("href")
    assert address
    assert "row=acme-45-commit-8k-measured#" in address
    long_board.open("/plans/?row=acme-55-commit-8k-measured#acme-55-commit-8k-measured")
    expect(page.locator(".row.asked .called > a").first).to_have_text("P55")
    expect(page.locator(".row.asked")).to_be_in_viewport()
    expect(page.locator(".pages .now")).to_have_text(re.compile("Page 4 of 4"))
    page.get_by_role("link", name="Previous").click()
    expect(page.locator(".pages .now")).to_have_text(re.compile("Page 3 of 4"))
    expect(page).to_have_url("/plans/?page=3")


@pytest.mark.parametrize("width_px", WIDTHS_PX.values(), ids=list(WIDTHS_PX))
def test_rows_are_marked_over_pages_and_compared(long_board: BrowserPage, width_px: int) -> None:
    long_board.resize(width_px=width_px)
    page = long_board.open("/plans/")
    button = page.get_by_role("button", name=re.compile("^Compare"))
    expect(button).to_be_disabled()
    expect(button).to_have_text("Compare")
    page.get_by_label("Compare P03").check()
    expect(button).to_be_disabled()
    expect(page.locator(".compare .said")).to_have_text("1 of 6 marked")
    expect(button).to_be_in_viewport()  # from the first mark on, fourteen rows above its place
    page.get_by_label("Compare P05").check()
    expect(page.locator(".compare .said")).to_have_text("2 of 6 marked")
    expect(button).to_be_in_viewport()
    page.get_by_role("link", name="Next").click()
    expect(page.locator(".pages .now")).to_have_text(re.compile("Page 2 of 4"))
    for name in ("P20", "P21", "P22", "P23"):
        page.get_by_label(f"Compare {name}").check()
    expect(page.locator(".compare .said")).to_have_text("6 of 6 marked")
    page.get_by_label("Compare P24").click()
    expect(page.get_by_label("Compare P24")).not_to_be_checked()
    page.route("**/compare/**", lambda route: route.fulfill(body="<title>side by side</title>"))
    button.click()
    page.wait_for_url("**/compare/?**")
    asked = parse_qs(urlsplit(page.url).query)
    places = ("03", "05", "20", "21", "22", "23")
    assert sorted(asked["on"]) == [f"plan:acme-{place}@not-stated" for place in places]
    assert "workload" not in asked  # of each its best figure


def test_a_phone_opens_its_filters_and_shows_the_rows_first(long_board: BrowserPage) -> None:
    long_board.resize(width_px=WIDTHS_PX["phone"])
    page = long_board.open("/plans/")
    expect(page.locator(".rows.board .row").first).to_be_in_viewport()
    expect(page.locator("#pick-plp")).to_be_hidden()
    page.locator(".fold").click()
    page.locator("#pick-plp").select_option("none")
    expect(page.locator(".count")).to_have_text(re.compile("5 results"))
    expect(page.locator("#pick-plp")).to_be_visible()  # it stays open
    small = page.evaluate(
        """[...document.querySelectorAll("#board :is(.pick, .fold, .check, .anchor, .tokens a, "
             + ".exports a, .compare button, summary)")]
           .filter((e) => e.offsetParent && e.getBoundingClientRect().height < 44)
           .map((e) => e.outerHTML)"""
    )
    assert small == []
    page.get_by_role("link", name=re.compile("Remove the filter")).click()
    expect(page.locator(".count")).to_have_text(re.compile("60 results"))


def test_boards_with_everything_open_are_accessible(long_board: BrowserPage) -> None:
    address = "/plans/?plp=full&price_max=10000&cols=rate,p50,p99,p999,tier,region,cpu"
    for width_px in WIDTHS_PX.values():
        long_board.resize(width_px=width_px)
        page = long_board.open("/plans/?plp=full")
        page.locator("#columns").evaluate("(e) => { e.open = true }")
        page.locator("#fold").evaluate("(e) => { e.checked = true }")
        page.get_by_label("Compare P03").check()
        long_board.assert_accessible()
        long_board.open(address)
        long_board.assert_accessible()
        too_wide = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
        assert page.evaluate(too_wide) <= 0
