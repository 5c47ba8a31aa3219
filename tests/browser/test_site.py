"""What a reader does: look, sort, filter, page, go back, open a run, copy; two widths, two themes.

Every test also fails on console errors and on breaches of the content security policy; see
tests/support/browser.py.
"""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from apps.runs.models import Run, Upload
from tests import make
from tests.support.browser import WIDTHS_PX, BrowserPage

pytestmark = pytest.mark.browser

PUBLISHED_RUN = "/runs/webp-ax102-fio-fsync-8k/"
EVERY_PAGE = [
    "/", "/plans/", "/providers/", "/drives/", "/runs/", "/measure/", "/method/",
    "/plans/hetzner-cax41/", "/drives/micron-7500-pro/", "/providers/hetzner/", PUBLISHED_RUN,
]  # fmt: skip


def assert_fits(page: Page, address: str) -> None:
    """Nothing makes the page scroll sideways."""
    too_wide = page.evaluate(
        "document.documentElement.scrollWidth - document.documentElement.clientWidth"
    )
    assert too_wide <= 0, f"{address} is {too_wide} px too wide"


@pytest.mark.parametrize("width_px", WIDTHS_PX.values(), ids=list(WIDTHS_PX))
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_every_page_is_accessible_and_fits(
    catalogue: BrowserPage, theme: str, width_px: int
) -> None:
    catalogue.resize(width_px=width_px)
    catalogue.page.emulate_media(color_scheme=theme)  # type: ignore[arg-type]  # the two are literals
    for address in EVERY_PAGE:
        page = catalogue.open(address)
        assert_fits(page, address)
        catalogue.assert_accessible()


@pytest.mark.parametrize("width_px", [360, 768, 900, 1024])
def test_widths_between_the_two_fit_as_well(catalogue: BrowserPage, width_px: int) -> None:
    catalogue.resize(width_px=width_px)
    for address in EVERY_PAGE:
        assert_fits(catalogue.open(address), address)


def test_home_tells_the_story_in_one_screen(catalogue: BrowserPage) -> None:
    page = catalogue.open("/")
    lede = page.locator(".hero .lede")
    expect(lede).to_contain_text("10,318")
    expect(lede).to_contain_text("187")
    expect(lede).to_be_in_viewport()
    expect(page.locator(".ladder-field")).to_be_in_viewport()
    expect(page.locator(".distance.hot .times")).to_have_text(re.compile("55"))


def test_the_ladder_is_drawn_at_the_place_that_the_ruler_names(catalogue: BrowserPage) -> None:
    page = catalogue.open("/")
    ruler = page.locator(".ruler-field").bounding_box()
    mark = page.locator(".rung svg.wide g.hot circle.mark").first.bounding_box()
    assert ruler
    assert mark
    share = (mark["x"] + mark["width"] / 2 - ruler["x"]) / ruler["width"]
    assert 100 * 10 ** (6 * share) == pytest.approx(89_000, rel=0.03)  # nanoseconds


def test_an_empty_site_is_accessible_too(browser_page: BrowserPage) -> None:
    for address in ("/", "/plans/", "/runs/", "/measure/"):
        browser_page.open(address)
        browser_page.assert_accessible()


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


def test_every_link_of_a_board_works_without_javascript(catalogue: BrowserPage) -> None:
    browser = catalogue.page.context.browser
    assert browser
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{catalogue.site_url}/plans/")
    page.get_by_label("PLP").select_option("none")
    page.get_by_role("button", name="Show").click()
    assert page.url.endswith("/plans/?plp=none")
    page.locator("#sort-p99").click()
    assert page.url.endswith("/plans/?plp=none&sort=p99")
    assert page.locator(".row .name a").first.is_visible()
    page.goto(f"{catalogue.site_url}{PUBLISHED_RUN}")
    assert page.get_by_role("cell", name="163").first.is_visible()
    context.close()


def test_a_server_error_is_said_in_place(catalogue: BrowserPage) -> None:
    page = catalogue.open("/plans/")
    page.route("**/plans/?sort=p99", lambda route: route.fulfill(status=503, body="away"))
    page.locator("#sort-p99").click()
    expect(page.locator("#trouble")).to_contain_text("could not be loaded")
    assert group_names(page)
    catalogue.complaints.clear()  # the browser reports the 503 that this test made


