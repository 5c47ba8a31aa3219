"""What must hold of one record beyond its shape: names, arithmetic, one writer.

Each rule is a function that yields what is wrong, in words that say what to do.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from msgspec import UNSET

from apps.runs.published.comparable import APART
from apps.wire.suites import SMALL_BLOCK_BYTES_MAX

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from apps.runs.published.check.shape import RecordShape, SourceShape, WorkloadShape

RISING: Final = (
    "min", "p1", "p5", "p10", "p20", "p30", "p40", "p50", "p60", "p70", "p80", "p90", "p95",
    "p99", "p99_5", "p99_9", "p99_95", "p99_99", "max",
)  # fmt: skip
SIDES: Final = ("lat_us", "slat_us", "clat_us", "sync_us")
BUCKET_SHARE: Final = 0.02  # fio prints the upper end of a bucket, and rounds to a microsecond
BUCKET_US: Final = 1.0
ROUNDED_SHARE: Final = 0.01  # a printed mean against 1 / rate
SECONDS_A_SECOND_MAX: Final = 1.001  # of one writer, with the rounding of both figures
BANDWIDTH_SHARE: Final = 0.02
BANDWIDTH_DIGIT: Final = 0.05  # half of the last digit of "0.5 MB/s"
THOUSANDS_CUT: Final = 100  # operations that "61.5k" may leave out


@dataclass(frozen=True, slots=True)
class Known:
    """The names that records may refer to."""

    sources: Mapping[str, SourceShape]
    workloads: Mapping[str, WorkloadShape]
    providers: frozenset[str]
    plans: frozenset[tuple[str, str]]  # provider, plan
    families: Mapping[str, str]  # and the year of release; empty where it is not known


def source(record: RecordShape, known: Known) -> Iterator[str]:
    """Yield where the source is not listed or the locator leads nowhere."""
    listed = known.sources.get(record.source)
    if listed is None:
        yield f"source {record.source!r} is not in published_sources.json: add it there"
    elif listed.url and not record.locator.url:
        yield "locator.url is empty: give the page or the file that has the figure"


def confidence(record: RecordShape, _known: Known) -> Iterator[str]:
    """Yield where a medium confidence has no reason, or a high one has."""
    if record.confidence == "medium" and record.confidence_reason is None:
        yield "confidence is medium: say in confidence_reason which step lies between"
    if record.confidence == "high" and record.confidence_reason is not None:
        yield "confidence is high: confidence_reason must be null"


def catalogue(record: RecordShape, known: Known) -> Iterator[str]:
    """Yield where provider, plan or drive family is not in the catalogue."""
    if record.provider is not None and record.provider not in known.providers:
        yield f"provider {record.provider!r} is not in apps/plans/data/plans.csv"
    if record.plan is not None and record.provider is None:
        yield "a plan needs its provider"
    elif record.plan is not None and (record.provider, record.plan) not in known.plans:
        yield f"plan {record.plan!r} of {record.provider} is not in apps/plans/data/plans.csv"
    if record.drive_family is not None and record.drive_family not in known.families:
        yield f"drive_family {record.drive_family!r} is not in apps/drives/data/drives.csv"


def dates(record: RecordShape, known: Known) -> Iterator[str]:
    """Yield where a figure is older than its drive: a page that grew keeps its first date."""
    released = known.families.get(record.drive_family or "", "")
    listed = known.sources.get(record.source)
    if listed is None:
        return
    of_article = listed.published if record.published is UNSET else record.published
    stated = f"{record.measured_on:%Y}" if record.measured_on else of_article[:4]
    if stated and stated < released:
        yield (
            f"it is of {stated}, and {record.drive_family} of {released}: set published to when "
            'the page got the figure, or to ""'
        )


def workload(record: RecordShape, known: Known) -> Iterator[str]:
    """Yield where the workload is not listed or does not fit its class."""
    shape = record.workload
    listed = known.workloads.get(shape.id)
    if listed is None:
        yield f"workload {shape.id!r} is not in published_workloads.json: add it there"
        return
    if listed.is_durable_single_writer and shape.sync in ("none", None):
        yield "the workload is durable, and the record has no sync"
    if listed.comparable_class != APART and not (
        listed.is_durable_single_writer
        and shape.block_size_bytes is not None
        and shape.block_size_bytes <= SMALL_BLOCK_BYTES_MAX
    ):
        yield (
            f"comparable_class {listed.comparable_class} is for durable writes of at most "
            f"{SMALL_BLOCK_BYTES_MAX} bytes: set {APART}"
        )


def printed_mean(record: RecordShape, _known: Known) -> Iterator[str]:
    """Yield where a printed mean is not 1 / rate."""
    metrics, rate = record.metrics, record.metrics.rate_per_s
    if not rate:
        return
    if metrics.usecs_per_op_printed is not UNSET:
        yield from _mean("usecs_per_op_printed", metrics.usecs_per_op_printed, 1e6 / rate, 0.51)
    if metrics.avg_ms_printed is not UNSET:
        yield from _mean("avg_ms_printed", metrics.avg_ms_printed, 1e3 / rate, 0.051)


def _mean(name: str, printed: float, expected: float, digit: float) -> Iterator[str]:
    if abs(printed - expected) > max(ROUNDED_SHARE * printed, min(digit, 0.05 * printed)):
        yield f"{name} is {printed:g}, and 1 / iops is {expected:g}: one of them is not as printed"


def bandwidth(record: RecordShape, _known: Known) -> Iterator[str]:
    """Yield where rate x block is not the bandwidth."""
    metrics, block = record.metrics, record.workload.block_size_bytes
    printed, basis = metrics.bandwidth_bytes_per_s, metrics.bandwidth_basis
    rate = metrics.rate_per_s
    if printed is UNSET or basis is not UNSET or not (block and rate):
        return
    share = BANDWIDTH_SHARE
    if metrics.bandwidth_as_published is not UNSET:
        share += BANDWIDTH_DIGIT / metrics.bandwidth_as_published.value
    if str(metrics.iops_as_published).endswith("k"):
        share += THOUSANDS_CUT / rate
    reported = rate if metrics.iops_reported is UNSET else metrics.iops_reported
    if abs(printed / block - reported) > share * reported:
        yield (
            f"bandwidth_bytes_per_s / block_size_bytes is {printed / block:g}, and iops is "
            f"{reported:g}: check the units"
        )


def rates_rise(record: RecordShape, _known: Known) -> Iterator[str]:
    """Yield where the rate lies outside of its own samples."""
    metrics, rate = record.metrics, record.metrics.rate_per_s
    if rate and metrics.iops_min is not UNSET and rate < metrics.iops_min:
        yield "iops lies below iops_min"
    if rate and metrics.iops_max is not UNSET and rate > metrics.iops_max:
        yield "iops lies above iops_max"


def latencies_rise(record: RecordShape, _known: Known) -> Iterator[str]:
    """Yield where a percentile is below a lower one, or the mean outside of the extremes."""
    for side in SIDES:
        printed = record.metrics.latencies(side)
        rising = [(name, printed[name]) for name in RISING if name in printed]
        for (low, below), (high, above) in pairwise(rising):
            if below > above * (1 + BUCKET_SHARE) + BUCKET_US:
                yield f"{side}: {low} is {below:g}, above {high}, {above:g}"
        mean = printed.get("avg")
        if mean is None:
            continue
        if mean > printed.get("max", mean) + BUCKET_US or mean < printed.get("min", 0) - BUCKET_US:
            yield f"{side}: avg lies outside of min and max"


def one_writer(record: RecordShape, known: Known) -> Iterator[str]:
    """Yield where one writer would have waited for more than a second in a second."""
    listed = known.workloads.get(record.workload.id)
    if listed is None or not listed.is_durable_single_writer:
        return
    in_flight = (record.workload.iodepth or 1) * (record.workload.numjobs or 1)
    if in_flight != 1:
        yield f"{in_flight} in flight: a durable workload of one writer has one"
    rate = record.metrics.rate_per_s
    wait_us = record.metrics.latencies("sync_us").get("avg")
    if rate and wait_us and rate * wait_us > SECONDS_A_SECOND_MAX * 1e6:
        yield (
            f"iops x mean sync is {rate * wait_us / 1e6:.2f} s a second: with one writer it is "
            "at most 1"
        )


def storage(record: RecordShape, _known: Known) -> Iterator[str]:
    """Yield where a rate is of nothing that one could look up."""
    named = record.drive_model or record.drive_family or record.provider or record.storage_notes
    if record.metrics.rate_per_s and not (named or record.confidence == "medium"):
        yield "nothing names the storage: give drive_model, provider or storage_notes"


RULES: Final = (
    source, confidence, catalogue, dates, workload, printed_mean, bandwidth, rates_rise,
    latencies_rise, one_writer, storage,
)  # fmt: skip
