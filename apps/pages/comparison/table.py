"""The rows of a comparison: one for each measure, a cell for each thing, and where it is drawn."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal

from django.utils.translation import gettext as _

from apps.pages import units, words
from apps.pages.comparison.differences import Difference, Outcome, Quality, Value, difference
from apps.pages.comparison.things import Figures, Shape, Thing
from apps.pages.svg.axis import Place, place_of_ns, place_of_rate
from apps.pages.svg.trace import FLIP_AT_PERCENT, Span
from apps.rankings.cost import HOURS_A_MONTH, hourly
from apps.stats.figures import significant
from apps.wire.suites import p99_limit_of

ROLES = ("a", "b")  # the first two have a shape and a colour of their own; others are ghosts
PERCENTILES = ("p50", "p99", "p99.9", "p99.99")


@dataclass(frozen=True, slots=True)
class Cell:
    """One figure of one thing."""

    thing: Thing
    role: str  # a, b or ghost
    is_base: bool
    text: str  # empty: not known
    unit: str
    small: str  # interval, date, or why there is none
    difference: Difference
    at: Place | None = None
    bracket: Span | None = None  # interval of a rate
    segment: Span | None = None  # from the mark of the baseline to this one
    number: float | None = None  # the figure itself, in the unit of its row
    low: float | None = None
    high: float | None = None

    @property
    def is_left(self) -> bool:
        """Whether the words of the mark stand left of it, because there is no room on its right."""
        return self.at is not None and self.at.percent > FLIP_AT_PERCENT

    @property
    def says(self) -> str:
        """The figure in words, for those who do not see its mark."""
        return f"{self.thing.name}: {self.text}\u202f{self.unit}".strip()


@dataclass(frozen=True, slots=True)
class Line:
    """One measure over all things."""

    key: str
    unit: str  # of `number`, as exports name it
    title: str
    note: str
    cells: tuple[Cell, ...]
    is_drawn: bool  # whether it hangs from the ruler; money does not
    sentence: str = ""  # in place of a picture
    is_chief: bool = False

    @property
    def says(self) -> str:
        """The sentence that stands for the picture."""
        return "; ".join(cell.says for cell in self.cells if cell.at is not None)

    @property
    def other(self) -> Cell | None:
        """Of two things the one that is not the baseline."""
        return next((cell for cell in self.cells if not cell.is_base), None)


@dataclass(frozen=True, slots=True)
class Reading:
    """What a line reads of the figures of a thing: the figure with its words."""

    value: Value
    text: str
    unit: str = ""
    small: str = ""
    at: Place | None = None
    bracket: Span | None = None


Reader = Callable[[Thing], "Reading | str"]  # a text says why there is none


def role_of(place: int) -> str:
    """The look of a thing by its place."""
    return ROLES[place] if place < len(ROLES) else "ghost"


def line(
    *, key: str, unit: str, title: str, note: str, things: Sequence[Thing], base: Thing,
    read: Reader, quality: Quality, is_drawn: bool = True, is_chief: bool = False,
) -> Line | None:  # fmt: skip
    """A line, unless nobody has such a figure."""
    readings = {thing.ref: read(thing) for thing in things}
    if all(isinstance(each, str) for each in readings.values()):
        return None
    first = readings[base.ref]
    first_value = None if isinstance(first, str) else first.value
    first_at = None if isinstance(first, str) else first.at
    cells = []
    for place, thing in enumerate(things):
        reading, is_base = readings[thing.ref], thing.ref == base.ref
        if isinstance(reading, str):
            unknown = Difference(Outcome.UNKNOWN, quality)
            cells.append(Cell(thing, role_of(place), is_base, "", "", reading, unknown))
            continue
        cells.append(
            Cell(
                thing=thing,
                role=role_of(place),
                is_base=is_base,
                text=reading.text,
                unit=reading.unit,
                small=reading.small,
                difference=difference(None if is_base else reading.value, first_value, quality),
                at=reading.at,
                bracket=reading.bracket,
                segment=None if is_base else segment_between(first_at, reading.at),
                number=reading.value.value,
                low=reading.value.low,
                high=reading.value.high,
            )
        )
    return Line(key, unit, title, note, tuple(cells), is_drawn, is_chief=is_chief)


def segment_between(one: Place | None, other: Place | None) -> Span | None:
    """The length between two marks: on a logarithmic axis it is their ratio."""
    if one is None or other is None:
        return None
    first, last = sorted((one, other), key=lambda place: place.percent)
    return Span(first, last)


def not_measured() -> str:
    return _("not measured")


def not_stated() -> str:
    return _("not stated")


def rate_reading(figures: Figures | None) -> Reading | str:
    """A rate with its interval, drawn at its reciprocal."""
    if figures is None:
        return not_measured()
    bracket, small = None, _("no interval")
    if figures.low and figures.high:
        bracket = Span(place_of_rate(figures.high), place_of_rate(figures.low))
        small = f"{significant(figures.low)}\u2013{significant(figures.high)}"
    return Reading(
        value=Value(figures.rate_per_s, figures.low, figures.high, figures.rank),
        text=significant(figures.rate_per_s),
        small=small,
        at=place_of_rate(figures.rate_per_s),
        bracket=bracket,
    )


def latency_reader(name: str, base: Thing) -> Reader:
    """Reads a percentile; what times another side than the baseline's is another thing."""
    side = base.figures.side if base.figures else ""

    def read(thing: Thing) -> Reading | str:
        figures = thing.figures
        if figures is None:
            return not_measured()
        latency_ns = figures.latency_ns(name)
        if latency_ns is None:
            return not_stated()
        if side and figures.side != side:
            return _("times %(side)s") % {"side": words.SIDES.get(figures.side, figures.side)}
        figure, unit = units.latency(latency_ns).split(units.NARROW_SPACE)
        low, high = latency_interval(latency_ns, figures)
        is_pooled = name == "p99.9" and figures.n_runs > 1  # the others are medians of machines
        return Reading(
            value=Value(latency_ns, low, high),
            text=figure,
            unit=unit,
            small=_("all runs as one") if is_pooled else "",
            at=place_of_ns(latency_ns),
        )

    return read


