"""Published results as runs: every figure of the file arrives, cited, and nothing is invented."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from apps.rankings.models import StandingRun
from apps.runs.models import Latency, Level, Measurement, Outcome, Run, TranscriptionConfidence
from apps.runs.published.figures import COLUMNS, PERCENTILES, SIDES
from apps.runs.published.judgement import floor_of_published
from apps.runs.published.services import RESULTS_FILE, read_published, run_id_of
from tests.support.catalogue import store_catalogue

RECORDS = {record.id: record for record in read_published()}


@pytest.fixture
def runs(db: None) -> dict[str, Run]:
    store_catalogue()
    published = Run.objects.filter(level=Level.PUBLISHED).select_related("citation")
    return {run.slug: run for run in published.prefetch_related("measurements__latencies")}


def measurement(run: Run) -> Measurement:
    found: Measurement = run.measurements.get()
    return found


def test_the_file_has_673_figures_and_no_text_of_the_articles() -> None:
    assert len(RECORDS) == 673
    assert "verbatim" not in RESULTS_FILE.read_text(encoding="utf-8")


def test_an_id_is_the_same_on_every_server() -> None:
    assert str(run_id_of("webp-ax41-nvme-fio-fsync-8k")) == "5b1c4cff-d797-5624-b330-e8fced2726f8"


def test_every_record_is_one_cited_run_with_one_measurement(runs: dict[str, Run]) -> None:
    assert runs.keys() == RECORDS.keys()
    for slug, run in runs.items():
        assert run.id == run_id_of(slug)
        assert run.citation.title == RECORDS[slug].source["title"]
        assert run.measurements.count() == 1
        assert run.upload_id is None


def test_every_latency_figure_arrives_in_nanoseconds(runs: dict[str, Run]) -> None:
    seen = 0
    for slug, run in runs.items():
        metrics = RECORDS[slug].fields["metrics"]
        sides = {row.side: row for row in measurement(run).latencies.all()}
        for key, side in SIDES.items():
            row = sides.get(side) or sides.get("commit")
            for name, value in metrics.get(key, {}).items():
                if value is None:
                    continue
                expected = round(value * 1000)
                if name in COLUMNS:
                    assert getattr(row, COLUMNS[name]) == expected
                if name in PERCENTILES:
                    longest = round((metrics[key].get("max") or value) * 1000)
                    point = [PERCENTILES[name], min(expected, longest)]
                    assert row
                    assert point in row.curve, (slug, key)
                if name == "stdev":
                    assert measurement(run).extra[f"{side}_stdev_ns"] == expected
                seen += 1
    assert seen > 300


@pytest.mark.parametrize(
    ("slug", "sides"),
    [
        ("providerbench-cx23-nbg1", {"commit"}),  # times the write and the sync together
        ("digoal-local8-8k-fdatasync", {"commit"}),  # so does pg_test_fsync
        ("smalldatum-dec25-dell32-16k-fsync-r1", {"write", "sync"}),  # fio times the sync apart
        ("rook-15036-dell-7450ri-4k-sync", {"commit"}),  # fio, to a file opened with O_SYNC
        ("crdb2019-aws-c5-4xlarge", {"write"}),  # sysbench counts an fsync as one more event
    ],
)
def test_what_a_latency_times_depends_on_the_tool(
    runs: dict[str, Run], slug: str, sides: set[str]
) -> None:
    found = {row.side for row in measurement(runs[slug]).latencies.all()}
    assert found & {"commit", "write", "sync"} == sides


def test_every_other_figure_arrives_in_a_column_or_in_extra(runs: dict[str, Run]) -> None:
    for slug, run in runs.items():
        metrics = RECORDS[slug].fields["metrics"]
        row = measurement(run)
        kept = [
            row.rate_per_s,
            row.rate_per_s_low,
            row.rate_per_s_high,
            row.operations,
            row.elapsed_ns,
            row.bandwidth_bytes_per_s,
            *row.extra.values(),
            *(latency.mean_ns for latency in row.latencies.all()),
        ]
        for name, value in metrics.items():
            if name in SIDES:
                continue
            if name == "p50_us_of_hosts":
                spread = row.extra["p50_of_hosts"]
                assert spread["low_ns"] == value["low"] * 1_000 < spread["high_ns"], slug
                continue
            in_ns = name in {"latency_avg_ms", "runtime_ms"}
            assert (round(value * 1_000_000) if in_ns else value) in kept, (slug, name)


def test_curves_rise_in_quantile_and_latency(runs: dict[str, Run]) -> None:
    for row in Latency.objects.filter(measurement__run__in=runs.values()):
        assert row.curve == sorted(row.curve)
        assert [point[1] for point in row.curve] == sorted(point[1] for point in row.curve)


def test_the_figures_of_one_run_in_full(runs: dict[str, Run]) -> None:
    run = runs["webp-ax102-fio-fsync-8k"]
    row = measurement(run)
    sync = row.latencies.get(side="sync")
    assert (run.plan_id, run.drive_family_id) == (
        "hetzner-ax102-15-36-tb-nvme-dc-drive",
        "micron-7500-pro",
    )
    assert run.measured_at == datetime(2025, 11, 11, tzinfo=UTC)
    assert (run.expected_class_id, run.measured_class_id) == ("nvme-plp", "nvme-plp")
    assert (row.workload, row.sync, row.block_bytes, row.is_direct, row.queue_depth) == (
        "fallocated-8k-fsync",
        "fsync",
        8192,
        False,
        1,
    )
    assert (row.operations, row.bytes, row.elapsed_ns) == (655_360, 5_368_709_120, 63_524_000_000)
    assert (row.rate_per_s, row.rate_per_s_low, row.rate_per_s_high) == (10318.05, 8306, 10842)
    assert (sync.count, sync.p50_ns, sync.p999_ns, sync.p9999_ns, sync.max_ns) == (
        655_359,
        89_000,
        375_000,
        1_713_000,
        6_975_000,
    )
    assert row.latencies.get(side="completion").p50_ns == 540
    assert row.extra["rate_samples"] == 126
    assert row.extra["rate_stdev_per_s"] == 512.82


def test_one_sample_is_no_interval(runs: dict[str, Run]) -> None:
    row = measurement(runs["duzlov-optane-m10-zfs-scale"])
    assert row.extra["rate_samples"] == 1
    assert (row.rate_per_s, row.rate_per_s_low, row.rate_per_s_high) == (5944, None, None)


def test_what_a_source_does_not_state_stays_empty(runs: dict[str, Run]) -> None:
    ratio = runs["smalldatum-innodb-fsyncs-per-write-8-0-44-o-direct"]
    assert (ratio.plan, ratio.provider, ratio.drive_family, ratio.measured_at) == (None,) * 4
    assert measurement(ratio).rate_per_s is None
    assert measurement(ratio).extra["fsyncs_per_write"] == 0.00729
    home = runs["ccx33-668ns-home-nvme-read-floor"]
    assert (home.provider_id, home.plan) == ("home", None)
    assert measurement(home).latencies.get().min_ns == 61_000
    jobs_alone = measurement(runs["smalldatum-dell-16k-fsync-r1"])
    assert jobs_alone.queue_depth is None


def test_a_disk_family_that_the_catalogue_lacks_is_kept_as_reported(runs: dict[str, Run]) -> None:
    run = runs["fourmedia-hdd-4k-fsync"]
    assert (run.drive_family, run.drive_reported) == (None, "Seagate Exos 18TB")
    assert run.expected_class_id == "hdd"  # its plan is one of hard disks


def test_an_unnamed_disk_of_a_cloud_is_expected_on_the_clouds_rung(runs: dict[str, Run]) -> None:
    assert runs["webp-cax41-fio-fsync-8k"].expected_class_id == "cloud-ssd"
    assert runs["webp-cax41-fio-fsync-8k"].drive_family is None
    assert runs["smalldatum-gcp-ext4-hyperdisk-16k-fsync-r1"].expected_class_id == "cloud-ssd"


def test_the_measured_rung_is_that_of_the_mean_commit_of_single_writers(
    runs: dict[str, Run],
) -> None:
    assert runs["smalldatum-socket2-16k-fsync-r1"].measured_class_id == "nvme-plp"
    assert runs["ccx33-668ns-randwrite-8k-fsync"].measured_class_id is None
    assert runs["webp-ax102-pgbench-c16"].measured_class_id is None


@pytest.mark.parametrize(
    ("slug", "words"),
    [
        ("ccx33-668ns-randwrite-8k-fsync", "128 requests were in flight"),
        ("ccx33-668ns-randread-8k", "no media latency"),
        ("fourmedia-optane-4k-fsync", "leave the sync out"),
        ("fourmedia-hdd-4k-randread", "Little's law"),
        ("webp-ax102-fio-fsync-8k", "15.36 TB add-on drive"),
    ],
)
def test_the_reader_is_warned(runs: dict[str, Run], slug: str, words: str) -> None:
    assert words in runs[slug].citation.warning


@pytest.mark.parametrize(
    ("slug", "words"),
    [
        ("webp-ax41-nvme-fio-fsync-8k", "nvme2n1"),
        ("smalldatum-hetz-16k-fdatasync-r1", "author's raw output"),
        ("ccx33-668ns-randwrite-8k-fsync", "12.5 ms each is queueing at 10,200 a second"),
    ],
)
def test_what_concerns_one_record_alone_stands_in_its_notes(
    runs: dict[str, Run], slug: str, words: str
) -> None:
    assert words in runs[slug].citation.notes


def test_all_of_the_four_device_table_is_called_illustrative(runs: dict[str, Run]) -> None:
    table = [run for slug, run in runs.items() if slug.startswith("fourmedia")]
    assert len(table) == 16
    assert all(run.citation.warning.startswith("Illustrative") for run in table)
    assert {slug for slug, run in runs.items() if run.citation.is_illustrative} == {
        run.slug for run in table
    }


def test_what_the_article_rounds_to_nothing_is_in_the_raw_output(runs: dict[str, Run]) -> None:
    sync = measurement(runs["smalldatum-hetz-16k-fdatasync-r1"]).latencies.get(side="sync")
    assert (sync.mean_ns, sync.max_ns) == (9_220, 152_000)


def test_a_citation_says_where_its_figure_is(runs: dict[str, Run]) -> None:
    for slug, run in runs.items():
        citation = run.citation
        assert citation.url == RECORDS[slug].source["url"]
        assert bool(citation.locator_url) == bool(citation.url)
        assert citation.locator_find
        assert (citation.confidence == TranscriptionConfidence.MEDIUM) == bool(
            citation.confidence_reason
        )
    raw = runs["smalldatum-dell-16k-fsync-r1"].citation
    assert raw.locator_find == "sync (usec): min=416, max=4018, avg=891.07"
    assert raw.locator_url.startswith("https://github.com/mdcallag/mytools/blob/")


@pytest.mark.parametrize(
    ("slug", "rule"),
    [
        ("crdb2019-aws-r5d-4xlarge", "barriers-off"),
        ("digoal-essdpl3-8k-fdatasync", "barriers-off"),
        ("anarazel-adata-sx8200pnp-2tb-xfs-dsync", "faster-than-medium"),
        ("shan-samsung-ssd-950-pro-512gb-nvme", "faster-than-medium"),
        ("shoal-europa-wd6001-xfs-ow", "faster-than-medium"),  # a hard disk, its write cache on
    ],
)
def test_a_published_figure_is_distrusted_like_an_upload(
    runs: dict[str, Run], slug: str, rule: str
) -> None:
    run = runs[slug]
    assert [label.rule for label in run.labels.all()] == [rule]
    assert (run.is_kept_out, run.outcome, run.measured_class) == (True, Outcome.LABEL, None)
    assert (measurement(run).is_durable_single_writer, measurement(run).operation) == (
        False,
        "write",
    )


def test_nothing_that_is_kept_out_stands_anywhere(runs: dict[str, Run]) -> None:
    out = {slug for slug, run in runs.items() if run.is_kept_out}
    assert len(out) == 107
    assert {"mvm2347-hdd-4k-fsync", "providerbench-vercel-2vcpu", "cmm-fio3-4k-fsync"} <= out
    ids = [runs[slug].pk for slug in out]
    assert not StandingRun.objects.filter(run_id__in=ids).exists()
    for slug in out:
        assert RECORDS[slug].fields["is_kept_out"] or runs[slug].labels.exists()


def test_writes_without_a_flush_are_never_durable(runs: dict[str, Run]) -> None:
    macos = [slug for slug, run in runs.items() if "-macos" in measurement(run).workload]
    unsynced = [slug for slug, run in runs.items() if measurement(run).sync in ("", "none")]
    assert len(macos) == 2
    assert len(unsynced) > 12
    for slug in (*macos, *unsynced):
        assert not measurement(runs[slug]).is_durable_single_writer, slug


@pytest.mark.parametrize(
    ("slug", "floor"),
    [
        ("configd-m6id-4xlarge-4k-fdatasync", "cloud-local"),
        ("providerbench-ccx13-nbg1", "cloud-local"),  # where the disk lies is not stated
        ("mtulio-aws-m5xlarge-gp3x1-etcd-fdatasync", "cloud-ssd"),
        ("shan-intel-p3600-800gb", "nvme-plp"),
        ("percona-raidcache", "any"),
    ],
)
def test_the_floor_is_that_of_the_medium(runs: dict[str, Run], slug: str, floor: str) -> None:
    assert floor_of_published(runs[slug]).id == floor


def test_rates_of_single_writers_leave_time_for_their_syncs() -> None:
    """One at a time: rate times mean sync latency cannot exceed one second a second."""
    for record in RECORDS.values():
        metrics = record.fields["metrics"]
        mean_us = metrics.get("sync_us", {}).get("avg")
        if record.workload["is_durable_single_writer"] and mean_us:
            assert metrics["iops"] * mean_us / 1e6 < 1.001, record.id
