"""The picture of a machine: a dot a run over time, a line at the median of each stretch."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext as _

from apps.pages.show import units
from apps.pages.show.phrases import join_sentences
from apps.stats.figures import significant

if TYPE_CHECKING:
    from datetime import datetime

    from apps.pages.account.selectors.machines import MachineHistory

HEIGHT: Final = 160  # pixels
MARGIN: Final = 12  # above and below: no dot is cut
SIDES: Final = 2.0  # percent of the width left and right, likewise
DECADES_MIN: Final = math.log(1.25)  # a steady machine is drawn as a flat line, not as noise


@dataclass(frozen=True, slots=True)
class RunDot:
    """A run: where it stands, and which."""

    x: str
    y: float
    slug: str


@dataclass(frozen=True, slots=True)
class StretchLine:
    """The median of a stretch, drawn from its first run to its last."""

    start: str
    end: str
    y: float


@dataclass(frozen=True, slots=True)
class MachineChart:
    """What is drawn, and the same in words."""

    dots: tuple[RunDot, ...]
    levels: tuple[StretchLine, ...]
    changes: tuple[str, ...]  # a sentence each
    says: str
    fastest: str  # commits/s, at the top
    slowest: str
    first: str  # days, at the left and the right
    last: str
    height: int = HEIGHT


@dataclass(frozen=True, slots=True)
class _Field:
    """Where days and rates stand."""

    first: datetime
    last: datetime
    low: float
    high: float

    def x(self, at: datetime) -> str:
        whole = (self.last - self.first).total_seconds()
        share = (at - self.first).total_seconds() / whole if whole else 0.5
        return f"{SIDES + share * (100 - 2 * SIDES):.2f}%"

    def y(self, rate: float) -> float:
        share = (math.log(rate) - self.low) / (self.high - self.low)
        return round(HEIGHT - MARGIN - share * (HEIGHT - 2 * MARGIN), 1)


def chart_of(history: MachineHistory) -> MachineChart | None:
    """Draw a machine, or None for one without a run of the headline work."""
    runs = history.runs
    if not runs:
        return None
    field = _field(history)
    levels = tuple(
        StretchLine(field.x(each.runs[0].at), field.x(each.runs[-1].at), field.y(each.rate_per_s))
        for each in history.stretches
    )
    changes = tuple(
        _("From %(day)s on %(after)s commits/s instead of %(before)s.")
        % {
            "day": units.day(after.runs[0].at),
            "after": significant(after.rate_per_s),
            "before": significant(before.rate_per_s),
        }
        for before, after in pairwise(history.stretches)
    )
    steady = _("Its rate did not change for good in %(n)s runs.") % {"n": len(runs)}
    single = f"{significant(runs[0].rate_per_s)}/s"
    return MachineChart(
        dots=tuple(RunDot(field.x(run.at), field.y(run.rate_per_s), run.slug) for run in runs),
        levels=levels,
        changes=changes,
        says=join_sentences(changes) if changes else steady if len(runs) > 1 else single,
        fastest=f"{significant(max(run.rate_per_s for run in runs))}/s",
        slowest=f"{significant(min(run.rate_per_s for run in runs))}/s",
        first=units.day(runs[0].at),
        last=units.day(runs[-1].at),
    )


def _field(history: MachineHistory) -> _Field:
    runs = history.runs
    logs = [math.log(run.rate_per_s) for run in runs]
    low, high = min(logs), max(logs)
    short = max(0.0, DECADES_MIN - (high - low)) / 2
    return _Field(runs[0].at, runs[-1].at, low - short, high + short)
