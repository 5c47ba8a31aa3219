"""What a standing says of its uncertainty: variants, flags, order and ranks."""

from __future__ import annotations

import math
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
from django.db import connection

from apps.plans.regions import NOWHERE
from apps.rankings.digest import standings_digest
from apps.rankings.models import Evidence, ProviderStanding, Standing, StandingRun
from apps.rankings.services import refresh_all, refresh_cells
from apps.rankings.standings.boards import rank_board, set_ranks, standings_of
from apps.rankings.standings.cells import (
    BoardKey,
    CellKey,
    CellPoint,
    CellSubject,
    split_by_kind,
)
from apps.rankings.standings.drafts import HISTOGRAMS_A_DAY_MAX, draft_of
from apps.runs.models import Label, Latency, Outcome
from apps.runs.packed.packing import BucketCounts
from apps.stats.histogram import Histogram
from apps.stats.standings.window import WINDOW
from tests.rankings import build
from tests.rankings.build import NOW, SPREAD, measure, ranked_plan, standing_of

if TYPE_CHECKING:
    from collections.abc import Sequence
    from uuid import UUID

    from pytest_django import DjangoAssertNumQueries

    from apps.runs.models import Run

pytestmark = pytest.mark.django_db

# --- flags and variants --------------------------------------------------------------------------


def test_an_uploader_far_from_the_others_is_flagged_and_still_counts() -> None:
    plan = build.plan()
    measure(plan, [1000, 1010, 1020, 1030])
    cheat = build.run(10_000, plan=plan, uploader="cheat", machine="c")
    refresh_all()
    found = standing_of(plan)
    assert (found.n_flagged, found.n_uploaders, found.rate_per_s) == (1, 5, 1020)
    flagged = StandingRun.objects.filter(is_flagged=True)
    assert list(flagged.values_list("run_id", flat=True)) == [cheat.id]
    (label,) = Label.objects.all()
    assert (label.run_id, label.rule) == (cheat.id, "far-from-peers")
    assert (label.figures or {})["case"] == "above"


def test_a_flag_that_is_no_longer_true_goes() -> None:
    plan = build.plan()
    measure(plan, [1000, 1010, 1020, 1030])
    build.run(10_000, plan=plan, uploader="early", machine="c")
    refresh_all()
    late = [
        build.run(rate, plan=plan, uploader=f"late {rate}", machine="c")
        for rate in (9_000, 10_000, 11_000, 12_000, 13_000)
    ]
    refresh_cells(run_ids=[run.id for run in late])
    assert not StandingRun.objects.filter(is_flagged=True).exists()
    assert not Label.objects.exists()


def test_a_run_that_left_the_window_has_no_peers_any_more() -> None:
    plan = build.plan()
    measure(plan, [1000, 1010, 1020, 1030])
    early = build.run(10_000, plan=plan, uploader="early", machine="c")
    refresh_all()
    assert Label.objects.filter(run=early).exists()
    measure(plan, [1000] * 7, measured_at=build.NOW + WINDOW + timedelta(days=2))
    refresh_all()
    assert not Label.objects.exists()
    early.refresh_from_db()
    assert early.outcome == Outcome.PASS


def test_two_kinds_of_storage_stand_for_themselves() -> None:
    plan = build.plan()
    runs = measure(
        plan,
        [
            1000,
            1020,
            1010,
            1005,
            1015,
            1030,
            990,
            200,
            205,
            210,
            202,
            208,
            203,
            207,
        ],
    )
    refresh_all()
    fast, slow = Standing.objects.order_by("variant")
    assert [(each.variant, each.n_variants, each.n_runs) for each in (fast, slow)] == [
        (1, 2, 14),
        (2, 2, 14),
    ]
    assert (fast.rate_per_s, slow.rate_per_s) == (1010, 205)
    assert counted(fast) == {run.id for run in runs[:14]}
    assert fast.median_sd_ln  # it does not rank, and can be told apart
    # of equally common kinds the slower one ranks
    assert (fast.tier, slow.tier) == (None, 1)
    assert ProviderStanding.objects.get().n_plans == 1
    assert ProviderStanding.objects.get().best == slow


