"""Guides, lies and the first page in a real browser: the journeys of somebody who decides."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

import pytest
from playwright.sync_api import Route, expect

from apps.pages.guides.all import GUIDES
from apps.runs.models import Run
from tests.browser.test_site import assert_fits, assert_good_everywhere
from tests.support.browser import DECODED_WIDTH_PX, WIDTHS_PX, BrowserPage
from tests.support.browsing.budgets import assert_within_budget, store_a_year
from tests.support.live_site import Scenes

pytestmark = pytest.mark.browser

PAGES = [
    "/guides/", "/guides/oltp/", "/guides/oltp/#settings", "/guides/etcd/?q=ax102",
    "/guides/oltp/?rate=none", "/lies/", "/about/", "/embed/", "/embed/?q=990",
    "/embed/?of=plan:hetzner-ccx63", "/embed/?of=plan:none",
]  # fmt: skip
GUIDE_PAGES: Final = tuple(f"/guides/{each.slug}/" for each in GUIDES)
ASKED: Final = ("/guides/oltp/?q=990+pro", "/guides/oltp/?q=nobody-has-this")
NO_ANSWER: Final = (
    "/guides/", "/method/", "/about/", "/measure/", "/embed/", "/published/propose/", "/import/",
)  # fmt: skip
LIES: Final = 10  # each is a question with its answer


def test_every_page_is_accessible_and_fits(catalogue: BrowserPage) -> None:
    for address in PAGES:
        assert_good_everywhere(catalogue, address)


def test_is_a_990_pro_fit_for_postgres(catalogue: BrowserPage) -> None:
    """One click from home; the first screen has the figure, how sure it is, and its source."""
    page = catalogue.open("/")
    page.get_by_role("link", name="Is a Samsung 990 PRO fit for Postgres?").click()
    expect(page.locator("h1")).to_have_text("Samsung 990 PRO: Is it fit for PostgreSQL?")
    answer, basis = page.locator(".answer"), page.locator(".guide-basis")
    for part in (answer, basis):
        expect(part).to_be_in_viewport(ratio=1)
    expect(answer).to_contain_text("Borderline at 1,000 commits a second of one session.")
    expect(answer).to_contain_text("609 durable commits/s")
    expect(answer).to_contain_text("Borderline: 0.61 times what you need, 1 published run")
    expect(basis).to_contain_text("2025-05")
    expect(page.locator(".guide-head .guide-field .hot")).to_be_in_viewport()
    page.get_by_label("You need, a second").fill("300")
    page.get_by_role("button", name="Judge").click()
    expect(answer).to_contain_text("Likely, at 300 commits a second of one session.")
    basis.get_by_role("link", name="Using Postgres pg_test_fsync tool").click()
    source = page.get_by_text("Using Postgres pg_test_fsync tool for testing low latency writes")
    expect(source.filter(visible=True).first).to_be_visible()


def test_which_drive_is_best_for_etcd(catalogue: BrowserPage) -> None:
    """Two clicks from home; the first screen has the best with its figure and its source."""
    for asked, says, sure in (
        (
            "best nvme for etcd",
            re.compile(r"Plan surest to be fit, of \d+: \w+"),
            re.compile(r"Likely: p99 at \d% of 10\s*ms, \d published runs?"),
        ),
        (
            "best consumer NVMe for etcd",
            re.compile(r"Drive surest to be fit, of \d+: Intel Optane Memory M10"),
            "Likely: p99 at 2% of 10 ms, 2 published runs",
        ),
    ):
        page = catalogue.open("/")
        page.locator("#home-q").fill(asked)
        page.locator(".find-one button").click()
        page.locator("#results").get_by_role("link", name="etcd and Kubernetes").first.click()
        answer = page.locator(".answer")
        expect(answer).to_be_in_viewport(ratio=1)
        expect(answer).to_contain_text(says)
        expect(answer).to_contain_text(sure)
        expect(page.locator(".guide-basis a")).to_be_in_viewport(ratio=1)


def test_can_it_be_that_a_vm_reads_in_700_ns(catalogue: BrowserPage) -> None:
    """Two clicks from home, to the very paragraph."""
    page = catalogue.open("/")
    page.locator("#home-q").fill("0.7 us")
    page.locator(".find-one button").click()
    page.get_by_role("link", name="Can a disk read in 0.7 µs?").first.click()
    lie = page.locator("section.lie:target")
    for part in (".lie-answer", ".lie-answer + .fine", ".lanes"):
        expect(lie.locator(part)).to_be_in_viewport(ratio=1)
    expect(lie.locator(".answer")).to_contain_text("Likely: 1 published run, 1 run of ours")
    lie.get_by_text("Catch it yourself").click()
    expect(lie.locator("pre").first).to_contain_text("read-4k-floor")
    lie.get_by_role("link", name="reads from a cache").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Reads from a cache")


def test_a_link_to_the_machine_opens_it(catalogue: BrowserPage) -> None:
    page = catalogue.open("/lies/#machine")
    expect(page.locator("#machine")).to_have_attribute("open", "")
    expect(page.locator("#machine table")).to_be_visible()


def test_the_limit_of_etcd_stands_where_the_ruler_says(catalogue: BrowserPage) -> None:
    page = catalogue.open("/guides/etcd/")
    ruler = page.locator(".ruler-field").bounding_box()
    assert ruler
    for line in (".guide-field .limit", ".judged .limit"):
        box = page.locator(line).first.bounding_box()
        assert box
        share = (box["x"] + box["width"] / 2 - ruler["x"]) / ruler["width"]
        assert abs(share - 5 / 6) < 0.004, line  # 10 ms: five decades of six


def test_a_run_stands_on_the_ladder_of_the_first_page(
    measured_run: Run, reading_page: BrowserPage
) -> None:
    page = reading_page.page
    for width_px in WIDTHS_PX.values():
        reading_page.resize(width_px=width_px)
        reading_page.open(f"/?run={measured_run.slug}")
        expect(page.get_by_role("heading", level=1)).to_have_text("Where do I stand?")
        expect(page.locator(".yours .mark")).to_be_visible()
        assert_fits(page, "/?run=")
        reading_page.assert_accessible()
    page.get_by_role("link", name="Embed a badge").first.click()
    badge = page.locator(".ground img.badge").first
    assert badge.evaluate(DECODED_WIDTH_PX) > 100
    copy = page.locator("button.copy").first
    copy.click()
    expect(copy).to_have_text("Copied")
    assert f"/badge/run/{measured_run.slug}.svg" in page.evaluate("navigator.clipboard.readText()")


def test_the_first_screen_says_what_it_is_and_where_to_go(catalogue: BrowserPage) -> None:
    for width_px, height_px in ((1440, 900), (390, 844)):
        catalogue.page.set_viewport_size({"width": width_px, "height": height_px})
        page = catalogue.open("/")
        for part in (".lede", "#pasted", ".paste button", ".find-one input"):
            expect(page.locator(part)).to_be_in_viewport(ratio=1)


def test_the_picture_of_one_thing_has_its_names_on_a_phone(catalogue: BrowserPage) -> None:
    catalogue.resize(width_px=WIDTHS_PX["phone"])
    picture = catalogue.open("/guides/oltp/?q=990+pro").locator(".guide-field .lanes").first
    lanes = picture.locator("g", has=catalogue.page.locator(".mark"))
    expect(lanes.first.locator(".lane-above")).to_be_visible()
    expect(lanes.first).to_contain_text("609")
    assert lanes.count() == lanes.locator(".lane-above:visible").count() > 1


def test_touch_targets_are_44_pixels_high(catalogue: BrowserPage) -> None:
    catalogue.resize(width_px=WIDTHS_PX["phone"])
    for address in ("/", "/guides/", "/guides/oltp/", "/embed/?q=990"):
        page = catalogue.open(address)
        small = page.evaluate(
            """[...document.querySelectorAll(`main .questions a, main input,
                main button, main .button, .guide-list h2 a, .judged th a, .judged summary,
                .found a, .other-guides a, .rung-list a, .first-rows :is(a, summary)`)]
               .filter((e) => e.offsetParent && e.getBoundingClientRect().height < 43.5)
               .map((e) => e.textContent.trim())"""
        )
        assert small == [], address


def test_forced_colours_keep_the_verdicts(catalogue: BrowserPage) -> None:
    catalogue.page.emulate_media(forced_colors="active")
    page = catalogue.open("/guides/oltp/")
    shape = page.locator(".verdict-mark path").first
    ground = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert shape.evaluate("(e) => getComputedStyle(e).stroke") != ground


@pytest.mark.daily
def test_pages_of_published_figures_are_short(catalogue: BrowserPage) -> None:
    assert_within_budget(catalogue, *GUIDE_PAGES, *ASKED)
    assert_within_budget(catalogue, *NO_ANSWER, answers=0)
    assert_within_budget(catalogue, "/lies/", answers=LIES)


@pytest.mark.daily
def test_guides_with_a_year_of_examples_are_short(
    scenes: Scenes, reading_page: BrowserPage
) -> None:
    scenes.show(store_a_year)
    assert_within_budget(reading_page, *GUIDE_PAGES)
    assert_within_budget(reading_page, "/guides/", answers=0)


@pytest.mark.parametrize(
    ("platform", "offered", "first"),
    [
        ("Linux", "Linux x86-64, Linux arm64", "Linux arm64"),
        ("macOS", "Linux x86-64, macOS arm64", "macOS arm64"),
        ("macOS", "Linux x86-64, Linux arm64", "Linux x86-64"),
        ("Windows", "Linux x86-64, macOS arm64", "Linux x86-64"),
    ],
)
def test_the_binary_for_the_machine_one_reads_on_comes_first(
    catalogue: BrowserPage, platform: str, offered: str, first: str
) -> None:
    def offer(route: Route) -> None:
        answer = route.fetch()
        page = answer.text()
        row = re.search(r'<div class="get" data-machine=.*?</div>', page, re.DOTALL)
        assert row
        rows = [
            re.sub(r'(class="button)"|data-machine="[^"]*"|>Linux [^<]*<', shown(machine), row[0])
            for machine in offered.split(", ")
        ]
        route.fulfill(response=answer, body=page.replace(row[0], "".join(rows)))

    def shown(machine: str) -> Callable[[re.Match[str]], str]:
        def changed(found: re.Match[str]) -> str:
            if found[0].startswith("data"):
                return f'data-machine="{machine}"'
            if found[0].startswith("class"):
                return found[0] if offered.startswith(machine) else 'class="button quiet"'
            return f">{machine}<"

        return changed

    catalogue.page.route("**/measure/", offer)
    catalogue.page.add_init_script(
        "Object.defineProperty(navigator, 'userAgentData', { get: () => ({"
        f" platform: '{platform}',"
        " getHighEntropyValues: async () => ({ architecture: 'arm' }) }) })"
    )
    page = catalogue.open("/measure/")
    expect(page.locator(".get .button:not(.quiet)")).to_have_text(first)
    expect(page.locator(".get .button").first).to_have_text(first)
    expect(page.locator("#no-binary")).to_be_visible(visible=not first.startswith(platform))
