"""What a standing rests on, as its page shows it: machines, lottery, months, runs in and out."""

from __future__ import annotations

import gzip
import re
from datetime import date
from typing import TYPE_CHECKING, cast

import pytest

from apps.pages.things.pictures.charts import months_data
from apps.pages.things.selectors.months import Month, changes_of
from apps.rankings.models import StandingsDay
from apps.rankings.standings.months import month_after
from apps.runs.models import KeepsOut, Level
from tests import make
from tests.pages.measured import counted, stand
from tests.pages.site import text, tight

if TYPE_CHECKING:
    from django.test import Client
    from pytest_django import DjangoAssertNumQueries

    from apps.plans.models import Plan
    from apps.runs.models import Run

pytestmark = pytest.mark.django_db
HTML_KB_MAX = 40  # of 150, beside style sheets, scripts and fonts


def words(client: Client, address: str) -> str:
    return " ".join(text(client, address).split())


def part(page: str, fold: str) -> str:
    """What is folded below a question."""
    return page.partition(f'<details class="fold" id="{fold}"')[2].partition('class="fold"')[0]


@pytest.fixture
def plan() -> Plan:
    return make.plan(name="X1", slug="acme-x1")


def test_every_machine_is_a_dot_and_those_of_one_uploader_share_a_line(
    client: Client, plan: Plan
) -> None:
    runs = [counted(900 + 10 * n, uploader=n, plan=plan) for n in range(5)]
    runs += [counted(1_000, uploader=9, machine=n, plan=plan) for n in range(2)]
    runs += [counted(2_000, uploader=9, machine=3, plan=plan)]
    stand(runs)
    section = part(words(client, "/plans/acme-x1/"), "machines")
    assert section.count('<circle class="machine-dot" cx=') == 8
    assert section.count('class="link"') == 1
    assert "6 uploaders: 900\u20131,000 /s, 8 machines: 900\u20132,000 /s" in section
    assert "1,000 · 1,000 · 2,000" in section  # the table has each machine


def test_an_uploader_far_from_the_others_is_marked_by_shape(client: Client, plan: Plan) -> None:
    runs = [counted(1_000 + n, uploader=n, plan=plan) for n in range(9)]
    stand([*runs, counted(90_000, uploader=10, plan=plan)])
    page = words(client, "/plans/acme-x1/")
    assert part(page, "machines").count('class="machine-dot far"') == 2  # the dot and its key
    assert "<span>far from the others</span>" in page


def test_the_lottery_counts_uploaders_and_keeps_rates_apart(client: Client, plan: Plan) -> None:
    good = make.drive_family(slug="good", name="Good drive", plp="full")
    bad = make.drive_family(slug="bad", name="Bad drive", plp="none")
    runs = [counted(9_000, uploader=1, machine=n, plan=plan, drive_family=good) for n in range(4)]
    runs += [counted(200 + n, uploader=n, plan=plan, drive_family=bad) for n in (2, 3)]
    stand(runs)
    section = part(words(client, "/plans/acme-x1/"), "lottery")
    assert "<span>Bad drive: 2 / 3 uploaders</span>" in section
    assert section.index("Bad drive</a>") < section.index("Good drive</a>")
    assert 'width="66.7%"' in section
    assert "4 machines, 4 runs" in section
    assert 'aria-label="9,000 /s, 9,000\u20139,000 /s"' in section
    other_side = part(words(client, "/drives/bad/"), "lottery")
    assert "X1: 2 / 2 uploaders" in other_side


def test_a_month_is_a_median_of_uploaders_and_says_when_the_drive_changed(
    client: Client, plan: Plan
) -> None:
    old, new = make.drive_family(name="Old drive"), make.drive_family(name="New drive")
    runs = [counted(1_000, uploader=1, machine=n, plan=plan, drive_family=old, days=40)
            for n in range(5)]  # fmt: skip
    runs += [counted(4_000, uploader=2, plan=plan, drive_family=old, days=40)]
    runs += [counted(500, uploader=n, plan=plan, drive_family=new) for n in (3, 4, 5)]
    stand(runs)
    section = part(words(client, "/plans/acme-x1/"), "months")
    # of two uploaders, who make no middle half
    assert '<th scope="row">2025-05</th><td>2,000</td><td>\u2013</td>' in tight(section)
    assert "No more than uploaders of one month differ." in section
    assert "<td>2</td><td>6</td><td>6</td><td>Old drive</td>" in tight(section)
    assert "From 2025-06 on most uploaders had New drive, before that Old drive." in section
    assert "charts.js" in text(client, "/plans/acme-x1/")


