"""The page of a run in a real browser: charts, their reading by keyboard, copying, waiting."""

from __future__ import annotations

import re
from typing import Literal, get_args

import pytest
from playwright.sync_api import Locator, Page, expect

from apps.runs.models import Run, Upload
from tests import make
from tests.support.browser import DECODED_WIDTH_PX, WIDTHS_PX, BrowserPage

pytestmark = pytest.mark.browser

Theme = Literal["light", "dark"]
# A chart is drawn once what folds it away is open.
UNFOLD_ALL = """() => {
  const folds = document.querySelectorAll("details.fold, details.other-lines");
  for (const fold of folds) fold.open = true;
}"""
CANVAS_IS_PAINTED = """(canvas) => canvas.getContext("2d")
  .getImageData(0, 0, canvas.width, canvas.height).data.some((value) => value > 0)"""


def await_painted(canvas: Locator) -> None:
    """Wait until something is drawn on a canvas; Playwright's time limit fails the test."""
    canvas.page.wait_for_function(CANVAS_IS_PAINTED, arg=canvas.element_handle())


@pytest.mark.parametrize("theme", get_args(Theme))
@pytest.mark.parametrize("width_px", WIDTHS_PX.values(), ids=list(WIDTHS_PX))
def test_every_chart_of_a_run_is_painted_inside_the_page(
    measured_run: Run, reading_page: BrowserPage, width_px: int, theme: Theme
) -> None:
    reading_page.resize(width_px=width_px)
    reading_page.page.emulate_media(color_scheme=theme)
    page = reading_page.open(f"/runs/{measured_run.slug}/")
    charts = page.locator("[data-chart] canvas")
    page.evaluate(UNFOLD_ALL)
    expect(page.locator("html")).to_have_attribute("data-charts", str(charts.count()))
    assert charts.count() == 2
    for canvas in charts.all():
        await_painted(canvas)
        box = canvas.bounding_box()
        assert box
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= width_px


@pytest.mark.parametrize("width_px", WIDTHS_PX.values(), ids=list(WIDTHS_PX))
def test_graphs_of_a_long_run_are_painted_and_can_be_read_with_the_keyboard(
    long_run: Run, reading_page: BrowserPage, width_px: int
) -> None:
    reading_page.resize(width_px=width_px)
    page = reading_page.open(f"/runs/{long_run.slug}/")
    graphs = page.locator("[data-chart=xy]")
    expect(graphs).to_have_count(5)
    page.evaluate(UNFOLD_ALL)
    count = page.locator("[data-chart]").count()
    expect(page.locator("html")).to_have_attribute("data-charts", str(count))
    for canvas in graphs.locator("canvas").all():
        await_painted(canvas)
    graphs.first.focus()
    page.keyboard.press("ArrowRight")
    expect(graphs.first.locator("+ [role=status]")).to_have_text("one file, 1: 1,000")


def test_a_curve_can_be_read_with_the_keyboard(
    measured_run: Run, reading_page: BrowserPage
) -> None:
    page = reading_page.open(f"/runs/{measured_run.slug}/")
    chart = page.locator("[data-chart=percentiles]").first
    chart.focus()
    expect(page.locator("html")).to_have_attribute("data-charts", re.compile(r"[1-9]"))
    chart.press("ArrowRight")
    expect(page.locator("[data-chart=percentiles] + [role=status]").first).to_contain_text("p50")
    expect(page.locator(".answer")).to_contain_text("Half of all commits finish within")
    reading_page.assert_accessible()
    page.evaluate(UNFOLD_ALL)
    reading_page.settle()
    reading_page.assert_accessible()


def test_a_chart_keeps_words_apart_from_what_lies_behind_them_in_forced_colours(
    measured_run: Run, reading_page: BrowserPage
) -> None:
    reading_page.page.emulate_media(forced_colors="active")
    page = reading_page.open(f"/runs/{measured_run.slug}/")
    await_painted(page.locator("canvas").first)
    colours = page.evaluate(
        """["bg", "band", "ink", "hot"].map((name) => {
          const probe = document.body.appendChild(document.createElement("i"));
          probe.className = `probe-${name}`;
          return getComputedStyle(probe).color;
        })"""
    )
    ground, band, *words = colours
    assert ground == band
    assert ground not in words


def test_a_chart_has_the_figures_of_its_table(measured_run: Run, reading_page: BrowserPage) -> None:
    page = reading_page.open(f"/runs/{measured_run.slug}/")
    chart = page.locator("[data-chart=percentiles]").first
    chart.focus()
    expect(page.locator("html")).to_have_attribute("data-charts", re.compile(r"[1-9]"))
    chart.press("ArrowRight")
    status = page.locator("[data-chart=percentiles] + [role=status]").first
    expect(status).to_contain_text("p50")
    spoken = status.inner_text()
    cell = page.locator(".figures tbody tr").first.locator("td").first.text_content() or ""
    assert re.sub(r"[^\d.]", "", spoken.removeprefix("p50")) == re.sub(r"[^\d.]", "", cell)


