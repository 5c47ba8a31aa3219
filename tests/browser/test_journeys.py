"""Nine questions of somebody who is new here, from the first page to the answer.

Three are asked by a question of the first page, in both languages and at both widths, and in one
variant of each by the search or the head; the others by the head, the search or the foot; in under
four clicks. Each answer
says how many stand behind it, of which day it is, how sure it is, and where it comes from.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

import pytest
from django.utils import translation
from django.utils.translation import gettext
from playwright.sync_api import Locator, Page, expect

from apps.runs.models import Run
from apps.stats.figures import significant
from tests import make
from tests.browser.test_site import assert_fits
from tests.intake.services.test_doorbell import put
from tests.support.browser import WIDTHS_PX, BrowserPage
from tests.support.catalogue import store_catalogue

pytestmark = pytest.mark.browser

CLICKS_MAX = 3
PREFIXES = {"en": "", "zh-hans": "/zh-hans"}
MOST_PER_EURO = "Which Hetzner plan gives the most commits per euro?"
FIT = "Is a Samsung 990 PRO fit for Postgres?"
AGAINST = "CCX33 or AX102: what is the difference?"
WEBP = "Hetzner AX102 Review"
PODER = "Using Postgres pg_test_fsync tool for testing low latency writes"


@dataclass
class Visitor:
    """Somebody who clicks on words that can be read, in one language and on one screen."""

    tab: BrowserPage
    language: str
    width: str
    clicks: list[str] = field(default_factory=list)

    @property
    def knows_the_site(self) -> bool:
        """Whether the other way is tried too: of four variants in two, with every value of both."""
        return (self.language, self.width) in {("en", "phone"), ("zh-hans", "desktop")}

    @property
    def page(self) -> Page:
        return self.tab.page

    @contextmanager
    def asking(self, what: str) -> Iterator[None]:
        """Begin at the first page, without having clicked; what is found must fit the screen."""
        self.clicks.clear()
        self.page.goto(f"{self.tab.site_url}{PREFIXES[self.language]}/")
        yield
        assert_fits(self.page, f"{what} ({self.language}, {self.width})")

    def words(self, text: str, **values: object) -> str:
        """An English text as this visitor reads it."""
        with translation.override(self.language):
            return gettext(text) % values if values else gettext(text)

    def click(self, target: Locator) -> None:
        """One of the few clicks."""
        self.clicks.append(str(target))
        assert len(self.clicks) <= CLICKS_MAX, f"too far: {self.clicks}"
        target.click()

    def follow(self, text: str, *, within: str = "body") -> None:
        """Click on the first link that has these words."""
        name = self.words(text)
        self.click(self.page.locator(within).get_by_role("link", name=name).first)

    def go(self, place: str) -> None:
        """Click on a place of the head; on a phone the menu is opened first."""
        if self.width == "phone":
            self.click(self.page.get_by_text(self.words("Menu"), exact=True))
            self.follow(place, within=".menu-list")
        else:
            self.follow(place, within=".wide-nav")

    def search(self, text: str) -> None:
        """Type into the field of the first page and press its button."""
        self.page.locator("#home-q").fill(text)
        self.click(self.page.get_by_role("button", name=self.words("Search"), exact=True).first)
        expect(self.page.locator("#find-text")).to_have_value(text)

    def add(self, name: str) -> None:
        """Type into the field of a comparison and press Enter; the page with it stands then."""
        one = self.page.locator("#add")
        one.fill(name)
        one.press("Enter")
        expect(self.page.locator("h1")).to_contain_text(name)

    def reads(self, answer: Locator, *texts: str | re.Pattern[str]) -> None:
        """All of this stands in the answer, which begins on the first screen."""
        expect(answer).to_be_in_viewport()
        for text in texts:
            expect(answer).to_contain_text(text)


@pytest.fixture
def visitor(browser_page: BrowserPage, language: str, width: str) -> Visitor:
    store_catalogue()
    browser_page.resize(width_px=WIDTHS_PX[width])
    return Visitor(browser_page, language, width)


def which_plan(visitor: Visitor) -> None:
    with visitor.asking("a question"):
        visitor.follow(MOST_PER_EURO)
        reads_most_per_euro(visitor)
    if not visitor.knows_the_site:
        return
    with visitor.asking("the search"):
        visitor.search("hetzner")
        visitor.follow("Hetzner", within="#results")
        visitor.follow("Most commits for the rent")
        reads_most_per_euro(visitor)
        expect(visitor.page.locator("#board [aria-sort=ascending]")).to_have_count(1)


def reads_most_per_euro(visitor: Visitor) -> None:
    visitor.reads(visitor.page.locator(".answer"), "CX23", "€2.18")
    row = visitor.page.locator("#board .row").first
    visitor.reads(row, "CX23", "€2.18", "990\u20131,100", "1,044")
    mark = row.locator(".about")
    mark.locator("summary").click()
    visitor.reads(mark, "2026-06-15", "2026-07-24")
    expect(mark.get_by_role("link", name="ProviderBench")).to_have_attribute(
        "href", re.compile(rf"^{PREFIXES[visitor.language]}/runs/providerbench-cx23-")
    )


def one_run(visitor: Visitor) -> str:
    with translation.override(visitor.language):
        return translation.ngettext("%(n)s run", "%(n)s runs", 1) % {"n": "1"}


def is_it_fit(visitor: Visitor) -> None:
    with visitor.asking("a question"):
        visitor.follow(FIT)
        answer = visitor.page.locator(".answer")
        visitor.reads(answer, "609", visitor.words("Borderline"), "0.61")
        visitor.reads(visitor.page.locator(".guide-basis"), "2025-05", PODER)
    if not visitor.knows_the_site:
        return
    with visitor.asking("the search"):
        visitor.search("990 pro")
        visitor.follow("Samsung 990 PRO", within="#results")
        answer = visitor.page.locator("section", has=visitor.page.locator("#fitness-title"))
        visitor.reads(answer, "609", "1")
        source = visitor.page.locator(".basis a[href*='/runs/']")
        expect(source).to_be_visible()


def what_does_it_cost(visitor: Visitor) -> None:
    with visitor.asking("the head"):
        visitor.go("Advisor")
        visitor.follow("Busy OLTP: 5,000 commits/s, p99 under 2 ms")
        reads_cost(visitor)


def reads_cost(visitor: Visitor) -> None:
    answer = visitor.page.locator("#answer .answer")
    visitor.reads(answer, "AX102 + 15.36 TB", "€234", visitor.words("Borderline"), "1.2", "1")
    row = visitor.page.locator("#plan-hetzner-ax102-15-36-tb-nvme-dc-drive")
    row.scroll_into_view_if_needed()
    visitor.reads(row, "10,318", "8,306\u201310,842", "Hetzner")
    mark = row.locator(".about")
    mark.locator("summary").click()
    visitor.reads(mark, "2025-11-01", "2025-11-11", WEBP)


def can_that_be(visitor: Visitor) -> None:
    with visitor.asking("the search"):
        visitor.search("0.7 us")
        visitor.follow("Can a disk read in 0.7 µs?", within="#results")
        reads_too_fast(visitor)


def reads_too_fast(visitor: Visitor) -> None:
    lie = visitor.page.locator("section.lie:target")
    visitor.reads(lie.locator(".lie-answer"), re.compile(r"\w"))
    basis = lie.locator(".lie-answer + .fine")
    visitor.reads(basis, "1", "CCX33", "668\u202fns", "1.30\u202fms", "55,742", "2026-11-22")
    expect(basis.get_by_role("link", name="frn.sh")).to_have_attribute(
        "href", "https://frn.sh/static/program/668-nanoseconds/"
    )


def against(visitor: Visitor) -> None:
    with visitor.asking("a question"):
        visitor.follow(AGAINST)
        reads_against(visitor)
        visitor.click(visitor.page.locator(".work-line a").first)
        heading = visitor.page.get_by_role("heading", level=1)
        expect(heading).to_have_text(re.compile(r"CCX63\s+\S+\s+AX102"))
        visitor.reads(visitor.page.locator(".answer"), "CCX63", "13\u00d7", visitor.words("Likely"))
    if not visitor.knows_the_site:
        return
    with visitor.asking("the head"):
        visitor.go("Compare")
        visitor.add("CCX33")
        visitor.add("AX102 + 15.36 TB NVMe DC drive")
        reads_against(visitor)


def reads_against(visitor: Visitor) -> None:
    heading = visitor.page.get_by_role("heading", level=1)
    expect(heading).to_have_text(re.compile(r"CCX33\s+\S+\s+AX102"))
    answer = visitor.page.locator(".answer")
    visitor.reads(answer, "CCX63", "13\u00d7", visitor.words("Borderline"))
    visitor.reads(visitor.page.locator(".work-line").first, "CCX63", "CCX33")
    visitor.reads(visitor.page.locator(".lanes"), "822", "10,318")
    mark = visitor.page.locator(".names-key li", has_text="AX102").locator(".about")
    mark.locator("summary").click()
    visitor.reads(mark, "2025-11-11")
    source = mark.get_by_role("link")
    expect(source).to_have_attribute("href", re.compile("/runs/webp-ax102-fio-fsync-8k/"))
    mark.locator("summary").click()


def where_is_it(visitor: Visitor) -> None:
    agent = make.Agent()
    agent.enrolled()
    document = make.payload(latency_ns=1_000_000, operations=4_000)  # of some seconds: an interval
    run_id = document["run_id"]
    sent = put(f"{visitor.tab.site_url}/api/v1/runs/{run_id}", agent.seal(document))
    assert sent == 201
    address = f"{visitor.tab.site_url}/runs/{run_id}/"
    for asked in (address, run_id) if visitor.knows_the_site else (address,):
        with visitor.asking("the foot"):
            visitor.follow("Where is my run?")
            place = visitor.page.get_by_label(visitor.words("Run id or key id"))
            place.fill(asked)
            visitor.click(visitor.page.get_by_role("button", name=visitor.words("Search")))
            state = visitor.page.locator("#state")
            expect(state).to_contain_text(run_id)
            visitor.click(state.locator(f"a.button[href$='/runs/{run_id}/']").first)
            reads_run(visitor, Run.objects.get(pk=run_id))


def reads_run(visitor: Visitor, run: Run) -> None:
    headline = run.measurements.get(workload="commit-8k")
    assert run.measured_at
    assert headline.rate_per_s
    assert headline.rate_per_s_low
    expect(visitor.page.locator("h1")).to_be_in_viewport()
    hero = visitor.page.locator("main > .split").first
    low = significant(headline.rate_per_s_low)
    visitor.reads(hero, f"{run.measured_at:%Y-%m-%d}", significant(headline.rate_per_s))
    visitor.reads(hero, f"{low}\u2013", f"{headline.operations:,}", visitor.words("Signed"))


def small_postgres(visitor: Visitor) -> None:
    with visitor.asking("the search"):
        visitor.search("AWS, Google or Hetzner for a small Postgres")
        found = visitor.page.locator("#results .kind").first
        visitor.reads(found, "c6i.xlarge", "Hyperdisk Balanced", "CX23", "€5.99", "5.0")
        visitor.click(found.locator("h2 a"))
        answer = visitor.page.locator("#answer .answer")
        visitor.reads(answer, "CX23", "€5.99", visitor.words("Likely"), "5.0", "2")
        mark = visitor.page.locator("#plan-hetzner-cx23 .about")
        mark.locator("summary").click()
        mark.scroll_into_view_if_needed()
        visitor.reads(mark, "2026-07-24", "ProviderBench")


def what_did_it_cost(visitor: Visitor) -> None:
    with visitor.asking("the search"):
        visitor.search("what did the CCX33 cost last year")
        found = visitor.page.locator("#results .kind").first
        visitor.reads(found, "2025-10-21", "€48.49", "2026-06-15", "€138.99", "2.9", "tonoid")
        visitor.click(found.locator("h2 a"))
        prices = visitor.page.locator("#prices")
        visitor.reads(prices.locator("figure").first, "€48.49", "€139", "2025-10-21")


def consumer_for_etcd(visitor: Visitor) -> None:
    with visitor.asking("the search"):
        visitor.search("best consumer nvme for etcd")
        guide = visitor.page.locator("#results a[href*='/guides/etcd/?q=consumer']")
        visitor.click(guide.first)
        answer = visitor.page.locator(".answer")
        visitor.reads(answer, "Intel Optane Memory M10", "169", visitor.words("Likely"), "2%")
        visitor.reads(visitor.page.locator(".guide-basis"), "2023-07-04", "k8s-homelab")


# The upload first: its standings are computed while the others are looked at.
JOURNEYS = (
    where_is_it, which_plan, is_it_fit, what_does_it_cost, can_that_be, against, small_postgres,
    what_did_it_cost, consumer_for_etcd,
)  # fmt: skip


# In the other language at the other width once a day: what differs by language and by width is
# asked for here.
@pytest.mark.parametrize(
    ("language", "width"),
    [
        pytest.param(language, width, marks=() if one == two else pytest.mark.daily)
        for one, language in enumerate(PREFIXES)
        for two, width in enumerate(reversed(WIDTHS_PX))
    ],
)
def test_nine_questions_are_answered_in_under_four_clicks(visitor: Visitor) -> None:
    """One test for each language and width: the site is filled once for all nine."""
    for journey in JOURNEYS:
        journey(visitor)
