"""What a comparison shows: names, figures under one workload, prices, and what surrounds them.

Six queries whatever is compared: plans with their prices, drives, standings, the measurements of
runs, runs, and the curves of what was chosen.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal

from django.db.models import F, Value
from django.urls import reverse
from django.utils.translation import gettext as _

from apps.pages.compare.figures import (
    figures_of_measurement,
    figures_of_standing,
    words_of_run,
    words_of_standing,
)
from apps.pages.compare.query import (
    Asked,
)
from apps.pages.compare.selectors.names import Found, Listed, find_things, slugs
from apps.pages.compare.selectors.reads import Read, choose, read_measurements, read_standings
from apps.pages.compare.things import LETTERS, Choice, Figures, Shape, Thing
from apps.pages.show import words
from apps.pages.show.references import (
    Kind,
    Ref,
)
from apps.pages.show.table.rows import DOT
from apps.rankings.choice import (
    HEADLINE_SIDES,
)
from apps.rankings.models import Standing
from apps.runs.models import Latency, Measurement, Run
from apps.wire.suites import p99_limit_of


@dataclass(frozen=True, slots=True)
class Chosen:
    """What was read of the workload that is compared."""

    read: Read
    standings: Mapping[Ref, Standing]
    measured: Mapping[Ref, Measurement]
    runs: Mapping[str, Run]
    curves: Mapping[int, list[list[float]]]  # by standing
    latencies: Mapping[int, Latency]  # by measurement
    several: frozenset[Ref]  # plans and drives of which several rows are asked for


@dataclass(frozen=True, slots=True)
class Comparison:
    """Everything that the page compares."""

    things: tuple[Thing, ...]
    lost: tuple[Ref, ...]  # asked for, and not there
    shape: Shape | None
    title: str  # of the workload
    is_common: bool  # whether at least two of the things have it
    choices: tuple[Choice, ...]
    found: tuple[Found, ...]
    useful: tuple[tuple[Shape, tuple[Figures | None, ...]], ...]  # one for each thing
    is_durable: bool = False


def read_comparison(asked: Asked) -> Comparison:
    """Everything at once: 6 queries."""
    read = Read()
    named = find_things(asked)
    read.names, read.rented = named.names, named.rented
    if asked.on:
        read_standings(asked, read)
        read_measurements(asked, read)
    shape, counts = choose(asked, read)
    things = read_things(asked, read, shape) if asked.on else ()
    present = {thing.ref for thing in things}
    return Comparison(
        things=things,
        lost=tuple(ref for ref in asked.on if ref not in present),
        shape=shape,
        title=read.titles.get(shape, "") if shape else "",
        is_common=bool(shape) and sum(thing.figures is not None for thing in things) > 1,
        choices=choices(asked, read, shape, counts),
        found=named.offers,
        useful=useful_rows(read, shape, things),
        is_durable=shape in read.durable,
    )


def choices(
    asked: Asked, read: Read, current: Shape | None, counts: Mapping[Shape, int]
) -> tuple[Choice, ...]:
    """The workloads that any of the things has, those that the most have first."""
    address = reverse("pages:compare")
    return tuple(
        Choice(
            shape=shape,
            title=read.titles[shape],
            n=n,
            is_current=shape == current,
            url=address + asked.under(shape.id, shape.evidence).address,
        )
        for shape, n in counts.items()
    )


def read_things(asked: Asked, read: Read, shape: Shape | None) -> tuple[Thing, ...]:
    """The things that are there, in the order of the address: two queries."""
    standings = {ref: rows[shape] for ref, rows in read.standings.items() if shape in rows}
    runs = read_runs(asked, read, standings.values())
    measured = {ref: rows[shape] for ref, rows in read.measured.items() if shape in rows}
    curves, latencies = read_curves(standings.values(), measured.values())
    counts = Counter(ref.thing for ref in asked.on)
    several = frozenset(thing for thing, n in counts.items() if n > 1)
    chosen = Chosen(read, standings, measured, runs, curves, latencies, several)
    things: list[Thing] = []
    for ref in asked.on:
        letter = LETTERS[len(things)]
        if ref.kind == Kind.RUN and ref.slug in runs:
            things.append(thing_of_run(ref, letter, chosen))
        elif ref.thing in read.names:
            things.append(thing_of_name(ref, letter, chosen))
    return tuple(things)


def read_runs(asked: Asked, read: Read, standings: Iterable[Standing]) -> dict[str, Run]:
    """The runs themselves, and of each standing the newest one, by slug: one query."""
    newest = {each.newest_run_slug for each in standings}
    for ref in asked.on:  # what lacks the workload has surroundings all the same
        rows_of = list(read.standings.get(ref, {}).values())
        if rows_of and not newest & {each.newest_run_slug for each in rows_of}:
            newest.add(rows_of[0].newest_run_slug)
    wanted = [*slugs(asked.on, Kind.RUN), *sorted(newest)]
    rows = Run.objects.filter(slug__in=wanted).select_related(
        "plan__provider", "provider", "drive_family", "citation"
    )
    return {run.slug: run for run in rows}


def read_curves(
    standings: Iterable[Standing], measured: Iterable[Measurement]
) -> tuple[dict[int, list[list[float]]], dict[int, Latency]]:
    """The curves of standings, and the distribution that stands for each measurement: one query."""
    columns = ("side", "p50_ns", "p99_ns", "p999_ns", "p9999_ns", "curve")
    of_standings = Standing.objects.filter(pk__in=[each.pk for each in standings]).annotate(
        side=F("latency_side"), p999_ns=F("pooled_p999_ns"), is_run=Value(value=False)
    )
    of_runs = Latency.objects.filter(measurement__in=[each.pk for each in measured]).annotate(
        is_run=Value(value=True)
    )
    rows = of_standings.values_list("is_run", "pk", *columns).union(
        of_runs.values_list("is_run", "measurement_id", *columns), all=True
    )
    curves: dict[int, list[list[float]]] = {}
    best: dict[int, Latency] = {}
    for is_run, key, *values in rows:
        row = Latency(**dict(zip(columns, values, strict=True)))
        known = best.get(key)
        if not is_run:
            curves[key] = row.curve
        elif row.p50_ns is not None and (known is None or side_place(row) < side_place(known)):
            best[key] = row
    return curves, best


def side_place(latency: Latency) -> int:
    """The place of a side among those that may stand for a measurement."""
    sides: Sequence[str] = HEADLINE_SIDES
    return sides.index(latency.side) if latency.side in sides else len(sides)


def thing_of_run(ref: Ref, letter: str, chosen: Chosen) -> Thing:
    """A run as a thing of the comparison."""
    run, one = chosen.runs[ref.slug], chosen.measured.get(ref)
    name, under, url = words_of_run(run)
    rented = chosen.read.rented.get(run.plan_id or "")
    listed = rented.price_in(run.region) if rented else Listed()
    latency = chosen.latencies.get(one.pk) if one else None
    return Thing(
        ref=ref,
        letter=letter,
        name=name,
        under=under,
        url=url,
        plp=run.drive_family.plp if run.drive_family else "unknown",
        figures=figures_of_measurement(one, latency, listed.price) if one else None,
        shapes=chosen.read.shapes_of(ref),
        price=listed.price,
        per_euro=listed.per_euro,
        described_by=run,
        rented=rented.plan if rented else None,
    )


def thing_of_name(ref: Ref, letter: str, chosen: Chosen) -> Thing:
    """A plan or a drive family as a thing of the comparison."""
    known, standing = chosen.read.names[ref.thing], chosen.standings.get(ref)
    described = standing or next(iter(chosen.read.standings.get(ref, {}).values()), None)
    newest = chosen.runs.get(described.newest_run_slug) if described else None
    stated_plp = known.drive.plp if known.drive else ""
    # The price of the region where it was measured, where that is known.
    is_local = standing is not None and standing.price is not None
    return Thing(
        ref=ref,
        letter=letter,
        name=named_row(known.name, ref, described, is_of_several=ref.thing in chosen.several),
        under=words_of_standing(described)[1] if described else known.under,
        url=reverse(f"pages:{ref.kind}", args=[ref.slug]),
        plp=(described.plp if described else "") or stated_plp or "unknown",
        figures=figures_of_standing(standing, chosen.curves.get(standing.pk, []), newest)
        if standing
        else None,
        shapes=chosen.read.shapes_of(ref),
        price=standing.price if standing and is_local else known.price,
        per_euro=euro_of(standing) if is_local else known.per_euro,
        described_by=newest,
        plan=known.plan,
        drive=known.drive,
    )


def named_row(name: str, ref: Ref, standing: Standing | None, *, is_of_several: bool) -> str:
    """The name of a plan or drive with the row of it that is compared, where one is meant.

    That no region is stated is said beside its figures; here only where another row of the same
    plan is compared too, beside which the bare name would look like a sum.
    """
    region = words.region(ref.region_group)
    if is_of_several and ref.region and not region:
        region = _("region not stated")
    parts = [name, region]
    if ref.variant:
        parts.append(words.variant(ref.variant, standing.n_variants if standing else ref.variant))
    return DOT.join(part for part in parts if part)


def euro_of(standing: Standing | None) -> Decimal | None:
    """What one euro is worth in the currency of a standing's price."""
    value = getattr(standing, "euro", None)
    return value if isinstance(value, Decimal) else None


def useful_rows(
    read: Read, shape: Shape | None, things: Sequence[Thing]
) -> tuple[tuple[Shape, tuple[Figures | None, ...]], ...]:
    """Useful IOPS that at least two things have under the same evidence, beside the workload."""
    if shape is None:
        return ()
    counts: dict[Shape, int] = defaultdict(int)
    for thing in things:
        for each in thing.shapes:
            is_search = p99_limit_of(each.workload, version=each.version) is not None
            counts[each] += is_search and each != shape and each.evidence == shape.evidence
    return tuple(
        (each, tuple(useful_figures(read, thing, each) for thing in things))
        for each in sorted(counts)
        if counts[each] > 1
    )


def useful_figures(read: Read, thing: Thing, shape: Shape) -> Figures | None:
    """The useful IOPS of a thing under one limit."""
    if standing := read.standings.get(thing.ref, {}).get(shape):
        return figures_of_standing(standing, [], None)
    if measurement := read.measured.get(thing.ref, {}).get(shape):
        return figures_of_measurement(measurement, None, thing.price)
    return None
