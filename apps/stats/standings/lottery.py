"""The drive lottery: which drives people got with a plan, which plans a drive came with.

Every uploader counts as one, split evenly over the machines and kinds of item that it got.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Generic, Protocol, TypeVar

from apps.stats.standings.estimate import machine_values, uploader_values

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from datetime import date, datetime

    from apps.stats.standings.estimate import RunPoint


class MachineDay(Protocol):
    """What one machine did on one day; `first` and `last` are None where no day is stated."""

    @property
    def point(self) -> RunPoint:
        """Its figure and whose it is."""

    @property
    def first(self) -> datetime | None:
        """When its first run was made."""

    @property
    def last(self) -> datetime | None:
        """When its last run was made."""


Day = TypeVar("Day", bound=MachineDay)
Item = TypeVar("Item")


@dataclass(frozen=True, slots=True)
class LotteryOutcome(Generic[Item, Day]):
    """One kind of item that people got: by whom, when, and how fast it was."""

    item: Item
    days: tuple[Day, ...]
    share: Fraction  # of the uploaders, each split evenly over what it got
    n_machines: int
    rates: tuple[float, ...]  # a second, one for each uploader

    @property
    def first_day(self) -> date | None:
        """The day of its first run; None where no source states one."""
        first = min((day.first for day in self.days if day.first), default=None)
        return first.date() if first else None

    @property
    def last_day(self) -> date | None:
        """The day of its last run; None where no source states one."""
        last = max((day.last for day in self.days if day.last), default=None)
        return last.date() if last else None


def lottery_outcomes(
    days: Iterable[Day], *, item: Callable[[Day], Item], uploader_of_key: Mapping[str, str]
) -> list[LotteryOutcome[Item, Day]]:
    """Return the kinds of item in the order of `days`; each key has its uploader."""
    machines: dict[str, set[tuple[str, Item]]] = defaultdict(set)
    by_item: dict[Item, list[Day]] = defaultdict(list)
    for day in days:
        machines[uploader_of_key[day.point.key]].add((day.point.machine, item(day)))
        by_item[item(day)].append(day)
    shares: dict[Item, Fraction] = defaultdict(Fraction)
    for machines_of_uploader in machines.values():
        for _machine, got_item in machines_of_uploader:
            shares[got_item] += Fraction(1, len(machines_of_uploader) * len(machines))
    return [_outcome(each, item_days, shares[each]) for each, item_days in by_item.items()]


def _outcome(item: Item, days: list[Day], share: Fraction) -> LotteryOutcome[Item, Day]:
    machines = machine_values([day.point for day in days])
    rates = tuple(each.figure for each in uploader_values(machines))
    return LotteryOutcome(item, tuple(days), share, len(machines), rates)
