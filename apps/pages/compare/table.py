"""The rows of a comparison: one for each measure, a cell for each thing, and where it is drawn."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from apps.pages.compare.differences import Comparative, Difference, Operand, Quality, difference
from apps.pages.compare.readings import (
    Reader,
    Readout,
    cost_reading,
    latency_reader,
    month_reading,
    price_reading,
    rate_reader,
    rate_title,
)
from apps.pages.compare.things import Shape, Thing, ThingFigures
from apps.pages.draw.axis import AxisPlace
from apps.pages.draw.trace import FLIP_AT_PERCENT, Span
from apps.pages.show import phrases, words
from apps.pages.show.address.references import Ref
from apps.words.workloads import workload_title

ROLES = ("a", "b")  # the first two have a shape and a colour of their own; others are ghosts
FIRST = ("rate", "p99", "cost_per_billion")
PERCENTILES = ("p50", "p99", "p99.9", "p99.99")


@dataclass(frozen=True, slots=True)
class MeasureCell:
    """One figure of one thing."""

    thing: Thing
    role: str  # a, b or ghost
    is_base: bool
    text: str  # empty: not known
    unit: str
    small: str  # interval, date, or why there is none
    difference: Difference
    at: AxisPlace | None = None
    bracket: Span | None = None  # interval of a rate
    segment: Span | None = None  # from the mark of the baseline to this one
    value: Operand | None = None  # the figure itself, in the unit of its row

    @property
    def number(self) -> float | None:
        """The figure without its interval."""
        return self.value.value if self.value else None

    @property
    def low(self) -> float | None:
        """The low end of its interval."""
        return self.value.low if self.value else None

    @property
    def high(self) -> float | None:
        """The high end of its interval."""
        return self.value.high if self.value else None

    @property
    def currency(self) -> str:
        """The currency of an amount that no rate converts to euro."""
        return self.value.currency if self.value else ""

    @property
    def is_left(self) -> bool:
        """Whether the words of the mark stand left of it, because there is no room on its right."""
        return self.at is not None and self.at.percent > FLIP_AT_PERCENT

    @property
    def sentence(self) -> str:
        """The figure in words, for those who do not see its mark."""
        return phrases.with_name(self.thing.name, f"{self.text}\u202f{self.unit}".strip())


@dataclass(frozen=True, slots=True)
class MeasureRow:
    """One measure over all things."""

    key: str
    unit: str  # of `number`, as exports name it
    title: str
    note: str
    cells: tuple[MeasureCell, ...]
    is_drawn: bool  # whether it hangs from the ruler; money does not
    is_chief: bool = False

    @property
    def sentence(self) -> str:
        """The sentence that stands for the picture."""
        return phrases.join_clauses(cell.sentence for cell in self.cells if cell.at is not None)

    @property
    def other(self) -> MeasureCell | None:
        """The cell of the other thing, where two are compared."""
        return next((cell for cell in self.cells if not cell.is_base), None)

    @property
    def comparable(self) -> tuple[MeasureCell, ...]:
        """The cells whose figures have one unit: in euro, or all in one currency without a rate."""
        with_number = [cell for cell in self.cells if cell.number is not None]
        has_one_unit = len({cell.currency for cell in with_number}) == 1
        return tuple(cell for cell in with_number if has_one_unit or not cell.currency)


@dataclass(frozen=True, slots=True)
class Tables:
    """The lines of a comparison, in its three parts."""

    figures: tuple[MeasureRow, ...]
    useful: tuple[MeasureRow, ...]
    money: tuple[MeasureRow, ...]

    @property
    def all(self) -> tuple[MeasureRow, ...]:
        return (*self.figures, *self.useful, *self.money)

    @property
    def of_several(self) -> Tables:
        """These without the lines in which one thing alone has a figure."""
        return Tables(*(_of_several(rows) for rows in (self.figures, self.useful, self.money)))

    @property
    def first(self) -> tuple[MeasureRow, ...]:
        """What more than two things show before the fold: what an answer rests on."""
        return tuple(row for row in self.all if row.key in FIRST)

    @property
    def further(self) -> tuple[MeasureRow, ...]:
        """The rest."""
        return tuple(row for row in self.all if row.key not in FIRST)

    @property
    def chief(self) -> MeasureRow | None:
        return next((line for line in self.figures if line.key == "rate"), None)

    @property
    def cost(self) -> MeasureRow | None:
        return next((line for line in self.money if line.is_chief), None)


def _of_several(rows: Sequence[MeasureRow]) -> tuple[MeasureRow, ...]:
    return tuple(row for row in rows if sum(bool(cell.text) for cell in row.cells) > 1)


def role_of(place: int) -> str:
    """The look of a thing by its place."""
    return ROLES[place] if place < len(ROLES) else "ghost"


@dataclass(frozen=True, slots=True, kw_only=True)
class Criterion:
    """What a line shows, and how it is read of a thing."""

    key: str
    unit: str
    title: str
    read: Reader
    quality: Quality
    note: str = ""
    is_drawn: bool = True
    is_chief: bool = False


def line(measure: Criterion, things: Sequence[Thing], base: Thing) -> MeasureRow | None:
    """The row of one criterion; None where no thing has a figure for it."""
    readings = {thing.ref: measure.read(thing) for thing in things}
    if all(isinstance(each, str) for each in readings.values()):
        return None
    first = readings[base.ref]
    cells = tuple(
        cell_of(
            thing, role_of(place), readings[thing.ref], None if thing == base else first, measure
        )
        for place, thing in enumerate(things)
    )
    return MeasureRow(
        measure.key, measure.unit, measure.title, measure.note, tuple(cells), measure.is_drawn,
        is_chief=measure.is_chief,
    )  # fmt: skip


def cell_of(
    thing: Thing,
    role: str,
    own: Readout | str,
    base: Readout | str | None,
    measure: Criterion,
) -> MeasureCell:
    """A cell against the reading of the baseline; None where it is the baseline itself."""
    unknown = Difference(Comparative.UNKNOWN, measure.quality)
    if isinstance(own, str):
        return MeasureCell(thing, role, base is None, "", "", own, unknown)
    against, segment = unknown, None
    if isinstance(base, Readout):
        against = difference(own.value, base.value, measure.quality)
        segment = segment_between(base.at, own.at)
    return MeasureCell(
        thing=thing,
        role=role,
        is_base=base is None,
        text=own.text,
        unit=own.unit,
        small=own.small,
        difference=against,
        at=own.at,
        bracket=own.bracket,
        segment=segment,
        value=own.value,
    )


def segment_between(one: AxisPlace | None, other: AxisPlace | None) -> Span | None:
    """The length between two marks: on a logarithmic axis it is their ratio."""
    if one is None or other is None:
        return None
    first, last = sorted((one, other), key=lambda place: place.percent)
    return Span(first, last)


def lines_of(things: Sequence[Thing], base: Thing) -> tuple[MeasureRow, ...]:
    """Every line that at least one of the things has."""
    shown = [thing.figures for thing in things if thing.figures]
    figures = max(shown, key=lambda each: each.is_out, default=None)  # one that is out names all
    timed = base.figures or next(
        iter(shown), None
    )  # another side than the baseline's is not shown beside it
    chief = Criterion(
        key="rate",
        unit="per_s",
        title=rate_title(figures),
        read=rate_reader(lambda thing: thing.figures),
        quality=Quality.RATE,
        is_chief=True,
    )
    names = () if figures and figures.p99_limit_ns else PERCENTILES  # a search has no latencies
    percentiles = (
        Criterion(
            key=name.replace(".", ""),
            unit="ns",
            title=name,
            note=words.SIDES.get(timed.side, timed.side) if timed and name == "p50" else "",
            read=latency_reader(name, base),
            quality=Quality.LATENCY,
        )
        for name in names
    )
    return lines((chief, *percentiles), things, base)


def lines(
    measures: Iterable[Criterion], things: Sequence[Thing], base: Thing
) -> tuple[MeasureRow, ...]:
    """The lines of these measures; those that nobody has are left out."""
    rows = (line(measure, things, base) for measure in measures)
    return tuple(each for each in rows if each is not None)


def money_lines(things: Sequence[Thing], base: Thing) -> tuple[MeasureRow, ...]:
    """What they cost: by the month, and for what is done with it."""
    measures = (
        Criterion(
            key="price_month",
            unit="currency",
            title=_("A month"),
            read=price_reading,
            quality=Quality.PRICE,
            is_drawn=False,
        ),
        Criterion(
            key="cost_per_billion",
            unit="currency",
            title=_("Per billion"),
            read=cost_reading,
            quality=Quality.COST,
            is_drawn=False,
            is_chief=True,
        ),
        Criterion(
            key="month_per_1000",
            unit="currency",
            title=_("1,000 useful IOPS a month"),
            read=month_reading,
            quality=Quality.COST,
            is_drawn=False,
        ),
    )
    return lines(measures, things, base)


def useful_lines(
    useful: Iterable[tuple[Shape, tuple[ThingFigures | None, ...]]],
    things: Sequence[Thing],
    base: Thing,
) -> tuple[MeasureRow, ...]:
    """Useful IOPS beside what is compared: each a workload of its own."""
    measures = []
    for shape, row in useful:
        figures_by_ref = dict(zip((thing.ref for thing in things), row, strict=True))
        measures.append(
            Criterion(
                key=shape.id,
                unit="per_s",
                title=_("Useful IOPS"),
                note=workload_title(shape.workload),
                read=rate_reader(figures_from(figures_by_ref)),
                quality=Quality.RATE,
            )
        )
    return lines(measures, things, base)


def figures_from(
    figures_by_ref: Mapping[Ref, ThingFigures | None],
) -> Callable[[Thing], ThingFigures | None]:
    """Looks figures up by the thing."""
    return lambda thing: figures_by_ref.get(thing.ref)
