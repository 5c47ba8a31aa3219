"""The pages of a plan, a drive and a provider as a reader uses them: pictures, tables, keyboard."""

from __future__ import annotations

import re
from decimal import Decimal

import pytest
from playwright.sync_api import Page, expect

from apps.plans.models import Plan, Provider
from apps.runs.models import KeepsOut
from tests import make
from tests.browser.test_site import assert_good_everywhere
from tests.pages.measured import counted, stand
from tests.support.browser import BrowserPage

pytestmark = pytest.mark.browser


def fold(page: Page, name: str) -> None:
    """Open the evidence below a question."""
    page.locator(f"#{name} > summary").click()
    expect(page.locator(f"#{name}")).to_have_attribute("open", "")


@pytest.fixture
def rented(browser_page: BrowserPage) -> Plan:
    """A plan with two drives over three months, a run that is kept out, and a rival."""
    acme = Provider.objects.create(slug="acme", name="Acme", url="https://acme.example/")
    plan = make.plan(provider=acme, slug="acme-x1", name="X1")
    rung = make.ladder_class(name="NVMe without protection", low_ns=200_000, high_ns=800_000)
    old = make.drive_family(
        slug="old", name="Old drive", plp="none", rated_rand_write_iops=850_000, ladder_class=rung
    )
    new = make.drive_family(slug="new", name="New drive", plp="full")
    runs = [
        counted(1_000 + 30 * n, uploader=n, days=30 * (n % 3), plan=plan, provider=acme,
                drive_family=old if n % 3 else new, expected_class=rung)
        for n in range(12)
    ]  # fmt: skip
    out = counted(1_500, uploader=40, plan=plan, provider=acme, in_standings=False)
    make.label(run=out, rule="faster-than-medium", keeps_out=KeepsOut.RUN)
    rival = make.plan(provider=acme, slug="acme-x2", name="X2")
    runs += [counted(700, uploader=60 + n, plan=rival, provider=acme) for n in range(3)]
    make.price(plan=plan, amount=Decimal(50))
    make.price(plan=plan, amount=Decimal(40), valid_from="2026-05-01")
    make.price(plan=rival, amount=Decimal(90))
    make.imported_run(plan=plan, drive_family=old)
    stand([*runs, out])
    return plan


def test_the_pages_are_accessible_and_fit(rented: Plan, browser_page: BrowserPage) -> None:
    for address in ("/plans/acme-x1/#figures", "/plans/acme-x1/?runs=out", "/drives/old/",
                    "/providers/acme/"):  # fmt: skip
        assert_good_everywhere(browser_page, address)


def test_a_reader_of_a_plan_finds_n_interval_day_and_the_rule_that_decided(
    rented: Plan, browser_page: BrowserPage
) -> None:
    page = browser_page.open("/providers/acme/")
    page.locator(".thing-plans").get_by_role("link", name="X1", exact=True).click()
    expect(page.locator(".basis")).to_contain_text("2025-06-15")
    fold(page, "machines")
    expect(page.locator(".strip circle.machine-dot").last).to_be_visible()
    expect(page.locator(".strip circle.machine-dot")).to_have_count(12)
    fold(page, "runs")
    page.locator(".segments").get_by_role("link", name="Out").click()
    expect(page).to_have_url(re.compile(r"\?runs=out#runs$"))
    page.get_by_role("link", name="faster than durable media").click()
    expect(page).to_have_url(re.compile("/rules/faster-than-medium/$"))
    page.go_back()
    expect(page.locator(".segments [aria-current]")).to_contain_text("Out")


def test_a_chart_is_loaded_when_its_fold_opens_and_read_by_keyboard(
    rented: Plan, browser_page: BrowserPage
) -> None:
    page = browser_page.page
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    browser_page.resize(width_px=390)
    browser_page.open("/plans/acme-x1/")
    assert not [url for url in asked if "chart.umd" in url]
    fold(page, "months")
    before = page.evaluate("document.documentElement.scrollHeight")
    chart = page.locator("[data-chart=months]")
    chart.scroll_into_view_if_needed()
    expect(chart).to_have_attribute("data-drawn", "")
    assert page.evaluate("document.documentElement.scrollHeight") == before  # nothing moved
    chart.focus()
    page.keyboard.press("ArrowRight")
    expect(page.locator("[data-chart] + [role=status]")).to_contain_text("2025-04: 1,")
    page.keyboard.press("ArrowRight")
    expect(page.locator("[data-chart] + [role=status]")).to_contain_text("2025-05")


