"""The page that takes outputs in, in a real browser: pasted, chosen and dropped, then saved."""

from __future__ import annotations

import base64
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.test_site import assert_good_as_it_stands, assert_good_everywhere
from tests.support.browser import BrowserPage

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


def previewed(page: Page) -> None:
    expect(page.get_by_role("heading", name="What was understood")).to_be_visible()


def test_the_form_is_accessible_and_fits(browser_page: BrowserPage) -> None:
    assert_good_everywhere(browser_page, "/import/")


def test_an_output_is_pasted_previewed_and_saved(browser_page: BrowserPage) -> None:
    page = browser_page.open("/import/")
    page.get_by_label("Paste the output").fill(JOBS.read_text())
    page.get_by_label("Plan", exact=True).fill("CCX33")
    page.get_by_role("button", name="Show what is understood").click()
    previewed(page)
    assert_good_as_it_stands(browser_page, "the preview")
    page.get_by_role("button", name="Save as a run").click()
    expect(page.get_by_role("heading", name="CCX33", level=1)).to_be_visible()
    assert_good_everywhere(browser_page, page.url.removeprefix(browser_page.site_url))


def test_a_file_is_dropped(browser_page: BrowserPage) -> None:
    page = browser_page.open("/import/")
    page.evaluate(DROP, [FIO.name, base64.b64encode(FIO.read_bytes()).decode()])
    previewed(page)
    expect(page.get_by_role("row", name="sync_p99_us 305.152 191")).to_be_visible()


def test_a_file_is_chosen_and_not_understood(browser_page: BrowserPage) -> None:
    page = browser_page.open("/import/")
    page.get_by_label("or choose a file").set_input_files(
        {"name": "odd.txt", "mimeType": "text/plain", "buffer": b"sysbench 1.0"}
    )
    page.get_by_role("button", name="Show what is understood").click()
    expect(page.get_by_role("alert")).to_contain_text("No output that is read here")
    browser_page.assert_accessible()
    browser_page.complaints.clear()  # the browser reports the 422 that this test asked for
