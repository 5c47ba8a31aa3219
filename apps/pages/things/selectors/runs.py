"""Every run of a plan or a drive: in its standings or out of them, and what decided."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from typing import TYPE_CHECKING, Any, Final

from django.contrib.postgres.expressions import ArraySubquery
from django.db.models import (
    Aggregate,
    Case,
    Count,
    Exists,
    F,
    IntegerField,
    JSONField,
    Max,
    OuterRef,
    Q,
    QuerySet,
    Subquery,
    Sum,
    Value,
    When,
)
from django.db.models.functions import Coalesce, JSONObject
from django.db.models.lookups import GreaterThanOrEqual

from apps.pages.show.address.query_string import page_number
from apps.pages.show.table.paging import AT_LEAST, AT_MOST, Bounded, Pages, paging
from apps.rankings.models import Evidence, Standing, StandingRun, StandingsDay
from apps.rankings.selectors import WORKLOAD_PLACE
from apps.runs.models import LISTED, Latency, Level, Measurement, Run, RunTally
from apps.runs.selectors import LABELS_GRAVEST_FIRST, NEWEST_FIRST
from apps.runs.sides import HEADLINE_SIDES

if TYPE_CHECKING:
    from django.http import QueryDict

    from apps.runs.figures import Figures
    from apps.runs.packed.packing import BucketCounts

RUNS_A_PAGE: Final = 20  # of measured ones
RUNS_MAX: Final = 1_000  # the newest, on all pages together; the list of runs has the rest
COUNTED_MAX: Final = (
    1_000  # of a thing with a standing of more, the runs in standings are not counted
)
OTHERS_MAX: Final = 10  # imported and published ones each; the list of runs has the rest
IN, OUT = "in", "out"
MEASURED, IMPORTED, PUBLISHED = "measured", "imported", "published"

_KIND = Case(
    When(level=Level.IMPORTED, then=Value(IMPORTED)),
    When(level=Level.PUBLISHED, then=Value(PUBLISHED)),
    default=Value(MEASURED),
)
_IS_MEASURED: Final = ~Q(level__in=(Level.IMPORTED, Level.PUBLISHED))
_SIDE_PLACE = Case(
    *(When(side=name, then=Value(place)) for place, name in enumerate(HEADLINE_SIDES)),
    default=Value(len(HEADLINE_SIDES)),
    output_field=IntegerField(),
)
# The day an import came in, else the day of the measurement; of equals the newest id.
_NEWEST: Final = (
    F("imported_file__received_at").desc(nulls_last=True),
    F("measured_at").desc(nulls_last=True),
    F("id").desc(),
)


@dataclass(frozen=True, slots=True)
class PlanOrDrive:
    """A plan or a drive family, by the column of a run and of a standing that names it."""

    column: str  # plan or drive_family
    slug: str

    def on_runs(self, prefix: str = "") -> Q:
        """Its runs, on a table that reaches them through `prefix`."""
        return Q(**{f"{prefix}{self.column}": self.slug})

    def standing_runs(self, run: str = "pk", **more: object) -> QuerySet[StandingRun]:
        """The rows that say in which of its standings a run counts, for a query of runs."""
        return StandingRun.objects.filter(
            **{f"standing__{self.column}": self.slug, "run_id": OuterRef(run), **more}
        )


@dataclass(frozen=True, slots=True)
class RunEntriesQuery:
    """Which runs a reader wants to see, as the address of the page says it."""

    which: str = ""  # in, out; empty: both
    page: int = 1

    @classmethod
    def read(cls, parameters: QueryDict) -> RunEntriesQuery:
        """Read the address; unknown values count as not asked."""
        which = parameters.get("runs", "")
        return cls(which if which in (IN, OUT) else "", page_number(parameters.get("page", "")))

    def address(self, *, page: int = 1) -> str:
        """The address of another page of the list, with where it stands on the whole page."""
        parts = [f"runs={self.which}"] if self.which else []
        parts += [f"page={page}"] if page > 1 else []
        return f"?{'&'.join(parts)}#runs"


@dataclass(frozen=True, slots=True)
class Tally:
    """How many runs of each kind a thing has."""

    n_measured: int = 0
    n_in: int = 0  # from COUNTED_MAX on those of its largest standing: at least so many
    n_imported: int = 0
    n_published: int = 0

    @property
    def n_out(self) -> int:
        """How many measured runs are out; as many at most where `n_in` is not counted."""
        return max(0, self.n_measured - self.n_in)

    @property
    def measured_in(self) -> Bounded:
        """How many measured runs are in, as a page shows it."""
        return Bounded(self.n_in, AT_LEAST if self.n_in >= COUNTED_MAX else "")

    @property
    def measured_out(self) -> Bounded:
        """How many measured runs are out, as a page shows it."""
        return Bounded(self.n_out, AT_MOST if self.n_in >= COUNTED_MAX else "")

    def of(self, which: str) -> int:
        """How many measured runs are in, out, or either."""
        return {IN: self.n_in, OUT: self.n_out}.get(which, self.n_measured)


def tally_column(column: str) -> Subquery:
    """The tally of each plan or drive in a query of them, as JSON; null where it has no run.

    Listed runs are summed up already. Those in standings are counted where no standing has many.
    """
    standings = Standing.objects.filter(**{column: OuterRef(column)}).exclude(
        evidence=Evidence.PUBLISHED
    )
    most = _of_thing(standings, column, Max("n_runs"))
    counted = StandingRun.objects.filter(**{f"standing__{column}": OuterRef(column)}).exclude(
        standing__evidence=Evidence.PUBLISHED
    )
    each_once = Count("run_id", distinct=True)
    n_in = _of_thing(counted, f"standing__{column}", each_once)
    runs = (
        RunTally.objects.filter(**{column: OuterRef("pk")})
        .order_by()
        .values(column)
        .annotate(
            tally=JSONObject(
                n_measured=Sum("n", filter=_IS_MEASURED, default=0),
                n_in=Case(When(GreaterThanOrEqual(most, COUNTED_MAX), then=most), default=n_in),
                n_imported=Sum("n", filter=Q(level=Level.IMPORTED), default=0),
                n_published=Sum("n", filter=Q(level=Level.PUBLISHED), default=0),
            )
        )
        .values("tally")
    )
    return Subquery(runs, output_field=JSONField())


def _of_thing(rows: QuerySet[Any], column: str, figure: Aggregate) -> Coalesce:
    """A figure of all rows of one thing; 0 where it has none."""
    grouped = rows.order_by().values(column).annotate(figure=figure)
    return Coalesce(Subquery(grouped.values("figure")), 0)


@dataclass(frozen=True, slots=True)
class RunLabel:
    """A label of a run."""

    rule: str
    rule_version: int
    figures: Figures | None
    keeps_out: str


@dataclass(frozen=True, slots=True)
class RunEntry:
    """One run with the measurement that stands for it, and whether it counts."""

    run: Run
    kind: str
    is_in: bool
    is_far: bool  # counts, and its uploader lies far from the others
    standings_day: date | None  # from which back runs count; None before the first
    labels: tuple[RunLabel, ...]
    measurement: Mapping[str, Any] = field(default_factory=dict)
    latency: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class RunEntries:
    """One page of measured runs, and the newest of what others published and imported."""

    agent_runs: tuple[RunEntry, ...]
    published: tuple[RunEntry, ...]
    imported: tuple[RunEntry, ...]
    tally: Tally
    query: RunEntriesQuery
    pages: Pages

    @property
    def n_measured(self) -> int:
        """How many measured runs there are, shown or not."""
        return self.tally.of("")

    @property
    def has_more(self) -> bool:
        """Whether there are more than all pages together show."""
        return self.tally.of(self.query.which) > RUNS_MAX

    @property
    def is_asked_for(self) -> bool:
        """Whether the address asks for some of the runs."""
        return bool(self.query.which) or self.query.page > 1

    @property
    def has_any(self) -> bool:
        """Whether there is a measured run at all, shown or not."""
        return self.n_measured > 0


def run_entries(thing: PlanOrDrive, tally: Tally, query: RunEntriesQuery) -> RunEntries:
    """A page of the runs of a plan or a drive: one query, whatever their number."""
    total = tally.of(query.which)
    pages, cut = paging(total=min(total, RUNS_MAX), page=query.page, size=RUNS_A_PAGE)
    entries = [_entry(run) for run in _described(thing, _on_page(thing, tally, query, cut))]
    by_kind = {
        kind: tuple(each for each in entries if each.kind == kind)
        for kind in (MEASURED, PUBLISHED, IMPORTED)
    }
    return RunEntries(
        agent_runs=by_kind[MEASURED],
        published=by_kind[PUBLISHED],
        imported=by_kind[IMPORTED],
        tally=tally,
        query=query,
        pages=replace(pages, total=total),
    )


def _on_page(
    thing: PlanOrDrive, tally: Tally, query: RunEntriesQuery, cut: slice
) -> QuerySet[Run, Any]:
    """The numbers of the runs on the page, without published ones that have no rate to show."""
    runs = Run.objects.filter(LISTED, thing.on_runs())
    measured = runs.filter(_IS_MEASURED)
    if query.which:
        is_wanted = Q(Exists(thing.standing_runs()))
        measured = measured.filter(is_wanted if query.which == IN else ~is_wanted)
    parts = [measured.order_by(*NEWEST_FIRST).values("pk")[cut]]
    if tally.n_imported:
        imported = runs.filter(level=Level.IMPORTED)
        parts.append(imported.order_by(*_NEWEST).values("pk")[:OTHERS_MAX])
    if tally.n_published:
        rated = Measurement.objects.filter(run=OuterRef("pk"), rate_per_s__gt=0)
        published = runs.filter(Exists(rated), level=Level.PUBLISHED)
        parts.append(published.order_by(*_NEWEST).values("pk")[:OTHERS_MAX])
    return parts[0].union(*parts[1:], all=True) if parts[1:] else parts[0]


def _described(thing: PlanOrDrive, runs: QuerySet[Run, Any]) -> QuerySet[Run]:
    """These runs with what a line needs of each."""
    headline = Measurement.objects.filter(run=OuterRef("pk"), rate_per_s__gt=0).order_by(
        "-is_durable_single_writer", WORKLOAD_PLACE, "pk"
    )
    names = ("pk", "workload", "title", "rate_per_s", "rate_per_s_low", "rate_per_s_high")
    workload_columns = JSONObject(
        is_commit="is_durable_single_writer", **{name: name for name in names}
    )
    sides = ("side", "p50_ns", "p99_ns", "p9999_ns", "min_ns", "max_ns", "printed_curve")
    latency = Latency.objects.filter(
        measurement=OuterRef("headline"), p50_ns__isnull=False
    ).order_by(_SIDE_PLACE)
    side_columns = JSONObject(**{name: name for name in sides})
    labels = LABELS_GRAVEST_FIRST.filter(run=OuterRef("pk"))
    label_names = ("rule", "rule_version", "figures", "keeps_out")
    return (
        Run.objects.filter(pk__in=runs)
        .select_related("plan__provider", "drive_family", "expected_class", "citation")
        .annotate(
            kind=_KIND,
            is_in=Exists(thing.standing_runs()),
            is_far=Exists(thing.standing_runs(is_flagged=True)),
            headline=Subquery(headline.values("pk")[:1]),
            measured=Subquery(headline.values(of=workload_columns)[:1], output_field=JSONField()),
            timed=Subquery(latency.values(of=side_columns)[:1], output_field=JSONField()),
            histogram=Subquery(latency.values("histogram")[:1]),
            came_in=F("imported_file__received_at"),
            standings_day=Subquery(StandingsDay.objects.values("day")[:1]),
            found=ArraySubquery(labels.values(of=JSONObject(**{n: n for n in label_names}))),
        )
        .defer("environment", "placement_conflicts", "flush_reasons")
        .order_by(*_NEWEST)
    )


def _entry(run: Any) -> RunEntry:  # a run with what `_described` adds to its columns
    return RunEntry(
        run=run,
        kind=run.kind,
        is_in=run.is_in,
        is_far=run.is_far,
        standings_day=run.standings_day,
        labels=tuple(RunLabel(**label) for label in run.found),
        measurement=run.measured or {},
        latency=_with_curve(run.timed, run.histogram) if run.timed else {},
    )


def _with_curve(timed: dict[str, Any], histogram: BucketCounts | None) -> dict[str, Any]:
    return {**timed, "curve": Latency(**timed, histogram=histogram).curve}
