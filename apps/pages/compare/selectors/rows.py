"""What the database says of the things of a comparison, and which workload they have in common."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field

from django.db.models import F, Q, Window
from django.db.models.functions import RowNumber

from apps.pages.compare.query import (
    VERSIONED,
    CompareQuery,
)
from apps.pages.compare.selectors.names import NamedThing, slugs
from apps.pages.compare.things import Shape, shape_of_measurement, shape_of_standing
from apps.pages.show.address.references import (
    Ref,
    RefKind,
)
from apps.plans.prices.rates import per_euro
from apps.rankings.advice.selectors import with_sources
from apps.rankings.choice import (
    EVIDENCE_ORDER,
    choice_order,
    headline_key,
    may_lead,
    measurement_key,
)
from apps.rankings.comparable.order import headline_place
from apps.rankings.models import Evidence, Standing
from apps.runs.models import Measurement
from apps.runs.published.comparable import APART, comparable_class


@dataclass(slots=True)
class ThingRows:
    """What the database says, before anything is chosen."""

    names: dict[Ref, NamedThing] = field(default_factory=dict)
    standings: dict[Ref, dict[Shape, Standing]] = field(default_factory=dict)
    measurements: dict[Ref, dict[Shape, Measurement]] = field(default_factory=dict)
    rented_plans: dict[str, NamedThing] = field(default_factory=dict)  # plans of runs, by slug
    titles: dict[Shape, str] = field(default_factory=dict)  # as the rows have them
    durable: set[Shape] = field(default_factory=set)

    def shapes_of(self, ref: Ref) -> frozenset[Shape]:
        """The workloads under which a thing has figures."""
        return frozenset(self.measurements.get(ref, {})) | frozenset(self.standings.get(ref, {}))


def read_standings(query: CompareQuery, things: ThingRows) -> None:
    """Of each plan and drive the row that is meant under each workload, without curves: 1 query.

    Where the address names no row it is the one that stands for the plan or drive.
    """
    plans, drives = slugs(query.on, RefKind.PLAN), slugs(query.on, RefKind.DRIVE)
    condition = Q(plan__in=plans) | Q(drive_family__in=drives)
    cell = [F(name) for name in ("plan", "drive_family", "evidence", "workload", "version")]
    rows = (
        with_sources(Standing.objects.filter(condition))
        .defer("curve")
        .annotate(
            choice=Window(RowNumber(), partition_by=cell, order_by=list(choice_order())),
            euro=per_euro("currency"),
        )
        .filter(Q(choice=1) | named_rows(query))
        .select_related("price", "plan__provider", "drive_family__ladder_class", "ladder_class")
        .order_by("pk")
    )
    for row in rows:
        kind = RefKind.PLAN if row.plan_id else RefKind.DRIVE
        thing, shape = Ref(kind, row.plan_id or row.drive_family_id or ""), shape_of_standing(row)
        for ref in query.on:
            if ref.thing == thing and (is_row(ref, row) if ref.is_row else row.choice == 1):
                things.standings.setdefault(ref, {})[shape] = row
        note_shape(things, shape, row.workload_title, is_durable=row.is_durable_single_writer)


def named_rows(query: CompareQuery) -> Q:
    """The rows that the address names, beside those that stand for their plan or drive."""
    condition = Q(pk__in=())
    for ref in query.on:
        if ref.is_row and ref.kind == RefKind.PLAN:
            condition |= Q(plan=ref.slug, region_group=ref.region_group, variant=ref.variant)
        elif ref.is_row:
            condition |= Q(drive_family=ref.slug, variant=ref.variant)
    return condition


def is_row(ref: Ref, row: Standing) -> bool:
    """Whether a standing is the row that an address names."""
    return row.region_group == ref.region_group and row.variant == ref.variant


def note_shape(things: ThingRows, shape: Shape, title: str, *, is_durable: bool) -> None:
    """Remember what a workload is called and what it times."""
    things.titles.setdefault(shape, title)
    if is_durable:
        things.durable.add(shape)


def read_measurements(query: CompareQuery, things: ThingRows) -> None:
    """Every measurement of the runs, without passes: one query."""
    rows = (
        Measurement.objects.filter(run__slug__in=slugs(query.on, RefKind.RUN))
        .filter(rate_per_s__gt=0)
        .select_related("run__plan", "run__citation")
        .defer("passes", "extra", "engine", "run__environment")
    )
    for row in rows:
        shape = shape_of_measurement(row)
        things.measurements.setdefault(Ref(RefKind.RUN, row.run.slug), {})[shape] = row
        note_shape(things, shape, row.title, is_durable=row.is_durable_single_writer)


def leave_out_made_up(query: CompareQuery, things: ThingRows) -> None:
    """Leave out made-up figures of plans and drives where any thing has real ones.

    They stay where the address asks for them.
    """
    shapes = [shape for ref in query.on for shape in things.shapes_of(ref)]
    if query.evidence == Evidence.EXAMPLE or all(shape.is_made_up for shape in shapes):
        return
    things.standings = {
        ref: {shape: row for shape, row in rows.items() if not shape.is_made_up}
        for ref, rows in things.standings.items()
    }


def choose(query: CompareQuery, things: ThingRows) -> tuple[Shape | None, dict[Shape, int]]:
    """The workload that is compared, and how many of the things have each.

    The workload is the one that the address names, else the one that most things have. Of equals,
    durable commits of one writer come first, measured before published, in the order of the boards.
    """
    counts: dict[Shape, int] = defaultdict(int)
    for ref in query.on:
        for shape in things.shapes_of(ref):
            counts[shape] += 1

    def best_first(shape: Shape) -> tuple[object, ...]:
        place = headline_place(shape.workload)
        evidence = [each.value for each in EVIDENCE_ORDER].index(shape.evidence)
        return (
            -counts[shape], shape not in things.durable, evidence, place, shape.workload,
            -shape.version,
        )  # fmt: skip

    ordered = sorted(counts, key=best_first)
    matching = [shape for shape in ordered if is_asked(shape, query)]
    first = next(iter(matching or ordered), None)
    return first, {each: counts[each] for each in ordered}


def compared(
    query: CompareQuery, things: ThingRows, shape: Shape | None, counts: Mapping[Shape, int]
) -> tuple[dict[Ref, Standing], dict[Ref, Measurement]]:
    """The row of each thing that is compared: under the workload, if all that lead have it.

    Without work that all have, each stands by that which most of the others have, else by the
    figure that it leads with.
    """
    leads = leading(things, counts)
    n_lead = len(leads[0]) + len(leads[1])
    is_shared = shape is not None and 1 < counts[shape] >= n_lead
    if shape is None or not (query.workload or is_shared or len(query.on) == 1):
        return leads
    return (
        {ref: rows[shape] for ref, rows in things.standings.items() if shape in rows},
        {ref: rows[shape] for ref, rows in things.measurements.items() if shape in rows},
    )


def leading(
    things: ThingRows, counts: Mapping[Shape, int]
) -> tuple[dict[Ref, Standing], dict[Ref, Measurement]]:
    """Return of each thing one row of comparable work: that which the most have, where it has one.

    Of equals it is the one that it leads with. Nothing that is made up is set against what was
    measured.
    """
    standings = {
        ref: min(commits, key=lambda shape: (-counts[shape], *headline_key(rows[shape])))
        for ref, rows in things.standings.items()
        if (commits := [s for s, row in rows.items() if may_lead(row) and not s.is_made_up])
    }
    measurements = {
        ref: min(commits, key=lambda shape: (-counts[shape], *measurement_key(rows[shape])))
        for ref, rows in things.measurements.items()
        if (commits := [shape for shape, row in rows.items() if is_comparable(shape, row)])
    }
    return (
        {ref: things.standings[ref][shape] for ref, shape in standings.items()},
        {ref: things.measurements[ref][shape] for ref, shape in measurements.items()},
    )


def is_comparable(shape: Shape, measurement: Measurement) -> bool:
    """Whether a measurement of a run is of commits that compare with those of other work."""
    is_classed = comparable_class(shape.workload) != APART
    return measurement.is_durable_single_writer and is_classed and not shape.is_made_up


def is_asked(shape: Shape, query: CompareQuery) -> bool:
    """Whether the address names this workload, and this evidence where it names one."""
    if not query.workload or (query.evidence and shape.evidence != query.evidence):
        return False
    versioned = VERSIONED.fullmatch(query.workload)
    return shape.id == query.workload if versioned else shape.workload == query.workload