def test_a_few_who_agree_are_a_kind_that_does_not_rank() -> None:
    plan = build.plan()
    honest = measure(plan, [1000, 1010, 1020, 1030, 1040, 1050, 1060, 1070, 1080])
    for network in ("a", "b", "c"):
        for machine in range(2):
            build.run(10_000, plan=plan, uploader=network, machine=f"{network}{machine}")
    refresh_all()
    few, common = Standing.objects.order_by("variant")
    assert (few.n_uploaders, few.needs_runs, few.tier) == (3, True, None)
    assert (common.n_uploaders, common.tier) == (9, 1)
    assert counted(common) == {run.id for run in honest}


def counted(standing: Standing) -> set[UUID]:
    return set(standing.counted.values_list("run_id", flat=True))


def test_a_plan_that_is_of_one_kind_again_has_one_row_again() -> None:
    plan = build.plan()
    measure(plan, [1000, 1020, 1010, 200, 205, 210])
    refresh_all()
    between = [
        build.run(rate, plan=plan, uploader=f"between {rate}", machine="m")
        for rate in (300, 400, 500, 600, 700, 800)
    ]
    refresh_cells(run_ids=[run.id for run in between])
    found = standing_of(plan)
    assert (found.variant, found.n_variants, found.n_uploaders) == (0, 1, 12)
    assert StandingRun.objects.count() == 18


# --- weights -------------------------------------------------------------------------------------


def point(rate: float, *, uploader: str, is_claimed: bool) -> CellPoint:
    run = build.run(rate, plan=build.plan(), uploader=uploader, machine=uploader)
    return CellPoint(
        run_id=run.id, run_slug=run.slug, at=NOW, key=uploader, machine=uploader,
        uploader=uploader, is_claimed=is_claimed, place=NOWHERE, rate_per_s=rate,
        rate_per_s_low=None, rate_per_s_high=None, title="t", is_durable_single_writer=True,
        drive_name="", plp="unknown", ladder_class=None, filesystem="ext4", warning="",
        is_illustrative=False,
    )  # fmt: skip


def test_sixty_anonymous_networks_weigh_less_than_eight_accounts() -> None:
    key = CellKey(CellSubject.PLAN, "acme-x1", Evidence.MEASURED, "commit-8k", 1)
    honest = [point(1000 + 10 * place, uploader=f"a{place}", is_claimed=True) for place in range(8)]
    many = [point(1200, uploader=f"n{place}", is_claimed=False) for place in range(60)]
    (part,) = split_by_kind(key, [*honest, *many], day=NOW.date())
    found = draft_of(part).standing
    assert found.rate_per_s == 1050  # of weights 8 and 3.43 the half is with the sixth account
    assert not found.is_anonymous
    assert found.n_effective == 8  # networks add nothing to how sure the figure is
    assert (found.rate_per_s_low, found.rate_per_s_high) == (1000, 1070)  # of the accounts
    assert draft_of(split_by_kind(key, many, day=NOW.date())[0]).standing.is_anonymous


# --- order and ranks -----------------------------------------------------------------------------


def test_ranks_tiers_and_ties_of_a_board() -> None:
    fast, alike, slow = (ranked_plan(*each) for each in (("A", 1000), ("B", 990), ("C", 300)))
    build.run(9999, plan=build.plan("FEW"))
    refresh_all()
    first, second, third = (standing_of(plan) for plan in (fast, alike, slow))
    assert (first.rank_low, first.rank_high, first.tier) == (1, 2, 1)
    assert (second.rank_low, second.rank_high, second.tier) == (1, 2, 1)
    assert (third.rank_low, third.rank_high, third.tier) == (3, 3, 2)
    assert [each.is_tied_with_above for each in (first, second, third)] == [False, True, False]
    order = [each.order_rate_per_s or 0 for each in (first, second, third)]
    assert order == sorted(order, reverse=True)
    assert order[0] < 1000  # drawn towards the others
    assert order[2] > 300


def test_a_new_run_of_one_plan_moves_the_ranks_of_others() -> None:
    one, two = ranked_plan("A", 1000), ranked_plan("B", 500)
    refresh_all()
    assert (standing_of(one).tier, standing_of(two).tier) == (1, 2)
    fastest = build.plan("C")
    runs = measure(fastest, [5000 * each for each in SPREAD])
    refresh_cells(run_ids=[run.id for run in runs])
    assert [standing_of(plan).tier for plan in (fastest, one, two)] == [1, 2, 3]
    assert standing_of(two).rank_low == 3


