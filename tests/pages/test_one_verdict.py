"""One figure and one limit have one verdict: of the advisor, the API, the guides and the drive."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import pytest

from apps.plans.models import Plan
from apps.rankings.models import Evidence
from tests import make
from tests.pages.site import plan_at, text

if TYPE_CHECKING:
    from django.test import Client

pytestmark = pytest.mark.django_db
MS = 1_000_000
RANKED = {"n_uploaders": 7, "n_machines": 9, "interval_is": "uploaders"}
FEW = {"n_uploaders": 2, "needs_runs": True}
API_WORDS = {"passes": "meets", "may": "may", "fails": "fails", "not-measured": "unmeasured"}
PAGE_WORDS = {
    "firm": "passes", "likely": "may", "borderline": "may", "unlikely": "may", "fails": "fails",
    "unknown": "may",
}  # fmt: skip
DRIVE_WORDS = {
    "passes": "Yes, at",
    "may": "(?:Likely|Borderline|Unlikely|What was measured reaches)",
    "fails": "No, not",
    "not-measured": "Its class is not stated",
}


@dataclass(frozen=True)
class Case:
    """A standing, what is asked of it, and the verdict everywhere."""

    name: str
    guide: str
    workload: str
    rate: float
    verdict: str
    low: float | None = None
    high: float | None = None
    asked: int | None = None  # None: what the guide asks for by itself
    of: dict[str, Any] = field(default_factory=dict)
    why: str = ""  # what decides, where several things keep it from being better
    storage: str = ""  # as the provider describes it

    @property
    def standing(self) -> dict[str, Any]:
        fields = {"workload": self.workload, "rate_per_s_low": self.low}
        return {**fields, "rate_per_s_high": self.high, **RANKED, **self.of}


PUBLISHED = {"evidence": Evidence.PUBLISHED, "n_uploaders": 1, "n_machines": 1}
ETCD = "fallocated-2300-fdatasync"
LOCAL_SSD = "2 x 375 GiB Local SSD (NVMe; data lost on stop)"
CASES = (
    Case("low end reaches", "oltp", "commit-8k", 1_200, "passes", 1_000, 1_500),
    Case("low end below", "oltp", "commit-8k", 1_200, "may", 999, 1_500),
    Case("only the high end reaches", "oltp", "commit-8k", 900, "may", 800, 1_000),
    Case("high end below", "oltp", "commit-8k", 900, "fails", 800, 999),
    Case("another rate", "oltp", "commit-8k", 1_200, "fails", 1_000, 1_500, asked=1_501),
    Case("two uploaders", "oltp", "commit-8k", 9_000, "may", 8_000, 9_500, of=FEW),
    Case("two uploaders far below", "oltp", "commit-8k", 187, "may", 146, 194, of=FEW),
    Case("two uploaders with a p99 beyond", "etcd", ETCD, 900, "may", 800, 1_000,
         of={"p99_ns": 10 * MS + 1, **FEW}),
    Case("one article", "oltp", "commit-8k", 9_000, "may", 8_000, 9_500, of=PUBLISHED),
    Case("one article far below", "oltp", "commit-8k", 187, "may", of=PUBLISHED),
    Case("more work passes", "oltp", "fallocated-8k-fsync", 1_200, "passes", 1_000, 1_500),
    Case("more work never fails", "oltp", "fallocated-8k-fsync", 187, "may", 146, 194,
         of=PUBLISHED),
    Case("other work never passes", "oltp", "direct-16k-fdatasync", 27_399, "may", 27_200, 27_600),
    Case("other work beyond its factor", "oltp", "direct-16k-fdatasync", 330, "fails", 330, 331),
    Case("fsync past the page cache", "oltp", "direct-16k-fsync", 329, "may", 325, 333,
         of=PUBLISHED),
    Case("comparable work decides nothing", "oltp", "randwrite-4k-fsync", 142_800, "may",
         of=PUBLISHED),
    Case("two megabytes say nothing", "oltp", "fio-2m-direct-randwrite-fsync", 142_800,
         "not-measured", of=PUBLISHED),
    Case("a p99 that all commits bound", "etcd", ETCD, 900, "passes", 800, 1_000,
         of={"p99_ns": 8 * MS, "pooled_p999_ns": 10 * MS}),
    Case("a p99 that is typical", "etcd", ETCD, 900, "may", 800, 1_000,
         of={"p99_ns": 8 * MS, "pooled_p999_ns": 10 * MS + 1}),
    Case("a p99 beyond", "etcd", ETCD, 900, "fails", 800, 1_000, of={"p99_ns": 10 * MS + 1}),
    Case("a p99 that holds no sync", "etcd", ETCD, 900, "may", 800, 1_000,
         of={"p99_ns": MS, "latency_side": "completion"}),
    Case("an overwrite is less than a log", "etcd", "commit-8k", 9_000, "may", 8_000, 9_500,
         of={"p99_ns": MS, "pooled_p999_ns": 2 * MS}),
    Case("an overwrite that is too slow", "etcd", "commit-8k", 900, "fails", 800, 1_000,
         of={"p99_ns": 11 * MS}),
    Case("more work than a log, beyond", "etcd", "fallocated-8k-fsync", 187, "may", 146, 194,
         of={"p99_ns": 11 * MS}),
    Case("too few syncs for etcd", "etcd", ETCD, 40, "fails", 30, 49,
         of={"p99_ns": 8 * MS, "pooled_p999_ns": 9 * MS}),
    Case("a protected log device", "zfs-slog", "direct-16k-fdatasync", 9_000, "passes", 8_000,
         9_500, of={"plp": "full"}),
    Case("one without protection", "zfs-slog", "direct-16k-fdatasync", 9_000, "fails", 8_000,
         9_500, of={"plp": "none"}),
    Case("one of which nobody says", "zfs-slog", "direct-16k-fdatasync", 9_000, "may", 8_000,
         9_500, of={"plp": "unknown"}),
    Case("a log device that a stop empties", "zfs-slog", "direct-16k-fdatasync", 9_000, "fails",
         8_000, 9_500, of={"plp": "full"}, storage=LOCAL_SSD, why="emptied when the machine stops"),
    Case("one of an article that a stop empties", "zfs-slog", "direct-16k-fdatasync", 9_000,
         "fails", 8_000, 9_500, of={"plp": "unknown"} | PUBLISHED, storage=LOCAL_SSD,
         why="emptied when the machine stops"),
    Case("an article, and nobody says of protection", "zfs-slog", "direct-16k-fdatasync", 9_000,
         "may", 8_000, 9_500, of={"plp": "unknown"} | PUBLISHED,
         why="power-loss protection not stated"),
    Case("an OSD that a stop empties has copies", "ceph-wal", "randwrite-4k-fsync", 9_000,
         "passes", 8_000, 9_500, of={"plp": "full"}, storage=LOCAL_SSD),
    Case("a WAL that a stop empties", "oltp", "commit-8k", 9_000, "may", 8_000, 9_500,
         storage=LOCAL_SSD, why="lost on a stop, so only with a replica"),
    Case("a WAL of an article that a stop empties", "oltp", "commit-8k", 9_000, "may",
         of=PUBLISHED, storage=LOCAL_SSD, why="lost on a stop, so only with a replica"),
    Case("one that is too slow whatever empties it", "oltp", "commit-8k", 900, "fails", 800, 999,
         storage=LOCAL_SSD),
    Case("a member of etcd that a stop empties has others", "etcd", ETCD, 900, "passes", 800,
         1_000, of={"p99_ns": 8 * MS, "pooled_p999_ns": 10 * MS}, storage=LOCAL_SSD),
    Case("four times the bytes for Ceph", "ceph-wal", "direct-16k-fdatasync", 900, "may", 800,
         1_000, of={"plp": "full"}),
)  # fmt: skip
SOFTWARE = {"oltp": "postgresql", "etcd": "etcd", "zfs-slog": "zfs-slog", "ceph-wal": "ceph-wal"}
RATES = {"oltp": 1_000, "etcd": 50, "zfs-slog": 5_000, "ceph-wal": 5_000}


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_figure_has_one_verdict_everywhere(client: Client, case: Case) -> None:
    standing = plan_at(case.rate, "Case", **case.standing)
    Plan.objects.filter(slug=standing.plan_id).update(
        storage_description=case.storage, is_ephemeral=case.storage == LOCAL_SSD
    )
    rate = case.asked or RATES[case.guide]
    query = f"software={SOFTWARE[case.guide]}&rate={rate}"
    (answer,) = client.get(f"/api/v1/advice?{query}").json()["results"]
    assert answer["verdict"] == API_WORDS[case.verdict], answer["why"]
    assert case.why in answer["why"]
    assert case.why in on_guide_why(client, case)
    assert on_advisor(client, query, str(standing.plan_id)) == case.verdict
    assert on_guide(client, case) == case.verdict
    assert word_on_guide(client, case) == answer["sure"]
    if case.asked is None:  # the list asks what each guide asks for by itself
        assert on_index(client, case.guide) == case.verdict


@pytest.mark.parametrize(
    "case", [case for case in CASES if case.guide == "oltp" and not (case.asked or case.storage)],
    ids=lambda case: case.name,
)  # fmt: skip
def test_the_page_of_a_drive_says_what_the_guide_says(client: Client, case: Case) -> None:
    family = make.drive_family(slug="d", plp="full")
    make.standing(
        drive_family=family, rate_per_s=case.rate, is_durable_single_writer=True, **case.standing
    )
    page = text(client, "/drives/d/")
    assert re.search(f'<p class="answer-says">{DRIVE_WORDS[case.verdict]}[^<]*</p>', page)
    assert on_guide(client, case) == case.verdict


def test_a_rate_below_the_need_is_unlikely_beside_a_p99_that_nobody_knows(client: Client) -> None:
    of = RANKED | {"rate_per_s_low": 1_610, "rate_per_s_high": 2_900, "p99_ns": None, **FEW}
    slow = plan_at(2_160, "Slow", workload="commit-8k", **of)
    fast = plan_at(27_399, "Fast", workload="commit-8k", **of | {"rate_per_s_high": 27_600})
    answers = client.get("/api/v1/advice?software=commits&rate=5000&p99_ms=2").json()["results"]
    assert [each["sure"] for each in answers] == ["unknown", "unlikely"]
    page = text(client, "/advisor/?rate=5000&p99=2")
    for standing, state in ((fast, "unknown"), (slow, "unlikely")):
        assert re.search(
            rf'id="plan-{standing.plan_id}".{{,400}}class="shape {state}"', page, re.DOTALL
        )


def on_advisor(client: Client, query: str, plan: str) -> str:
    """The verdict of the advisor's page: the shape in the row of the plan."""
    page = text(client, f"/advisor/?{query}")
    row = re.search(rf'id="plan-{plan}".*?class="shape (\w+)"', page, re.DOTALL)
    return PAGE_WORDS[row[1]] if row else "not-measured"


