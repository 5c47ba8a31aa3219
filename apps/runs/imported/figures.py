"""Makes a measurement and its latencies of one imported job.

Pure: it builds rows and saves none. A document is what apps.intake.importers made of an output;
each of its figures has an ImportMeasure.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from apps.runs.imported.measures import (
    BANDWIDTH,
    MEASURE,
    TPS,
    TRANSACTION_MEAN,
    TRANSACTIONS,
    FioStage,
    ImportMeasure,
    Metric,
    Side,
    Statistic,
    Timing,
    Unit,
    iops,
    operations,
    runtime,
)
from apps.runs.models import Latency, Measurement, Run

if TYPE_CHECKING:
    from collections.abc import Mapping

JobDocument = dict[str, Any]
MeasureValues = dict[ImportMeasure, float]

TITLE_CHARACTERS_MAX: Final = 120  # of the column
SYNC_CHARACTERS_MAX: Final = 16  # of the column; longer names are in the title
NS_PER: Final = {Unit.US: 1_000, Unit.MS: 1_000_000}
KIBIBYTE: Final = 1024
MEBIBYTE: Final = 1024 * 1024
# The limits of the columns. A larger figure can only be made up and is kept in `extra` alone.
SMALL_MAX: Final = 2**15 - 1
INTEGER_MAX: Final = 2**31 - 1
BIGINT_MAX: Final = 2**63 - 1
# The side of a row of latencies, by what fio timed, for jobs that read and wrote.
MIXED_SIDES: Final = {
    Timing(Side.SYNC): "sync",
    Timing(Side.WRITE, FioStage.BOTH): "write",
    Timing(Side.READ, FioStage.BOTH): "read",
}
# For jobs that only read or only wrote, whose completion and submission can have rows too.
SIDES: Final = {
    Timing(Side.SYNC): "sync",
    Timing(Side.WRITE, FioStage.BOTH): "write",
    Timing(Side.WRITE, FioStage.COMPLETION): "completion",
    Timing(Side.WRITE, FioStage.SUBMISSION): "submission",
    Timing(Side.READ, FioStage.BOTH): "read",
    Timing(Side.READ, FioStage.COMPLETION): "completion",
    Timing(Side.READ, FioStage.SUBMISSION): "submission",
}
COLUMNS: Final = {
    Statistic.MEAN: "mean_ns", Statistic.MIN: "min_ns", Statistic.MAX: "max_ns",
}  # fmt: skip
PERCENTILE_COLUMNS: Final = {
    50: "p50_ns", 90: "p90_ns", 99: "p99_ns", 99.9: "p999_ns", 99.99: "p9999_ns",
}  # fmt: skip
ONE_THING: Final = (Side.READ, Side.WRITE, Side.TRIM, Side.MIXED)


def measurement_of(job: JobDocument, *, run: Run, tool: str, place: int) -> Measurement:
    """Return the unsaved row of one job, the place-th of its file."""
    figures = figures_of(job)
    side = side_of(figures)
    count = figures.get(operations(side), figures.get(TRANSACTIONS))
    elapsed_ms = figures.get(runtime(side))
    return Measurement(
        run=run,
        workload=f"{tool.replace('_', '-')}-{place}",
        tool=tool,
        title=title_of(job),
        operation=operation_of(job, figures),
        sync=sync if len(sync := job["sync"] or "") <= SYNC_CHARACTERS_MAX else "",
        block_bytes=whole(job["block_size_bytes"], most=INTEGER_MAX),
        is_direct=job["direct"],
        writers=whole(job["writers"], most=SMALL_MAX),
        queue_depth=whole(in_flight(job), most=INTEGER_MAX),
        operations=whole(count),
        elapsed_ns=times(elapsed_ms, NS_PER[Unit.MS]),
        rate_per_s=rate_of(figures),
        bandwidth_bytes_per_s=whole(figures.get(BANDWIDTH)),
        is_durable_single_writer=job["is_durable_single_writer"],
        extra={
            "name_in_source": job["name"],
            "access": job["workload"],
            "io_engine": job["io_engine"],
            "sync_every_writes": job["sync_every_writes"],
            "overwrites": job.get("overwrites", False),  # documents of before it was read lack it
            **{measure.name: value for measure, value in figures.items()},
        },
    )


def latencies_of(job: JobDocument, *, measurement: Measurement) -> list[Latency]:
    """Return an unsaved row for each side of which there is a figure."""
    figures = figures_of(job)
    sides = SIDES if side_of(figures) in {Side.READ, Side.WRITE} else MIXED_SIDES
    rows = []
    for timing, side in sides.items():
        nanoseconds = {
            measure: ns
            for measure, value in figures.items()
            if measure.is_of(timing)
            if (ns := times(value, NS_PER[measure.unit])) is not None
        }
        if nanoseconds:
            # Submission and completion have no count of their own.
            count = figures.get(operations(timing.side)) if side == timing.side else None
            rows.append(_latency(measurement, side=side, figures=nanoseconds, count=whole(count)))
    mean_ns = times(figures.get(TRANSACTION_MEAN), NS_PER[Unit.MS])
    if mean_ns is not None:
        rows.append(Latency(measurement=measurement, side=Side.TRANSACTION, mean_ns=mean_ns))
    return rows


def figures_of(job: JobDocument) -> MeasureValues:
    """Return the values of the figures of a job by their measure."""
    return {
        ImportMeasure.from_stored(name, figure[MEASURE]): figure["value"]
        for name, figure in job["figures"].items()
    }


def side_of(figures: MeasureValues) -> Side:
    """Return what a job did: read, write, trim or mixed; JOB where it has no IOPS."""
    sides = [side for side in ONE_THING if iops(side) in figures]
    return sides[0] if len(sides) == 1 else Side.MIXED if sides else Side.JOB


def operation_of(job: JobDocument, figures: MeasureValues) -> str:
    """Return what one operation of the rate is: commit, transaction, read, write, ..."""
    if job["is_durable_single_writer"]:
        return "commit"
    if TPS in figures:
        return "transaction"
    return side_of(figures) or "write"


def rate_of(figures: MeasureValues) -> float | None:
    """Return the rate that represents a job; None where reads and writes have one each."""
    rates = {
        measure.side: value
        for measure, value in reversed(figures.items())
        if measure.metric == Metric.RATE
    }
    order = (Side.TRANSACTION, Side.TOTAL, side_of(figures), Side.JOB)
    return next((rates[side] for side in order if side in rates), None)


def in_flight(job: JobDocument) -> int | None:
    """Return the operations in flight over all jobs, or None where one factor is unknown."""
    depth, writers = job["queue_depth"], job["writers"]
    return depth * writers if depth and writers else None


def title_of(job: JobDocument) -> str:
    """Return a job in words: block size, what it did, its sync and operations in flight."""
    parts = [job["workload"] or job["name"]]
    if size := job["block_size_bytes"]:
        parts[0] = f"{size_text(size)} {parts[0]}"
    if job["sync"] not in {None, "none"}:
        parts.append(job["sync"])
    if (in_all := in_flight(job)) and in_all > 1:
        parts.append(f"{in_all} in flight")
    return ", ".join(parts)[:TITLE_CHARACTERS_MAX]


def size_text(size: int) -> str:
    """Return a block size as people write it."""
    for unit, name in ((MEBIBYTE, "MiB"), (KIBIBYTE, "KiB")):
        if size % unit == 0:
            return f"{size // unit} {name}"
    return f"{size:,} B"


def whole(value: float | None, *, most: int = BIGINT_MAX) -> int | None:
    """Return a count as a whole number, or None where its column cannot hold it."""
    return None if value is None or round(value) > most else round(value)


def times(value: float | None, unit: int) -> int | None:
    """Return a duration in nanoseconds, or None where its column cannot hold it."""
    return None if value is None else whole(value * unit)


def _latency(
    measurement: Measurement, *, side: str, figures: Mapping[ImportMeasure, int], count: int | None
) -> Latency:
    ranks = {
        measure.percentile: ns for measure, ns in figures.items() if measure.percentile is not None
    }
    statistics = {measure.statistic: ns for measure, ns in figures.items()}
    return Latency(
        measurement=measurement,
        side=side,
        count=count,
        printed_curve=[[round(rank / 100, 9), ns] for rank, ns in sorted(ranks.items())],
        **{column: ranks[rank] for rank, column in PERCENTILE_COLUMNS.items() if rank in ranks},
        **{column: statistics[each] for each, column in COLUMNS.items() if each in statistics},
    )
