"""What a cell says of its runs: one value a machine, one an uploader, the median of uploaders."""

from __future__ import annotations

from datetime import timedelta
from decimal import Decimal
from typing import TYPE_CHECKING

import pytest

from apps.rankings.models import Evidence, ProviderStanding, Standing
from apps.rankings.services import refresh_all, refresh_cells
from apps.runs.models import Citation, Latency, Level, Measurement, Run
from tests.rankings import build
from tests.rankings.build import NOW

if TYPE_CHECKING:
    from pytest_django import DjangoAssertNumQueries

pytestmark = pytest.mark.django_db


def only_standing() -> Standing:
    return Standing.objects.get()


def test_one_run_stands_with_its_own_figures() -> None:
    plan = build.plan()
    run = build.run(1000, plan=plan, low=900, high=1100)
    refresh_cells(run_ids=[run.id])
    cell = only_standing()
    assert (cell.plan_id, cell.evidence, cell.workload) == (
        plan.slug,
        Evidence.MEASURED,
        "commit-8k",
    )
    assert (cell.rate_per_s, cell.rate_per_s_low, cell.rate_per_s_high) == (1000, 900, 1100)
    assert cell.interval_is == "samples"
    assert (cell.p50_ns, cell.p99_ns, cell.latency_side) == (1_000_000, 2_000_000, "commit")
    assert cell.curve == [[0.5, 1_000_000], [0.99, 2_000_000]]
    assert (cell.n_runs, cell.n_machines, cell.n_uploaders) == (1, 1, 1)
    assert cell.newest_run_slug == run.slug
    assert cell.is_durable_single_writer
    assert (cell.price, cell.cost_per_billion) == (None, None)


def test_sixty_runs_of_one_uploader_weigh_as_much_as_one() -> None:
    plan = build.plan()
    for honest in range(5):
        build.run(1000 + honest, plan=plan, uploader=f"u{honest}", machine=f"m{honest}")
    for cheat in range(60):
        build.run(10_000, plan=plan, uploader="cheat", machine=f"c{cheat}")
    refresh_all()
    cell = only_standing()
    assert cell.rate_per_s == pytest.approx(1002.5, rel=1e-4)
    assert (cell.n_runs, cell.n_machines, cell.n_uploaders) == (65, 65, 6)
    assert cell.interval_is == "uploaders"
    assert cell.rate_per_s_low == 1000
    assert cell.rate_per_s_high == pytest.approx(10_000)


def test_the_runs_of_one_day_become_their_median_and_old_days_fall_out() -> None:
    plan = build.plan()
    for rate in (100, 100, 400):  # one day: 100
        build.run(rate, plan=plan)
    for day in range(1, 5):
        build.run(200, plan=plan, measured_at=NOW - timedelta(days=day))
    for day in range(5, 30):  # beyond the newest five days
        build.run(9_000, plan=plan, measured_at=NOW - timedelta(days=day))
    refresh_all()
    assert only_standing().rate_per_s == 200
    assert only_standing().interval_is == "repeats"


def test_two_machines_of_one_uploader_meet_in_the_middle_by_factor() -> None:
    plan = build.plan()
    build.run(100, plan=plan, machine="m1")
    build.run(400, plan=plan, machine="m2")
    refresh_all()
    cell = only_standing()
    assert cell.rate_per_s == pytest.approx(200)
    assert cell.p50_ns == pytest.approx(5_000_000, abs=1)
    assert cell.interval_is == "machines"


@pytest.mark.parametrize("column", ["p50_ns", "p99_ns"])
def test_one_percentile_is_enough_to_name_its_side(column: str) -> None:
    run = build.run(1_000, plan=build.plan(), side="sync")
    Latency.objects.filter(measurement__run=run).update(**{column: None}, printed_curve=[])
    refresh_all()
    assert only_standing().latency_side == "sync"


