"""Whether two figures differ, by how much, and which is the better one, in words and a shape.

Two standings with enough evidence to be ranked are told apart by the test that makes the tiers,
with the limits of their whole board: what stands here and on the board is the same. Runs and what
is published are told apart where their intervals do not overlap. The p99 of several uploaders has
an interval of its own. Of a latency without one, of a list price and of a standing of few
uploaders, the ratio is stated, and neither of the two is called the better.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from django.utils.translation import gettext as _

from apps.stats.figures import significant
from apps.stats.standings import ranks

if TYPE_CHECKING:
    from apps.pages.compare.things import RangeTest

TWICE = 2  # from here on two digits of a ratio are enough
TENTH = 0.1  # below, a ratio reads better as one part of so many
SAME_WITHIN = 0.005  # of a ratio: it would be printed as 1.00


class Comparative(StrEnum):
    """What a difference says."""

    BETTER = "better"
    WORSE = "worse"
    SAME = "same"
    UNSURE = "unsure"  # cannot be told apart
    RATIO = "ratio"  # a ratio and no more: too little is known to call one the better
    UNKNOWN = "unknown"  # one of the two is not known


class Quality(StrEnum):
    """What a figure counts, which decides what more of it is."""

    RATE = "rate"
    LATENCY = "latency"
    COST = "cost"
    PRICE = "price"


@dataclass(frozen=True, slots=True)
class Operand:
    """A figure with its interval, in one unit; the interval is None where there is none."""

    value: float
    low: float | None = None
    high: float | None = None
    range_test: RangeTest | None = None
    is_of_few: bool = False  # uploaders, too few to call it better or worse than another
    currency: str = ""  # of an amount that no rate converts; empty: nothing needs to be converted

    @property
    def has_interval(self) -> bool:
        return self.low is not None and self.high is not None


@dataclass(frozen=True, slots=True)
class Difference:
    """A figure against that of the baseline."""

    outcome: Comparative
    quality: Quality
    ratio: float | None = None  # this over the baseline
    is_of_few: bool = False  # one of the two rests on too few uploaders

    @property
    def times(self) -> str:
        """How many times, always one or more: two digits from twice on, else three."""
        if self.ratio is None:
            return ""
        apart = max(self.ratio, 1 / self.ratio)
        return significant(apart, 2 if apart >= TWICE else 3)

    @property
    def times_base(self) -> str:
        """The ratio to the baseline as it is: 1.55\u00d7, 0.65\u00d7, 1/760."""
        if self.ratio is None:
            return ""
        if self.ratio < TENTH:
            return f"1/{self.times}"
        if self.ratio < 1:
            return f"{significant(self.ratio, 2)}\u00d7"
        return f"{self.times}\u00d7"

    @property
    def words(self) -> str:
        """What stands in the cell."""
        if self.outcome == Comparative.UNKNOWN:
            return ""
        if self.outcome == Comparative.UNSURE:
            return _("cannot be told apart")
        return self.times_base


def overlap(one: Operand, other: Operand) -> bool:
    """Whether two intervals have a value in common; a figure without one is its own interval."""
    low, high = bounds(one)
    other_low, other_high = bounds(other)
    return low <= other_high and other_low <= high


def bounds(value: Operand) -> tuple[float, float]:
    """Both ends of an interval."""
    low = value.value if value.low is None else value.low
    high = value.value if value.high is None else value.high
    return low, high


def are_apart(one: Operand, other: Operand) -> bool:
    """Whether two figures can be told apart, by the rule above."""
    own, others = one.range_test, other.range_test
    if own is None or others is None:
        return not overlap(one, other)
    critical = max(own.apart_sds, others.apart_sds)  # a plan and a drive are of different boards
    return ranks.are_apart(ranked_bounds(one, own), ranked_bounds(other, others), critical=critical)


def ranked_bounds(value: Operand, test: RangeTest) -> ranks.Bounds:
    """What the test of the tiers needs to know of a figure."""
    low, high = bounds(value)
    return ranks.Bounds(math.log(value.value), math.log(low), math.log(high), test.sd_ln**2)


def difference(own: Operand | None, base: Operand | None, quality: Quality) -> Difference:
    """A figure against that of the baseline; unknown where nothing says how they compare."""
    if own is None or base is None or own.value <= 0 or base.value <= 0:
        return Difference(Comparative.UNKNOWN, quality)
    if own.currency != base.currency:
        return Difference(Comparative.UNKNOWN, quality)
    ratio = own.value / base.value
    is_bare = not (own.has_interval and base.has_interval)
    is_of_few = own.is_of_few or base.is_of_few
    is_only_a_ratio = quality is Quality.PRICE or (is_bare and quality is Quality.LATENCY)
    if is_of_few or is_only_a_ratio:
        is_same = abs(math.log(ratio)) < SAME_WITHIN
        outcome = Comparative.SAME if is_same else Comparative.RATIO
        return Difference(outcome, quality, ratio, is_of_few)
    if not are_apart(own, base):
        is_sure = own.low is None and base.low is None  # no interval: equal to the last digit
        outcome = Comparative.SAME if is_sure else Comparative.UNSURE
    elif abs(math.log(ratio)) < SAME_WITHIN:
        outcome = Comparative.SAME
    else:
        is_more = ratio > 1
        outcome = Comparative.BETTER if is_more == (quality == Quality.RATE) else Comparative.WORSE
    return Difference(outcome, quality, ratio)
