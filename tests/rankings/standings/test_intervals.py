"""The interval of a standing, and the gates that it has to pass to be ranked."""

from __future__ import annotations

import pytest

from apps.rankings.models import Evidence, Standing
from apps.rankings.services import refresh_all
from apps.rankings.versions.method import METHOD_VERSION
from apps.runs.models import Latency, Level
from tests.rankings import build
from tests.rankings.build import SPREAD, measure, standing_of

pytestmark = pytest.mark.django_db


def test_a_p99_has_the_interval_of_its_uploaders() -> None:
    plan = build.plan()
    measure(plan, [1_000 * each for each in SPREAD[:6]])
    refresh_all()
    found = standing_of(plan)
    # the p99 of each is twice its median commit, of 1 / rate; the range of six holds it in 96.9 %
    ends = found.p99_low_ns, found.p99_ns, found.p99_high_ns
    assert ends == pytest.approx((2e9 / 1_120, 2e9 / 1_020, 2e9 / 920), rel=1e-3)
    assert found.coverage == 0.96875


def test_a_p99_of_one_uploader_or_of_some_has_no_interval() -> None:
    alone, mixed = build.plan("alone"), build.plan("mixed")
    measure(alone, [1_000], machines=3)
    runs = measure(mixed, [900, 1_000, 1_100])
    Latency.objects.filter(measurement__run=runs[0]).delete()
    Latency.objects.filter(measurement__run=runs[1]).delete()
    refresh_all()
    assert (standing_of(alone).p99_low_ns, standing_of(alone).p99_high_ns) == (None, None)
    found = standing_of(mixed)
    assert found.p99_ns is not None  # of the two uploaders who timed it
    assert (found.p99_low_ns, found.rate_per_s_low) == (None, 900)


def test_a_virtual_disk_stands_with_its_plan_and_not_as_a_drive() -> None:
    plan, disk = build.plan(), build.family("qemu-harddisk", kind="virtual")
    measure(plan, [1_000] * 3, drive_family=disk, is_single_drive=True)
    refresh_all()
    assert standing_of(plan).n_uploaders == 3
    assert not Standing.objects.filter(drive_family=disk).exists()
    disk.kind = "ssd"
    disk.save()
    refresh_all()
    assert Standing.objects.filter(drive_family=disk).exists()
    disk.kind = "virtual"
    disk.save()
    refresh_all()  # what stood before it was known to be virtual goes
    assert not Standing.objects.filter(drive_family=disk).exists()


@pytest.mark.parametrize(
    ("uploaders", "coverage", "low", "high"),
    [(2, 0.5, 920, 960), (5, 0.9375, 920, 1080), (6, 0.96875, 920, 1120)],
)
def test_the_interval_is_over_uploaders_with_its_coverage(
    uploaders: int, coverage: float, low: float, high: float
) -> None:
    cell = build.plan()
    measure(cell, [1000 * each for each in SPREAD[:uploaders]])
    refresh_all()
    found = standing_of(cell)
    assert (found.interval_is, found.coverage) == ("uploaders", coverage)
    assert (found.rate_per_s_low, found.rate_per_s_high) == pytest.approx((low, high))
    assert found.method_version == METHOD_VERSION


def test_from_nine_uploaders_on_the_interval_leaves_the_extremes_out() -> None:
    plan = build.plan()
    measure(plan, [1000, 1010, 1020, 1030, 1040, 1050, 1060, 1070, 9000])
    refresh_all()
    found = standing_of(plan)
    assert (found.rate_per_s_low, found.rate_per_s_high) == (1010, 1070)
    assert found.coverage == pytest.approx(0.9609375)


def test_drift_within_runs_widens_the_interval_and_moves_no_figure() -> None:
    plan = build.plan()
    steady = (1000, 1010, 1020, 1030, 1040, 1050, 1060, 1070)
    measure(plan, steady, slowest=600, fastest=1500)
    refresh_all()
    found = standing_of(plan)
    assert found.rate_per_s == pytest.approx(1035, rel=1e-3)
    assert (found.rate_per_s_low, found.rate_per_s_high) == (600, 1500)


def test_a_rate_that_drifts_by_more_than_half_is_not_ranked() -> None:
    plan = build.plan()
    measure(plan, [1000 * each for each in SPREAD], slowest=400)
    refresh_all()
    assert standing_of(plan).needs_runs


@pytest.mark.parametrize(
    ("uploaders", "machines", "needs", "points"),
    [(7, 1, False, []), (2, 9, True, [960, 920]), (3, 1, True, [1000, 960, 920])],
)
def test_below_the_gates_a_plan_needs_runs_and_shows_its_points(
    uploaders: int, machines: int, *, needs: bool, points: list[float]
) -> None:
    plan = build.plan()
    measure(plan, [1000 * each for each in SPREAD[:uploaders]], machines=machines)
    refresh_all()
    found = standing_of(plan)
    assert found.needs_runs is needs
    assert found.points == pytest.approx(points)
    assert (found.tier is None, found.order_rate_per_s is None) == (needs, needs)


def test_published_figures_are_neither_ranked_nor_gated() -> None:
    plan = build.plan()
    measure(plan, [900, 1000, 1100], level=Level.PUBLISHED, in_standings=False)
    refresh_all()
    found = standing_of(plan)
    assert (found.evidence, found.needs_runs, found.coverage) == (Evidence.PUBLISHED, False, None)
    assert (found.rate_per_s_low, found.rate_per_s_high, found.tier) == (900, 1100, None)


def test_equal_figures_are_no_interval() -> None:
    plan = build.plan()
    measure(plan, [1000, 1000], level=Level.PUBLISHED, in_standings=False)
    refresh_all()
    found = standing_of(plan)
    assert (found.rate_per_s, found.rate_per_s_low, found.rate_per_s_high) == (1000, None, None)
