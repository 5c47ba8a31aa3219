"""Charts of a run: the figures for Chart.js, and the tables that hold the same figures."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from django.utils.translation import gettext as _

from apps.pages.run.selectors import Ghost
from apps.pages.run.useful_rate import limit_of
from apps.pages.run.workloads import workload_key
from apps.pages.show import said, units
from apps.pages.show.workload_words import workload_note, workload_title
from apps.runs.models import Latency, Measurement, Run
from apps.stats.figures import significant

NS_PER_S = 1_000_000_000
SAMPLES_MAX = 400  # of a workload, drawn and listed: three minutes of half seconds
SIDE_ORDER = ("commit", "sync", "write", "read", "completion", "lag")
DRAWN_BESIDE = ("sync", "write")  # parts of a commit; what fio calls completion is another thing
BEFORE_THE_SYNC = frozenset({"write", "completion", "submission"})  # where a sync was timed too
QUANTILES = (
    (0.5, "p50", "p50_ns"),
    (0.9, "p90", "p90_ns"),
    (0.99, "p99", "p99_ns"),
    (0.999, "p99.9", "p999_ns"),
    (0.9999, "p99.99", "p9999_ns"),
)

JsonValue: TypeAlias = "str | int | float | bool | list[JsonValue] | dict[str, JsonValue] | None"


@dataclass(frozen=True, slots=True)
class QuantileRow:
    """One line of the table: a quantile and its latency on each side, nanoseconds."""

    name: str
    cells: tuple[int | None, ...]


@dataclass(frozen=True, slots=True)
class Column:
    """What is timed in a column of the table, and whether it is durable when that ends."""

    name: str
    note: str = ""


@dataclass(frozen=True, slots=True)
class Sample:
    """One rate sample: when it ended, in seconds of measuring, and the rate a second."""

    nth_pass: int
    seconds: float
    rate_per_s: float


@dataclass(frozen=True, slots=True)
class RateChart:
    """The rate over the time of a measurement, pass after pass."""

    data: dict[str, JsonValue]
    samples: tuple[Sample, ...]
    lowest: Sample
    mean_per_s: float
    stdev_per_s: float
    sample_ns: int
    n_passes: int

    @property
    def says(self) -> str:
        """A sentence for those who do not see the picture."""
        return _(
            "Rate over time: mean %(mean)s a second, lowest sample %(lowest)s in pass %(nth)s"
        ) % {
            "mean": significant(self.mean_per_s),
            "lowest": significant(self.lowest.rate_per_s),
            "nth": self.lowest.nth_pass,
        }


@dataclass(frozen=True, slots=True)
class Panel:
    """One workload of a run: its words, its percentile curves, its rate over time."""

    key: str
    title: str
    note: str
    measurement: Measurement
    sides: tuple[Column, ...]
    quantiles: tuple[QuantileRow, ...]
    data: dict[str, JsonValue]
    has_curve: bool
    rate: RateChart | None
    says: str

    @property
    def curve_id(self) -> str:
        """Id of the element that holds the figures of the curves."""
        return f"curve-{self.key}"

    @property
    def rate_id(self) -> str:
        """Id of the element that holds the rate samples."""
        return f"rate-{self.key}"

    @property
    def mean_ns(self) -> float | None:
        """Mean time of an operation of one writer, nanoseconds."""
        rate = self.measurement.rate_per_s
        return NS_PER_S / rate if rate else None


def ordered_latencies(measurement: Measurement) -> list[Latency]:
    """The sides of a measurement, the whole commit first."""
    return sorted(
        measurement.latencies.all(),
        key=lambda each: SIDE_ORDER.index(each.side) if each.side in SIDE_ORDER else 9,
    )


def points_of(latency: Latency) -> list[list[float]]:
    """The points of a curve: as stored, else the percentiles that the source printed."""
    if latency.curve:
        return [[float(q), float(ns)] for q, ns in latency.curve if 0 < q < 1]
    known = [(q, getattr(latency, column)) for q, _name, column in QUANTILES]
    return [[q, float(ns)] for q, ns in known if ns is not None]


def quantile_rows(latencies: Sequence[Latency]) -> tuple[QuantileRow, ...]:
    """The table of a workload; lines that no side knows are left out."""
    lines = [
        *((name, column) for _q, name, column in QUANTILES),
        (_("fastest"), "min_ns"),
        (_("mean"), "mean_ns"),
        (_("slowest"), "max_ns"),
    ]
    rows = (
        QuantileRow(name, tuple(getattr(each, column) for each in latencies))
        for name, column in lines
    )
    return tuple(row for row in rows if any(cell is not None for cell in row.cells))


def percentile_data(
    run: Run, measurement: Measurement, ghosts: Sequence[Ghost] = ()
) -> dict[str, JsonValue]:
    """What the script draws: curves by their role, and the typical range of the class."""
    curves: list[JsonValue] = [
        {"name": ghost.name, "role": "ghost", "points": list_of(ghost.curve)} for ghost in ghosts
    ]
    ordered = ordered_latencies(measurement)
    sides = [
        (each, points_of(each))
        for place, each in enumerate(ordered)
        if place == 0 or each.side in DRAWN_BESIDE
    ]
    for place, (latency, points) in enumerate(sides):
        curves.append(
            {
                "name": side_name(latency.side),
                "role": "subject" if place == 0 else "side",
                "points": list_of(points),
            }
        )
    band: JsonValue = None
    if measurement.is_durable_single_writer and run.expected_class is not None:
        expected = run.expected_class
        band = {"name": expected.name, "low": expected.low_ns, "high": expected.high_ns}
    return {"curves": curves, "band": band}


def list_of(points: Sequence[Sequence[float]]) -> JsonValue:
    """Points as plain lists."""
    return [[float(q), float(ns)] for q, ns in points if 0 < q < 1]


def chunks(values: Sequence[int], *, of: int) -> Iterator[tuple[int, Sequence[int]]]:
    """The values in groups of this size, the last maybe smaller, each with its first place."""
    for place in range(0, len(values), of):
        yield place, values[place : place + of]


def _n_samples(measurement: Measurement) -> int:
    return sum(len(each.get("rate_samples", [])) for each in measurement.passes)


def rate_words() -> dict[str, JsonValue]:
    """What the script writes into the picture; it puts figures in for what stands in braces."""
    return {
        "lowest": _("lowest sample {rate}"),
        "pass": _("pass {n}"),
        "title": _("pass {n}, {seconds} s"),
        "rate": _("{rate} a second"),
        "stop": _("pass {n}, {seconds} seconds: {rate} a second"),
    }


def rate_chart(measurement: Measurement) -> RateChart | None:
    """The rate samples of all passes one after the other; nothing where there are none.

    Neighbours of long runs are merged: SAMPLES_MAX points are more than a screen has columns for.
    """
    if not measurement.sample_ns:
        return None
    merged = math.ceil(_n_samples(measurement) / SAMPLES_MAX) or 1
    sample_s = measurement.sample_ns / NS_PER_S
    samples: list[Sample] = []
    start_s = 0.0
    for nth, each in enumerate(measurement.passes, start=1):
        counts = each.get("rate_samples", [])
        samples.extend(
            Sample(nth, start_s + (place + len(some)) * sample_s, sum(some) / len(some) / sample_s)
            for place, some in chunks(counts, of=merged)
        )
        start_s += max(each.get("elapsed_ns", 0) / NS_PER_S, len(counts) * sample_s)
    if not samples:
        return None
    rates = [sample.rate_per_s for sample in samples]
    mean = sum(rates) / len(rates)
    stdev = math.sqrt(sum((each - mean) ** 2 for each in rates) / len(rates))
    points: list[JsonValue] = [
        [sample.nth_pass, round(sample.seconds, 3), round(sample.rate_per_s, 1)]
        for sample in samples
    ]
    return RateChart(
        data={
            "samples": points,
            "mean": round(mean, 1),
            "stdev": round(stdev, 1),
            "words": rate_words(),
        },
        samples=tuple(samples),
        lowest=min(samples, key=lambda sample: sample.rate_per_s),
        mean_per_s=mean,
        stdev_per_s=stdev,
        sample_ns=measurement.sample_ns * merged,
        n_passes=len(measurement.passes),
    )


def spoken_percentiles(latencies: Sequence[Latency]) -> str:
    """A sentence for those who do not see the curve."""
    if not latencies:
        return _("Percentile curve: no distribution was recorded")
    first = latencies[0]
    known = [
        f"{name} {units.latency(getattr(first, column))}"
        for _q, name, column in QUANTILES
        if getattr(first, column) is not None
    ]
    if not known:
        return _("Percentile curve: no percentile was recorded")
    return _("Percentile curve of the %(side)s: %(figures)s") % {
        "side": side_name(first.side),
        "figures": said.strung(known),
    }


def side_name(side: str) -> str:
    """What is timed, in one word; a side newer than this page keeps its own name."""
    names = {
        "commit": _("commit"),
        "sync": _("sync"),
        "write": _("write"),
        "read": _("read"),
        "completion": _("completion"),
        "submission": _("submission"),
        "lag": _("lag"),
    }
    return names.get(side, side)


def columns_of(measurement: Measurement, sides: Sequence[str]) -> tuple[Column, ...]:
    """The heads of the table: several say which of them ends with the durable write."""
    notes: dict[str, str] = {}
    if len(sides) > 1 and measurement.is_durable_single_writer:
        notes |= dict.fromkeys(("commit", "sync"), _("durable"))
    if "sync" in sides:
        notes |= dict.fromkeys(BEFORE_THE_SYNC, _("not durable yet"))
    return tuple(Column(side_name(side), notes.get(side, "")) for side in sides)


def panel(run: Run, measurement: Measurement, ghosts: Sequence[Ghost] = ()) -> Panel:
    """Everything that the page shows of one workload.

    A search has no latencies of all its passes together, the overloaded ones included.
    """
    is_search = limit_of(measurement) is not None
    latencies = [] if is_search else ordered_latencies(measurement)
    return Panel(
        key=workload_key(measurement),
        title=workload_title(measurement.workload, measurement.title),
        note=workload_note(measurement.workload),
        measurement=measurement,
        sides=columns_of(measurement, [each.side for each in latencies]),
        quantiles=quantile_rows(latencies),
        data=percentile_data(run, measurement, ghosts),
        has_curve=any(len(points_of(each)) > 1 for each in latencies),
        rate=rate_chart(measurement),
        says=spoken_percentiles(latencies),
    )
