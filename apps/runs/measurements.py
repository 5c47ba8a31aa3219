"""Makes rows of the workloads of a run: rates, percentiles and curves that pages can query."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import to_builtins

from apps.runs.models import Latency, Measurement
from apps.runs.packed.packing import BucketCounts
from apps.runs.sides import COMMIT, READ, SYNC, WRITE
from apps.stats.analysis.slo import SearchPass, useful_rate
from apps.stats.analysis.stalls import stall_share_milli
from apps.stats.standings.interval import widened_to

if TYPE_CHECKING:
    from apps.runs.models import Run
    from apps.runs.rules.workloads import MeasuredWorkload
    from apps.stats.histogram import Histogram
    from apps.wire.run import Workload

TOOL = "fsyncmark"
STOPPED = frozenset({"interrupted", "error"})  # how passes end that did not run to their end
SAMPLE_WINDOW_NS = 500_000_000  # the interval of fio's "iops : min=, max=" lines
# Six values are the fewest whose extremes hold the median with 95 %. Fewer windows also mean a
# short pass, most of whose commits can be outside of them.
WINDOWS_MIN = 6
THIRDS = 3  # parts of an only pass: as many as the headline has passes
BANDWIDTH_MAX = 10**15  # bytes a second: 10,000 times what memory can do; more cannot be true
# Percentile columns with their quantiles; a column stays empty where there are too few values.
PERCENTILES = {
    "p50_ns": 0.5,
    "p90_ns": 0.9,
    "p99_ns": 0.99,
    "p999_ns": 0.999,
    "p9999_ns": 0.9999,
}


def measurement_of(measured: MeasuredWorkload, *, run: Run) -> Measurement:
    """Return the unsaved row of one workload."""
    workload, definition = measured.workload, measured.definition
    rate, low, high = rates_per_s(measured)
    slowest, fastest = widened_to(rate, *part_range_per_s(workload))
    if definition is not None and definition.p99_ns_max is not None:
        # of its searches; of one that found no rate none is known, and it counts as one a second
        slowest, fastest = None if low is None else max(low, 1.0), high
    whole = measured.whole or measured.histograms.get("write")
    return Measurement(
        run=run,
        workload=workload.id,
        version=workload.version,
        tool=TOOL,
        title=definition.title if definition else workload.id,
        operation=definition.operation if definition else _operation_of(measured),
        sync=definition.sync if definition else "",
        block_bytes=definition.block_bytes if definition else None,
        is_direct=not definition.page_cache if definition else None,
        writers=definition.writers if definition else None,
        queue_depth=definition.writers * definition.queue_depth if definition else None,
        operations=workload.operations,
        bytes=workload.bytes,
        elapsed_ns=workload.elapsed_ns,
        rate_per_s=rate,
        rate_per_s_low=low,
        rate_per_s_high=high,
        slowest_part_per_s=slowest,
        fastest_part_per_s=fastest,
        sample_ns=workload.sample_ns,
        passes=to_builtins(workload.passes),
        bandwidth_bytes_per_s=bandwidth_bytes_per_s(workload),
        flushes=workload.flushes,
        device_bytes=workload.device_bytes,
        stall_share_milli=stall_share_milli(whole) if whole and whole.count else None,
        engine=to_builtins(workload.engine) if workload.engine else {},
        others_device_permille=measured.others.device_permille,
        others_cpu_permille=measured.others.cpu_permille,
        is_ranked=not measured.others.disturbs,
        is_durable_single_writer=bool(definition and definition.is_durable_single_writer),
    )


def latencies_of(measured: MeasuredWorkload, *, measurement: Measurement) -> list[Latency]:
    """Return the unsaved rows of the histograms of one workload."""
    return [
        _latency(side, histogram, measurement=measurement)
        for side, histogram in measured.histograms.items()
    ]


def bandwidth_bytes_per_s(workload: Workload) -> int | None:
    """Return bytes per second of elapsed time; None for no time or an impossible figure."""
    if not workload.elapsed_ns:
        return None
    bandwidth = workload.bytes * 10**9 // workload.elapsed_ns
    return bandwidth if bandwidth <= BANDWIDTH_MAX else None


def rates_per_s(measured: MeasuredWorkload) -> tuple[float | None, float | None, float | None]:
    """Return the rate per second with its lowest and highest.

    For a workload that searches for its highest rate these are the useful rate and the extremes of
    its three searches. Its passes, some overloaded on purpose, have no common rate.
    """
    definition = measured.definition
    if definition is None or definition.p99_ns_max is None:
        rate = measured.rate_per_s
        # the end of a pass is in no whole window, so its rate can lie outside of them
        return rate, *widened_to(rate, *sample_range_per_s(measured.workload))
    useful = useful_rate(search_passes(measured.workload), p99_ns_max=definition.p99_ns_max)
    if useful is None:
        return None, None, None
    return float(useful.per_s), float(min(useful.searches_per_s)), float(max(useful.searches_per_s))


def search_passes(workload: Workload) -> list[SearchPass]:
    """Return the passes of a search that were not cut short."""
    finished = (each for each in workload.passes if each.ended_by not in STOPPED)
    return [
        SearchPass(each.operations, each.elapsed_ns)
        if (loop := each.open_loop) is None
        else SearchPass(
            each.operations, each.elapsed_ns, loop.purpose,
            loop.offered_per_s, loop.p99_ns, loop.lag_p99_ns,
        )
        for each in finished
    ]  # fmt: skip


def sample_range_per_s(workload: Workload) -> tuple[float | None, float | None]:
    """Return the lowest and highest rate per second over the whole windows of every pass.

    Samples are added up to windows as long as fio's, because shorter windows have extremes that are
    further apart. Returns (None, None) for fewer than WINDOWS_MIN windows.
    """
    samples_a_window = max(1, SAMPLE_WINDOW_NS // workload.sample_ns)
    windows = [
        sum(timed_pass.rate_samples[first : first + samples_a_window])
        for timed_pass in workload.passes
        for first in range(0, len(timed_pass.rate_samples) - samples_a_window + 1, samples_a_window)
    ]
    if len(windows) < WINDOWS_MIN:
        return None, None
    window_s = samples_a_window * workload.sample_ns / 1e9
    return min(windows) / window_s, max(windows) / window_s


def part_range_per_s(workload: Workload) -> tuple[float | None, float | None]:
    """Return the rates per second of the slowest and the fastest part of a workload.

    Parts are its passes, or the thirds of an only one. A part without an operation counts as one
    with one: its rate is not known better. (None, None) where there are no two parts.
    """
    parts = [(each.operations, each.elapsed_ns) for each in workload.passes if each.elapsed_ns]
    if len(parts) == 1:
        samples = workload.passes[0].rate_samples
        third = len(samples) // THIRDS
        firsts = range(0, third * THIRDS, third or 1)
        parts = [(sum(samples[at : at + third]), third * workload.sample_ns) for at in firsts]
    rates = [max(operations, 1) * 1e9 / elapsed_ns for operations, elapsed_ns in parts]
    return (min(rates), max(rates)) if len(rates) > 1 else (None, None)


def _latency(side: str, histogram: Histogram, *, measurement: Measurement) -> Latency:
    quantiles = {
        column: quantile
        for column, quantile in PERCENTILES.items()
        if column == "p50_ns" or histogram.allows(quantile)
    }
    percentiles = histogram.percentiles_ns(list(quantiles.values()))
    return Latency(
        measurement=measurement,
        side=side,
        count=histogram.count,
        sum_ns=histogram.sum_ns,
        mean_ns=histogram.mean_ns,
        min_ns=histogram.min_ns,
        max_ns=histogram.max_ns,
        histogram=BucketCounts(list(histogram.buckets), list(histogram.counts)),
        **dict(zip(quantiles, percentiles, strict=True)),
    )


def _operation_of(measured: MeasuredWorkload) -> str:
    """Guess what a workload of an unknown suite does from the sides of its histograms."""
    sides = measured.histograms.keys()
    return next((side for side in (COMMIT, READ, WRITE) if side in sides), SYNC)
