"""From many runs to one figure: machine, then uploader, then the weighted median of uploaders.

One value a machine and one an uploader, so that sixty uploads of one person weigh as much as one.
Everything is a median in log space, where a rate twice too high and one twice too low cancel.

Anybody can send the name of somebody else's machine, but nobody can forge a signature. So machines
are told apart within one uploader, and only the key that signed a run can move it to another one.
"""

from __future__ import annotations

import math
from collections import defaultdict
from dataclasses import dataclass
from datetime import UTC
from itertools import islice
from typing import TYPE_CHECKING

import numpy as np

from apps.stats.standings.weights import deciding, middle_places, weights_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from datetime import date, datetime

    from numpy.typing import NDArray

MACHINE_DAYS_MAX = 5  # newest days of a machine that count: drives age, hosts are replaced


@dataclass(frozen=True, slots=True)
class RunPoint:
    """The figure of one run, whose it is and when it was received.

    A rate per second or a latency in nanoseconds, positive; all points of one estimate are of one
    kind.
    """

    key: str  # the public key that signed the run
    uploader: str  # the account of its key, else the network that the run came from
    machine: str
    at: datetime
    figure: float
    is_claimed: bool = False  # the uploader is an account that is old enough to be believed
    is_doubted: bool = False  # a label says that the run cannot be told apart from a lie


@dataclass(frozen=True, slots=True)
class VoiceValue:
    """One figure that stands for a machine or for an uploader."""

    name: str
    uploader: str
    figure: float


@dataclass(frozen=True, slots=True)
class Estimate:
    """The figure of a cell, a rate or a latency like its points, and the evidence for it."""

    figure: float
    machines: tuple[VoiceValue, ...]
    uploaders: tuple[VoiceValue, ...]
    weights: tuple[float, ...]  # of the uploaders, in their order
    n_runs: int
    claimed: tuple[bool, ...]  # whether each uploader is a claimed account, in their order

    @property
    def n_machines(self) -> int:
        """How many machines contributed."""
        return len(self.machines)

    @property
    def n_uploaders(self) -> int:
        """How many uploaders contributed."""
        return len(self.uploaders)

    @property
    def n_claimed(self) -> int:
        """How many uploaders are claimed accounts; without any, who is not doubted weighs 1."""
        return sum(self.claimed)

    @property
    def n_claimed_machines(self) -> int:
        """How many machines are those of claimed accounts."""
        accounts = {
            each.name for each, claimed in zip(self.uploaders, self.claimed, strict=True) if claimed
        }
        return sum(machine.uploader in accounts for machine in self.machines)

    @property
    def decides(self) -> NDArray[np.bool_]:
        """Which uploaders say how the cell varies: the claimed ones where there are enough."""
        return deciding(np.array(self.claimed, dtype=np.bool_))

    @property
    def deciding_figures(self) -> list[float]:
        """The figures of the uploaders that decide."""
        return [
            each.figure
            for each, decides in zip(self.uploaders, self.decides.tolist(), strict=True)
            if decides
        ]

    @property
    def is_anonymous(self) -> bool:
        """Whether no uploader is a claimed account."""
        return not self.n_claimed

    @property
    def log_figures(self) -> NDArray[np.float64]:
        """The natural logarithm of each uploader's figure."""
        return np.log([uploader.figure for uploader in self.uploaders])