def latency_interval(latency_ns: int, figures: Figures) -> tuple[float | None, float | None]:
    """A latency with the relative interval of its rate, turned round: the least that it has."""
    if not figures.low or not figures.high:
        return None, None
    return latency_ns * figures.rate_per_s / figures.high, (
        latency_ns * figures.rate_per_s / figures.low
    )


def in_euro(amount: Decimal, thing: Thing) -> float:
    """An amount by which different currencies can be compared."""
    return float(amount / thing.per_euro) if thing.per_euro else float(amount)


def cost_reading(thing: Thing) -> Reading | str:
    """What a billion commits cost."""
    figures = thing.figures
    if figures is None:
        return not_measured()
    if figures.cost is None:
        return _("no list price")
    low, high = figures.cost_range or (None, None)
    small = ""
    if low is not None and high is not None:
        ends = (units.money(low, thing.currency), units.money(high, thing.currency))
        small = "\u2013".join(ends)
    value = Value(
        in_euro(figures.cost, thing),
        None if low is None else in_euro(low, thing),
        None if high is None else in_euro(high, thing),
    )
    return Reading(value, units.money(figures.cost, thing.currency), small=small)


def month_price(thing: Thing) -> Decimal | None:
    """The list price of a month."""
    return hourly(thing.price) * HOURS_A_MONTH if thing.price else None


def price_reading(thing: Thing) -> Reading | str:
    """The list price of a month, as it was stated and when."""
    amount = month_price(thing)
    if amount is None or thing.price is None:
        return _("no list price")
    price = thing.price
    listed = units.list_price(price.amount, price.currency, price.period)
    small = f"{listed}, {units.day(price.valid_from)}"
    return Reading(Value(in_euro(amount, thing)), units.money(amount, price.currency), small=small)


