"""Graphs over several workloads of one run: how figures move with writers, bytes or load."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from apps.pages.run.useful_rate import limit_of
from apps.pages.run.workload_purposes import is_area, is_flush, with_definitions
from apps.pages.run.workloads import by_name, workload_key
from apps.pages.show import phrases, units
from apps.pages.show.charts import JsonValue
from apps.runs.models import Latency, Measurement
from apps.stats.figures import significant
from apps.wire.suites import WorkloadDefinition
from apps.words.workloads import workload_title

NO_FIGURE = "\u2013"
POINTS_MIN = 2  # fewer make no line
HEADLINE_BYTES = 8192
DIRECT_OPERATIONS = frozenset({"write", "commit"})
DIRECT_SIZES = {16 << 10: ("16k", "16 KiB"), 2 << 20: ("2m", "2 MiB")}  # in an id, and in words


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
        points_by_series = [dict(each.points) for each in self.series]
        return tuple(
            (
                self.x.text(x),
                tuple(
                    self.y.text(points[x]) if x in points else NO_FIGURE
                    for points in points_by_series
                ),
            )
            for x in lines
        )

    @property
    def sentence(self) -> str:
        """For those who do not see the picture: where each line begins and ends."""
        ends = [
            f"{each.name} {self._words(each.points[0])} \u2192 {self._words(each.points[-1])}"
            for each in self.series
        ]
        return phrases.with_name(self.title, phrases.join_clauses(ends))

    def _words(self, point: tuple[float, float]) -> str:
        x, y = point
        return f"{self.y.text(y)}{phrases.in_brackets(self.x.text(x))}"


def writers_axis() -> Axis:
    """How many write at once."""
    return Axis(_("Writers"), "count")


def graphs_of(measurements: Sequence[Measurement]) -> tuple[Graph, ...]:
    """Every graph for which this run has at least two points of a line."""
    oldest = by_name(measurements).values()
    graphs = (
        scaling_graph(oldest),
        *(direct_graph(oldest, block_bytes) for block_bytes in DIRECT_SIZES),
        drain_graph(oldest),
        area_graph(oldest),
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
        x=Axis(_("operations/s"), "rate"),
        y=Axis("p99", "time"),
        series=series,
        limit=GraphLimit(f"p99 \u2264 {units.latency(limit_ns)}", limit_ns),
    )


def with_lines(series: Iterable[Series]) -> tuple[Series, ...]:
    """The series that are lines."""
    return tuple(each for each in series if len(each.points) >= POINTS_MIN)


def rates_by_writers(
    measurements: Iterable[Measurement], is_meant: Callable[[WorkloadDefinition], bool]
) -> tuple[tuple[float, float], ...]:
    """(writers, rate) of every such workload whose writers wait for one operation each."""
    points = {
        float(workload.writers): measurement.rate_per_s
        for measurement, workload in with_definitions(measurements)
        if workload.queue_depth == 1 and is_meant(workload)
    }
    return tuple((n, rate) for n, rate in sorted(points.items()) if rate)


def is_headline_write(workload: WorkloadDefinition) -> bool:
    """Whether it writes what the headline writes, into the same file with the same sync."""
    return (
        workload.block_bytes == HEADLINE_BYTES
        and workload.page_cache
        and workload.sync == "fdatasync"
        and workload.file_state == "overwritten"
    )


def scaling_graph(measurements: Iterable[Measurement]) -> Graph:
    """Commits a second against writers: on one file, on files of their own, in groups."""
    ways = (
        (_("one file"), "commit", "shared"),
        (_("a file each"), "commit", "own"),
        (_("group commit"), "group-commit", "shared"),
    )

    def points(operation: str, files: str) -> tuple[tuple[float, float], ...]:
        return rates_by_writers(
            measurements,
            lambda workload: (
                is_headline_write(workload)
                and workload.operation == operation
                and (workload.files == files or workload.writers == 1)
            ),
        )

    return Graph(
        key="writers",
        title=phrases.with_name(_("More writers"), "8 KiB, fdatasync"),
        x=writers_axis(),
        y=Axis(_("commits/s"), "rate"),
        series=with_lines(
            Series(name, points(operation, files)) for name, operation, files in ways
        ),
    )


def direct_graph(measurements: Iterable[Measurement], block_bytes: int) -> Graph:
    """Writes past the page cache a second against jobs, by what makes them durable."""
    syncs = ((_("no sync"), "none"), ("fsync", "fsync"), ("fdatasync", "fdatasync"))

    def points(sync: str) -> tuple[tuple[float, float], ...]:
        return rates_by_writers(
            measurements,
            lambda workload: (
                workload.operation in DIRECT_OPERATIONS
                and not workload.page_cache
                and (workload.block_bytes, workload.sync) == (block_bytes, sync)
            ),
        )

    key, size = DIRECT_SIZES[block_bytes]
    return Graph(
        key=f"direct-{key}",
        title=phrases.with_name(_("More writers"), f"{size}, O_DIRECT"),
        x=writers_axis(),
        y=Axis(_("operations/s"), "rate"),
        series=with_lines(Series(words, points(sync)) for words, sync in syncs),
    )


def side_of(measurement: Measurement, side: str) -> Latency | None:
    """One distribution of a measurement."""
    return next((each for each in measurement.latencies.all() if each.side == side), None)


def latencies_by_bytes(
    sides: Iterable[tuple[int, Latency | None]], column: str
) -> tuple[tuple[float, float], ...]:
    """(bytes, nanoseconds) of these distributions; nothing at 0, which has no place on the axis."""
    points = (
        (float(size), float(value))
        for size, latency in sides
        if size and latency and (value := getattr(latency, column))
    )
    return tuple(sorted(points))


def drain_graph(measurements: Iterable[Measurement]) -> Graph:
    """What one flush takes after so many bytes were written past the page cache."""
    flushes = {
        workload.block_bytes: side_of(each, "sync")
        for each, workload in with_definitions(measurements)
        if is_flush(workload)
    }
    nothing = flushes.get(0)
    limit = None
    if nothing and nothing.p50_ns:
        limit = GraphLimit(
            phrases.with_name(units.size(0), units.latency(nothing.p50_ns)), nothing.p50_ns
        )
    return Graph(
        key="drain",
        title=_("A flush after writes"),
        x=Axis(_("bytes"), "bytes"),
        y=Axis("p50", "time"),
        series=with_lines([Series("fdatasync", latencies_by_bytes(flushes.items(), "p50_ns"))]),
        limit=limit,
    )


def area_graph(measurements: Iterable[Measurement]) -> Graph:
    """Reads over parts of the file of growing size: a step is the edge of a cache."""
    areas = [
        (workload.area_bytes, side_of(each, "read"))
        for each, workload in with_definitions(measurements)
        if is_area(workload)
    ]
    columns = (("p50", "p50_ns"), ("p99", "p99_ns"))
    return Graph(
        key="area",
        title=_("Reads, large / small area"),
        x=Axis(_("bytes"), "bytes"),
        y=Axis(_("Latency"), "time"),
        series=with_lines(
            Series(name, latencies_by_bytes(areas, column)) for name, column in columns
        ),
    )
