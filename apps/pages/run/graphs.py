"""Graphs over several workloads of one run: how figures move with writers, bytes or load."""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from apps.pages.run.useful_rate import limit_of
from apps.pages.run.workloads import by_name, size_in, workload_key
from apps.pages.show import phrases, units
from apps.pages.show.charts import (
    JsonValue,
)
from apps.pages.show.workload_words import workload_title
from apps.runs.models import Latency, Measurement
from apps.stats.figures import significant
from apps.wire.suites import HEADLINE_WORKLOAD

NO_FIGURE = "\u2013"
POINTS_MIN = 2  # fewer make no line
NOTHING_WRITTEN = "empty-flush"


@dataclass(frozen=True, slots=True)
class Axis:
    """What an axis counts, and how its figures are written: count, bytes, rate or time (ns)."""

    name: str
    unit: str

    def text(self, value: float) -> str:
        """A figure of this axis for the table."""
        return UNITS[self.unit](value)


UNITS: dict[str, Callable[[float], str]] = {
    "count": lambda value: f"{value:,.0f}",
    "bytes": units.size,
    "rate": significant,
    "time": units.latency,
}


@dataclass(frozen=True, slots=True)
class Series:
    """One line of a graph: points (x, y), rising in x."""

    name: str
    points: tuple[tuple[float, float], ...]


@dataclass(frozen=True, slots=True)
class GraphLimit:
    """A horizontal line that the others are read against."""

    name: str
    y: float


@dataclass(frozen=True, slots=True)
class Graph:
    """A picture with the table of its figures."""

    key: str
    title: str
    note: str
    x: Axis
    y: Axis
    series: tuple[Series, ...]
    limit: GraphLimit | None = None

    @property
    def data_id(self) -> str:
        """Id of the element that holds the figures."""
        return f"graph-{self.key}"

    @property
    def data(self) -> dict[str, JsonValue]:
        """What the script draws."""
        limit: JsonValue = {"name": self.limit.name, "y": self.limit.y} if self.limit else None
        return {
            "x": {"name": self.x.name, "unit": self.x.unit},
            "y": {"name": self.y.name, "unit": self.y.unit},
            "series": [
                {"name": each.name, "points": [[x, y] for x, y in each.points]}
                for each in self.series
            ],
            "limit": limit,
        }

    @property
    def table(self) -> tuple[tuple[str, tuple[str, ...]], ...]:
        """A line for each x, a column for each series; empty where a series has no such point."""
        lines = sorted({x for each in self.series for x, _y in each.points})
        known = [dict(each.points) for each in self.series]
        return tuple(
            (
                self.x.text(x),
                tuple(self.y.text(points[x]) if x in points else NO_FIGURE for points in known),
            )
            for x in lines
        )

    @property
    def says(self) -> str:
        """A sentence for those who do not see the picture: where each line begins and ends."""
        ends = [
            _("%(name)s from %(first)s at %(start)s to %(last)s at %(end)s")
            % {
                "name": each.name,
                "first": self.y.text(each.points[0][1]),
                "start": self.x.text(each.points[0][0]),
                "last": self.y.text(each.points[-1][1]),
                "end": self.x.text(each.points[-1][0]),
            }
            for each in self.series
        ]
        return _("%(title)s, %(y)s against %(x)s: %(ends)s") % {
            "title": self.title,
            "y": self.y.name,
            "x": self.x.name,
            "ends": phrases.join_clauses(ends),
        }


def writers_axis() -> Axis:
    """How many write at once."""
    return Axis(_("writers"), "count")


def graphs_of(measurements: Sequence[Measurement]) -> tuple[Graph, ...]:
    """Every graph for which this run has at least two points of a line."""
    found = by_name(measurements)
    graphs = (
        scaling_graph(found),
        *(direct_graph(found, size, name) for size, name in (("16k", "16 KiB"), ("2m", "2 MiB"))),
        drain_graph(found),
        area_graph(found),
        *(slo_graph(each) for each in measurements),
    )
    return tuple(graph for graph in graphs if graph is not None and graph.series)


def slo_graph(measurement: Measurement) -> Graph | None:
    """p99 against the rate at which operations arrived, for one limit."""
    limit_ns = limit_of(measurement)
    if limit_ns is None:
        return None
    worst: dict[float, float] = {}
    for each in measurement.passes:
        loop = each.get("open_loop")
        if loop and loop["offered_per_s"] and loop["p99_ns"]:
            offered, p99_ns = float(loop["offered_per_s"]), float(loop["p99_ns"])
            worst[offered] = max(p99_ns, worst.get(offered, 0.0))
    series = with_lines([Series("p99", tuple(sorted(worst.items())))])
    if not series:
        return None
    return Graph(
        key=workload_key(measurement),
        title=workload_title(measurement.workload, measurement.title),
        note=_(
            "Operations arrive at random, whether or not the device is ready; the latency counts "
            "from when each was due. The useful rate is the highest below the limit."
        ),
        x=Axis(_("arrivals a second"), "rate"),
        y=Axis("p99", "time"),
        series=series,
        limit=GraphLimit(_("limit %(time)s") % {"time": units.latency(limit_ns)}, limit_ns),
    )


