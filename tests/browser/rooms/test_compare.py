"""Comparing in a real browser: from home to a link for a colleague, with and without a script."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, expect

from apps.rankings.models import Standing
from tests.browser.rooms.test_runs import await_painted
from tests.browser.test_site import assert_good_everywhere
from tests.support.browser import WIDTHS_PX, BrowserPage

pytestmark = pytest.mark.browser

AX102 = "plan:hetzner-ax102-15-36-tb-nvme-dc-drive"
AX41 = "plan:hetzner-ax41-nvme"
PAIR = f"/compare/?on={AX102}&on={AX41}"
MANY = f"{PAIR}&on=plan:hetzner-ccx63&on=run:webp-ax102-fio-fsync-8k&on=drive:micron-7500-pro"
NOTHING_COMMON = "/compare/?on=plan:hetzner-ccx33&on=plan:hetzner-ax102"


@pytest.mark.parametrize(
    "address", ["/compare/", f"/compare/?on={AX41}&add=ccx", PAIR, MANY, NOTHING_COMMON]
)
def test_every_comparison_is_accessible_and_fits(catalogue: BrowserPage, address: str) -> None:
    assert_good_everywhere(catalogue, address)


def test_two_plans_are_put_against_each_other_and_the_link_is_sent(catalogue: BrowserPage) -> None:
    page = catalogue.open("/compare/")
    page.get_by_label("Add a plan, a drive or a run").press_sequentially("ax41")
    page.locator("#offers a", has_text="AX41-NVMe").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Compare AX41-NVMe")
    page.get_by_label("Add a plan, a drive or a run").press_sequentially("ccx63")
    page.locator("#offers a", has_text="CCX63").click()
    expect(page.get_by_role("heading", level=1)).to_have_text(
        re.compile(r"AX41-NVMe\s+against\s+CCX63")
    )
    expect(page.locator(".answer-says")).to_have_text("CCX63 is 4.4 times as fast as AX41-NVMe.")
    page.get_by_text("Send it to a colleague").click()
    copy = page.locator("[data-copy=compare-link]")
    copy.click()
    expect(copy).to_have_text("Copied")
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied.endswith("/compare/?on=plan:hetzner-ax41-nvme&on=plan:hetzner-ccx63")
    page.get_by_text("Add or remove something?").click()
    page.get_by_role("link", name=re.compile("Make it the baseline.*CCX63")).click()
    expect(page.locator(".fine.after")).to_contain_text("Ratios are to CCX63")
    page.go_back()
    expect(page.locator(".fine.after")).to_contain_text("Ratios are to AX41-NVMe")


def test_a_plan_that_nobody_measured_leads_to_the_nearest_comparison(
    catalogue: BrowserPage,
) -> None:
    page = catalogue.open(NOTHING_COMMON)
    head = page.locator(".thing-words")
    expect(head.locator(".answer-says")).to_have_text(
        "Nearest measured: AX102 + 15.36 TB NVMe\u2026 is 13 times as fast as CCX63."
    )
    expect(head.locator(".answer-sure")).to_contain_text("Borderline: 7.1\u201318 times")
    picture = page.locator(".lanes")
    box = picture.bounding_box()
    assert box
    assert box["y"] + box["height"] < 900  # in the first screen
    for said in ("822/s", "10,318/s", "13\u00d7"):
        expect(picture.locator("svg", has_text=said).first).to_be_visible()
    head.get_by_role("link", name="Compare").click()
    expect(page.locator(".answer-says")).to_contain_text("as fast as CCX63.")


@pytest.mark.parametrize("width_px", WIDTHS_PX.values(), ids=list(WIDTHS_PX))
def test_the_curves_are_painted_and_read_with_the_keyboard(
    catalogue: BrowserPage, width_px: int
) -> None:
    catalogue.resize(width_px=width_px)
    page = catalogue.open(PAIR)
    chart = page.locator("[data-chart=compare]")
    chart.focus()
    expect(page.locator("html")).to_have_attribute("data-charts", "1")
    await_painted(chart.locator("canvas"))
    page.keyboard.press("ArrowRight")
    expect(page.locator("[data-chart=compare] + [role=status]")).to_have_text(
        re.compile(r"p50: AX102.* 89 µs, AX41-NVMe 5.28 ms")
    )


# Widths across of two marks on one line, and where their figures of 50 pixels begin; 4 pixels below
# the mark's middle is beside it, 20 is below it.
SPOTS = [
    ([200, 240], [[139, 4], [251, 4]]),  # away from each other
    ([200, 289], [[139, 4], [300, 4]]),
    ([30, 60], [[5, 20], [71, 4]]),  # no room on the left, nor between them
    ([30, 200], [[41, 4], [211, 4]]),
    ([200, 330], [[139, 4], [300, 20]]),  # none on the right
    ([330], [[269, 4]]),
]


def test_the_figures_of_two_curves_stand_away_from_each_other(catalogue: BrowserPage) -> None:
    page = catalogue.open(PAIR)
    found = page.evaluate(
        """(all) => all.map((places) => fsyncmark.curves.spread(
            places.map((px) => ({ px, width: 50 })), { left: 0, right: 350 },
        ).map(({ x, down }) => [x, down]))""",
        [places for places, _ in SPOTS],
    )
    assert found == [spots for _, spots in SPOTS]


def test_marks_stand_below_the_ruler_at_their_latency(catalogue: BrowserPage) -> None:
    page = catalogue.open(PAIR)
    ruler = page.locator(".ruler-field").bounding_box()
    mark = page.locator(".versus td.field svg.look-a rect").nth(1).bounding_box()  # of p50
    assert ruler
    assert mark
    share = (mark["x"] + mark["width"] / 2 - ruler["x"]) / ruler["width"]
    rate = Standing.objects.get(plan=AX102.removeprefix("plan:"), workload="fallocated-8k-fsync")
    assert 100 * 10 ** (6 * share) == pytest.approx(rate.p50_ns, rel=0.04)


def test_without_a_script_marks_stand_for_the_curves_and_all_else_works(
    chromium: Browser, catalogue: BrowserPage
) -> None:
    context = chromium.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{catalogue.site_url}/compare/?on={AX41}")
    page.get_by_label("Add a plan, a drive or a run").fill("Hetzner CCX63")
    page.get_by_role("button", name="Add").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("CCX63")
    expect(page.locator(".versus")).to_contain_text("durable commits/s")
    expect(page.locator(".lanes")).to_be_visible()  # the picture, drawn by the server
    page.get_by_text("Add or remove something?").click()
    page.get_by_role("link", name=re.compile("Remove.*AX41-NVMe")).click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Compare CCX63")
    context.close()


def test_touch_targets_of_a_phone_are_44_pixels_high(catalogue: BrowserPage) -> None:
    catalogue.resize(width_px=WIDTHS_PX["phone"])
    page = catalogue.open(PAIR)
    small = page.evaluate(
        """[...document.querySelectorAll(".thing-do a, .adder input, .adder button, summary")]
           .filter((e) => e.offsetParent && e.getBoundingClientRect().height < 44)
           .map((e) => e.textContent.trim())"""
    )
    assert small == []


def test_the_facts_of_two_things_fit_a_phone(catalogue: BrowserPage) -> None:
    catalogue.resize(width_px=WIDTHS_PX["phone"])
    page = catalogue.open(f"{PAIR}#around")
    box = page.locator(".scroll:has(> .aspects)").first
    assert box.evaluate("(e) => e.scrollWidth <= e.clientWidth")
    page = catalogue.open(f"{MANY}#around")  # more of them are moved within their own box
    assert box.evaluate("(e) => e.scrollWidth > e.clientWidth")


def test_no_box_of_a_class_crosses_words_in_forced_colours(catalogue: BrowserPage) -> None:
    page = catalogue.open("/")
    page.emulate_media(forced_colors="active")
    of_band = page.locator(".rung .band").first.evaluate("(e) => getComputedStyle(e).stroke")
    assert of_band == "none"
    ground = page.evaluate("getComputedStyle(document.documentElement).backgroundColor")
    for address, words in (("/", ".rung text"), ("/plans/", ".field .says")):
        catalogue.open(address)  # what crosses the words ends before them
        halo = page.locator(words).first.evaluate(
            "(e) => [getComputedStyle(e).stroke, getComputedStyle(e).paintOrder.split(' ')[0]]"
        )
        assert halo == [ground, "stroke"], words


def test_forced_colours_and_print_keep_the_marks(catalogue: BrowserPage) -> None:
    page = catalogue.open(PAIR)
    page.emulate_media(forced_colors="active")
    stroke = page.locator(".versus td.field svg.look-b rect").first.evaluate(
        "(e) => getComputedStyle(e).stroke"
    )
    ground = page.evaluate("getComputedStyle(document.documentElement).backgroundColor")
    assert stroke != ground
    for shape in (".look-a rect", ".look-b rect"):  # open would say: without protection
        fill = page.locator(f".versus td.field {shape}").first.evaluate(
            "(e) => getComputedStyle(e).fill"
        )
        assert fill != ground, shape
    page.emulate_media(forced_colors="none", media="print")
    for useless in (".adder", "#compare-link"):
        expect(page.locator(useless)).to_be_hidden()
    expect(page.locator(".versus")).to_be_visible()
