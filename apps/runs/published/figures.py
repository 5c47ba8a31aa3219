"""Makes a measurement and its latencies of one published record.

Pure: it builds rows and saves none. Times become nanoseconds; nothing else is converted.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Final

from apps.runs.models import Latency, Measurement
from apps.runs.sides import COMMIT, COMPLETION, SUBMISSION, SYNC, WRITE
from apps.stats.standings.interval import widened_to

if TYPE_CHECKING:
    from collections.abc import Mapping

    from apps.runs.models import Run

RecordFields = dict[str, Any]

FIO_SAMPLE_NS: Final = 500_000_000  # the interval of fio's "iops : min=, max=, avg=" lines
NS_PER_US: Final = 1_000
NS_PER_MS: Final = 1_000_000

# The sides of fio's latencies: the whole call, its first part (submission), its second part
# (completion), and the sync after it, which is in none of the others.
SIDES: Final = {
    "lat_us": WRITE, "slat_us": SUBMISSION, "clat_us": COMPLETION, "sync_us": SYNC,
}  # fmt: skip
TIME_SYNCS_APART: Final = frozenset({"fio", "sysbench fileio"})
NO_SYNC: Final = "none"
SYNCS_OF_THE_WRITE: Final = frozenset({"o_sync", "o_dsync"})
PERCENTILES: Final = {
    "p1": 0.01, "p5": 0.05, "p10": 0.1, "p20": 0.2, "p30": 0.3, "p40": 0.4, "p50": 0.5,
    "p60": 0.6, "p70": 0.7, "p80": 0.8, "p90": 0.9, "p95": 0.95, "p99": 0.99, "p99_5": 0.995,
    "p99_9": 0.999, "p99_95": 0.9995, "p99_99": 0.9999,
}  # fmt: skip
COLUMNS: Final = {
    "avg": "mean_ns", "min": "min_ns", "p50": "p50_ns", "p90": "p90_ns", "p99": "p99_ns",
    "p99_9": "p999_ns", "p99_99": "p9999_ns", "max": "max_ns",
}  # fmt: skip
# Figures that have a column; all others are kept in `extra`.
_IN_COLUMNS: Final = frozenset(
    {
        "iops", "iops_min", "iops_max", "tps", "bandwidth_bytes_per_s", "writes_issued",
        "transactions", "runtime_ms", "latency_avg_ms",
    }
)  # fmt: skip
# The names of figures in `extra`, which end with the SI unit.
_EXTRA_NAMES: Final = {
    "iops_stdev": "rate_stdev_per_s",
    "iops_samples": "rate_samples",
    "iops_reported": "rate_reported_per_s",
    "iops_as_published": "rate_as_published",
    "syncs_issued": "syncs",
    "ctx_switches": "context_switches",
    "geekbench6_single": "geekbench6_single_score",
    "geekbench6_multi": "geekbench6_multi_score",
    "iops_derived": "rate_is_derived",
    "usecs_per_op_printed": "mean_printed_us",
    "avg_ms_printed": "mean_printed_ms",
    "latency_avg_ms_printed": "latency_mean_printed_ms",
    "latency_p50_ms_printed": "latency_median_printed_ms",
}


def measurement_of(*, run: Run, fields: RecordFields, workload: Mapping[str, Any]) -> Measurement:
    """Return the measurement of a record; `workload` is its entry in published_workloads.json."""
    shape, metrics = fields["workload"], fields["metrics"]
    rate = metrics.get("iops", metrics.get("tps"))
    low, high = widened_to(rate, *_extremes_of(metrics))
    return Measurement(
        run=run,
        workload=shape["id"],
        tool=shape["tool"],
        title=workload["title"],
        operation=workload["operation"],
        sync=shape["sync"] or "",
        block_bytes=shape["block_size_bytes"],
        is_direct=shape["direct"],
        queue_depth=_in_flight(shape),
        operations=metrics.get("writes_issued", metrics.get("transactions")),
        bytes=shape["size_bytes"] if "writes_issued" in metrics else None,
        elapsed_ns=metrics["runtime_ms"] * NS_PER_MS if "runtime_ms" in metrics else None,
        rate_per_s=rate,
        rate_per_s_low=low,
        rate_per_s_high=high,
        sample_ns=FIO_SAMPLE_NS if "iops_samples" in metrics else None,
        bandwidth_bytes_per_s=metrics.get("bandwidth_bytes_per_s"),
        is_durable_single_writer=workload["is_durable_single_writer"],
        extra=_extra(shape, metrics),
    )


def _extremes_of(metrics: RecordFields) -> tuple[float | None, float | None]:
    """Return the lowest and the highest sample; a single one, or equal ones, are no interval."""
    low, high = metrics.get("iops_min"), metrics.get("iops_max")
    return (None, None) if low == high else (low, high)


def latencies_of(*, measurement: Measurement, metrics: RecordFields) -> list[Latency]:
    """Return an unsaved row for each side of which the source prints a figure."""
    rows = [
        _latency(
            measurement,
            side=COMMIT if key == "lat_us" and _times_commits(measurement) else side,
            figures=metrics[key],
            count=metrics.get("syncs_issued") if side == "sync" else metrics.get("writes_issued"),
        )
        for key, side in SIDES.items()
        if any(value is not None for value in metrics.get(key, {}).values())
    ]
    if "latency_avg_ms" in metrics:
        mean_ns = round(metrics["latency_avg_ms"] * NS_PER_MS)
        rows.append(Latency(measurement=measurement, side="transaction", mean_ns=mean_ns))
    return rows


def _times_commits(measurement: Measurement) -> bool:
    """Whether the latency of a call holds its sync.

    fio and sysbench time a sync apart from its write; other tools time both together. A write to a
    file opened with O_SYNC or O_DSYNC has its sync inside.
    """
    if measurement.sync in ("", NO_SYNC):
        return False
    is_inside = measurement.sync in SYNCS_OF_THE_WRITE
    return is_inside or measurement.tool not in TIME_SYNCS_APART


def _latency(
    measurement: Measurement, *, side: str, figures: RecordFields, count: int | None
) -> Latency:
    in_ns = {key: _ns(value) for key, value in figures.items() if value is not None}
    points = [(0.0, in_ns.get("min"))]
    points += [(quantile, in_ns.get(key)) for key, quantile in PERCENTILES.items()]
    points += [(1.0, in_ns.get("max"))]
    columns = {column: in_ns.get(key) for key, column in COLUMNS.items()}
    # fio prints the upper end of a bucket, which may lie above the longest: a curve never does.
    longest = in_ns.get("max", math.inf)
    curve = [[quantile, min(value, longest)] for quantile, value in points if value is not None]
    return Latency(measurement=measurement, side=side, count=count, printed_curve=curve, **columns)


def _in_flight(shape: RecordFields) -> int | None:
    """Return the I/Os in flight over all jobs, or None where the source leaves one factor out."""
    if shape["iodepth"] is None or shape["numjobs"] is None:
        return None
    return int(shape["iodepth"] * shape["numjobs"])


def _extra(shape: RecordFields, metrics: RecordFields) -> RecordFields:
    """Return the figures without a column, and how they were measured."""
    extra: RecordFields = {
        key: value
        for key, value in (
            ("access", shape["rw"]),
            ("name_in_source", shape["name"]),
            ("jobs", shape["numjobs"]),
            ("queue_depth_per_job", shape["iodepth"]),
            ("io_engine", shape["ioengine"]),
            ("file_bytes", shape["size_bytes"]),
            ("duration_s", shape["duration_s"]),
        )
        if value is not None
    }
    extra |= shape["extra"]
    for key, value in metrics.items():
        if key in SIDES:
            extra |= _spread(SIDES[key], value)
        elif key == "p50_us_of_hosts":
            extra["p50_of_hosts"] = {
                "low_ns": _ns(value["low"]),
                "high_ns": _ns(value["high"]),
                "hosts": value["hosts"],
            }
        elif key not in _IN_COLUMNS:
            extra[_EXTRA_NAMES.get(key, key)] = value
    return extra


def _spread(side: str, figures: RecordFields) -> RecordFields:
    stdev = figures.get("stdev")
    return {} if stdev is None else {f"{side}_stdev_ns": _ns(stdev)}


def _ns(microseconds: float) -> int:
    return round(microseconds * NS_PER_US)
