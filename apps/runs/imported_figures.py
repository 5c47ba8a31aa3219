"""Turns what was read of one imported job into a measurement and its latencies.

Pure: builds rows, saves none. A document is what apps.intake.importers made of an output; its
figures carry their unit at the end of their name.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from apps.runs.models import Latency, Measurement, Run

if TYPE_CHECKING:
    from collections.abc import Mapping

Document = dict[str, Any]

TITLE_CHARACTERS_MAX: Final = 120  # the column
SYNC_CHARACTERS_MAX: Final = 16  # the column; longer words are in the title and in `extra`
NS_PER_US: Final = 1_000
NS_PER_MS: Final = 1_000_000
KIBIBYTE: Final = 1024
MEBIBYTE: Final = 1024 * 1024
# What the columns hold; a greater figure, made up as it must be, stays in `extra` alone.
SMALL_MAX: Final = 2**15 - 1
INTEGER_MAX: Final = 2**31 - 1
BIGINT_MAX: Final = 2**63 - 1
WHOLE_JOB: Final = "total_iops"
# What a latency is of, by the beginning of its figures' names, where a job did one thing.
SIDES: Final = {
    "sync": "sync",
    "write_lat": "write",
    "write_clat": "completion",
    "write_slat": "submission",
    "read_lat": "read",
    "read_clat": "completion",
    "read_slat": "submission",
}
MIXED_SIDES: Final = {"sync": "sync", "write_lat": "write", "read_lat": "read"}
COLUMNS: Final = {
    "mean": "mean_ns", "min": "min_ns", "p50": "p50_ns", "p90": "p90_ns", "p99": "p99_ns",
    "p99_9": "p999_ns", "p99_99": "p9999_ns", "max": "max_ns",
}  # fmt: skip
_RANK: Final = re.compile(r"p(?P<whole>\d{1,3})(?:_(?P<fraction>\d{1,9}))?")


def measurement_of(job: Document, *, run: Run, tool: str, place: int) -> Measurement:
    """Return the unsaved row of one job, the place-th of its file."""
    values = values_of(job)
    side = side_of(values)
    return Measurement(
        run=run,
        workload=f"{tool.replace('_', '-')}-{place}",
        tool=tool,
        title=title_of(job),
        operation=operation_of(job, side),
        sync=sync if len(sync := job["sync"] or "") <= SYNC_CHARACTERS_MAX else "",
        block_bytes=whole(job["block_size_bytes"], most=INTEGER_MAX),
        is_direct=job["direct"],
        writers=whole(job["writers"], most=SMALL_MAX),
        queue_depth=whole(in_flight(job), most=INTEGER_MAX),
        operations=whole(values.get(f"{side}_operations", values.get("transactions"))),
        elapsed_ns=times(values.get(f"{side}_runtime_ms"), NS_PER_MS),
        rate_per_s=rate_of(values, side),
        bandwidth_bytes_per_s=whole(values.get("bandwidth_bytes_per_s")),
        is_durable_single_writer=job["is_durable_single_writer"],
        extra={
            "name_in_source": job["name"],
            "access": job["workload"],
            "io_engine": job["io_engine"],
            "sync_every_writes": job["sync_every_writes"],
            **values,
        },
    )


def headline_of(document: Document) -> Measurement | None:
    """Return the unsaved row that would stand for an output: its first commits, else its first."""
    rows = [
        measurement_of(job, run=Run(), tool=document["tool"], place=place)
        for place, job in enumerate(document["jobs"], start=1)
    ]
    return min(rows, key=lambda row: not row.is_durable_single_writer, default=None)


def latencies_of(job: Document, *, measurement: Measurement) -> list[Latency]:
    """Return one unsaved row a side of which there is a figure."""
    values = values_of(job)
    sides = SIDES if side_of(values) in {"read", "write"} else MIXED_SIDES
    rows = []
    for prefix, side in sides.items():
        figures = {
            name.removeprefix(f"{prefix}_").removesuffix("_us"): ns
            for name, value in values.items()
            if name.startswith(f"{prefix}_") and name.endswith("_us")
            if (ns := times(value, NS_PER_US)) is not None
        }
        if figures:
            count = values.get("sync_operations" if prefix == "sync" else f"{side}_operations")
            rows.append(_latency(measurement, side=side, figures=figures, count=whole(count)))
    if (mean_ns := times(values.get("latency_avg_ms"), NS_PER_MS)) is not None:
        rows.append(Latency(measurement=measurement, side="transaction", mean_ns=mean_ns))
    return rows


def values_of(job: Document) -> dict[str, float]:
    """Return the figures of a job without their lines."""
    return {name: figure["value"] for name, figure in job["figures"].items()}


def side_of(values: Mapping[str, float]) -> str:
    """Return what a job did: read, write, trim, or mixed; nothing where it is no matter of I/O."""
    sides = [side for side in ("read", "write", "trim", "mixed") if f"{side}_iops" in values]
    return sides[0] if len(sides) == 1 else "mixed" if sides else ""


def operation_of(job: Document, side: str) -> str:
    """Return what one operation of the rate is."""
    if job["is_durable_single_writer"]:
        return "commit"
    if "tps" in job["figures"]:
        return "transaction"
    return side or "write"


def rate_of(values: Mapping[str, float], side: str) -> float | None:
    """Return the rate that stands for a job; None where reads and writes have one each."""
    rates = [value for name, value in values.items() if name.endswith("_ops_per_s")]
    return values.get("tps", values.get(WHOLE_JOB, values.get(f"{side}_iops", *rates[:1])))


def in_flight(job: Document) -> int | None:
    """Return the operations in flight over all jobs, or None where one factor is unknown."""
    depth, writers = job["queue_depth"], job["writers"]
    return depth * writers if depth and writers else None


def title_of(job: Document) -> str:
    """Return a job in words: what it did, how much at a time, and what made it durable."""
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
    measurement: Measurement, *, side: str, figures: Mapping[str, int], count: int | None
) -> Latency:
    ranked = {
        _quantile(match): ns for name, ns in figures.items() if (match := _RANK.fullmatch(name))
    }
    return Latency(
        measurement=measurement,
        side=side,
        count=count,
        curve=[[quantile, ns] for quantile, ns in sorted(ranked.items())],
        **{column: figures[name] for name, column in COLUMNS.items() if name in figures},
    )


def _quantile(match: re.Match[str]) -> float:
    return round(float(f"{match['whole']}.{match['fraction'] or 0}") / 100, 9)