def test_a_run_is_drawn_and_can_be_read_with_the_keyboard(
    measured_run: Run, browser_page: BrowserPage
) -> None:
    page = browser_page.open(f"/runs/{measured_run.slug}/")
    expect(page.locator("html")).to_have_attribute("data-charts", re.compile(r"[1-9]"))
    chart = page.locator("[data-chart=percentiles]").first
    canvas = chart.locator("canvas")
    assert canvas.evaluate(
        "(c) => c.getContext('2d').getImageData(0, 0, c.width, c.height).data.some((v) => v > 0)"
    )
    chart.focus()
    chart.press("ArrowRight")
    expect(page.locator("[data-chart=percentiles] + [role=status]").first).to_contain_text("p50")
    expect(page.locator(".verdict")).to_contain_text("can commit at most")
    browser_page.assert_accessible()


def test_a_chart_has_the_figures_of_its_table(measured_run: Run, browser_page: BrowserPage) -> None:
    page = browser_page.open(f"/runs/{measured_run.slug}/")
    expect(page.locator("html")).to_have_attribute("data-charts", re.compile(r"[1-9]"))
    chart = page.locator("[data-chart=percentiles]").first
    chart.focus()
    chart.press("ArrowRight")
    spoken = page.locator("[data-chart=percentiles] + [role=status]").first.inner_text()
    cell = page.locator(".figures tbody tr").first.locator("td").first.inner_text()
    assert re.sub(r"[^\d.]", "", spoken.removeprefix("p50")) == re.sub(r"[^\d.]", "", cell)


def test_copying_a_badge_puts_its_markdown_on_the_clipboard(
    measured_run: Run, browser_page: BrowserPage
) -> None:
    page = browser_page.open(f"/runs/{measured_run.slug}/")
    button = page.locator("[data-copy=badge-markdown]")
    button.click()
    expect(button).to_have_text("Copied")
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied.startswith("[![")
    assert f"/badge/run/{measured_run.slug}.svg" in copied
    assert page.locator("img.badge").evaluate("(image) => image.naturalHeight") > 0


def test_the_waiting_page_becomes_the_run(browser_page: BrowserPage) -> None:
    upload = make.upload(witnessed=True, state=Upload.State.DONE)
    page = browser_page.open(f"/runs/{upload.run_id}/")
    expect(page.get_by_role("heading", level=1)).to_have_text("Received, being processed")
    browser_page.assert_accessible()
    run = make.run(id=upload.run_id, slug=str(upload.run_id), upload=upload)
    make.latency(measurement=make.measurement(run=run))
    expect(page.locator(".verdict")).to_be_visible()


def test_the_theme_is_switched_and_remembered(catalogue: BrowserPage) -> None:
    catalogue.page.emulate_media(color_scheme="light")
    page = catalogue.open(PUBLISHED_RUN)
    background = "getComputedStyle(document.documentElement).backgroundColor"
    light = page.evaluate(background)
    page.get_by_role("button", name="Switch between light and dark").click()
    dark = page.evaluate(background)
    assert dark != light
    catalogue.open("/plans/")
    assert page.evaluate(background) == dark
    page.get_by_role("button", name="Switch between light and dark").click()
    assert page.evaluate(background) == light
    assert page.evaluate("localStorage.length") == 0  # back to what the system says


def test_the_pointer_reads_both_scales(catalogue: BrowserPage) -> None:
    page = catalogue.open("/")
    field = page.locator(".ladder-field").bounding_box()
    assert field
    page.mouse.move(field["x"] + field["width"] / 2, field["y"] + 40)
    expect(page.locator(".reading-text").first).to_have_text(re.compile("µs"))
    expect(page.locator(".reading-text").last).to_have_text(re.compile("/s"))


def test_touch_targets_of_a_phone_are_44_pixels_high(catalogue: BrowserPage) -> None:
    catalogue.resize(width_px=WIDTHS_PX["phone"])
    page = catalogue.open("/plans/")
    small = page.evaluate(
        """[...document.querySelectorAll(".nav a, .tools a, .tools button, .pick, .pages a")]
           .filter((e) => e.offsetParent && e.getBoundingClientRect().height < 44)
           .map((e) => e.textContent.trim())"""
    )
    assert small == []


def test_print_is_light_and_leaves_the_controls_out(catalogue: BrowserPage) -> None:
    catalogue.page.emulate_media(color_scheme="dark", media="print")
    page = catalogue.open("/plans/")
    expect(page.locator(".filters")).to_be_hidden()
    assert page.evaluate("getComputedStyle(document.documentElement).backgroundColor") == (
        "rgb(255, 255, 255)"
    )


def test_forced_colours_keep_the_marks(catalogue: BrowserPage) -> None:
    catalogue.page.emulate_media(forced_colors="active")
    page = catalogue.open("/")
    mark = page.locator(".rung svg.wide .mark").first
    stroke = mark.evaluate("(e) => getComputedStyle(e).stroke")
    ground = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert stroke != ground