def test_the_frontier_is_drawn_named_and_read_by_keyboard(
    rented: Plan, browser_page: BrowserPage
) -> None:
    page = browser_page.open("/providers/acme/")
    chart = page.locator("[data-chart=frontier]")
    expect(chart).to_have_attribute("data-drawn", "")
    expect(chart).to_have_attribute("aria-label", re.compile("Most commits for the rent: X1"))
    chart.focus()
    page.keyboard.press("ArrowRight")
    expect(page.locator("[data-chart] + [role=status]")).to_contain_text("X1: €50.00 /mo")
    page.get_by_role("link", name="The same figures as a table").click()
    expect(page.locator(".offers")).to_be_in_viewport()
    expect(page.locator(".offers")).to_contain_text("X1 does more and costs no more")


def test_scripts_that_do_not_come_leave_the_table_and_say_so(
    rented: Plan, browser_page: BrowserPage
) -> None:
    page = browser_page.page
    page.route("**/chart.umd.min*.js", lambda route: route.abort())
    browser_page.open("/providers/acme/")
    expect(page.locator(".chart .no-script")).to_be_visible()
    fold(page, "frontier")
    expect(page.locator(".offers")).to_be_visible()
    browser_page.complaints.clear()  # the browser reports the file that this test withheld


def test_a_drive_answers_whether_it_is_fit_before_anything_is_scrolled(
    rented: Plan, browser_page: BrowserPage
) -> None:
    page = browser_page.page
    for width_px in (390, 1440):
        browser_page.resize(width_px=width_px)
        browser_page.open("/drives/old/")
        answer = page.locator(".fitness .answer")
        expect(answer).to_be_in_viewport(ratio=1)
        expect(answer).to_contain_text("8 uploaders")
    expect(page.locator("#gap")).to_contain_text("721 times what one writer gets durably")
    expect(page.get_by_role("heading", name="Which plans have it?")).to_be_visible()


def test_the_curve_stands_beside_the_answer_and_reads_on_both_scales(
    rented: Plan, browser_page: BrowserPage
) -> None:
    page = browser_page.page
    browser_page.resize(width_px=1440)
    browser_page.open("/plans/acme-x1/")
    curve = page.locator(".big-curve")
    expect(curve).to_be_in_viewport(ratio=1)
    expect(page.locator(".answer")).to_be_in_viewport(ratio=1)
    readings = curve.locator(".in-reading")
    assert [each.split(",")[0].strip() for each in readings.all_text_contents()] == [
        "p50",
        "p90",
        "p99",
    ]
    expect(readings.last).to_be_hidden()
    curve.locator(".quantile .end").last.hover()
    expect(readings.last).to_be_visible()
    expect(readings.last).to_contain_text(re.compile(r"p99, [\d,.]+ /s"))


def test_a_link_to_evidence_opens_its_fold(rented: Plan, browser_page: BrowserPage) -> None:
    page = browser_page.open("/plans/acme-x1/#lottery")
    expect(page.locator("#lottery .row").first).to_be_visible()
    expect(page.locator("#runs .row").first).to_be_hidden()
    make.standing(plan=rented, region_group="asia", is_durable_single_writer=True)
    browser_page.open("/plans/acme-x1/?again#regions")  # a fold in a fold
    expect(page.locator("#regions .row").first).to_be_visible()
    page = browser_page.open("/plans/acme-x1/?runs=out#runs")  # without a script too: it is open
    expect(page.locator("#runs .row").first).to_be_visible()


def test_dots_and_bars_keep_their_shape_in_forced_colours_and_print(
    rented: Plan, browser_page: BrowserPage
) -> None:
    page = browser_page.open("/plans/acme-x1/")
    fill = "getComputedStyle(document.querySelector('.strip circle.machine-dot')).fill"
    fold(page, "machines")
    page.emulate_media(forced_colors="active")
    assert page.evaluate(fill) == page.evaluate("getComputedStyle(document.body).color")
    page.emulate_media(forced_colors="none", media="print")
    expect(page.locator(".segments")).to_be_hidden()
    expect(page.locator(".strip circle.machine-dot").first).to_be_visible()
