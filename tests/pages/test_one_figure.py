"""One function makes the figures of a plan: all pages, files, badges and the API print the same.

The made-up year is taken for measured here, since badges and advice show no examples.
"""

from __future__ import annotations

import csv
import io
import re
from typing import TYPE_CHECKING, Final

import pytest
from django.utils.html import strip_tags

from apps.intake.examples import loading, world
from apps.pages.show import units
from apps.rankings.choice import headline
from apps.rankings.models import Evidence, Standing
from apps.rankings.services import refresh_all
from apps.runs.models import Run, Upload
from apps.stats.figures import significant
from tests import make
from tests.pages.site import main, text
from tests.support.catalogue import store_catalogue

if TYPE_CHECKING:
    from django.test import Client

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

FEW_PLANS, FEW_RUNS = 4, 150  # so many that some are ranked
YEAR_RUNS: Final = 1_500
# Name in the API, and in the file of a board.
EXACT: Final = {
    "rate_per_s": "rate_per_s", "rate_per_s_low": "rate_low_per_s",
    "rate_per_s_high": "rate_high_per_s", "p99_ns": "p99_ns", "p99_low_ns": "p99_low_ns",
    "p99_high_ns": "p99_high_ns", "p50_ns": "p50_ns", "p999_ns": "p999_ns", "tier": "tier",
    "rank_low": "rank_low", "rank_high": "rank_high", "n_uploaders": "n_uploaders",
    "n_machines": "n_machines", "n_runs": "n_runs", "coverage": "interval_coverage",
}  # fmt: skip
COLUMNS: Final = "rate,p50,p99,p999,tier,runs"


def store_year(*, runs: int) -> list[Standing]:
    """Load a made-up year as if it were measured; return what represents each plan."""
    store_catalogue()
    loading.load(runs=runs, until=make.NOON, tell=lambda _: None)
    Upload.objects.update(is_example=False)
    Run.objects.update(is_example=False)
    refresh_all()
    rows = Standing.objects.filter(evidence=Evidence.MEASURED, plan__isnull=False)
    by_plan: dict[str, list[Standing]] = {}
    for row in rows.select_related("plan__provider").order_by("pk"):
        by_plan.setdefault(row.plan_id or "", []).append(row)
    chosen = map(headline, by_plan.values())
    return [row for row in chosen if row is not None]


