"""The desk in a browser: an evening's work by keyboard and by hand, and what the public reads."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Final

import pytest
from playwright.sync_api import expect

from apps.drives.models import DriveName, DrivePattern
from apps.moderation.models import Decision, Subject
from apps.moderation.selectors.queue import counts
from apps.runs.models import Outcome, Run, RunDrive, RunRuling
from tests import make
from tests.support.accounts.staff import at_desk, make_report, make_staff
from tests.support.browser import WIDTHS_PX, BrowserPage
from tests.support.sent import device

if TYPE_CHECKING:
    from django.contrib.auth.models import User
    from playwright.sync_api import Page

pytestmark = [pytest.mark.browser, pytest.mark.slow]
RUNS: Final = 8  # of each kind
REPORTS: Final = 6
CANNOT_BE: Final = "The figures cannot be of this machine."


def know_the_drive() -> None:
    """Let the catalogue know the drive of `sent`'s bytes, which workers may read again."""
    family = make.drive_family()
    DrivePattern.objects.create(family=family, pattern=f"^{device()['model']}$", source="a test")


def sent(outcome: str, place: int) -> Run:
    day = make.NOON + timedelta(minutes=place)
    upload = make.upload(state="done", received_at=day, network=f"{place:032x}")
    return make.run(
        id=upload.pk, slug=str(upload.pk), upload=upload, measured_at=day, outcome=outcome,
        plan=make.plan(), in_standings=False,
    )  # fmt: skip


def thirty_items() -> None:
    """Fill the queue with things of every kind."""
    know_the_drive()
    for place in range(RUNS):
        run = sent(Outcome.QUARANTINE, place)
        make.label(run=run, rule="near-copy", outcome=Outcome.QUARANTINE, keeps_out="run")
    for place in range(RUNS, 2 * RUNS):
        make.label(run=sent(Outcome.LABEL, place), rule="placement-conflict", figures=None)
    for place in range(REPORTS):
        make_report(Subject.PLAN, make.plan().slug, network=f"{place:032x}")
    for place in range(3):
        name = DriveName.objects.create(key=f"name{place}", vendor="", model=f"TEST {place}")
        RunDrive.objects.create(run=make.run(), place=0, name=name)
        make.run(plan=make.plan(is_listed=False, is_seen=False))
    for _ in range(2):
        make.price(is_disputed=True)


def sign_in(tab: BrowserPage, user: User) -> None:
    cookie = at_desk(user).cookies["session"]
    tab.page.context.add_cookies([{"name": "session", "value": cookie.value, "url": tab.site_url}])


def decide(page: Page, action: str, n_left: int) -> None:
    page.locator("[data-action]").select_option(action)
    page.locator("[data-desk] select[name=ready]").select_option(CANNOT_BE)
    page.get_by_role("button", name="Decide").click()
    expect(page.locator("[data-item]")).to_have_count(n_left)


def test_an_evening_of_thirty_things(browser_page: BrowserPage) -> None:
    thirty_items()
    moderator = make_staff()
    sign_in(browser_page, moderator)
    page = browser_page.open("/desk/")
    expect(page.locator("[data-item]")).to_have_count(30)
    browser_page.assert_accessible()

    # by keyboard: the two oldest are excluded, and that is taken back
    browser_page.open("/desk/?kind=quarantined")
    for key in ("j", "x", "j", "x", "e"):
        page.keyboard.press(key)
    ready = page.locator("[data-desk] select[name=ready]")
    expect(ready).to_be_focused()
    ready.select_option(CANNOT_BE)
    page.keyboard.press("Enter")
    expect(page.locator("[data-item]")).to_have_count(RUNS - 2)
    assert RunRuling.objects.count() == 2
    expect(page.locator(".desk-done")).to_contain_text("2 decisions made")
    page.locator("h1").click()  # the keys are not for who is writing
    page.keyboard.press("u")
    expect(page.locator(".desk-done")).to_contain_text("took back")
    assert not RunRuling.objects.exists()

    # by hand: each kind on its own page, all at once
    for kind, action in (
        ("quarantined", "exclude"), ("disputed", "keep"), ("reported", "keep"),
        ("name", "set-aside"), ("plan", "accept-plan"), ("price", "settle-price"),
    ):  # fmt: skip
        page = browser_page.open(f"/desk/?kind={kind}")
        for box in page.locator("[data-item] input").all():
            box.check()
        if page.locator("[data-item]").count():
            decide(page, action, 0)
    assert sum(counts().values()) == 0

    page = browser_page.open("/moderation/")
    log = page.locator(".decisions")
    expect(log).to_contain_text("a moderator, excluded a run")
    expect(log).to_contain_text("took back: excluded a run")
    assert page.locator(".decisions .undone").count() == 2
    assert moderator.email not in page.content()
    browser_page.assert_accessible()
    assert Decision.objects.exclude(action=Decision.Action.UNDO).count() >= 30


def test_one_thing_after_the_other_by_keyboard(browser_page: BrowserPage) -> None:
    for place in range(3):
        make_report(Subject.RUN, sent(Outcome.LABEL, place).slug, network=f"{place:032x}")
    sign_in(browser_page, make_staff())
    page = browser_page.open("/desk/?kind=reported")
    page.keyboard.press("j")
    for n_left in (2, 1):
        page.keyboard.press("o")
        page.wait_for_url("**/desk/reported/**")
        page.keyboard.press("a")
        expect(page.locator("textarea")).to_be_focused()
        page.keyboard.type("It is so.")
        page.locator("h1").click()
        page.keyboard.press("e")
        ready = page.locator("[data-desk] select[name=ready]")
        expect(ready).to_be_focused()
        ready.select_option(CANNOT_BE)
        page.keyboard.press("Enter")
        page.wait_for_url("**/desk/?kind=reported&done=*")
        expect(page.locator("[data-item]")).to_have_count(n_left)
        expect(page.locator("[data-item] input").first).to_be_focused()  # the next one
    assert RunRuling.objects.count() == 2
    page.keyboard.press("a")
    expect(page.locator("[data-item] input:checked")).to_have_count(1)


def test_a_run_lies_beside_its_plan_on_a_phone(browser_page: BrowserPage) -> None:
    run = sent(Outcome.QUARANTINE, 0)
    make.label(run=run, rule="near-copy", outcome=Outcome.QUARANTINE, keeps_out="run")
    make.measurement(run=run)
    for rate in (500.0, 1500.0):
        make.measurement(run=make.run(plan=run.plan), rate_per_s=rate)
    sign_in(browser_page, make_staff())
    for width in WIDTHS_PX.values():
        browser_page.resize(width_px=width)
        page = browser_page.open(f"/desk/quarantined/{run.slug}/")
        assert page.locator(".desk-strip circle").count() == 3
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        browser_page.assert_accessible()


def test_a_report_without_script_and_its_private_address(browser_page: BrowserPage) -> None:
    plan = make.plan()
    page = browser_page.open(f"/report/?plan={plan.slug}")
    browser_page.assert_accessible()
    page.get_by_label("What is it?").fill("The disk is another one.")
    page.get_by_role("button", name="Send").click()
    expect(page.locator("main")).to_contain_text("waits for a moderator")
    browser_page.assert_accessible()