def on_guide(client: Client, case: Case) -> str:
    """The verdict of the guide's page, in the row; where there is none nothing stands for it."""
    page = text(client, f"/guides/{case.guide}/" + (f"?rate={case.asked}" if case.asked else ""))
    row = re.search(r'<th[^>]*role="rowheader".*?verdict-mark ([\w-]+)"', page, re.DOTALL)
    return row[1] if row else "not-measured"


def word_on_guide(client: Client, case: Case) -> str:
    """The word of confidence in the guide's row, as the API has it."""
    page = text(client, f"/guides/{case.guide}/" + (f"?rate={case.asked}" if case.asked else ""))
    row = page.partition('role="rowheader"')[2]
    word = re.search(r"verdict-mark.*?</svg>\s*(?:<[^>]+>\s*)*([A-Z][a-z: ]+)", row, re.DOTALL)
    return word[1].partition(":")[0].strip().lower() if word else "unknown"


def on_guide_why(client: Client, case: Case) -> str:
    """What the guide's row says beside its verdict."""
    page = text(client, f"/guides/{case.guide}/" + (f"?rate={case.asked}" if case.asked else ""))
    row = re.search(r'verdict-mark [\w-]+".*?</td>', page.partition("rowheader")[2], re.DOTALL)
    return row[0] if row else ""


def on_index(client: Client, guide: str) -> str:
    """The verdict that the list of guides counts."""
    page = text(client, "/guides/")
    line = page.partition(f'href="/guides/{guide}/"')[2].partition("</li>")[0]
    found = re.search(r'verdict-mark ([\w-]+)"', line)
    assert found
    return found[1]