def with_lines(series: Iterable[Series]) -> tuple[Series, ...]:
    """The series that are lines."""
    return tuple(each for each in series if len(each.points) >= POINTS_MIN)


def rates_by_number(
    found: dict[str, Measurement], pattern: str, *, first: str = ""
) -> tuple[tuple[float, float], ...]:
    """(N, rate) of every workload whose name ends in -N; `first` stands for N = 1."""
    points = {1.0: found[first].rate_per_s} if first in found else {}
    for name, measurement in found.items():
        if match := re.fullmatch(pattern, name):
            points[float(match[1])] = measurement.rate_per_s
    return tuple((n, rate) for n, rate in sorted(points.items()) if rate and n >= 1)


def scaling_graph(found: dict[str, Measurement]) -> Graph:
    """Commits a second against writers: on one file, on files of their own, in groups."""
    ways = (
        (_("one file"), r"commit-8k-writers-(\d+)", HEADLINE_WORKLOAD),
        (_("a file each"), r"commit-8k-files-(\d+)", HEADLINE_WORKLOAD),
        (_("group commit"), r"group-commit-8k-(\d+)", ""),
    )
    return Graph(
        key="writers",
        title=_("More writers"),
        note=_(
            "8 KiB overwrites, fdatasync after each. Where the line rises, commits share a flush; "
            "group commit is what a database does with one log."
        ),
        x=writers_axis(),
        y=Axis(_("commits a second"), "rate"),
        series=with_lines(
            Series(name, rates_by_number(found, pattern, first=first))
            for name, pattern, first in ways
        ),
    )


def direct_graph(found: dict[str, Measurement], size: str, name: str) -> Graph:
    """Writes past the page cache a second against jobs, by what makes them durable."""
    syncs = ((_("no sync"), "nosync"), ("fsync", "fsync"), ("fdatasync", "fdatasync"))
    return Graph(
        key=f"direct-{size}",
        title=_("%(size)s writes past the page cache") % {"size": name},
        note=_("Each job writes to a part of the file of its own."),
        x=writers_axis(),
        y=Axis(_("writes a second"), "rate"),
        series=with_lines(
            Series(
                words,
                rates_by_number(
                    found, rf"direct-{size}-{sync}-x(\d+)", first=f"direct-{size}-{sync}"
                ),
            )
            for words, sync in syncs
        ),
    )


def side_of(measurement: Measurement, side: str) -> Latency | None:
    """One distribution of a measurement."""
    return next((each for each in measurement.latencies.all() if each.side == side), None)


def latencies_by_bytes(
    found: dict[str, Measurement], prefix: str, side: str, column: str
) -> tuple[tuple[float, float], ...]:
    """(bytes, nanoseconds) of every workload of this prefix."""
    points = []
    for name, measurement in found.items():
        size = size_in(name, prefix)
        latency = side_of(measurement, side) if size else None
        if size and latency and (value := getattr(latency, column)):  # none at 0 on a log axis
            points.append((float(size), float(value)))
    return tuple(sorted(points))


def drain_graph(found: dict[str, Measurement]) -> Graph:
    """What one flush takes after so many bytes were written past the page cache."""
    nothing = side_of(found[NOTHING_WRITTEN], "sync") if NOTHING_WRITTEN in found else None
    limit = None
    if nothing and nothing.p50_ns:
        limit = GraphLimit(
            _("nothing written %(time)s") % {"time": units.latency(nothing.p50_ns)}, nothing.p50_ns
        )
    return Graph(
        key="drain",
        title=_("What a flush has to do"),
        note=_(
            "Bytes written past the page cache, then one fdatasync. A volatile cache takes the "
            "longer the more it holds; one that is protected, or ignores flushes, does not. Only a "
            "power cut can tell those two apart."
        ),
        x=Axis(_("bytes written before"), "bytes"),
        y=Axis(_("median time of the flush"), "time"),
        series=with_lines(
            [Series(_("flush"), latencies_by_bytes(found, "drain", "sync", "p50_ns"))]
        ),
        limit=limit,
    )


def area_graph(found: dict[str, Measurement]) -> Graph:
    """Reads over parts of the file of growing size: a step is the edge of a cache."""
    columns = (("p50", "p50_ns"), ("p99", "p99_ns"))
    return Graph(
        key="area",
        title=_("Who answers a read"),
        note=_(
            "4 KiB random reads past the page cache, one at a time. Where a small part of the "
            "file is quicker than a large one, a cache answers."
        ),
        x=Axis(_("part of the file"), "bytes"),
        y=Axis(_("time of a read"), "time"),
        series=with_lines(
            Series(name, latencies_by_bytes(found, "read-4k-area", "read", column))
            for name, column in columns
        ),
    )
