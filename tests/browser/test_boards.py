"""Boards in a real browser: sort, filter, find, page, go back, and trouble said in place."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from apps.plans.models import Provider
from tests import make
from tests.support.browser import WIDTHS_PX, BrowserPage

pytestmark = pytest.mark.browser


def group_names(page: Page) -> list[str]:
    """The names of the rows of the first group, in order."""
    return page.locator("#board > table.rows tbody").first.locator(".row .name a").all_inner_texts()


def test_sorting_filtering_and_going_back(catalogue: BrowserPage) -> None:
    page = catalogue.open("/plans/?workload=fallocated-8k-fsync")
    by_rate = group_names(page)
    assert by_rate[0].startswith("AX102")

    page.locator("#sort-cost").click()
    expect(page.locator("th[aria-sort=ascending]")).to_have_text(re.compile("Per billion"))
    assert "sort=cost" in page.url
    by_cost = group_names(page)
    assert sorted(by_cost) == sorted(by_rate)
    assert page.evaluate("document.activeElement.id") == "sort-cost"

    page.locator("#pick-plp").select_option("none")
    expect(page.locator(".count")).to_have_text(re.compile("1 result"))
    assert "plp=none" in page.url
    assert "provider=" not in page.url
    assert group_names(page) == ["AX41-NVMe"]

    page.go_back()
    expect(page.locator(".count")).to_have_text(re.compile("4 results"))
    assert group_names(page) == by_cost
    page.go_back()
    expect(page.locator("th[aria-sort=descending]")).to_be_visible()
    assert group_names(page) == by_rate
    page.go_forward()
    expect(page.locator("th[aria-sort=ascending]")).to_be_visible()


def test_an_address_that_was_shared_opens_the_same_board(catalogue: BrowserPage) -> None:
    page = catalogue.open("/plans/")
    page.locator("#find").fill("ax102")
    page.locator("#find").press("Enter")
    expect(page.locator(".count")).to_have_text(re.compile("1 result"))
    shared = page.url
    page.goto("about:blank")
    page.goto(shared)
    expect(page.locator("#find")).to_have_value("ax102")
    assert len(group_names(page)) == 1


def test_paging_keeps_the_filters(catalogue: BrowserPage) -> None:
    page = catalogue.open("/runs/?shape=all")
    first = page.locator(".row .name a").first.get_attribute("href")
    page.get_by_role("link", name="Next").click()
    expect(page.locator(".pages .now")).to_have_text(re.compile("Page 2 of"))
    assert "shape=all" in page.url
    assert "page=2" in page.url
    assert page.locator(".row .name a").first.get_attribute("href") != first
    page.go_back()
    expect(page.locator(".pages .now")).to_have_text(re.compile("Page 1 of"))


@pytest.fixture
def long_board(browser_page: BrowserPage) -> BrowserPage:
    """The live site with more plans of one provider than fit on a page, best first P00, P01 …"""
    owner = Provider.objects.create(slug="acme", name="Acme")
    for place in range(60):
        plan = make.plan(provider=owner, slug=f"acme-{place:02}", name=f"P{place:02}")
        make.standing(
            plan=plan, rate_per_s=9_000 - place, p99_ns=200_000 - place,
            is_durable_single_writer=True, plp="full" if place < 55 else "none",
        )  # fmt: skip
    return browser_page


@pytest.mark.parametrize("width_px", WIDTHS_PX.values(), ids=list(WIDTHS_PX))
def test_a_long_board_is_paged_in_place_and_going_back_restores_it(
    long_board: BrowserPage, width_px: int
) -> None:
    long_board.resize(width_px=width_px)
    page = long_board.open("/plans/")
    page.evaluate("window.isSameDocument = true")
    page.locator("#pick-plp").select_option("full")
    expect(page.locator(".count")).to_have_text(re.compile("55 results"))
    page.get_by_role("link", name="Next").click()
    expect(page.locator(".pages .now")).to_have_text(re.compile("Page 2 of 2"))
    assert page.url.endswith("/plans/?plp=full&page=2")
    assert group_names(page) == [f"P{place}" for place in range(50, 55)]
    assert page.locator(".row .num").first.text_content() == "51"
    assert page.evaluate("window.isSameDocument")

    page.go_back()
    expect(page.locator(".pages .now")).to_have_text(re.compile("Page 1 of 2"))
    expect(page.locator("#pick-plp")).to_have_value("full")
    assert group_names(page)[0] == "P00"
    page.go_back()
    expect(page.locator(".count")).to_have_text(re.compile("60 results"))
    expect(page.locator("#pick-plp")).to_have_value("")
    page.go_forward()
    page.go_forward()
    expect(page.locator(".pages .now")).to_have_text(re.compile("Page 2 of 2"))


def test_a_phone_sorts_by_its_own_control(long_board: BrowserPage) -> None:
    long_board.resize(width_px=WIDTHS_PX["phone"])
    page = long_board.open("/plans/")
    page.locator("#pick-sort").select_option("p99")
    expect(page.locator(".row .name a").first).to_have_text("P59")
    assert page.url.endswith("/plans/?sort=p99")


@pytest.mark.parametrize("address", ["/providers/", "/drives/"])
def test_the_other_boards_sort_and_filter_in_place(catalogue: BrowserPage, address: str) -> None:
    page = catalogue.open(address)
    page.evaluate("window.isSameDocument = true")
    page.locator("#sort-p99").click()
    expect(page.locator("th[aria-sort=ascending]")).to_have_text("p99")
    page.locator("#pick-plp").select_option("full")
    expect(page.get_by_role("link", name="Clear filters")).to_be_visible()
    assert page.url.endswith("?plp=full&sort=p99")
    assert page.locator(".rows .row .mark.full").count() == page.locator(
        "#board > .rows .row .mark"
    ).count()  # fmt: skip
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