def test_a_chart_marks_only_the_quantiles_that_a_source_states(catalogue: BrowserPage) -> None:
    page = catalogue.open("/runs/shoal-titan-970evo-x7-4k-overwrite/")
    await_painted(page.locator("canvas").first)
    chart = page.locator("[data-chart=percentiles]").first
    chart.focus()
    said = []
    for _stop in range(3):
        chart.press("ArrowRight")
        said.append(page.locator("[data-chart=percentiles] + [role=status]").first.inner_text())
    assert [each.split()[0] for each in said] == ["p50", "p99", "p99.9"]


def test_copying_a_badge_puts_its_markdown_on_the_clipboard(
    measured_run: Run, reading_page: BrowserPage
) -> None:
    page = reading_page.open(f"/runs/{measured_run.slug}/#show")
    button = page.locator("[data-copy=badge-markdown]")
    button.click()
    expect(button).to_have_text("Copied")
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied.startswith("[![")
    assert f"/badge/run/{measured_run.slug}.svg" in copied
    assert page.locator("img.badge").first.evaluate(DECODED_WIDTH_PX) > 0


def assert_every_box_copies(page: Page) -> None:
    """Each copy button puts exactly what its box shows on the clipboard, and says so."""
    buttons = page.locator("[data-copy]").all()
    assert buttons
    page.evaluate(UNFOLD_ALL)
    for button in buttons:
        box = page.locator(f"#{button.get_attribute('data-copy')}")
        page.evaluate("navigator.clipboard.writeText('something else')")
        button.click()
        expect(button).to_have_text("Copied")
        assert page.evaluate("navigator.clipboard.readText()") == (box.text_content() or "").strip()


@pytest.mark.parametrize(
    "width_px",
    [
        pytest.param(width, id=name, marks=pytest.mark.daily if name == "phone" else ())
        for name, width in WIDTHS_PX.items()
    ],
)
def test_every_copy_box_of_the_site_copies(
    measured_run: Run, reading_page: BrowserPage, width_px: int
) -> None:
    reading_page.resize(width_px=width_px)
    for address in (
        f"/runs/{measured_run.slug}/", f"/plans/{measured_run.plan_id}/",
        "/drives/micron-7500-pro/", "/measure/",
    ):  # fmt: skip
        assert_every_box_copies(reading_page.open(address))


def test_a_copy_that_the_browser_refuses_is_said(catalogue: BrowserPage) -> None:
    page = catalogue.open("/measure/")
    page.evaluate("() => { navigator.clipboard.writeText = () => Promise.reject(Error('no')) }")
    button = page.locator("[data-copy=dry-command]")
    button.click()
    expect(button).to_have_text("Press Ctrl-C")
    assert page.evaluate("getSelection().toString()").strip() == "./fsyncmark run . --no-upload"


def test_the_waiting_page_becomes_the_run(browser_page: BrowserPage) -> None:
    upload = make.upload(witnessed=True, state=Upload.State.DONE)
    page = browser_page.open(f"/runs/{upload.run_id}/")
    expect(page.get_by_role("heading", level=1)).to_have_text("Your run is being processed")
    browser_page.assert_accessible()
    run = make.run(id=upload.run_id, slug=str(upload.run_id), upload=upload)
    make.latency(measurement=make.measurement(run=run))
    expect(page.locator(".answer")).to_be_visible()


def test_charts_are_drawn_without_scrolling_and_folded_ones_when_they_are_opened(
    long_run: Run, reading_page: BrowserPage
) -> None:
    reading_page.resize(width_px=WIDTHS_PX["phone"])
    page = reading_page.open(f"/runs/{long_run.slug}/")
    root = page.locator("html")
    expect(root).to_have_attribute("data-charts", "1")  # on a phone it begins below the screen
    assert page.evaluate("scrollY") == 0
    page.locator("#graphs > summary").click()
    expect(page.locator("#graphs")).to_have_attribute("open", "")
    expect(root).to_have_attribute("data-charts", "6")


def test_an_address_opens_what_it_names_and_paper_opens_all(
    measured_run: Run, reading_page: BrowserPage
) -> None:
    page = reading_page.open(f"/runs/{measured_run.slug}/#flushes")
    opened = page.locator("details.fold[open]")
    expect(opened).to_have_count(1)
    expect(page.locator("#flushes")).to_be_in_viewport()
    page.evaluate("location.hash = 'rate'")
    expect(opened).to_have_count(2)
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    expect(page.locator("details.fold:not([open])")).to_have_count(0)
    count = page.locator("[data-chart]").count()
    expect(page.locator("html")).to_have_attribute("data-charts", str(count))
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    expect(opened).to_have_count(2)


def test_a_chart_library_that_cannot_be_fetched_leaves_the_table(
    measured_run: Run, reading_page: BrowserPage
) -> None:
    reading_page.page.route("**/chart.umd*.js", lambda route: route.abort())
    page = reading_page.open(f"/runs/{measured_run.slug}/")
    expect(page.locator("[data-chart] .no-script").first).to_be_visible()
    reading_page.complaints.clear()  # the browser reports the file that this test withheld