def median_log(values: Sequence[float]) -> float:
    """Return the median in log space: of an even number, the geometric mean of the middle two.

    A value may be infinite: then it is known only that it is larger than all others.
    Raises ValueError where there is no value or one is not positive.
    """
    if not values or min(values) <= 0:
        message = "the median in log space needs positive values, at least one"
        raise ValueError(message)
    if len(values) == 1:  # of most days of a machine
        return values[0]
    ordered = sorted(values)
    low, high = ordered[(len(ordered) - 1) // 2], ordered[len(ordered) // 2]
    return _between(low, high)


def _between(low: float, high: float) -> float:
    """Return the geometric mean of two values; equal ones stay as they are."""
    return low if low == high else low * math.sqrt(high / low)


@dataclass(frozen=True, slots=True)
class Grouping:
    """Whose runs are which, and which of them count: the same for every figure of these runs."""

    uploader_of_key: Mapping[str, str]
    machines: tuple[tuple[str, str], ...]  # uploader and machine, sorted
    # For each machine the places of its runs, day by day: the newest day first, MACHINE_DAYS_MAX
    # at most, and of a day its newest run first.
    days: tuple[tuple[tuple[int, ...], ...], ...]
    uploaders: tuple[str, ...]  # sorted
    claimed: tuple[bool, ...]  # whether each uploader is a claimed account
    weights: NDArray[np.float64]  # of the uploaders
    n_runs: int

    def machine_values(self, figures: Sequence[float]) -> list[VoiceValue]:
        """Return one value a machine: the median over its days of the median of each day.

        `figures` are those of the runs, in their order.
        """
        return [
            VoiceValue(
                name=machine,
                uploader=uploader,
                figure=median_log(
                    [median_log([figures[place] for place in day]) for day in of_machine]
                ),
            )
            for (uploader, machine), of_machine in zip(self.machines, self.days, strict=True)
        ]

    def estimate(self, figures: Sequence[float]) -> Estimate:
        """Return the figure of a cell: the weighted median of its uploaders.

        `figures` are those of the runs, in their order.
        """
        machines = self.machine_values(figures)
        uploaders = uploader_values(machines)
        return Estimate(
            figure=_weighted_median([each.figure for each in uploaders], self.weights),
            machines=tuple(machines),
            uploaders=tuple(uploaders),
            weights=tuple(self.weights.tolist()),
            n_runs=self.n_runs,
            claimed=self.claimed,
        )

    @property
    def counted_places(self) -> list[tuple[int, ...]]:
        """The places of the runs that count, one group for each machine and day."""
        return [day for of_machine in self.days for day in of_machine]

    @property
    def deciding_names(self) -> set[str]:
        """The uploaders that say how the cell varies and when it changed."""
        decides = deciding(np.array(self.claimed, dtype=np.bool_))
        return {name for name, one in zip(self.uploaders, decides.tolist(), strict=True) if one}


def group(points: Sequence[RunPoint]) -> Grouping:
    """Group the runs of a cell by uploader, machine and UTC day.

    A key that changed networks belongs, with all its runs, to the uploader of its newest run, so
    that nobody counts twice by moving. Raises ValueError where there is no run.
    """
    if not points:
        raise ValueError("a cell needs runs, at least one, to have a figure")
    uploader_of_key = uploader_of_keys(points)
    days: dict[tuple[str, str], dict[date, list[int]]] = defaultdict(lambda: defaultdict(list))
    for place in sorted(range(len(points)), key=lambda place: points[place].at, reverse=True):
        run = points[place]
        days[uploader_of_key[run.key], run.machine][_day_of(run)].append(place)
    machines = sorted(days)
    uploaders = sorted({uploader for uploader, _ in machines})
    claimed_names = {uploader_of_key[point.key] for point in points if point.is_claimed}
    believed_names = {uploader_of_key[point.key] for point in points if not point.is_doubted}
    claimed = tuple(name in claimed_names for name in uploaders)
    return Grouping(
        uploader_of_key=uploader_of_key,
        machines=tuple(machines),
        days=tuple(
            tuple(map(tuple, islice(days[machine].values(), MACHINE_DAYS_MAX)))
            for machine in machines
        ),
        uploaders=tuple(uploaders),
        claimed=claimed,
        weights=weights_of(
            np.array(claimed, dtype=np.bool_),
            is_doubted=np.array([name not in believed_names for name in uploaders], dtype=np.bool_),
        ),
        n_runs=len(points),
    )


def machine_values(points: Sequence[RunPoint]) -> list[VoiceValue]:
    """Return one value a machine, as `Grouping` does; none without a run."""
    return group(points).machine_values([point.figure for point in points]) if points else []


def uploader_values(machines: Iterable[VoiceValue]) -> list[VoiceValue]:
    """Return one value an uploader: the median of the uploader's machines."""
    figures: dict[str, list[float]] = defaultdict(list)
    for machine in machines:
        figures[machine.uploader].append(machine.figure)
    return [
        VoiceValue(name=uploader, uploader=uploader, figure=median_log(figures[uploader]))
        for uploader in sorted(figures)
    ]


def estimate(points: Sequence[RunPoint]) -> Estimate:
    """Return the figure of a cell: the weighted median of its uploaders.

    Raises ValueError where there is no run.
    """
    return group(points).estimate([point.figure for point in points])


def uploader_of_keys(points: Iterable[RunPoint]) -> Mapping[str, str]:
    """Return the uploader of each key: that of its newest run."""
    by_age = sorted(points, key=lambda run: (run.at, run.uploader))
    return {run.key: run.uploader for run in by_age}


def _weighted_median(figures: Sequence[float], weights: NDArray[np.float64]) -> float:
    places = middle_places(np.log(figures), weights)
    return _between(*(figures[int(place)] for place in places))


def _day_of(run: RunPoint) -> date:
    return run.at.astimezone(UTC).date()