def test_a_plan_measured_in_one_month_has_no_chart_and_loads_none(
    client: Client, plan: Plan
) -> None:
    stand([counted(1_000, uploader=n, plan=plan) for n in range(3)])
    page = text(client, "/plans/acme-x1/")
    assert "Measured in one month only" in page
    assert "charts.js" not in page


def month(name: str, drive: str) -> Month:
    first_day = date.fromisoformat(f"{name}-01")
    return Month(first_day, 1_000, 900, 1_100, None, n_uploaders=1, n_machines=1, n_runs=1,
                 drive=drive)  # fmt: skip


@pytest.mark.parametrize(("n_uploaders", "are_apart"), [(6, False), (7, True)])
def test_the_extremes_of_months_are_named_only_where_they_are_apart(
    client: Client, plan: Plan, n_uploaders: int, *, are_apart: bool
) -> None:
    runs = [
        counted(rate + n, uploader=n, plan=plan, days=days)
        for rate, days in ((1_000, 40), (2_000, 0))
        for n in range(n_uploaders)
    ]
    stand(runs)
    section = part(words(client, "/plans/acme-x1/"), "months")
    # two months are compared: each may miss in 2.5 %, which six uploaders cannot promise
    assert ("2025-05: 1,003 /s (7 uploaders), 2025-06: 2,003 /s" in section) is are_apart
    assert ("No more than uploaders of one month differ." in section) is not are_apart
    assert re.search(
        r"<td>1,00\d\u20131,00\d</td>", tight(section)
    )  # a band from five uploaders on


def test_months_that_overlap_are_not_told_apart(client: Client, plan: Plan) -> None:
    runs = [
        counted(rate * (1 + n / 10), uploader=n, plan=plan, days=days)
        for rate, days in ((1_000, 40), (1_360, 0))
        for n in range(9)
    ]
    stand(runs)
    section = part(words(client, "/plans/acme-x1/"), "months")
    assert "No more than uploaders of one month differ." in section


def test_a_month_without_a_named_drive_is_no_change() -> None:
    months = [month("2025-11", "A"), month("2026-01", ""), month("2026-02", "A")]
    assert changes_of(months) == ()
    changed = [*months, month("2026-03", "B")]
    assert [(each.before, each.after) for each in changes_of(changed)] == [("A", "B")]
    data = months_data(changed)
    drawn = cast("list[dict[str, int]]", data["months"])
    assert [each["x"] for each in drawn] == [0, 2, 3, 4]


@pytest.mark.parametrize(
    ("day", "count", "first"),
    [(date(2026, 3, 31), 0, date(2026, 3, 1)), (date(2026, 3, 31), 3, date(2025, 12, 1)),
     (date(2026, 3, 31), 27, date(2023, 12, 1))],
)  # fmt: skip
def test_months_are_counted_back_over_years(day: date, count: int, first: date) -> None:
    assert month_after(day, -count) == first


@pytest.fixture
def runs_by_decision(plan: Plan) -> dict[str, Run]:
    """Runs that are in and out, each for another reason."""
    runs = {
        "in": counted(1_000, uploader=1, plan=plan),
        "old": counted(1_000, uploader=2, plan=plan, days=200),
        "ruled": counted(1_000, uploader=3, plan=plan, in_standings=False),
        "signed": counted(
            1_000, uploader=4, plan=plan, in_standings=False, level=Level.SIGNED, days=1
        ),
    }
    make.label(run=runs["ruled"], rule="faster-than-medium", keeps_out=KeepsOut.RUN,
               figures={"workload": "commit-8k", "p50_ns": 9_000, "class": "hdd",
                        "floor_ns": 1_000_000})  # fmt: skip
    make.label(run=runs["signed"], rule="measured-offline", figures={})
    others = [counted(1_000, uploader=number, plan=plan) for number in range(10, 16)]
    StandingsDay.objects.create(day=make.NOON.date())
    stand([*runs.values(), *others])
    return runs


def line_of(page: str, run: Run) -> str:
    return page.partition(f'id="run-{run.slug}"')[2].partition("</tr>")[0]