def month_reader(figures_of: Callable[[Thing], Figures | None]) -> Reader:
    """Reads what 1,000 useful IOPS cost a month."""

    def read(thing: Thing) -> Reading | str:
        figures = figures_of(thing)
        if figures is None:
            return not_measured()
        if figures.month_per_1000 is None:
            return _("no list price")
        amount = figures.month_per_1000
        return Reading(Value(in_euro(amount, thing)), units.money(amount, thing.currency))

    return read


def rate_title(figures: Figures | None) -> str:
    """What the chief rate counts."""
    if figures and figures.p99_limit_ns:
        return _("Useful IOPS")
    is_commit = figures is not None and figures.is_commit
    return _("Durable commits a second") if is_commit else _("Operations a second")


def lines_of(things: Sequence[Thing], base: Thing) -> tuple[Line, ...]:
    """Every line that at least one of the things has."""
    known = next((thing.figures for thing in things if thing.figures), None)
    chief = line(
        key="rate", unit="per_s", title=rate_title(known), note=_("read on the lower scale"),
        things=things, base=base, read=lambda thing: rate_reading(thing.figures),
        quality=Quality.RATE, is_chief=True,
    )  # fmt: skip
    names = () if known and known.p99_limit_ns else PERCENTILES  # a search has no latencies
    percentiles = (
        line(
            key=name.replace(".", ""), unit="ns", title=name,
            note=percentile_note(name),
            things=things, base=base, read=latency_reader(name, base), quality=Quality.LATENCY,
        )
        for name in names
    )  # fmt: skip
    return tuple(each for each in (chief, *percentiles) if each is not None)


def percentile_note(name: str) -> str:
    """What a percentile means, in words."""
    notes = {
        "p50": _("half of all are faster"),
        "p99": _("1 of 100 is slower"),
        "p99.9": _("1 of 1,000 is slower"),
        "p99.99": _("1 of 10,000 is slower"),
    }
    return notes.get(name, "")


def money_lines(things: Sequence[Thing], base: Thing) -> tuple[Line, ...]:
    """What they cost: by the month, and for what is done with it."""
    lines = [
        line(
            key="price_month", unit="currency", title=_("List price of a month"), note="",
            things=things, base=base, read=price_reading, quality=Quality.COST, is_drawn=False,
        ),
        line(
            key="cost_per_billion", unit="currency", title=_("A billion commits"),
            note=_("at this rate, and the ends of its interval"), things=things, base=base,
            read=cost_reading, quality=Quality.COST, is_drawn=False, is_chief=True,
        ),
        line(
            key="month_per_1000", unit="currency", title=_("1,000 useful IOPS a month"), note="",
            things=things, base=base, read=month_reader(lambda thing: thing.figures),
            quality=Quality.COST, is_drawn=False,
        ),
    ]  # fmt: skip
    return tuple(each for each in lines if each is not None)


def useful_lines(
    useful: Iterable[tuple[Shape, tuple[Figures | None, ...]]],
    things: Sequence[Thing],
    base: Thing,
) -> tuple[Line, ...]:
    """Useful IOPS beside what is compared: each a workload of its own."""
    lines = []
    for shape, row in useful:
        known = dict(zip((thing.ref for thing in things), row, strict=True))
        limit = p99_limit_of(shape.workload, version=shape.version)
        found = line(
            key=shape.id, unit="per_s", title=_("Useful IOPS"),
            note=_("%(workload)s, p99 below %(limit)s")
            % {"workload": shape.workload, "limit": units.latency(limit or 0)},
            things=things, base=base, read=lambda thing, known=known: rate_reading(known[thing.ref]),
            quality=Quality.RATE,
        )  # fmt: skip
        if found is not None:
            lines.append(found)
    return tuple(lines)