def test_a_standing_is_told_apart_in_a_list() -> None:
    build.run(1_000, plan=build.plan())
    refresh_all()
    assert str(only_standing()) == "acme-x1 commit-8k 1000/s"


def test_a_percentile_that_only_some_runs_have_is_not_said_of_all() -> None:
    plan = build.plan()
    long = build.run(9_000, plan=plan, uploader="u1", machine="m1")
    Latency.objects.filter(measurement__run=long).update(p9999_ns=1_500_000)
    build.run(300, plan=plan, uploader="u2", machine="m2")
    slow = build.run(100, plan=plan, uploader="u3", machine="m3")
    refresh_all()
    cell = only_standing()
    assert cell.p99_ns is not None
    assert cell.p99_ns > 1_500_000
    assert cell.p9999_ns is None
    Latency.objects.exclude(measurement__run=long).update(p9999_ns=90_000_000)
    refresh_all()
    assert only_standing().p9999_ns == 90_000_000
    Latency.objects.filter(measurement__run=slow).delete()  # a rate alone says nothing of latency
    refresh_all()
    assert only_standing().p9999_ns is not None


def test_one_short_run_takes_no_percentile_away_that_many_have() -> None:
    plan = build.plan()
    build.measure(plan, [1_000 + 10 * place for place in range(8)], machines=1)
    refresh_all()
    before = only_standing()
    short = build.run(1_020, plan=plan, uploader="short", machine="short")
    Latency.objects.filter(measurement__run=short).update(p99_ns=None)
    refresh_all()
    cell = only_standing()
    assert before.p99_ns is not None
    assert cell.p99_ns is not None
    assert before.p99_ns <= cell.p99_ns <= 1.01 * before.p99_ns
    assert (cell.p99_low_ns, cell.p99_high_ns) != (None, None)


def test_where_the_middle_uploader_has_no_percentile_nobody_says_one() -> None:
    plan = build.plan()
    build.measure(plan, [1_000 + 10 * place for place in range(6)], machines=1)
    for place in range(5):
        short = build.run(1_000, plan=plan, uploader=f"short{place}", machine=f"short{place}")
        Latency.objects.filter(measurement__run=short).update(p99_ns=None)
    refresh_all()
    assert only_standing().p99_ns is not None
    assert only_standing().p99_high_ns is None
    short = build.run(1_000, plan=plan, uploader="short5", machine="short5")
    Latency.objects.filter(measurement__run=short).update(p99_ns=None)
    refresh_all()
    assert only_standing().p99_ns is None


def test_the_drive_that_most_uploaders_got_is_named_first_whoever_sends_most() -> None:
    plan = build.plan()
    for place in range(4):
        build.run(1_000 + place, plan=plan, uploader=f"u{place}", drive_reported="PM9A3")
    for place in range(20):
        build.run(1_000, plan=plan, uploader="one", machine=f"m{place}", drive_reported="OTHER")
    refresh_all()
    assert only_standing().drive_names == "PM9A3, OTHER"


def test_the_curve_is_that_of_the_run_nearest_to_the_cell() -> None:
    plan = build.plan()
    for number, rate in enumerate((100, 210, 900)):
        build.run(rate, plan=plan, uploader=f"u{number}", machine=f"m{number}")
    refresh_all()
    cell = only_standing()
    assert cell.rate_per_s == 210
    assert cell.curve[0] == [0.5, round(1e9 / 210)]


def test_the_newest_run_is_the_one_that_a_reader_opens_first() -> None:
    plan = build.plan()
    newest = build.run(100, plan=plan, measured_at=NOW + timedelta(hours=1))
    build.run(100, plan=plan)
    refresh_all()
    assert only_standing().newest_run_slug == newest.slug


