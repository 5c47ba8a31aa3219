"""The advisor in a real browser: it answers while one types, and says trouble."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.browser.test_site import assert_good_everywhere
from tests.support.browser import WIDTHS_PX, BrowserPage

pytestmark = pytest.mark.browser
JOURNEY = "/advisor/?rate=5000&p99=2"


def test_what_5000_commits_under_2_ms_cost(catalogue: BrowserPage) -> None:
    page = catalogue.open("/advisor/")
    page.get_by_role("link", name="Busy OLTP").click()
    head = page.locator("#verdict-title")
    expect(head).to_contain_text(
        "AX102 + 15.36 TB NVMe DC drive is the cheapest for 5,000/s within 2"
    )
    expect(head).to_contain_text("\u20ac234")
    expect(head).to_contain_text("Borderline: at least 1.2 times what you need, 1 published run")
    row = page.locator(".advice .row").first
    for said in ("Borderline", "1.2\u00d7", "10,318", "8,306\u201310,842", "163"):
        expect(row).to_contain_text(said)
    row.locator(".about > summary").click()
    expect(row).to_contain_text("2025-11-11")
    row.get_by_role("link", name="Hetzner AX102 Review").click()
    expect(page).to_have_url(re.compile("/runs/webp-ax102"))


def test_it_answers_while_one_types_and_the_focus_stays(catalogue: BrowserPage) -> None:
    page = catalogue.open("/advisor/")
    page.evaluate("window.isSameDocument = true")
    page.locator("#ask-rate").fill("5000")
    expect(page).to_have_url(re.compile(r"/advisor/\?rate=5000$"))
    page.locator("#ask-p99").press_sequentially("2")
    expect(page.locator(".need-picture .limit.p99")).to_be_attached()
    expect(page).to_have_url(re.compile(r"/advisor/\?rate=5000&p99=2$"))
    expect(page.locator("#ask-p99")).to_be_focused()
    assert page.evaluate("window.isSameDocument")
    line = page.locator(".advice .row .behind line.limit.p99").first.bounding_box()
    ruler = page.locator(".ruler-field").bounding_box()
    assert line
    assert ruler
    share = (line["x"] + line["width"] / 2 - ruler["x"]) / ruler["width"]
    assert 100 * 10 ** (6 * share) == pytest.approx(2_000_000, rel=0.05)  # nanoseconds
    page.reload()
    expect(page.locator("#ask-p99")).to_have_value("2")
    expect(page.locator("#verdict-title")).to_contain_text("Borderline")


def test_another_software_brings_its_own_rate_until_one_is_said(catalogue: BrowserPage) -> None:
    page = catalogue.open("/advisor/")
    page.locator("#ask-software").select_option("etcd")
    expect(page.locator("#ask-rate")).to_have_value("50")
    expect(page).to_have_url(re.compile("software=etcd"))
    page.locator("#ask-rate").fill("70")
    page.locator("#ask-software").select_option("commits")
    expect(page.locator("#ask-rate")).to_have_value("70")


def test_a_mistake_is_said_beside_its_field_and_goes_away(catalogue: BrowserPage) -> None:
    page = catalogue.open(JOURNEY)
    rate = page.locator("#ask-rate")
    rate.fill("many")
    expect(page.locator("#wrong-rate")).to_have_text("Write a number, such as 5000.")
    expect(rate).to_have_attribute("aria-invalid", "true")
    expect(page.locator("#ask-p99")).to_have_value("2")
    catalogue.assert_accessible()
    rate.fill("6000")
    expect(page.locator("#wrong-rate")).to_be_empty()
    expect(page.locator("#wrong-rate")).to_be_hidden()
    expect(rate).not_to_have_attribute("aria-invalid", "true")
    expect(page.locator("#verdict-title")).to_be_visible()


def test_an_assumption_leads_into_its_field(catalogue: BrowserPage) -> None:
    page = catalogue.open(JOURNEY)
    expect(page.locator("#ask-region")).to_be_hidden()
    page.get_by_text("What does the answer assume?").click()
    page.locator(".assumed a[href='#ask-region']").click()
    expect(page.locator("#ask-region")).to_be_focused()
    page.locator("#ask-region").fill("US")
    expect(page).to_have_url(re.compile("region=US"))
    page.get_by_text("What does the answer assume?").click()
    expect(page.locator(".assumed")).to_contain_text("US")


def test_trouble_is_said_in_place(catalogue: BrowserPage) -> None:
    page = catalogue.open(JOURNEY)
    page.route("**/advisor/?*rate=7000*", lambda route: route.fulfill(status=503, body="away"))
    page.locator("#ask-rate").fill("7000")
    expect(page.locator("#trouble")).to_contain_text("The answer could not be loaded")
    expect(page.locator("#verdict-title")).to_be_visible()
    page.locator("#ask-rate").fill("8000")
    expect(page.locator("#trouble")).to_be_empty()
    catalogue.complaints.clear()  # the browser reports the 503 that this test made


def test_it_works_without_script(catalogue: BrowserPage) -> None:
    browser = catalogue.page.context.browser
    assert browser
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{catalogue.site_url}/advisor/")
    page.locator("#ask-rate").fill("5000")
    page.locator("#ask-p99").fill("2")
    page.get_by_role("button", name="Answer").click()
    expect(page).to_have_url(f"{catalogue.site_url}{JOURNEY}")
    expect(page.locator(".answer-says")).to_contain_text("AX102")
    context.close()


@pytest.mark.parametrize(
    "address", ["/advisor/", JOURNEY, "/advisor/?rate=x&region=atlantis", "/coverage/",
                "/coverage/?of=drives&state=published"],
)  # fmt: skip
def test_the_pages_are_accessible_and_fit(catalogue: BrowserPage, address: str) -> None:
    assert_good_everywhere(catalogue, address)


def test_touch_targets_of_a_phone_are_44_pixels_high(catalogue: BrowserPage) -> None:
    catalogue.resize(width_px=WIDTHS_PX["phone"])
    page = catalogue.open(f"{JOURNEY}&region=Europe")
    page.locator(".asking > summary").click()
    small = page.evaluate(
        """[...document.querySelectorAll(
             ".presets a, .ask input, .ask select, .providers label, summary, .actions a")]
           .filter((e) => e.offsetParent && e.getBoundingClientRect().height < 43.5)
           .map((e) => e.id || e.textContent.trim())"""
    )
    assert small == []


def test_the_answer_is_in_the_first_screen_of_a_phone_and_the_question_one_line(
    catalogue: BrowserPage,
) -> None:
    catalogue.page.set_viewport_size({"width": WIDTHS_PX["phone"], "height": 844})
    page = catalogue.open(JOURNEY)
    for part in (".answer-says", ".answer-figure", ".answer-sure", ".need-basis a"):
        expect(page.locator(part)).to_be_in_viewport(ratio=1)
    question = page.locator("#question")
    expect(question).to_contain_text("Durable commits, 5,000/s, p99 at most 2")
    expect(page.locator("#ask-rate")).to_be_hidden()
    page.get_by_text("Change", exact=True).first.click()
    page.locator("#ask-rate").fill("6000")
    expect(question).to_contain_text("6,000/s")


def test_print_has_the_answer_and_no_form(catalogue: BrowserPage) -> None:
    catalogue.page.emulate_media(media="print")
    page = catalogue.open(JOURNEY)
    expect(page.locator(".needs-form")).to_be_hidden()
    expect(page.locator(".answer-says")).to_be_visible()
