"""Everything works without JavaScript: links and forms lead where htmx would."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from apps.runs.models import Run
from tests.support.browser import WIDTHS_PX, BrowserPage

pytestmark = pytest.mark.browser


@pytest.fixture(params=WIDTHS_PX.values(), ids=list(WIDTHS_PX))
def bare(
    request: pytest.FixtureRequest, chromium: Browser, catalogue: BrowserPage
) -> Iterator[Page]:
    """A page of a browser that runs no script, on the live site with the catalogue."""
    context = chromium.new_context(
        base_url=catalogue.site_url,
        java_script_enabled=False,
        viewport={"width": request.param, "height": 900},
    )
    context.set_default_timeout(10_000)
    yield context.new_page()
    context.close()


def is_phone(page: Page) -> bool:
    return bool(page.viewport_size and page.viewport_size["width"] == WIDTHS_PX["phone"])


def test_a_board_is_filtered_sorted_and_cleared(bare: Page) -> None:
    bare.goto("/plans/")
    if is_phone(bare):
        bare.locator(".fold").click()
    bare.locator("#pick-plp").select_option("none")
    bare.get_by_role("button", name="Show").click()
    expect(bare).to_have_url("/plans/?plp=none")
    expect(bare.locator("#pick-plp")).to_have_value("none")
    if is_phone(bare):
        bare.get_by_label("Sort").select_option("p99")
        bare.locator(".fold").click()
        bare.get_by_role("button", name="Show").click()
    else:
        bare.locator("#sort-p99").click()
    expect(bare).to_have_url("/plans/?plp=none&sort=p99")
    expect(bare.locator(".row .name a").first).to_be_visible()
    bare.get_by_role("link", name="Clear filters").click()
    expect(bare).to_have_url("/plans/?sort=p99")


def test_the_other_figures_of_a_row_are_on_its_page(bare: Page) -> None:
    bare.goto("/plans/")
    row = bare.locator(".row:has(.unfold)").first
    address = row.locator(".called > a").first.get_attribute("href")
    row.locator(".unfold").click()
    expect(bare).to_have_url(f"{address}#figures")
    expect(bare.locator("#figures")).to_be_visible()


def test_the_mark_of_a_row_opens(bare: Page) -> None:
    bare.goto("/plans/")
    mark = bare.locator(".row .about").first
    mark.locator("summary").click()
    expect(mark.locator("dl")).to_be_visible()


def test_a_search_is_a_form(bare: Page) -> None:
    bare.goto("/drives/")
    bare.get_by_label("Find").fill("990 pro")
    bare.get_by_label("Find").press("Enter")
    expect(bare).to_have_url("/drives/?q=990+pro")
    expect(bare.locator(".row .name a").first).to_have_text("Samsung 990 PRO")


def test_lists_are_paged_by_links_and_going_back_restores_them(bare: Page) -> None:
    bare.goto("/runs/")
    bare.get_by_label("Show").select_option("all")
    bare.get_by_role("button", name="Show").click()
    expect(bare).to_have_url("/runs/?shape=all")
    bare.get_by_role("link", name="Next").click()
    expect(bare).to_have_url(re.compile(r"/runs/\?shape=all&before=\d{8}T"))
    bare.go_back()
    expect(bare).to_have_url("/runs/?shape=all")
    expect(bare.get_by_role("link", name="Next")).to_be_visible()

    bare.goto("/plans/")
    bare.locator("#needs > summary").click()
    bare.locator("#needs").get_by_role("link", name="Next").click()
    expect(bare).to_have_url("/plans/?needs=2")


def test_a_run_shows_its_figures_and_no_dead_controls(bare: Page, measured_run: Run) -> None:
    bare.goto(f"/runs/{measured_run.slug}/")
    expect(bare.locator(".answer")).to_contain_text("Half of all commits finish within")
    expect(bare.get_by_text("The picture needs JavaScript").first).to_be_visible()
    p999 = bare.get_by_role("rowheader", name="p99.9", exact=True).first
    expect(p999).to_be_hidden()
    bare.goto(f"/runs/{measured_run.slug}/#percentiles")  # an address opens what it names
    expect(p999).to_be_visible()
    expect(bare.locator("[data-copy]").first).to_be_hidden()
    expect(bare.locator("[data-theme-toggle]")).to_be_hidden()
    bare.locator("#provenance > summary").click()
    with bare.expect_download() as download:
        bare.get_by_role("link", name="The signed envelope").click()
    assert download.value.suggested_filename == f"fsyncmark-{measured_run.slug}.json"


@pytest.mark.parametrize(
    "path", ["/plans/hetzner-cax41/", "/drives/micron-7500-pro/", "/runs/webp-ax102-fio-fsync-8k/"]
)
def test_the_key_figures_are_there(bare: Page, path: str) -> None:
    bare.goto(path)
    for figure in bare.locator("dl.keys dd").all():
        expect(figure).to_be_visible()
    assert bare.locator("dl.keys dd").count() >= 3