def test_only_runs_in_standings_count_and_published_ones_stand_apart() -> None:
    plan = build.plan()
    build.run(1000, plan=plan)
    build.run(9000, plan=plan, in_standings=False)
    published = build.run(500, plan=plan, level=Level.PUBLISHED, in_standings=False)
    Citation.objects.create(
        run=published, title="An article", warning="Illustrative.", is_illustrative=True
    )
    refresh_all()
    rates = dict(Standing.objects.values_list("evidence", "rate_per_s"))
    assert rates == {Evidence.MEASURED: 1000, Evidence.PUBLISHED: 500}
    assert Standing.objects.get(evidence=Evidence.PUBLISHED).warnings == ["Illustrative."]
    assert Standing.objects.get(evidence=Evidence.PUBLISHED).is_illustrative
    assert not Standing.objects.get(evidence=Evidence.MEASURED).is_illustrative
    assert Standing.objects.get(evidence=Evidence.MEASURED).warnings == []


def test_a_drive_family_counts_single_drives_alone() -> None:
    drive = build.family()
    build.run(1000, drive_family=drive, uploader="u1", machine="m1")
    build.run(50_000, drive_family=drive, uploader="u2", machine="m2", is_single_drive=False)
    refresh_all()
    cell = only_standing()
    assert (cell.drive_family_id, cell.rate_per_s) == (drive.slug, 1000)
    assert (cell.plp, cell.drive_names) == ("full", "Fast-Drive")


def test_a_plan_names_the_drives_that_people_got() -> None:
    plan, one, two = build.plan(), build.family("one"), build.family("two", plp="none")
    build.run(1000, plan=plan, drive_family=two, uploader="u1", machine="m1")
    build.run(1000, plan=plan, drive_family=two, uploader="u2", machine="m2")
    build.run(1000, plan=plan, drive_family=one, uploader="u3", machine="m3")
    refresh_all()
    cell = Standing.objects.get(plan=plan)
    assert cell.drive_names == "Two, One"
    assert cell.plp == "unknown"


def test_many_drive_names_are_cut_between_names() -> None:
    plan = build.plan()
    for number in range(9):
        build.run(1, plan=plan, drive_reported=f"{number}" * 40, machine=f"m{number}")
    refresh_all()
    assert only_standing().drive_names == ", ".join(f"{number}" * 40 for number in range(4))


def test_an_unlisted_plan_stands_too() -> None:
    plan = build.plan("NAS", provider="home")
    build.run(100, plan=plan)
    refresh_all()
    assert only_standing().plan_id == "home-nas"
    assert ProviderStanding.objects.get().provider_id == "home"


def test_cost_is_computed_for_durable_single_writers_alone() -> None:
    plan = build.plan()
    priced = build.price(plan, Decimal(73))
    build.run(1000, plan=plan)
    build.run(1000, plan=plan, workload="read-4k-floor", is_durable_single_writer=False)
    refresh_all()
    commit = Standing.objects.get(workload="commit-8k")
    assert (commit.price, commit.currency) == (priced, "EUR")
    assert commit.cost_per_billion == Decimal("27.7778")  # 0.1 an hour, 3.6 million commits
    assert commit.price_month_per_1000 == 73
    read = Standing.objects.get(workload="read-4k-floor")
    assert (read.price, read.cost_per_billion) == (priced, None)


def test_useful_iops_cost_by_the_month_and_have_no_latency() -> None:
    """2,000 of them for 73 a month are 36.50 a thousand; all passes together are no latency."""
    plan = build.plan()
    priced = build.price(plan, Decimal(73))
    build.run(
        2000, plan=plan, workload="slo-randread-4k-10ms", low=1000, high=4000,
        is_durable_single_writer=False, side="read",
    )  # fmt: skip
    refresh_all()
    useful = only_standing()
    assert (useful.price, useful.cost_per_billion) == (priced, None)
    assert useful.price_month_per_1000 == Decimal("36.5")
    assert (useful.latency_side, useful.p99_ns, useful.curve) == ("", None, [])