@pytest.mark.daily
@pytest.mark.usefixtures("few_published")
def test_a_plan_has_one_figure_everywhere(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(world, "PLANS", FEW_PLANS)
    rows = store_year(runs=FEW_RUNS)
    assert any(row.tier for row in rows)
    judge(client, rows)
    lottery = next(row for row in rows if row.plan_id == world.LOTTERY_PLAN)
    (n, rate, drive), (n_others, rate_others, drive_others) = lottery.kinds
    got = f"{n} of {n + n_others} uploaders got {drive} ({significant(rate)}/s)"
    others = f"{n_others} got {drive_others} ({significant(rate_others)}/s)"
    assert {drive, drive_others} == {"Samsung PM9A3", "Samsung PM9A1 / PM9A1a"}
    first = main(client, f"/plans/{lottery.plan_id}/").split("<h1")[1]
    for place in (first, main(client, "/plans/?evidence=measured&workload=commit-8k")):
        assert f"{got}, {others}" in place


@pytest.mark.daily
def test_every_plan_of_a_year_has_one_figure_everywhere(client: Client) -> None:
    rows = store_year(runs=YEAR_RUNS)
    assert sum(row.tier is not None for row in rows) > 5
    assert any(row.kinds for row in rows)
    judge(client, rows)


def judge(client: Client, rows: list[Standing]) -> None:
    board = board_file(client)
    page = board_rows(client)
    for row in rows:
        key = row.plan_id or "", row.region_group, row.rate_per_s
        api = in_api(client, row)
        day = Run.objects.get(slug=row.newest_run_slug).measured_at
        assert day is not None
        for name, of_file in EXACT.items():
            assert api[name] == getattr(row, name), (key, name)
            assert number(board[key][of_file]) == pytest.approx(api[name], rel=1e-12), (key, name)
        assert board[key]["measured_on"] == day.date().isoformat()
        assert board[key]["newest_run"].endswith(f"/runs/{api['newest_run']}/")
        figures = {significant(row.rate_per_s), *interval(row), *latencies(row)}
        assert any(figures <= words for words in page[row.plan_id or ""]), key
        assert figures <= words_of(main(client, f"/plans/{row.plan_id}/")), key
        compared = in_comparison(client, row)
        assert compared["rate"] == pytest.approx(
            (row.rate_per_s, row.rate_per_s_low, row.rate_per_s_high), rel=1e-4
        )
        assert compared["p99"] == (row.p99_ns, row.p99_low_ns, row.p99_high_ns)
        assert compared["p999"][0] == row.p999_ns
        assert on_badge(client, row), key


def number(cell: str) -> float | None:
    return float(cell) if cell else None


def interval(row: Standing) -> set[str]:
    return {significant(end) for end in (row.rate_per_s_low, row.rate_per_s_high) if end}


def latencies(row: Standing) -> set[str]:
    return {units.latency(row.p99_ns).split()[0]} if row.p99_ns else set()


def words_of(markup: str) -> set[str]:
    return set(re.split("[\\s\u2013()/]+", strip_tags(markup.replace("<", " <"))))


def board_file(client: Client) -> dict[tuple[str, str, float], dict[str, str]]:
    """The board of the headline as a file, by plan, region and rate."""
    address = f"/plans.csv?evidence=measured&workload=commit-8k&cols={COLUMNS}"
    content = b"".join(iter(client.get(address)))
    return {
        (
            line["page"].rstrip("/").rsplit("/", 1)[1],
            line["region_group"],
            float(line["rate_per_s"]),
        ): line
        for line in csv.DictReader(io.StringIO(content.decode()))
    }


def board_rows(client: Client) -> dict[str, list[set[str]]]:
    """The words of each row on all pages of the board, by plan, which has one for each region."""
    rows: dict[str, list[set[str]]] = {}
    place, is_last = 0, False
    while not is_last:
        place += 1
        page = main(client, f"/plans/?evidence=measured&workload=commit-8k&page={place}")
        is_last = 'rel="next"' not in page
        for row in re.findall(r"<tr.*?</tr>", page, re.DOTALL):
            if slug := re.search(r'href="/plans/([^/"]+)/"', row):
                rows.setdefault(slug[1], []).append(words_of(row))
    return rows


def in_api(client: Client, row: Standing) -> dict[str, object]:
    """Return the standing as the API has it."""
    plan = client.get(f"/api/v1/plans/{row.plan_id}").json()
    (found,) = (
        each for each in plan["standings"]
        if (each["evidence"], each["workload"], each["region_group"], each["variant"])
        == (row.evidence, row.workload, row.region_group, row.variant)
    )  # fmt: skip
    return dict(found)


def in_comparison(client: Client, row: Standing) -> dict[str, tuple[float | None, ...]]:
    """Value, low and high of each measure in a comparison of the plan with another."""
    other = Standing.objects.exclude(plan=row.plan_id).filter(workload=row.workload).first()
    assert other is not None
    address = f"/compare/figures.csv?on=plan:{row.plan_id}&on=plan:{other.plan_id}"
    lines = csv.DictReader(io.StringIO(text(client, f"{address}&workload={row.workload}")))
    return {
        line["measure"]: tuple(number(line[end]) for end in ("value", "low", "high"))
        for line in lines
        if line["on"] == f"plan:{row.plan_id}"
    }


def on_badge(client: Client, row: Standing) -> bool:
    """Whether the badge prints the rate, and its interval unless people got several kinds."""
    badge = text(client, f"/badge/plan/{row.plan_id}.svg")
    low, high = row.rate_per_s_low, row.rate_per_s_high
    span = f"({significant(low)}\u2013{significant(high)})" if low and high else ""
    printed = f">{significant(row.rate_per_s)}</text>" in badge
    return printed and (bool(row.kinds) or (bool(span) == bool(low) and span in badge))
