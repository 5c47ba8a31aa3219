"""The search in a real browser: keys, live results, and the same without script."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.test_site import assert_good_everywhere
from tests.support.browser import WIDTHS_PX, BrowserPage

pytestmark = pytest.mark.browser


def expect_focus_in_field(page: Page) -> None:
    expect(page.locator("#find-text")).to_be_focused()


def test_results_come_while_one_types_and_arrows_move_through_them(catalogue: BrowserPage) -> None:
    page = catalogue.open("/search/")
    page.evaluate("window.isSameDocument = true")
    page.keyboard.press("/")
    expect_focus_in_field(page)
    page.keyboard.type("samsng 990 pro")
    expect(page.locator("#results [data-hit]").first).to_have_text("Samsung 990 PRO")
    expect(page).to_have_url(re.compile(r"/search/\?q=samsng\+990\+pro$"))
    expect_focus_in_field(page)
    page.keyboard.press("ArrowDown")
    expect(page.locator(":focus")).to_have_text("Samsung 990 PRO")
    page.keyboard.press("ArrowDown")
    expect(page.locator("#results [data-hit]").nth(1)).to_be_focused()
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowUp")
    expect_focus_in_field(page)
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Escape")
    expect_focus_in_field(page)
    page.keyboard.press("ArrowDown")
    assert page.evaluate("window.isSameDocument")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("/drives/samsung-990-pro/$"))


@pytest.mark.parametrize("keys", ["/", "Control+k", "Meta+k"])
def test_the_field_of_the_head_works_by_keys_alone(catalogue: BrowserPage, keys: str) -> None:
    page = catalogue.open("/about/")
    field = page.get_by_role("combobox", name="A plan, a provider, a drive, or a question")
    options = page.locator("#site-hits [role=option]")
    chosen = page.locator('#site-hits [aria-selected="true"]')
    expect(field).to_have_attribute("aria-expanded", "false")
    page.keyboard.press(keys)
    expect(field).to_be_focused()
    page.keyboard.type("samsng 990")
    expect(options.first).to_contain_text("Samsung 990")
    expect(field).to_have_attribute("aria-expanded", "true")
    page.keyboard.press("ArrowDown")
    expect(chosen).to_have_count(1)
    expect(options.first).to_have_attribute("aria-selected", "true")
    expect(field).to_have_attribute("aria-activedescendant", re.compile("^site-hit-"))
    page.keyboard.press("ArrowDown")
    expect(options.nth(1)).to_have_attribute("aria-selected", "true")
    page.keyboard.press("ArrowUp")
    expect(options.first).to_have_attribute("aria-selected", "true")
    page.keyboard.press("ArrowUp")  # from the first on to the last
    expect(options.last).to_have_attribute("aria-selected", "true")
    expect(field).to_be_focused()
    page.keyboard.press("Escape")
    expect(field).to_have_attribute("aria-expanded", "false")
    expect(options.first).to_be_hidden()
    page.keyboard.press("Escape")
    expect(field).not_to_be_focused()
    page.keyboard.press(keys)
    expect(options.first).to_be_visible()
    page.keyboard.press("ArrowDown")
    expect(chosen).to_have_count(1)
    address = str(chosen.get_attribute("data-href"))
    page.keyboard.press("Enter")
    expect(page).to_have_url(f"{catalogue.site_url}{address}")


def test_the_field_of_the_head_finds_pages_and_enter_alone_opens_the_results(
    catalogue: BrowserPage,
) -> None:
    page = catalogue.open("/about/")
    page.keyboard.press("/")
    page.keyboard.type("etdc")
    expect(page.locator("#site-hits")).to_contain_text("etcd and Kubernetes")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(r"/search/\?q=etdc$"))
    expect(page.locator("#results [data-hit]").first).to_contain_text("etcd")


def test_in_a_narrow_frame_a_key_opens_the_page_of_the_search(catalogue: BrowserPage) -> None:
    catalogue.resize(width_px=WIDTHS_PX["phone"])
    page = catalogue.open("/about/")
    page.keyboard.press("/")
    expect(page).to_have_url(re.compile("/search/$"))


@pytest.mark.parametrize("keys", ["/", "Control+k", "Meta+k"])
def test_a_key_leads_to_the_field(catalogue: BrowserPage, keys: str) -> None:
    page = catalogue.open("/search/?q=ax102")
    page.locator("#results [data-hit]").first.focus()
    page.keyboard.press(keys)
    expect_focus_in_field(page)
    page.keyboard.press("End")
    page.keyboard.type("/")  # inside the field it is a character
    expect(page.locator("#find-text")).to_have_value(re.compile("/"))


def test_a_slash_in_another_field_is_a_character(catalogue: BrowserPage) -> None:
    page = catalogue.open("/search/")
    page.evaluate(
        """document.querySelector("h1").insertAdjacentHTML(
             "afterend", '<input id="other" aria-label="other">')"""
    )
    page.locator("#other").press("/")
    expect(page.locator("#other")).to_be_focused()
    expect(page.locator("#other")).to_have_value("/")


def test_an_exact_name_offers_to_go_there(catalogue: BrowserPage) -> None:
    page = catalogue.open("/search/?q=ccx+33")
    page.locator(".only a", has_text="CCX33").click()
    expect(page).to_have_url(re.compile("/plans/hetzner-ccx33/$"))


def test_going_back_shows_what_was_found(catalogue: BrowserPage) -> None:
    page = catalogue.open("/search/")
    page.locator("#find-text").fill("mx500")
    first = page.locator("#results [data-hit]").first
    expect(first).to_have_text("Crucial MX500")
    first.click()
    expect(page).to_have_url(re.compile("/drives/crucial-mx500/$"))
    page.go_back()
    expect(page.locator("#find-text")).to_have_value("mx500")
    expect(page.locator("#results [data-hit]").first).to_have_text("Crucial MX500")


def test_trouble_is_said_in_place(catalogue: BrowserPage) -> None:
    page = catalogue.open("/search/?q=ax102")
    page.route("**/search/?q=gp3*", lambda route: route.fulfill(status=503, body="away"))
    page.locator("#find-text").fill("gp3")
    expect(page.locator("[data-find-trouble]")).to_contain_text("did not answer")
    expect(page.locator("#results [data-hit]").first).to_have_text("AX102")
    catalogue.complaints.clear()  # the browser reports the 503 that this test made


def test_it_works_without_script(catalogue: BrowserPage) -> None:
    browser = catalogue.page.context.browser
    assert browser
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{catalogue.site_url}/search/")
    page.locator("#find-text").fill("hetzer ax102")
    page.get_by_role("button", name="Search").click()
    expect(page.locator("#results [data-hit]").first).to_have_text("AX102")
    context.close()


@pytest.mark.parametrize(
    "address",
    ["/search/", "/search/?q=990+pro", "/search/?q=QX7-900ZZ", "/search/?q=hetzner",
     "/search/?q=MZ-V9P2T0"],
)  # fmt: skip
def test_the_page_is_accessible_and_fits(catalogue: BrowserPage, address: str) -> None:
    assert_good_everywhere(catalogue, address)


def test_what_is_chosen_of_the_list_is_told_without_a_name(catalogue: BrowserPage) -> None:
    page = catalogue.open("/about/")
    page.keyboard.press("/")
    page.keyboard.type("990 pro")
    expect(page.locator("#site-hits [role=option]").first).to_contain_text("Samsung 990 PRO")
    page.keyboard.press("ArrowDown")
    with page.expect_request("**/wanted/") as told:
        page.keyboard.press("Enter")
    assert told.value.post_data == "thing=drive%3Asamsung-990-pro"
    assert "cookie" not in told.value.headers
    expect(page).to_have_url(re.compile("/drives/samsung-990-pro/$"))


def test_a_question_is_answered_while_one_types(catalogue: BrowserPage) -> None:
    page = catalogue.open("/search/")
    page.locator("#find-text").press_sequentially("ccx33 vs ax102")
    first = page.locator("#results [data-hit]").first
    expect(first).to_contain_text("Compare: CCX33, AX102")
    expect(page.locator("#results")).to_contain_text("10,318 /s")
    first.click()
    expect(page).to_have_url(
        re.compile(r"/compare/\?on=plan:hetzner-ccx33&on=plan:hetzner-ax102-15")
    )