def test_plans_and_drives_of_one_workload_are_different_boards() -> None:
    plan, drive = build.plan(), build.family()
    measure(plan, [1000 * each for each in SPREAD], drive_family=drive)
    refresh_all()
    assert set(Standing.objects.values_list("rank_low", "rank_high")) == {(1, 1)}
    drives = BoardKey(CellSubject.DRIVE, Evidence.MEASURED, "commit-8k", 1)
    assert [row.drive_family_id for row in standings_of(drives)] == [drive.slug]


def test_storage_classes_are_drawn_towards_their_own_middle() -> None:
    rows = [
        Standing(
            plan_id=f"p{place}", rate_per_s=rate, n_effective=5, spread_ln=0.1,
            ladder_class_id=ladder_class, n_cell_uploaders=5, n_uploaders=5, n_runs=5,
        )
        for place, (rate, ladder_class) in enumerate(
            [(10_000, "plp"), (11_000, "plp"), (100, "disk"), (110, "disk")]
        )
    ]  # fmt: skip
    board = BoardKey(CellSubject.PLAN, Evidence.MEASURED, "commit-8k", 1)
    ranked = set_ranks(board, rows)
    assert [row.plan_id for row, _ in ranked] == ["p1", "p0", "p3", "p2"]
    middles = {row.ladder_class_id: shrunk.prior.mean for row, shrunk in ranked if shrunk.prior}
    assert math.exp(middles["plp"]) == pytest.approx(10_488, rel=1e-3)
    assert math.exp(middles["disk"]) == pytest.approx(104.9, rel=1e-3)


def test_the_best_plan_of_a_provider_is_a_ranked_one() -> None:
    ranked = ranked_plan("RANKED", 1000)
    build.run(50_000, plan=build.plan("ONE-RUN"))
    refresh_all()
    assert ProviderStanding.objects.get().best == standing_of(ranked)


# --- curves --------------------------------------------------------------------------------------


def with_histogram(run: Run, values_ns: Sequence[int]) -> None:
    histogram = Histogram.from_values(values_ns)
    Latency.objects.filter(measurement__run=run).update(
        histogram=BucketCounts(list(histogram.buckets), list(histogram.counts)),
        count=histogram.count, min_ns=histogram.min_ns, max_ns=histogram.max_ns,
    )  # fmt: skip


def test_the_curve_pools_all_runs_with_uploaders_weighing_the_same() -> None:
    plan = build.plan()
    for machine in range(3):
        fast = build.run(9000, plan=plan, uploader="fast", machine=f"f{machine}")
        with_histogram(fast, [100] * 10_000)
    with_histogram(build.run(200, plan=plan, uploader="slow"), [5_000_000] * 1000)
    refresh_all()
    found = standing_of(plan)
    assert found.pooled_p50_ns == 100
    assert found.pooled_p99_ns == pytest.approx(5_000_000, rel=0.01)
    assert found.pooled_p999_ns == found.pooled_p99_ns
    curve = dict(found.curve)
    assert curve[0.45] == 100
    assert curve[0.55] == pytest.approx(5_000_000, rel=0.01)


def test_whoever_stored_its_runs_first_the_curve_is_the_same() -> None:
    plan = build.plan()
    for number in range(HISTOGRAMS_A_DAY_MAX + 4):
        with_histogram(build.run(9000, plan=plan), [100 + number] * 100)
    refresh_all()
    before = standings_digest()
    with connection.cursor() as cursor:
        cursor.execute("UPDATE runs_latency SET measurement_id = 1000000000 - measurement_id")
        cursor.execute("UPDATE runs_measurement SET id = 1000000000 - id")
    refresh_all()
    assert standings_digest() == before


def test_too_few_commits_have_no_p999() -> None:
    plan = build.plan()
    with_histogram(build.run(200, plan=plan), range(1000, 1500))
    refresh_all()
    found = standing_of(plan)
    assert found.pooled_p99_ns is not None
    assert found.pooled_p999_ns is None


def test_a_board_of_many_is_ranked_in_as_many_queries_as_one_of_few(
    django_assert_max_num_queries: DjangoAssertNumQueries,
) -> None:
    for rate in (1000, 2000, 4000, 8000):
        ranked_plan(f"X{rate}", rate)
    refresh_all()
    with django_assert_max_num_queries(2):
        rank_board(BoardKey(CellSubject.PLAN, Evidence.MEASURED, "commit-8k", 1))
