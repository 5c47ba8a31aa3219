"""What a comparison reads: names, rows under one workload, prices, and what surrounds them.

Six queries whatever is compared: plans with their prices, drives, standings, the measurements of
runs, runs, and the curves of what was chosen.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from django.db.models import BigIntegerField, F, Value

from apps.pages.compare.query import CompareQuery
from apps.pages.compare.selectors.names import NamedThing, find_things, slugs
from apps.pages.compare.selectors.rows import (
    ThingRows,
    choose,
    compared,
    leave_out_made_up,
    read_measurements,
    read_standings,
)
from apps.pages.compare.things import Shape
from apps.pages.show.address.references import Ref, RefKind
from apps.rankings.models import Standing
from apps.runs.models import Latency, Measurement, Run
from apps.runs.packed.fields import HistogramField
from apps.runs.sides import HEADLINE_SIDES


@dataclass(frozen=True, slots=True)
class ComparisonRows:
    """The rows of what is compared, and of them those of the workload that was chosen."""

    things: ThingRows
    offers: tuple[NamedThing, ...]  # what a reader may mean
    counts: Mapping[Shape, int]  # how many of the things have each workload, the best first
    shape: Shape | None  # the one that is compared
    standings: Mapping[Ref, Standing]
    measurements: Mapping[Ref, Measurement]
    runs: Mapping[str, Run]
    curves: Mapping[int, list[list[float]]]  # by standing
    latencies: Mapping[int, Latency]  # by measurement


def read_comparison(query: CompareQuery) -> ComparisonRows:
    """Everything at once: 6 queries."""
    things = ThingRows()
    matches = find_things(query)
    things.names, things.rented_plans = matches.names, matches.rented_plans
    if query.on:
        read_standings(query, things)
        read_measurements(query, things)
        leave_out_made_up(query, things)
    shape, counts = choose(query, things)
    standings, measurements = compared(query, things, shape, counts)
    runs = read_runs(query, things, standings.values()) if query.on else {}
    curves, latencies = (
        read_curves(standings.values(), measurements.values()) if query.on else ({}, {})
    )
    return ComparisonRows(
        things, matches.offers, counts, shape, standings, measurements, runs, curves, latencies
    )


def read_runs(
    query: CompareQuery, things: ThingRows, standings: Iterable[Standing]
) -> dict[str, Run]:
    """The runs themselves, and of each standing the newest one, by slug: one query."""
    newest = {each.newest_run_slug for each in standings}
    for ref in query.on:  # what lacks the workload has surroundings all the same
        rows_of = list(things.standings.get(ref, {}).values())
        if rows_of and not newest & {each.newest_run_slug for each in rows_of}:
            newest.add(rows_of[0].newest_run_slug)
    run_slugs = [*slugs(query.on, RefKind.RUN), *sorted(newest)]
    rows = Run.objects.filter(slug__in=run_slugs).select_related(
        "plan__provider", "provider", "drive_family__ladder_class", "citation"
    )
    return {run.slug: run for run in rows}


def read_curves(
    standings: Iterable[Standing], measurements: Iterable[Measurement]
) -> tuple[dict[int, list[list[float]]], dict[int, Latency]]:
    """The curves of standings, and the distribution that stands for each measurement: one query."""
    figures = ("side", "p50_ns", "p99_ns", "p999_ns", "p9999_ns")
    columns = (*figures, "printed_curve", "histogram", "min_ns", "max_ns")
    none = Value(None, output_field=BigIntegerField())
    of_standings = Standing.objects.filter(pk__in=[each.pk for each in standings]).annotate(
        side=F("latency_side"),
        histogram=Value(None, output_field=HistogramField()),
        min_ns=none,
        max_ns=none,
        is_run=Value(value=False),
    )
    of_runs = Latency.objects.filter(measurement__in=[each.pk for each in measurements]).annotate(
        is_run=Value(value=True)
    )
    of_both = (*figures, "curve", "histogram", "min_ns", "max_ns")
    rows = of_standings.values_list("is_run", "pk", *of_both).union(
        of_runs.values_list("is_run", "measurement_id", *columns), all=True
    )
    curves: dict[int, list[list[float]]] = {}
    best: dict[int, Latency] = {}
    for is_run, key, *values in rows:
        row = Latency(**dict(zip(columns, values, strict=True)))
        standing = best.get(key)
        if not is_run:
            curves[key] = row.curve
        elif row.p50_ns is not None and (
            standing is None or side_place(row) < side_place(standing)
        ):
            best[key] = row
    return curves, best


def side_place(latency: Latency) -> int:
    """The place of a side among those that may stand for a measurement."""
    sides: Sequence[str] = HEADLINE_SIDES
    return sides.index(latency.side) if latency.side in sides else len(sides)
