"""What is drawn of a comparison beside its rows: the curves for Chart.js, and bars of cost."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from apps.pages.compare.table import MeasureCell, MeasureRow, role_of
from apps.pages.draw.axis import AxisPlace
from apps.pages.draw.trace import Span
from apps.pages.show.charts import list_of

if TYPE_CHECKING:
    from apps.pages.compare.things import Thing
    from apps.pages.show.charts import JsonValue

CURVE_POINTS_MIN = 2


@dataclass(frozen=True, slots=True)
class Bar:
    """One cost as a length from nothing; percentages of the widest."""

    cell: MeasureCell
    percent: float
    interval: Span | None  # from the low to the high end; of some none is known

    @property
    def width(self) -> str:
        return f"{self.percent:.2f}%"


def curves_of(things: Sequence[Thing]) -> dict[str, JsonValue]:
    """What the script draws: a curve for each thing that has one, by its look."""
    curves: list[JsonValue] = [
        {
            "name": thing.name,
            "letter": thing.letter,
            "role": role_of(place),
            "points": list_of(thing.figures.curve),
        }
        for place, thing in enumerate(things)
        if thing.figures is not None and len(thing.figures.curve) >= CURVE_POINTS_MIN
    ]
    return {"curves": curves}


def bars_of(line: MeasureRow | None) -> tuple[Bar, ...]:
    """The cells of a line of costs as bars, all on one scale; in euro where currencies differ."""
    if line is None:
        return ()
    comparable = line.comparable
    widest = max((cell.high or cell.number or 0 for cell in comparable), default=0)
    if not widest:
        return ()

    def interval(cell: MeasureCell) -> Span | None:
        if cell.low is None or cell.high is None:
            return None
        return Span(AxisPlace(100 * cell.low / widest), AxisPlace(100 * cell.high / widest))

    return tuple(
        Bar(cell, 100 * (cell.number or 0) / widest, interval(cell)) for cell in comparable
    )
