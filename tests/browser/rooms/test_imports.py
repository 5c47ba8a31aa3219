"""The page that takes outputs in, in a real browser: pasted, chosen and dropped, then shared."""

from __future__ import annotations

import base64
import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.test_site import assert_good_as_it_stands, assert_good_everywhere
from tests.support.browser import BrowserPage
from tests.support.live_site import LiveSite

pytestmark = pytest.mark.browser
FIXTURES = Path(__file__).parents[2] / "intake" / "importers" / "fixtures"
FIO = FIXTURES / "fio-3.33-debian.fsync.json"
JOBS = FIXTURES / "made" / "fio-3.33-four-jobs.json"
# Gives the drop zone a file, as a browser does when somebody lets go of one.
DROP = """([name, content]) => {
  const bytes = Uint8Array.from(atob(content), (c) => c.charCodeAt(0));
  const transfer = new DataTransfer();
  transfer.items.add(new File([bytes], name));
  const zone = document.querySelector("[data-drop]");
  zone.dispatchEvent(new DragEvent("dragover", { dataTransfer: transfer, cancelable: true }));
  zone.dispatchEvent(new DragEvent("drop", { dataTransfer: transfer, cancelable: true }));
}"""


def placed(page: Page) -> None:
    expect(page.get_by_role("heading", name="Where does your output stand?")).to_be_visible()


def share(page: Page) -> None:
    page.get_by_label("I may publish this output").check()
    page.get_by_role("button", name="Share").click()


def test_the_form_is_accessible_and_fits(browser_page: BrowserPage) -> None:
    assert_good_everywhere(browser_page, "/import/")


def test_an_output_is_pasted_placed_and_shared(browser_page: BrowserPage) -> None:
    page = browser_page.open("/import/")
    page.get_by_label("Paste the output").fill(JOBS.read_text())
    page.get_by_role("button", name="Where do I stand?").click()
    placed(page)
    page.get_by_text("What was read").click()
    assert_good_as_it_stands(browser_page, "the answer")
    page.get_by_label("Plan", exact=True).fill("CCX33")
    share(page)
    expect(page.get_by_text("Not in the catalogue.")).to_be_visible()  # it is empty here
    browser_page.assert_accessible()
    share(page)
    expect(page.get_by_role("heading", name="(unlisted)", level=1)).to_be_visible()  # held
    assert_good_everywhere(browser_page, page.url.removeprefix(browser_page.site_url))
    browser_page.complaints.clear()  # the browser reports the 422 of the name


def test_a_file_is_dropped(browser_page: BrowserPage) -> None:
    page = browser_page.open("/import/")
    page.evaluate(DROP, [FIO.name, base64.b64encode(FIO.read_bytes()).decode()])
    placed(page)
    page.get_by_text("What was read").click()
    expect(page.get_by_role("row", name="sync_p99_us 305.152 191")).to_be_visible()


def test_a_file_is_chosen_and_not_understood(browser_page: BrowserPage) -> None:
    page = browser_page.open("/import/")
    page.get_by_label("or choose a file").set_input_files(
        {"name": "odd.txt", "mimeType": "text/plain", "buffer": b"sysbench 1.0"}
    )
    page.get_by_role("button", name="Where do I stand?").click()
    expect(page.get_by_role("alert")).to_contain_text("No output that is read here")
    browser_page.assert_accessible()
    browser_page.complaints.clear()  # the browser reports the 422 that this test asked for


def test_without_script_the_form_leads_to_a_page_with_the_same_answer(
    chromium: Browser, live_site: LiveSite
) -> None:
    context = chromium.new_context(base_url=live_site.url, java_script_enabled=False)
    page = context.new_page()
    page.goto("/")
    page.get_by_label("Paste the output").fill(FIO.read_text())
    page.get_by_role("button", name="Where do I stand?").click()
    placed(page)
    assert page.url == f"{live_site.url}/import/"
    expect(page.locator(".answer-figure")).to_contain_text("7,014")
    share(page)
    expect(page).to_have_url(re.compile("/runs/"))
    context.close()
