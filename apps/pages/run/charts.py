"""Charts of a run: the figures for Chart.js, and the tables that hold the same figures."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from apps.pages.run.selectors import ComparisonCurve
from apps.pages.run.useful_rate import limit_of
from apps.pages.run.workloads import workload_key
from apps.pages.show import phrases, units
from apps.pages.show.charts import (
    QUANTILES,
    JsonValue,
    QuantileRow,
    RateChart,
    SideColumn,
    list_of,
    rate_chart,
    side_name,
    timed_words,
)
from apps.runs.models import Latency, Measurement, Run
from apps.runs.sides import BEFORE_THE_SYNC, DRAWN_BESIDE, LISTED_SIDES
from apps.words.workloads import workload_note, workload_title


@dataclass(frozen=True, slots=True)
class Panel:
    """One workload of a run: its words, its percentile curves, its rate over time."""

    key: str
    title: str
    note: str
    measurement: Measurement
    sides: tuple[SideColumn, ...]
    quantiles: tuple[QuantileRow, ...]
    data: dict[str, JsonValue]
    has_curve: bool
    rate: RateChart | None
    sentence: str

    @property
    def curve_id(self) -> str:
        """Id of the element that holds the figures of the curves."""
        return f"curve-{self.key}"

    @property
    def rate_id(self) -> str:
        """Id of the element that holds the rate samples."""
        return f"rate-{self.key}"

    @property
    def slowest_ns(self) -> int | None:
        """The slowest operation of the first side, nanoseconds."""
        latencies = ordered_latencies(self.measurement)
        return latencies[0].max_ns if latencies else None


def ordered_latencies(measurement: Measurement) -> list[Latency]:
    """The sides of a measurement, the whole commit first."""
    return sorted(
        measurement.latencies.all(),
        key=lambda each: LISTED_SIDES.index(each.side) if each.side in LISTED_SIDES else 9,
    )


def points_of(latency: Latency) -> list[list[float]]:
    """The points of a curve: as stored, else the percentiles that the source printed."""
    if latency.curve:
        return [[float(q), float(ns)] for q, ns in latency.curve if 0 < q < 1]
    percentiles = [(q, getattr(latency, column)) for q, _name, column in QUANTILES]
    return [[q, float(ns)] for q, ns in percentiles if ns is not None]


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
    run: Run, measurement: Measurement, ghosts: Sequence[ComparisonCurve] = ()
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
                "name": timed_words(latency.side),
                "role": "subject" if place == 0 else "side",
                "points": list_of(points),
            }
        )
    band: JsonValue = None
    if measurement.is_durable_single_writer and run.expected_class is not None:
        expected = run.expected_class
        band = {"name": expected.name, "low": expected.low_ns, "high": expected.high_ns}
    return {"curves": curves, "band": band}


def percentiles_sentence(latencies: Sequence[Latency]) -> str:
    """A sentence for those who do not see the curve."""
    first = latencies[0] if latencies else None
    parts = [
        f"{name} {units.latency(getattr(first, column))}"
        for _q, name, column in QUANTILES
        if first is not None and getattr(first, column) is not None
    ]
    if first is None or not parts:
        return _("Only the rate is known: no percentile was recorded.")
    return phrases.with_name(side_name(first.side), phrases.join_facts(parts))


def columns_of(sides: Sequence[str]) -> tuple[SideColumn, ...]:
    """The heads of the table: those that end before the sync say so."""
    notes = dict.fromkeys(BEFORE_THE_SYNC, _("not durable yet")) if "sync" in sides else {}
    return tuple(SideColumn(side_name(side), notes.get(side, "")) for side in sides)


def panel(run: Run, measurement: Measurement, ghosts: Sequence[ComparisonCurve] = ()) -> Panel:
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
        sides=columns_of([each.side for each in latencies]),
        quantiles=quantile_rows(latencies),
        data=percentile_data(run, measurement, ghosts),
        has_curve=any(len(points_of(each)) > 1 for each in latencies),
        rate=rate_chart(measurement),
        sentence=percentiles_sentence(latencies),
    )
