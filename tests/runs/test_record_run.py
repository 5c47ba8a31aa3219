"""Normalising: the stored bytes in, rows out that pages can query."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from apps.plans.held import UNSEEN_NAME
from apps.rankings.services import refresh_cells
from apps.runs.measurements import WINDOWS_MIN
from apps.runs.models import Label, Latency, Level, Measurement, Run, Upload
from apps.runs.selectors import level_of
from apps.runs.services import record_run
from apps.stats.histogram import Histogram
from tests import make
from tests.runs.rules.changes import added

if TYPE_CHECKING:
    from pytest_django import DjangoAssertNumQueries

pytestmark = pytest.mark.django_db


def record(document: make.Json | None = None, **changes: Any) -> Run:
    upload = make.upload(document, **changes)
    return record_run(upload=Upload.objects.get(pk=upload.pk))


def in_memory() -> make.Json:
    """Return a run that exactly one rule speaks about."""
    safe = make.device(write_cache="write through", fua=False)
    return make.payload(env=make.environment(fs="tmpfs"), devices=[safe])


def test_a_run_says_what_was_measured_where_and_by_whom() -> None:
    claim = {"provider": "Home", "plan": "Shed", "region": "garden"}
    document = make.payload(claim=claim)
    run = record(document, witnessed=True)
    assert (run.slug, run.level, run.in_standings) == (str(run.id), Level.WITNESSED, True)
    assert run.measured_at == make.NOON
    assert (run.suite, run.suite_version, run.suite_complete) == ("quick", 1, True)
    assert (run.agent_version, run.filesystem) == ("0.1.0", "ext4")
    assert (run.kernel, run.cpu_model) == (
        document["env"]["kernel"], document["env"]["cpu_model"],
    )  # fmt: skip
    assert run.plan
    assert (run.plan.sent_name, run.provider_id) == ("Shed", "home")
    assert (run.claimed_provider, run.claimed_plan, run.claimed_region) == (
        "Home", UNSEEN_NAME, UNSEEN_NAME,
    )  # fmt: skip
    assert (run.machine, run.uploader) == (document["machine"], f"network:{'1' * 32}")
    assert run.environment["devices"] == document["devices"]
    assert run.environment["consent"] == {"terms": 1, "publish_envelope": True}
    assert level_of(run.id) == Level.WITNESSED


def test_a_workload_that_is_no_part_of_the_suite_counts_nowhere() -> None:
    document = make.payload()
    added("append-8k-fdatasync")(document)
    extra = document["workloads"][-1]
    extra["passes"] = [{**extra["passes"][0], "ended_by": "interrupted"}] * len(extra["passes"])
    run = record(document, witnessed=True)
    assert run.in_standings
    ranked = dict(run.measurements.values_list("workload", "is_ranked"))
    assert [name for name, is_ranked in ranked.items() if not is_ranked] == ["append-8k-fdatasync"]


def test_a_run_without_claims_or_a_processor_name_stands_under_its_drive() -> None:
    run = record(make.payload(env=make.environment(cpu_model=None)))
    assert (run.level, run.in_standings) == (Level.SIGNED, False)
    assert run.plan
    assert run.plan.sent_name == "SAMSUNG MZQL23T8HCLS-00A07"
    assert (run.cpu_model, run.claimed_plan) == ("", "")
    assert (run.drive_family, run.drive_reported) == (None, "SAMSUNG MZQL23T8HCLS-00A07")


def test_a_workload_has_the_figures_that_were_sent_and_those_that_follow() -> None:
    document = make.payload(latency_ns=1_000_000)
    run = record(document)
    workload = document["workloads"][0]
    found = run.measurements.get(workload="commit-8k")
    assert (found.operations, found.bytes, found.elapsed_ns) == (
        workload["operations"], workload["bytes"], workload["elapsed_ns"],
    )  # fmt: skip
    assert found.rate_per_s == pytest.approx(workload["operations"] * 1e9 / workload["elapsed_ns"])
    assert found.bandwidth_bytes_per_s == workload["bytes"] * 10**9 // workload["elapsed_ns"]
    assert found.passes == workload["passes"]
    assert (found.operation, found.sync, found.block_bytes) == ("commit", "fdatasync", 8192)
    assert (found.is_direct, found.queue_depth) == (False, 1)
    assert found.is_durable_single_writer
    assert found.title == "8 KiB overwrite, fdatasync after each"
    floor = run.measurements.get(workload="read-4k-floor")
    assert (floor.operation, floor.is_direct) == ("read", True)
    assert not floor.is_durable_single_writer


def test_the_extremes_of_a_rate_are_those_of_whole_half_seconds() -> None:
    document = make.payload(latency_ns=1_000_000)
    first = document["workloads"][0]
    first["passes"][0]["rate_samples"] = (
        [100, 90, 80, 100, 100] + [50] * 5 * (WINDOWS_MIN - 2) + [10] * 5 + [0] * 4
    )
    found = record(document).measurements.get(workload="commit-8k")
    assert (found.rate_per_s_low, found.rate_per_s_high) == (50 * 2, 470 * 2)


def test_a_run_of_few_half_seconds_has_no_interval() -> None:
    document = make.payload(latency_ns=1_000_000)
    first = document["workloads"][0]
    for each in first["passes"]:
        each["rate_samples"] = []
    first["passes"][0]["rate_samples"] = [100] * (5 * WINDOWS_MIN - 1)
    found = record(document).measurements.get(workload="commit-8k")
    assert found.rate_per_s is not None
    assert (found.rate_per_s_low, found.rate_per_s_high) == (None, None)


def test_an_interval_holds_its_own_rate() -> None:
    document = make.payload(latency_ns=1_000_000)
    first = document["workloads"][0]
    rate = first["operations"] * 1e9 / first["elapsed_ns"]
    for each in first["passes"]:
        each["rate_samples"] = []
    first["passes"][0]["rate_samples"] = [1] * 5 * WINDOWS_MIN  # all of them slower than the whole
    found = record(document).measurements.get(workload="commit-8k")
    assert found.rate_per_s_low == 10
    assert found.rate_per_s_high == pytest.approx(rate)


def test_the_parts_of_a_workload_are_its_passes_or_the_thirds_of_an_only_one() -> None:
    document = make.payload(latency_ns=1_000_000)
    headline, single = document["workloads"][:2]
    first = headline["passes"][0]
    rate = first["operations"] * 1e9 / first["elapsed_ns"]
    first["elapsed_ns"] *= 2
    single["passes"][0]["rate_samples"] = [0, 0, 7, 7, 90, 90, 5]
    found = record(document).measurements
    passes = found.get(workload="commit-8k")
    assert passes.slowest_part_per_s == pytest.approx(rate / 2)
    assert passes.fastest_part_per_s == pytest.approx(rate)
    thirds = found.get(workload="commit-8k-fsync")
    assert thirds.slowest_part_per_s == 5  # none in 0.2 s counts as one
    assert thirds.fastest_part_per_s == 900


def test_percentiles_are_those_of_the_histogram() -> None:
    document = make.payload(latency_ns=1_000_000)
    run = record(document)
    workload = document["workloads"][0]["histograms"]["commit"]
    histogram = Histogram.from_counts(
        workload["counts"],
        sum_ns=workload["sum_ns"],
        min_ns=workload["min_ns"],
        max_ns=workload["max_ns"],
    )
    found = Latency.objects.get(
        measurement__run=run, measurement__workload="commit-8k", side="commit"
    )
    assert (found.count, found.sum_ns, found.mean_ns) == (
        histogram.count, workload["sum_ns"], workload["sum_ns"] // histogram.count,
    )  # fmt: skip
    assert (found.min_ns, found.max_ns) == (workload["min_ns"], workload["max_ns"])
    assert found.p50_ns == histogram.percentile_ns(0.5)
    assert found.p99_ns == histogram.percentile_ns(0.99)
    assert found.p999_ns == histogram.percentile_ns(0.999)
    assert found.p9999_ns == histogram.percentile_ns(0.9999)
    assert [list(pair) for pair in zip(*found.histogram, strict=True)] == workload["counts"]
    assert found.curve[0][0] == 0.01
    assert [ns for _, ns in found.curve] == sorted(ns for _, ns in found.curve)


def test_a_rung_is_measured_from_the_median_commit() -> None:
    make.ladder_class(slug="quick", low_ns=10_000, high_ns=50_000)
    make.ladder_class(slug="slow", low_ns=800_000, high_ns=3_000_000)
    assert record(make.payload(latency_ns=1_000_000)).measured_class_id == "slow"
    assert record(make.payload(latency_ns=40_000)).measured_class_id == "quick"


def test_without_a_ladder_there_is_no_rung() -> None:
    assert record().measured_class is None


def test_a_workload_that_did_nothing_has_no_rate() -> None:
    document = make.payload()
    idle = document["workloads"][3]
    idle.update(operations=0, bytes=0, elapsed_ns=0)
    idle["passes"] = [{**idle["passes"][0], "operations": 0, "bytes": 0, "elapsed_ns": 0}]
    found = record(document).measurements.get(workload="read-4k-floor")
    assert (found.rate_per_s, found.bandwidth_bytes_per_s, found.rate_per_s_low) == (
        None, None, None,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("sides", "operation"),
    [(["write", "sync", "commit"], "commit"), (["read"], "read"), (["sync"], "sync")],
)
def test_a_workload_of_a_newer_agent_is_kept_under_its_own_name(
    sides: list[str], operation: str
) -> None:
    document = make.payload()
    newer = document["workloads"][0]
    newer["id"] = "commit-64k"
    histogram = newer["histograms"]["commit"]
    newer["histograms"] = dict.fromkeys(sides, histogram)
    found = record(document).measurements.get(workload="commit-64k")
    assert (found.title, found.operation) == ("commit-64k", operation)
    assert (found.sync, found.block_bytes, found.is_direct, found.queue_depth) == (
        "", None, None, None,
    )  # fmt: skip
    assert not found.is_durable_single_writer


def test_recording_again_replaces_what_was_there() -> None:
    upload = make.upload(in_memory(), witnessed=True)
    for _ in range(2):
        record_run(upload=upload)
    assert Run.objects.count() == 1
    assert Measurement.objects.count() == 4
    assert Latency.objects.count() == 8
    assert Label.objects.count() == 1


def test_recording_costs_a_fixed_number_of_queries(
    django_assert_max_num_queries: DjangoAssertNumQueries,
) -> None:
    upload = make.upload(witnessed=True)
    with django_assert_max_num_queries(31):
        record_run(upload=upload)


def test_an_upload_tells_its_state_in_the_words_of_the_api() -> None:
    states = {state: Upload(state=state).public_state for state in Upload.State.values}
    assert states == {
        "received": "received",
        "leased": "processing",
        "retry": "processing",
        "done": "done",
        "poison": "poison",
    }


def test_rows_name_themselves_for_staff() -> None:
    run = record(in_memory(), witnessed=True)
    refresh_cells(run_ids=[run.id])
    measurement = run.measurements.get(workload="commit-8k")
    assert str(run) == run.slug
    assert str(run.upload) == f"upload {run.id} (received)"
    assert str(measurement) == f"commit-8k v1 of {run.id}"
    assert str(measurement.latencies.get(side="sync")) == f"sync of {measurement.pk}"
    assert str(run.labels.get()) == f"memory-filesystem on {run.id}"
    citation = make.citation()
    assert str(citation) == f"{citation.run_id}: A title"
