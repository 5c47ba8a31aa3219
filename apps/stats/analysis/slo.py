"""Useful IOPS: the highest rate of arriving operations whose p99 stays under a limit.

There are three searches. In each, a pass in a closed loop finds the capacity, then trials with
Poisson arrivals halve the range in which the highest good rate lies. At last, passes at shares of
the capacity show how p99 grows. Latencies count from the intended arrival.
"""

from __future__ import annotations

from dataclasses import dataclass
from statistics import median
from typing import TYPE_CHECKING, Final

from apps.wire.judgement import thresholds

if TYPE_CHECKING:
    from collections.abc import Iterable

_USEFUL: Final = thresholds().useful_rate
SEARCHES: Final = _USEFUL.searches.value
TRIALS: Final = _USEFUL.trials.value  # of a search
LOAD_PERCENTS: Final = _USEFUL.load_percents.value  # of the capacity, for the last passes
ACHIEVED_PERCENT: Final = _USEFUL.achieved_percent_above.value  # of what was offered
LAG_PARTS: Final = (
    _USEFUL.late_lag_parts.value
)  # a trial is late if the generator's lag p99 is at least this part of its p99


@dataclass(frozen=True, slots=True)
class SearchPass:
    """One pass of a search. Times in nanoseconds, rates a second."""

    operations: int
    elapsed_ns: int
    purpose: str | None = None  # search or load; None in a closed loop
    offered_per_s: int = 0
    p99_ns: int = 0
    lag_p99_ns: int = 0

    def is_good(self, p99_ns_max: int) -> bool:
        """Whether the device kept up: p99 is below the limit and ACHIEVED_PERCENT were achieved.

        By Little's law `offered x limit` operations may still be in flight at the end of a good
        trial, so they count as achieved. A late generator needs no exception: its lag is part of
        the latencies.
        """
        accounted = self.operations * 10**9 + self.offered_per_s * p99_ns_max
        offered = self.offered_per_s * self.elapsed_ns
        return self.p99_ns < p99_ns_max and accounted * 100 > offered * ACHIEVED_PERCENT

    @property
    def is_late(self) -> bool:
        """Whether the generator was late: the p99 of its lag is a fifth of the p99 or more.

        A late trial that was not good says nothing about the device, because the processors were
        busy.
        """
        return self.lag_p99_ns * LAG_PARTS >= self.p99_ns


@dataclass(frozen=True, slots=True)
class LoadLevel:
    """p99 at a share of the capacity."""

    percent: int
    offered_per_s: int
    p99_ns: int


@dataclass(frozen=True, slots=True)
class UsefulRate:
    """The result of the three searches."""

    per_s: int  # the median of the three searches: 0 where no rate was good
    searches_per_s: tuple[int, ...]  # the highest good rate of each
    capacity_per_s: float  # the median of the three in a closed loop
    # Bad trials in which the generator was late: if there are many, the rate is a limit of the
    # processors and not of the device.
    late_trials: int
    loads: tuple[LoadLevel, ...]  # as far as they were measured


def useful_rate(passes: Iterable[SearchPass], *, p99_ns_max: int) -> UsefulRate | None:
    """Return the useful rate under this limit; None where fewer than three searches ended.

    Callers leave out passes that were cut short (interrupted, error).
    """
    capacities: list[float] = []
    searches: list[list[SearchPass]] = []
    loads: list[SearchPass] = []
    for each in passes:
        if each.purpose is None:
            if not each.operations or not each.elapsed_ns:
                return None
            capacities.append(each.operations * 1e9 / each.elapsed_ns)
            searches.append([])
        elif each.purpose == "load":
            loads.append(each)
        elif searches:
            searches[-1].append(each)
        else:
            return None
    if [len(trials) for trials in searches] != [TRIALS] * SEARCHES:
        return None
    best = tuple(
        max((trial.offered_per_s for trial in trials if trial.is_good(p99_ns_max)), default=0)
        for trials in searches
    )
    return UsefulRate(
        per_s=sorted(best)[SEARCHES // 2],
        searches_per_s=best,
        capacity_per_s=median(capacities),
        late_trials=sum(
            trial.is_late and not trial.is_good(p99_ns_max)
            for trials in searches
            for trial in trials
        ),
        loads=tuple(
            LoadLevel(percent, each.offered_per_s, each.p99_ns)
            for percent, each in zip(LOAD_PERCENTS, loads, strict=False)
        ),
    )