def test_a_provider_shows_its_best_plan_and_its_cheapest() -> None:
    fast, cheap = build.plan("FAST"), build.plan("CHEAP")
    build.price(fast, Decimal(1000))
    build.price(cheap, Decimal(10))
    build.run(10_000, plan=fast)
    build.run(1000, plan=cheap, machine="m2")
    refresh_all()
    shown = ProviderStanding.objects.get()
    assert (shown.best.plan_id, shown.n_plans) == ("acme-fast", 2)
    assert shown.cheapest is not None
    assert shown.cheapest.plan_id == "acme-cheap"


def test_the_cheapest_is_sought_in_one_currency() -> None:
    plans = [build.plan(name) for name in ("A", "B", "C")]
    for plan, amount, currency in zip(plans, (30, 20, 1), ("EUR", "EUR", "USD"), strict=True):
        build.price(plan, Decimal(amount), currency=currency)
        build.run(1000, plan=plan, machine=plan.slug)
    refresh_all()
    cheapest = ProviderStanding.objects.get().cheapest
    assert cheapest is not None
    assert cheapest.plan_id == "acme-b"


def test_a_provider_without_prices_has_no_cheapest() -> None:
    build.run(1000, plan=build.plan())
    refresh_all()
    assert ProviderStanding.objects.get().cheapest is None


def test_only_the_cells_that_a_run_touches_are_computed_again() -> None:
    touched, other = build.plan("TOUCHED"), build.plan("OTHER", provider="other")
    run = build.run(1000, plan=touched)
    build.run(1000, plan=other, machine="m2")
    refresh_all()
    Standing.objects.update(rate_per_s=1)
    refresh_cells(run_ids=[run.id])
    assert Standing.objects.get(plan=touched).rate_per_s == 1000
    assert Standing.objects.get(plan=other).rate_per_s == 1


def test_a_cell_keeps_its_row_and_goes_with_its_last_run() -> None:
    plan = build.plan()
    run = build.run(1000, plan=plan)
    refresh_all()
    pk = only_standing().pk
    build.run(4000, plan=plan, machine="m2")
    refresh_cells(run_ids=[run.id])
    assert only_standing().pk == pk
    assert only_standing().rate_per_s == pytest.approx(2000)
    Run.objects.update(in_standings=False)
    refresh_cells(run_ids=[run.id])
    assert not Standing.objects.exists()
    assert not ProviderStanding.objects.exists()


def test_refreshing_everything_drops_cells_whose_runs_are_gone() -> None:
    build.run(1000, plan=build.plan())
    refresh_all()
    Run.objects.all().delete()
    refresh_all()
    assert not Standing.objects.exists()


def test_refreshing_no_run_does_nothing() -> None:
    refresh_cells(run_ids=[])
    assert not Standing.objects.exists()


def test_a_figure_without_a_rate_does_not_stand() -> None:
    run = build.run(1000, plan=build.plan())
    Measurement.objects.update(rate_per_s=None)
    refresh_cells(run_ids=[run.id])
    assert not Standing.objects.exists()


def test_everything_computed_twice_is_the_same() -> None:
    plan, drive = build.plan(), build.family()
    for number in range(12):
        build.run(
            100 * (number + 1), plan=plan, drive_family=drive,
            machine=f"m{number % 5}", uploader=f"u{number % 3}",
        )  # fmt: skip
    refresh_all()
    first = list(Standing.objects.order_by("pk").values())
    refresh_all()
    assert list(Standing.objects.order_by("pk").values()) == first


def test_a_refresh_asks_a_bounded_number_of_times(
    django_assert_max_num_queries: DjangoAssertNumQueries,
) -> None:
    plan, drive = build.plan(), build.family()
    runs = [
        build.run(100 + number, plan=plan, drive_family=drive, machine=f"m{number}")
        for number in range(40)
    ]
    refresh_all()
    with django_assert_max_num_queries(44):
        refresh_cells(run_ids=[runs[0].id])