def test_every_run_says_whether_it_counts_and_which_rule_decided(
    client: Client, runs_by_decision: dict[str, Run]
) -> None:
    page = words(client, "/plans/acme-x1/")
    assert "> in <" in line_of(page, runs_by_decision["in"])
    assert "older than 180 days" in line_of(page, runs_by_decision["old"])
    ruled = line_of(page, runs_by_decision["ruled"])
    why = "commit-8k: p50 is 9 µs; the floor is 1,000 µs (Hard disk)."
    assert f'href="/rules/faster-than-medium/" title="{why}">faster than durable media' in ruled
    assert 'href="/rules/measured-offline/"' in line_of(page, runs_by_decision["signed"])
    assert [name for name, run in runs_by_decision.items() if "> out <" in line_of(page, run)] == [
        "old", "ruled", "signed",
    ]  # fmt: skip


@pytest.mark.parametrize(("asked", "shown"), [("in", {"in"}), ("out", {"old", "ruled", "signed"})])
def test_runs_are_filtered_by_what_was_decided(
    client: Client, runs_by_decision: dict[str, Run], asked: str, shown: set[str]
) -> None:
    page = words(client, f"/plans/acme-x1/?runs={asked}")
    assert {
        name for name, run in runs_by_decision.items() if f'id="run-{run.slug}"' in page
    } == shown
    assert re.search(r'aria-current="true"> (In|Out) <span class="fig">(7|3)</span>', page)


def test_a_drive_says_that_several_together_are_no_figure_of_one(client: Client) -> None:
    family = make.drive_family(slug="d")
    run = counted(1_000, uploader=1, drive_family=family, is_single_drive=False, plan=make.plan())
    stand([run])
    assert "Measured only together with other drives." in line_of(words(client, "/drives/d/"), run)


@pytest.fixture
def crowd(plan: Plan) -> Plan:
    """A plan of 240 runs in 80 uploaders, and what others published and imported of it."""
    family = make.drive_family(slug="d")
    stand(
        [
            counted(1_000 + 7 * n, uploader=n % 80, machine=n % 160, days=n % 170, plan=plan,
                    drive_family=family)
            for n in range(240)
        ]
    )  # fmt: skip
    for n in range(12):
        published = make.run(level=Level.PUBLISHED, slug=f"a-{n}", plan=plan, drive_family=family)
        make.citation(run=published, title=f"An article {n}")
        make.measurement(run=published, workload="direct-16k-fsync")
        make.imported_run(plan=plan, drive_family=family)
    make.price(plan=plan)
    return plan


@pytest.mark.parametrize(
    "address", ["/plans/acme-x1/?page=3", "/drives/d/", "/plans/acme-x1/?runs=in"]
)
def test_a_page_of_hundreds_of_runs_asks_seven_times_and_stays_light(
    client: Client, crowd: Plan, address: str, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    with django_assert_max_num_queries(7):
        answer = client.get(address)
    assert len(gzip.compress(answer.content)) < HTML_KB_MAX * 1024
    page = " ".join(answer.content.decode().split())
    assert page.count('class="in-out"') == 20
    assert "160 machines" in page
    assert page.count(">An article ") == 10
    assert "level=published&amp;" in page
    assert len(re.findall(r'id="(?:published|imports)"', page)) == 2


def test_of_many_runs_some_are_counted_and_listed_and_the_list_of_runs_has_all(
    client: Client, crowd: Plan, monkeypatch: pytest.MonkeyPatch
) -> None:
    where = "apps.pages.things.selectors.runs"
    make.run(plan=crowd, uploader="network:1", in_standings=False)
    page = words(client, f"/plans/{crowd.slug}/?page=99")
    assert "240 in, 1 out" in page
    assert "Page 13 of 13, 241 in all" in page
    assert f"?shape=all&amp;plan={crowd.slug}" not in client.get(f"/plans/{crowd.slug}/").text
    monkeypatch.setattr(f"{where}.COUNTED_MAX", 240)
    monkeypatch.setattr(f"{where}.RUNS_MAX", 60)
    page = words(client, f"/plans/{crowd.slug}/?page=99")
    assert "≥ 240 in, ≤ 1 out" in page
    assert "Page 3 of 3, 241 in all" in page
    assert f"?shape=all&amp;plan={crowd.slug}" in client.get(f"/plans/{crowd.slug}/").text


def test_a_page_beyond_the_last_is_the_last(client: Client, crowd: Plan) -> None:
    page = words(client, f"/plans/{crowd.slug}/?page=99")
    assert "Page 12 of 12, 240 in all" in page
    assert page.count('class="in-out"') == 20
