"""What a figure of an imported output measures: metric, unit, side, stage, statistic, percentile.

An importer sets it when it reads a figure, and it decides what becomes of the figure. The name is
only for people; the code never parses it.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from enum import StrEnum
from typing import Any, Final

MEASURE: Final = "measure"  # the member of a stored figure that says what it is of


class Metric(StrEnum):
    """What is counted or timed."""

    RATE = "rate"  # operations a second
    COUNT = "count"  # operations
    FAILURES = "failures"
    DURATION = "duration"
    BANDWIDTH = "bandwidth"
    LATENCY = "latency"


class Unit(StrEnum):
    """The unit of a figure."""

    ONE = ""
    PER_S = "per_s"
    BYTES_PER_S = "bytes_per_s"
    US = "us"
    MS = "ms"


class Side(StrEnum):
    """Which operations a figure is of."""

    JOB = ""  # of the one thing that the job did
    TOTAL = "total"  # of reads and writes together
    READ = "read"
    WRITE = "write"
    TRIM = "trim"
    MIXED = "mixed"  # which fio does not tell apart
    SYNC = "sync"
    TRANSACTION = "transaction"
    COMMIT_STATEMENT = "commit_statement"
    CONNECTION = "connection"


class FioStage(StrEnum):
    """Which part of an operation fio timed."""

    WHOLE = ""
    SUBMISSION = "slat"
    COMPLETION = "clat"
    BOTH = "lat"


class Statistic(StrEnum):
    """Which statistic of many latencies a figure is."""

    NONE = ""
    MIN = "min"
    MEAN = "mean"
    MAX = "max"
    STDDEV = "stddev"
    PERCENTILE = "percentile"


@dataclass(frozen=True, slots=True)
class Timing:
    """The latency of which a figure is a statistic."""

    side: Side
    stage: FioStage = FioStage.WHOLE

    @property
    def name(self) -> str:
        """The beginning of the names of its figures."""
        return "_".join(filter(None, (self.side, self.stage)))


@dataclass(frozen=True, slots=True)
class ImportMeasure:
    """What one figure measures. The name is unique in a job."""

    name: str
    metric: Metric
    unit: Unit
    side: Side = Side.JOB
    stage: FioStage = FioStage.WHOLE
    statistic: Statistic = Statistic.NONE
    percentile: float | None = None  # above 0, up to 100

    @classmethod
    def from_stored(cls, name: str, stored: dict[str, Any]) -> ImportMeasure:
        """Return the measure that is stored with a figure of this name."""
        return cls(name=name, **stored)

    def stored(self) -> dict[str, Any]:
        """Return what is stored with the figure: everything but the name, which is its key."""
        return {
            field.name: getattr(self, field.name)
            for field in fields(self)
            if field.name != "name" and getattr(self, field.name) != field.default
        }

    def is_of(self, timing: Timing) -> bool:
        """Whether it is a statistic of this latency."""
        is_latency = self.metric == Metric.LATENCY
        return is_latency and (self.side, self.stage) == (timing.side, timing.stage)


TPS = ImportMeasure("tps", Metric.RATE, Unit.PER_S, Side.TRANSACTION)
TRANSACTIONS = ImportMeasure("transactions", Metric.COUNT, Unit.ONE, Side.TRANSACTION)
FAILED_TRANSACTIONS = ImportMeasure(
    "failed_transactions", Metric.FAILURES, Unit.ONE, Side.TRANSACTION
)
TRANSACTION_MEAN = ImportMeasure(
    "latency_avg_ms", Metric.LATENCY, Unit.MS, Side.TRANSACTION, statistic=Statistic.MEAN
)
TRANSACTION_STDDEV = ImportMeasure(
    "latency_stddev_ms", Metric.LATENCY, Unit.MS, Side.TRANSACTION, statistic=Statistic.STDDEV
)
COMMIT_STATEMENT_MEAN = ImportMeasure(
    "commit_statement_latency_avg_ms", Metric.LATENCY, Unit.MS, Side.COMMIT_STATEMENT,
    statistic=Statistic.MEAN,
)  # fmt: skip
INITIAL_CONNECTION = ImportMeasure(
    "initial_connection_time_ms", Metric.DURATION, Unit.MS, Side.CONNECTION
)
AVERAGE_CONNECTION = ImportMeasure(
    "average_connection_time_ms", Metric.DURATION, Unit.MS, Side.CONNECTION,
    statistic=Statistic.MEAN,
)  # fmt: skip
BANDWIDTH = ImportMeasure("bandwidth_bytes_per_s", Metric.BANDWIDTH, Unit.BYTES_PER_S)


def iops(side: Side) -> ImportMeasure:
    """Return the operations a second of a side."""
    return ImportMeasure(f"{side}_iops", Metric.RATE, Unit.PER_S, side)


def operations(side: Side) -> ImportMeasure:
    """Return the operations of a side."""
    return ImportMeasure(f"{side}_operations", Metric.COUNT, Unit.ONE, side)


def runtime(side: Side) -> ImportMeasure:
    """Return how long a side ran."""
    return ImportMeasure(f"{side}_runtime_ms", Metric.DURATION, Unit.MS, side)


def bandwidth(side: Side) -> ImportMeasure:
    """Return the bytes a second of one side of several."""
    return ImportMeasure(f"{side}_{BANDWIDTH.name}", Metric.BANDWIDTH, Unit.BYTES_PER_S, side)


def calls_per_s(calls: str) -> ImportMeasure:
    """Return the rate of a job that did one thing, by the name that its tool has for it."""
    return ImportMeasure(f"{calls}_ops_per_s", Metric.RATE, Unit.PER_S)


def latency(timing: Timing, statistic: Statistic) -> ImportMeasure:
    """Return a statistic of a latency."""
    return ImportMeasure(
        f"{timing.name}_{statistic}_us", Metric.LATENCY, Unit.US, timing.side, timing.stage,
        statistic,
    )  # fmt: skip


def percentile(timing: Timing, rank: str) -> ImportMeasure:
    """Return a percentile of a latency by its rank as fio writes it: 99.900000 is named p99_9."""
    whole, _, fraction = rank.partition(".")
    name = "_".join(filter(None, (f"p{int(whole)}", fraction.rstrip("0"))))
    return ImportMeasure(
        f"{timing.name}_{name}_us", Metric.LATENCY, Unit.US, timing.side, timing.stage,
        Statistic.PERCENTILE, float(rank),
    )  # fmt: skip
