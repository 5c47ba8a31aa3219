"""The drive lottery: an uploader is one voice, split over the machines that it has of each kind."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, date, datetime
from fractions import Fraction

from apps.stats.standings.estimate import RunPoint
from apps.stats.standings.lottery import lottery_outcomes


@dataclass(frozen=True)
class Day:
    """What one machine did on one day."""

    point: RunPoint
    drive: str
    first: datetime | None = None
    last: datetime | None = None


def day(uploader: str, machine: str, drive: str, rate: float, on: int | None = None) -> Day:
    """Return a day of a machine; `on` is a day of June."""
    at = datetime(2026, 6, on or 1, 12, tzinfo=UTC)
    point = RunPoint(key=uploader, uploader=uploader, machine=machine, at=at, figure=rate)
    return Day(point, drive, at if on else None, at if on else None)


DAYS = [
    day("a", "a1", "PM9A3", 100, 3), day("a", "a1", "PM9A3", 100, 5), day("a", "a2", "990 PRO", 10),
    day("b", "b1", "PM9A3", 400, 4),
]  # fmt: skip
HOMES = {"a": "a", "b": "b"}


def test_an_uploader_is_split_evenly_over_what_it_got() -> None:
    found = lottery_outcomes(DAYS, item=lambda each: each.drive, uploader_of_key=HOMES)
    assert [(each.item, each.share) for each in found] == [
        ("PM9A3", Fraction(3, 4)), ("990 PRO", Fraction(1, 4)),
    ]  # fmt: skip
    assert [each.n_machines for each in found] == [2, 1]


def test_each_uploader_has_one_rate_of_each_kind() -> None:
    first, second = lottery_outcomes(DAYS, item=lambda each: each.drive, uploader_of_key=HOMES)
    assert [round(rate) for rate in sorted(first.rates)] == [100, 400]
    assert [round(rate) for rate in second.rates] == [10]


def test_a_kind_has_the_days_of_its_runs_where_they_are_stated() -> None:
    first, second = lottery_outcomes(DAYS, item=lambda each: each.drive, uploader_of_key=HOMES)
    assert (first.first_day, first.last_day) == (date(2026, 6, 3), date(2026, 6, 5))
    assert (second.first_day, second.last_day) == (None, None)


def test_keys_of_one_home_are_one_voice() -> None:
    found = lottery_outcomes(
        DAYS, item=lambda each: each.drive, uploader_of_key={"a": "a", "b": "a"}
    )
    assert sum(each.share for each in found) == 1
    assert found[0].share == Fraction(2, 3)
