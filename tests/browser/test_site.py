"""Every page in a real browser: accessible and in its frame, at each width and in both themes.

Every test also fails on console errors and on breaches of the content security policy; see
tests/support/browser.py.
"""

from __future__ import annotations

import re
from typing import Literal

import pytest
from playwright.sync_api import Page, expect

from apps.runs.models import Run
from tests.support.addresses import PAGES
from tests.support.browser import WIDTHS_PX, BrowserPage

pytestmark = pytest.mark.browser

PUBLISHED_RUN = "/runs/webp-ax102-fio-fsync-8k/"
LISTS = [
    "/", "/plans/", "/plans/?plp=none&sort=cost", "/plans/?q=nobody-has-this", "/providers/",
    "/drives/", "/drives/unknown/", "/runs/", "/measure/", "/method/", "/rules/",
    "/rules/faster-than-medium/", "/rules/reads-from-cache/",
]  # fmt: skip
THINGS = [
    "/plans/hetzner-cax41/", "/plans/aws-c6id-large/", "/drives/micron-7500-pro/",
    "/drives/crucial-mx500/", "/providers/hetzner/", PUBLISHED_RUN,
]  # fmt: skip
OTHER_WIDTHS_PX = [360, 768, 900, 1024]
Look = tuple[str, Literal["light", "dark"]]  # a width and a theme
LOOKS: list[Look] = [("phone", "light"), ("desktop", "dark")]
OTHER_LOOKS: list[Look] = [("phone", "dark"), ("desktop", "light")]


def assert_fits(page: Page, address: str) -> None:
    """Nothing makes the page scroll sideways."""
    too_wide = page.evaluate(
        "document.documentElement.scrollWidth - document.documentElement.clientWidth"
    )
    assert too_wide <= 0, f"{address} is {too_wide} px too wide"


def assert_can_be_read(page: Page, address: str) -> None:
    """No text is smaller than a note, but the labels of a drawing: in the SVG, or of its axis."""
    small = page.evaluate(
        """[...document.querySelectorAll("body *:not(svg *, .scale-names *)")]
           .filter((e) => [...e.childNodes].some((n) => n.nodeType === 3 && n.data.trim()))
           .filter((e) => e.offsetParent && parseFloat(getComputedStyle(e).fontSize) < 13)
           .map((e) => e.textContent.trim())"""
    )
    assert small == [], f"{address} has text that is too small"


def assert_good_everywhere(tab: BrowserPage, address: str) -> None:
    """A page is accessible at both widths, in both themes, and fits at these and other widths."""
    tab.resize(width_px=WIDTHS_PX["desktop"])
    tab.open(address)
    assert_good_as_it_stands(tab, address)


def assert_good_as_it_stands(tab: BrowserPage, address: str) -> None:
    """What `assert_good_everywhere` holds, of the page that is open.

    A width changes the layout and a theme the colours: two scans see either of both.
    """
    for width, theme in LOOKS:
        tab.resize(width_px=WIDTHS_PX[width])
        assert_fits(tab.page, address)
        assert_can_be_read(tab.page, address)
        tab.page.emulate_media(color_scheme=theme)
        tab.assert_accessible()
    for width_px in OTHER_WIDTHS_PX:
        tab.resize(width_px=width_px)
        assert_fits(tab.page, address)


@pytest.mark.parametrize("addresses", [LISTS, THINGS], ids=["lists", "things"])
def test_every_page_is_accessible_and_fits(catalogue: BrowserPage, addresses: list[str]) -> None:
    for address in addresses:
        assert_good_everywhere(catalogue, address)


@pytest.mark.daily
@pytest.mark.parametrize(("width", "theme"), OTHER_LOOKS)
def test_colours_hang_on_the_theme_alone(
    catalogue: BrowserPage, width: str, theme: Literal["light", "dark"]
) -> None:
    """What is seen of a page with each change is one theme at each width: here the other one."""
    catalogue.resize(width_px=WIDTHS_PX[width])
    catalogue.page.emulate_media(color_scheme=theme)
    for page in PAGES:
        catalogue.open(page.path)
        catalogue.assert_accessible("color-contrast")


def test_what_was_measured_is_accessible_and_fits(
    measured_run: Run, reading_page: BrowserPage
) -> None:
    assert_good_everywhere(reading_page, f"/runs/{measured_run.slug}/")
    assert_good_everywhere(reading_page, f"/plans/{measured_run.plan_id}/")


def test_a_long_run_and_its_workloads_are_accessible_and_fit(
    long_run: Run, reading_page: BrowserPage
) -> None:
    assert_good_everywhere(reading_page, f"/runs/{long_run.slug}/")
    assert_good_everywhere(reading_page, f"/runs/{long_run.slug}/group-commit-8k-32-v1/")


def test_the_reference_of_the_api_is_drawn_from_our_own_files(browser_page: BrowserPage) -> None:
    browser_page.resize(width_px=1440)
    page = browser_page.open("/api/v1/reference/")
    page.get_by_text("API docs by Redocly").wait_for()
    assert page.locator(".reference img").count() == 0


def test_what_is_not_there_is_accessible(browser_page: BrowserPage) -> None:
    for width_px in WIDTHS_PX.values():
        browser_page.resize(width_px=width_px)
        assert_fits(browser_page.open("/nowhere/"), "/nowhere/")
        browser_page.assert_accessible()
    browser_page.complaints.clear()  # the browser reports the 404 that this test asked for


def test_the_checks_of_this_folder_can_fail(browser_page: BrowserPage) -> None:
    page = browser_page.open("/method/")
    page.evaluate("document.querySelector('h1').append(document.createElement('img'))")
    with pytest.raises(AssertionError, match="image-alt"):
        browser_page.assert_accessible()
    page.evaluate("document.querySelector('h1').style.width = '3000px'")
    with pytest.raises(AssertionError, match="too wide"):
        assert_fits(page, "/method/")
    page.evaluate("document.querySelector('h1').style.fontSize = '12px'")
    with pytest.raises(AssertionError, match="too small"):
        assert_can_be_read(page, "/method/")
    assert not browser_page.complaints
    page.evaluate("document.body.insertAdjacentHTML('beforeend', '<i style=\"color: red\"></i>')")
    page.evaluate("console.error('noticed')")
    assert [text for text in browser_page.complaints if "Content Security Policy" in text]
    assert [text for text in browser_page.complaints if "noticed" in text]
    browser_page.complaints.clear()


def test_the_focus_can_be_seen_wherever_the_keyboard_goes(catalogue: BrowserPage) -> None:
    page = catalogue.open("/plans/?q=ax102")
    rings = []
    for _ in range(34):  # past the head and its search
        page.keyboard.press("Tab")
        rings.append(
            page.evaluate(
                """() => {
                  const focused = document.activeElement;
                  const ring = getComputedStyle(focused.closest(".pick") ?? focused);
                  return [focused.id || focused.textContent.trim(), ring.outlineStyle,
                          parseFloat(ring.outlineWidth)];
                }"""
            )
        )
    assert {"find", "pick-plp", "sort-cost"} <= {name for name, _, _ in rings}
    assert [name for name, style, width in rings if style == "none" or width < 2] == []


def test_home_tells_the_story_in_one_screen(catalogue: BrowserPage) -> None:
    page = catalogue.open("/")
    lede = page.locator(".hero .lede")
    expect(lede).to_contain_text("10,318")
    expect(lede).to_contain_text("187")
    expect(lede).to_be_in_viewport()
    expect(page.locator(".ladder-field")).to_be_in_viewport()
    expect(page.locator(".apart .value")).to_have_text(re.compile("^55"))


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
