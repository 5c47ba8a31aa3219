"""The frame in a real browser: menu, languages, no script, little motion, forced colours."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from tests.browser.test_site import assert_fits
from tests.support.addresses import CHINESE, PAGES
from tests.support.browser import HEIGHT_PX, TWO_FRAMES, WIDTHS_PX, BrowserPage

pytestmark = pytest.mark.browser
WIDTHS_OF_HEADS_PX = [320, 360, 390, 768, 1024, 1240, 1440]
MASTHEAD_PX = 60  # higher, and its links stand on two lines
FONT_SOURCES = """() => [...document.styleSheets]
    .flatMap((sheet) => [...sheet.cssRules])
    .filter((rule) => rule instanceof CSSFontFaceRule)
    .map(({ style }) => [style.getPropertyValue("font-family").replaceAll('"', ""), style.src])"""
FONTS_USED = """() => [...document.fonts]
    .filter((font) => font.status === "loaded")
    .map((font) => font.family.replaceAll('"', ""))"""
LAYOUT_SHIFT_MAX = 0.02  # a fifth of what is called good


def test_the_masthead_stands_on_one_line_at_every_width(catalogue: BrowserPage) -> None:
    for prefix in ("", CHINESE):
        page = catalogue.open(f"{prefix}/rules/")
        for width_px in WIDTHS_OF_HEADS_PX:
            catalogue.resize(width_px=width_px)
            assert_fits(page, f"{prefix} at {width_px}")
            head = page.locator(".mast").bounding_box()
            assert head
            assert head["height"] <= MASTHEAD_PX, width_px
            assert page.locator(".wide-nav").is_visible() != page.locator(".menu").is_visible()


def test_every_font_that_is_fetched_ahead_is_used(catalogue: BrowserPage) -> None:
    page = catalogue.open("/plans/")
    ahead = page.locator("link[rel=preload][as=font]")
    assert ahead.count() > 0
    sources = page.evaluate(FONT_SOURCES)
    used = page.evaluate(FONTS_USED)
    for link in ahead.all():
        name = (link.get_attribute("href") or "").rpartition("/")[2]
        assert [family for family, source in sources if name in source and family in used], name


@pytest.mark.parametrize("width_px", [360, WIDTHS_PX["desktop"]])
@pytest.mark.parametrize("path", ["/", "/import/"])
def test_nothing_moves_and_all_fits_when_the_fonts_are_late(
    catalogue: BrowserPage, chromium: Browser, path: str, width_px: int
) -> None:
    """As a reader far away sees it who was never here: fonts come after the page is painted."""
    page = chromium.new_page(viewport={"width": width_px, "height": HEIGHT_PX})
    late: list[Route] = []

    def hold(font: Route) -> None:
        late.append(font)

    page.route("**/*.woff2", hold)
    page.goto(catalogue.site_url + path, wait_until="domcontentloaded")
    page.evaluate(PAINTED)
    assert late, "no font was asked for"
    for font in late:
        font.continue_()
    page.wait_for_load_state("load")
    page.evaluate(TWO_FRAMES)
    assert page.evaluate(LAYOUT_SHIFT) <= LAYOUT_SHIFT_MAX
    assert_fits(page, path)
    page.close()


def test_the_menu_opens_with_the_keyboard_and_closes_with_escape(catalogue: BrowserPage) -> None:
    catalogue.resize(width_px=WIDTHS_PX["phone"])
    page = catalogue.open("/rules/")
    summary = page.locator(".menu summary")
    summary.focus()
    page.keyboard.press("Enter")
    link = page.locator(".menu-list").get_by_role("link", name="Drives")
    expect(link).to_be_visible()
    catalogue.assert_accessible()
    assert all(box["height"] >= 44 for box in boxes(page, ".menu-list a"))
    page.keyboard.press("Escape")
    expect(link).to_be_hidden()
    expect(summary).to_be_focused()
    summary.click()
    page.locator("h1").click(force=True)
    expect(link).to_be_hidden()


def boxes(page: Page, selector: str) -> list[dict[str, float]]:
    found = [each.bounding_box() for each in page.locator(selector).all() if each.is_visible()]
    return [dict(box) for box in found if box]  # type: ignore[arg-type]  # a FloatRect is a dict of floats


def test_the_language_is_switched_on_the_same_page(catalogue: BrowserPage) -> None:
    page = catalogue.open("/plans/?plp=none")
    page.get_by_role("link", name="简体中文").click()
    expect(page).to_have_url(re.compile(r"/zh-hans/plans/\?plp=none$"))
    expect(page.locator("html")).to_have_attribute("lang", "zh-Hans")
    page.locator(".wide-nav").get_by_role("link", name="硬盘").click()
    expect(page).to_have_url(re.compile(r"/zh-hans/drives/$"))
    page.get_by_role("link", name="English").click()
    expect(page).to_have_url(re.compile(r"[^s]/drives/$"))


def test_chinese_pages_are_accessible_and_fit(catalogue: BrowserPage) -> None:
    for path in ("/rules/", "/rules/faster-than-medium/", "/import/", "/styleguide/"):
        page = catalogue.open(CHINESE + path)
        for width_px in WIDTHS_PX.values():
            catalogue.resize(width_px=width_px)
            assert_fits(page, path)
        catalogue.assert_accessible()


PAINTED = """() => new Promise((done) => new PerformanceObserver(() => done())
    .observe({type: "paint", buffered: true}))"""
# How far things were moved under the reader's eyes since the page began.
LAYOUT_SHIFT = """() => new Promise((done) => new PerformanceObserver((list) => done(
    list.getEntries().reduce((sum, e) => sum + e.value, 0)))
    .observe({type: "layout-shift", buffered: true}) || setTimeout(() => done(0), 50))"""
# How many elements would move by themselves: the browser asks for less motion.
MOVING = """[...document.querySelectorAll("*")].filter((e) => {
    const s = getComputedStyle(e);
    return parseFloat(s.transitionDuration) > 0 || s.animationName !== "none";
  }).length"""


@pytest.mark.parametrize("language", ["", pytest.param(CHINESE, marks=pytest.mark.daily)])
def test_every_page_fits_a_small_phone_stands_still_and_is_readable_in_forced_colours(
    catalogue: BrowserPage, language: str
) -> None:
    """One opening of each page answers all three: opening is what takes the time."""
    for path in [language + page.path for page in PAGES]:
        catalogue.page.emulate_media(forced_colors="none")
        catalogue.resize(width_px=360)
        page = catalogue.open(path)
        assert_fits(page, path)
        shift = page.evaluate(LAYOUT_SHIFT)
        assert shift <= LAYOUT_SHIFT_MAX, f"{path}: {shift}"
        for width_px in (360, WIDTHS_PX["desktop"]):
            catalogue.resize(width_px=width_px)
            assert page.evaluate(MOVING) == 0, f"{path} at {width_px}"
        assert_readable_in_forced_colours(page, path)


def assert_readable_in_forced_colours(page: Page, path: str) -> None:
    page.emulate_media(forced_colors="active")
    ink = page.locator("h1").evaluate("(e) => getComputedStyle(e).color")
    ground = page.evaluate("getComputedStyle(document.documentElement).backgroundColor")
    assert ink != ground, path


def test_the_checks_of_every_page_can_fail(catalogue: BrowserPage) -> None:
    page = catalogue.open("/about/")
    page.evaluate(
        "document.querySelector('h1').style.setProperty('animation-name', 'x', 'important')"
    )
    assert page.evaluate(MOVING) == 1
    page.evaluate("document.querySelector('main').style.marginTop = '400px'")
    page.evaluate("new Promise((next) => requestAnimationFrame(() => requestAnimationFrame(next)))")
    assert page.evaluate(LAYOUT_SHIFT) > LAYOUT_SHIFT_MAX
    page.evaluate("""document.querySelector("h1").style.cssText =
        "forced-color-adjust: none; color: rgb(1, 2, 3)" """)
    page.evaluate("""document.documentElement.style.cssText =
        "forced-color-adjust: none; background-color: rgb(1, 2, 3)" """)
    with pytest.raises(AssertionError, match="/about/"):
        assert_readable_in_forced_colours(page, "/about/")


def test_every_page_has_its_content_without_a_script(
    catalogue: BrowserPage, chromium: Browser
) -> None:
    context = chromium.new_context(base_url=catalogue.site_url, java_script_enabled=False)
    page = context.new_page()
    for each in PAGES:
        page.goto(each.path)
        expect(page.locator("h1")).to_be_visible()
        words = page.locator("main").inner_text()
        assert len(words.split()) > 20, each.path
        assert page.locator(".theme, .copy").evaluate_all(
            "(all) => all.every((e) => e.offsetParent === null)"
        ), f"{each.path} shows a control that does nothing"
    context.close()


def test_a_copied_box_answers_in_the_language_of_the_page(catalogue: BrowserPage) -> None:
    page = catalogue.open(CHINESE + "/styleguide/")
    page.locator("[data-copy=sample-code]").click()
    expect(page.locator("[data-copy=sample-code]")).to_have_text(re.compile("已复制"))
