"""Where the published results stand: the figures that the articles give, and nothing mixed."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

import pytest

from apps.rankings.models import Evidence, ProviderStanding, Standing
from apps.rankings.standings.confidence import support_of_run
from apps.runs.models import Level, Measurement, Run
from apps.runs.published.comparable import WITH_METADATA, comparable_class
from apps.stats.standings.confidence import Support
from tests.support.catalogue import store_catalogue

FSYNC_8K = "fallocated-8k-fsync"


@pytest.fixture(autouse=True)
def loaded(db: None) -> None:
    store_catalogue()


def plan_standing(plan: str, workload: str) -> Standing:
    return Standing.objects.get(plan=plan, workload=workload)


@pytest.mark.parametrize(
    ("plan", "figures", "cost"),
    [
        (
            "hetzner-ax102-15-36-tb-nvme-dc-drive",
            (10318.05, 8306, 10842, 89_000, 163_000),
            (Decimal("8.63"), Decimal("22.68")),
        ),
        (
            "hetzner-ax41-nvme",
            (187.15, 146, 194, 5_276_000, 8_356_000),
            (Decimal("75.84"), Decimal("199.31")),
        ),
    ],
)
def test_the_two_servers_of_the_worked_example(
    plan: str, figures: tuple[float, ...], cost: tuple[Decimal, Decimal]
) -> None:
    cell = plan_standing(plan, FSYNC_8K)
    rates = (cell.rate_per_s, cell.rate_per_s_low, cell.rate_per_s_high)
    assert (*rates, cell.p50_ns, cell.p99_ns) == figures
    assert (cell.interval_is, cell.latency_side, cell.currency) == ("samples", "sync", "EUR")
    assert cell.cost_per_billion is not None
    assert cell.price_month_per_1000 is not None
    assert (round(cell.cost_per_billion, 2), round(cell.price_month_per_1000, 2)) == cost
    assert comparable_class(cell.workload) == WITH_METADATA


def test_repeats_become_their_median_by_factor_with_their_range() -> None:
    cell = plan_standing("home-dell32-home-server", "direct-16k-fsync")
    assert cell.rate_per_s == pytest.approx((1083 * 1085) ** 0.5)
    assert (cell.rate_per_s_low, cell.rate_per_s_high, cell.interval_is) == (1083, 1085, "repeats")
    assert (cell.n_runs, cell.n_machines, cell.n_uploaders) == (2, 1, 1)


def test_two_filesystems_of_one_machine_are_said_to_be_mixed() -> None:
    cell = plan_standing("google-cloud-c3d-standard-30-lssd", "direct-16k-fsync")
    assert (cell.n_runs, cell.n_machines) == (4, 1)
    assert (cell.rate_per_s_low, cell.rate_per_s_high) == (6555, 7537)
    assert (cell.warnings, cell.filesystems) == ([], ["ext4", "xfs"])
    assert cell.interval_is == "filesystems"  # and not repeats


def test_the_queued_writes_of_ccx33_are_on_no_single_writer_board() -> None:
    durable = Standing.objects.filter(is_durable_single_writer=True)
    assert not durable.filter(plan="hetzner-ccx33").exists()
    queued = plan_standing("hetzner-ccx33", "randwrite-8k-fsync-qd32x4")
    assert not queued.is_durable_single_writer
    assert queued.price is not None
    assert queued.cost_per_billion is None
    assert "128 requests were in flight" in queued.warnings[0]


def test_single_writer_boards_hold_single_writers_that_sync_after_each_write() -> None:
    durable = Standing.objects.filter(is_durable_single_writer=True)
    boards = set(durable.values_list("workload", flat=True))
    assert boards >= {FSYNC_8K, "direct-16k-fsync", "pg-8k-fdatasync", "etcd-2300-fdatasync"}
    assert not {name for name in boards if "nosync" in name or "qd32" in name or "barrier" in name}
    for row in Measurement.objects.filter(workload__in=boards, run__is_kept_out=False):
        assert row.is_durable_single_writer, row.run_id
        assert row.sync not in {"", "none"}, row.run_id
        assert row.queue_depth in {1, None}, row.run_id
        assert row.extra.get("jobs", 1) == 1, row.run_id


def test_each_drive_of_the_workstation_stands_alone() -> None:
    cells = Standing.objects.filter(
        plan__name__startswith="4-device workstation", workload="randwrite-4k-fsync"
    )
    rates = dict(cells.values_list("plan__storage_kind", "rate_per_s"))
    assert len(cells) == 4
    assert rates == {"hdd": 132, "local-sata": 3920, "local-nvme": rates["local-nvme"]}
    assert all(cell.is_illustrative for cell in cells)
    assert all("Illustrative" in cell.warnings[0] for cell in cells)
    assert all(cell.latency_side == "" for cell in cells)  # fio's completion ends before the sync


def test_a_commit_of_which_both_sides_are_timed_has_a_bound_of_its_p99() -> None:
    cells = Standing.objects.filter(plan="hetzner-ax162-s", workload="direct-16k-fdatasync")
    (bounded,) = cells
    assert (bounded.p99_ns, bounded.p99_bound_ns) == (None, 59_072)
    # a rate with a completion alone has none
    (alone,) = Standing.objects.filter(plan="netcup-rs-1000-g12", workload__startswith="fio-8k")
    assert alone.p99_bound_ns is None


def test_raid_arrays_are_not_in_drive_standings() -> None:
    drives = Standing.objects.filter(drive_family__isnull=False, workload="direct-16k-fsync")
    assert set(drives.values_list("drive_family_id", flat=True)) == {
        "crucial-t500",
        "samsung-990-pro",
        "samsung-pm9a3",
    }
    arrays = Run.objects.filter(drive_family="intel-solidigm-d7-p5520")
    assert arrays.exists()
    assert not arrays.filter(is_single_drive=True).exists()


def test_what_has_no_rate_has_no_standing() -> None:
    boards = set(Standing.objects.values_list("workload", flat=True))
    assert not boards & {"geekbench-6", "innodb-fsyncs-per-write", "read-floor"}
    assert "pgbench-c16" in boards


def test_hetzner_shows_its_best_and_its_cheapest() -> None:
    shown = ProviderStanding.objects.get(provider="hetzner", workload=FSYNC_8K)
    assert shown.evidence == Evidence.PUBLISHED
    assert shown.best.plan_id == "hetzner-ax102-15-36-tb-nvme-dc-drive"
    assert shown.cheapest is not None
    assert shown.cheapest.plan_id == "hetzner-ax102-15-36-tb-nvme-dc-drive"
    assert shown.n_plans == 4


def test_network_disks_priced_by_the_gigabyte_have_no_cost_per_commit() -> None:
    cell = plan_standing("google-cloud-hyperdisk-balanced", "direct-16k-fdatasync")
    assert cell.is_durable_single_writer
    assert (cell.price, cell.cost_per_billion) == (None, None)


def test_a_part_of_a_commit_is_no_latency_of_it() -> None:
    """Past the page cache the write waits for the disk too: its sync alone is not a commit."""
    cell = plan_standing("hetzner-ax162-s", "direct-16k-fdatasync")
    assert cell.rate_per_s > 27_000
    assert (cell.latency_side, cell.p50_ns, cell.p99_ns, cell.curve) == ("", None, None, [])
    measured = Measurement.objects.filter(run__plan="hetzner-ax162-s", workload=cell.workload)
    assert measured.filter(latencies__side="sync", latencies__p50_ns__isnull=False).exists()


def test_every_published_figure_has_its_support_whatever_its_source_states_of_its_day() -> None:
    runs = Run.objects.filter(level=Level.PUBLISHED).select_related("citation")
    assert {support_of_run(each) for each in runs} == set(Support) - {Support.STRONG}
    year_alone = runs.get(slug="igene-980-raw-4k-fsync")
    assert support_of_run(year_alone, today=date(2023, 12, 1)) is Support.SOME
    assert support_of_run(year_alone, today=date(2033, 12, 1)) is Support.WEAK
