"""What a comparison shows: its things with their figures, under the workload they share."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import TYPE_CHECKING

from django.urls import reverse
from django.utils.translation import gettext as _

from apps.pages.compare.figures import (
    apart,
    figures_of_measurement,
    figures_of_standing,
    is_of_one_work,
    words_of_run,
    words_of_standing,
)
from apps.pages.compare.selectors.names import EuroPrice
from apps.pages.compare.things import LETTERS, Shape, Thing, ThingFigures, WorkloadChoice
from apps.pages.show import words
from apps.pages.show.address.references import Ref, RefKind
from apps.pages.show.table.row import DOT
from apps.wire.suites import p99_limit_of
from apps.words.workloads import workload_title

if TYPE_CHECKING:
    from collections.abc import Sequence

    from apps.drives.models import DriveFamily, LadderClass
    from apps.pages.compare.query import CompareQuery
    from apps.pages.compare.selectors.comparison import ComparisonRows
    from apps.pages.compare.selectors.names import NamedThing
    from apps.pages.compare.selectors.rows import ThingRows
    from apps.rankings.models import Standing


@dataclass(frozen=True, slots=True)
class Comparison:
    """Everything that the page compares."""

    things: tuple[Thing, ...]
    missing: tuple[Ref, ...]  # asked for, and not there
    shape: Shape | None
    title: str  # of the work of the first figure; empty without one
    choices: tuple[WorkloadChoice, ...]
    offers: tuple[NamedThing, ...]
    useful: tuple[tuple[Shape, tuple[ThingFigures | None, ...]], ...]  # one for each thing

    @property
    def is_of_one_work(self) -> bool:
        """Whether every figure is of the same work."""
        return is_of_one_work([thing.figures for thing in self.things])


def comparison_of(query: CompareQuery, rows: ComparisonRows) -> Comparison:
    """What was read, as the page shows it."""
    things = things_of(query, rows)
    judged = apart([thing.figures for thing in things])
    things = tuple(
        replace(thing, figures=figures) for thing, figures in zip(things, judged, strict=True)
    )
    present = {thing.ref for thing in things}
    work = next((thing.figures.shape for thing in things if thing.figures), None)
    return Comparison(
        things=things,
        missing=tuple(ref for ref in query.on if ref not in present),
        shape=rows.shape,
        title=title_of(work, rows) if work else "",
        choices=choices(query, rows),
        offers=rows.offers,
        useful=useful_rows(rows.things, rows.shape, things),
    )


def title_of(shape: Shape, rows: ComparisonRows) -> str:
    """A workload in words."""
    return workload_title(shape.workload, rows.things.titles[shape])


def choices(query: CompareQuery, rows: ComparisonRows) -> tuple[WorkloadChoice, ...]:
    """The workloads that any of the things has, those that the most have first."""
    address = reverse("pages:compare")
    return tuple(
        WorkloadChoice(
            shape=shape,
            title=title_of(shape, rows),
            n=n,
            is_current=shape == rows.shape,
            url=address + query.under(shape.id, shape.evidence).address,
        )
        for shape, n in rows.counts.items()
    )


def things_of(query: CompareQuery, rows: ComparisonRows) -> tuple[Thing, ...]:
    """The things that are there, in the order of the address."""
    counts = Counter(ref.thing for ref in query.on)
    things: list[Thing] = []
    for ref in query.on:
        letter = LETTERS[len(things)]
        if ref.kind == RefKind.RUN and ref.slug in rows.runs:
            things.append(thing_of_run(ref, letter, rows))
        elif ref.thing in rows.things.names:
            is_of_several = counts[ref.thing] > 1
            things.append(thing_of_name(ref, letter, rows, is_of_several=is_of_several))
    return tuple(things)


def thing_of_run(ref: Ref, letter: str, rows: ComparisonRows) -> Thing:
    """A run as a thing of the comparison."""
    run, one = rows.runs[ref.slug], rows.measurements.get(ref)
    name, under, url = words_of_run(run)
    rented = rows.things.rented_plans.get(run.plan_id or "")
    price = rented.price_in(run.region) if rented else EuroPrice()
    latency = rows.latencies.get(one.pk) if one else None
    return Thing(
        ref=ref,
        letter=letter,
        name=name,
        under=under,
        url=url,
        plp=run.drive_family.plp if run.drive_family else "unknown",
        figures=figures_of_measurement(one, latency, price.price) if one else None,
        shapes=rows.things.shapes_of(ref),
        price=price.price,
        per_euro=price.per_euro,
        newest_run=run,
        rung=run.drive_family.ladder_class if run.drive_family else None,
        rented_plan=rented.plan if rented else None,
    )


def thing_of_name(ref: Ref, letter: str, rows: ComparisonRows, *, is_of_several: bool) -> Thing:
    """A plan or a drive family as a thing of the comparison."""
    named, standing = rows.things.names[ref.thing], rows.standings.get(ref)
    any_standing = standing or next(iter(rows.things.standings.get(ref, {}).values()), None)
    newest = rows.runs.get(any_standing.newest_run_slug) if any_standing else None
    stated_plp = named.drive.plp if named.drive else ""
    # The price of the region where it was measured, where that is known.
    is_local = standing is not None and standing.price is not None
    return Thing(
        ref=ref,
        letter=letter,
        name=row_name(named.name, ref, any_standing, is_of_several=is_of_several),
        under=words_of_standing(any_standing)[1] if any_standing else named.under,
        url=reverse(f"pages:{ref.kind}", args=[ref.slug]),
        plp=(any_standing.plp if any_standing else "") or stated_plp or "unknown",
        figures=figures_of_standing(standing, rows.curves.get(standing.pk, []), newest)
        if standing
        else None,
        shapes=rows.things.shapes_of(ref),
        price=standing.price if standing and is_local else named.price,
        volume=None if is_local else named.volume,
        per_euro=euro_of(standing) if is_local else named.per_euro,
        newest_run=newest,
        rung=rung_of(any_standing, named.drive),
        plan=named.plan,
        drive=named.drive,
    )


def rung_of(standing: Standing | None, drive: DriveFamily | None) -> LadderClass | None:
    """The class of storage that a plan or drive is of, where it is known."""
    if standing is not None and standing.ladder_class is not None:
        return standing.ladder_class
    return drive.ladder_class if drive else None


def row_name(name: str, ref: Ref, standing: Standing | None, *, is_of_several: bool) -> str:
    """The name of a plan or drive with the row of it that is compared, where one is meant.

    An unstated region is named only where another row of the same plan is compared too: beside
    that one the bare name would look like the sum of all regions.
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
    rows: ThingRows, shape: Shape | None, things: Sequence[Thing]
) -> tuple[tuple[Shape, tuple[ThingFigures | None, ...]], ...]:
    """Useful IOPS that at least two things have under the same evidence, beside the workload."""
    if shape is None:
        return ()
    counts: dict[Shape, int] = defaultdict(int)
    for thing in things:
        for each in thing.shapes:
            is_search = p99_limit_of(each.workload, version=each.version) is not None
            counts[each] += is_search and each != shape and each.evidence == shape.evidence
    return tuple(
        (each, tuple(useful_figures(rows, thing, each) for thing in things))
        for each in sorted(counts)
        if counts[each] > 1
    )


def useful_figures(rows: ThingRows, thing: Thing, shape: Shape) -> ThingFigures | None:
    """The useful IOPS of a thing under one limit."""
    if standing := rows.standings.get(thing.ref, {}).get(shape):
        return figures_of_standing(standing, [], None)
    if measurement := rows.measurements.get(thing.ref, {}).get(shape):
        return figures_of_measurement(measurement, None, thing.price)
    return None
