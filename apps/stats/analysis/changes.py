"""When a series of rates changed for good: change points, by ranks.

The test of Pettitt, "A non-parametric approach to the change-point problem" (Applied Statistics 28,
1979): K = max |U_t|, U_t = 2 * (sum of the first t ranks) - t * (n + 1). How likely a K is without
a change is counted over shuffled series, as his formula holds for long ones alone. What is found
divides the series, and each side is looked at again.
"""

from __future__ import annotations

from statistics import median
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

SHUFFLES: Final = 999
ALPHA: Final = 0.02  # of shuffled series reach K: one in fifty without a change
SIDE_MIN: Final = 4  # runs on each side: fewer are an evening, no change
RATIO_MIN: Final = 1.05  # between the medians: a smaller change is worth nobody's attention
SEED: Final = 1979  # the same series always has the same changes


def change_points(rates_per_s: Sequence[float]) -> tuple[int, ...]:
    """Return the places at which a series goes on at another rate, rising; 0 is never one."""
    return tuple(sorted(_changes(np.asarray(rates_per_s, dtype=float), 0)))


def _changes(rates: np.ndarray, begin: int) -> list[int]:
    place = _change(rates)
    if place is None:
        return []
    before = _changes(rates[:place], begin)
    return [*before, begin + place, *_changes(rates[place:], begin + place)]


def _change(rates: np.ndarray) -> int | None:
    """Return the one place that divides best, or None where chance would do as well."""
    n = len(rates)
    if n < 2 * SIDE_MIN:
        return None
    ranks = _ranks(rates)
    heights = np.abs(_statistic(ranks))[SIDE_MIN - 1 : n - SIDE_MIN]
    place = int(np.argmax(heights)) + SIDE_MIN
    low, high = sorted((median(rates[:place]), median(rates[place:])))
    if low <= 0 or high / low < RATIO_MIN:
        return None
    shuffled = np.random.default_rng(SEED).permuted(np.tile(ranks, (SHUFFLES, 1)), axis=1)
    by_chance = np.abs(_statistic(shuffled))[:, SIDE_MIN - 1 : n - SIDE_MIN].max(axis=1)
    share = (1 + int((by_chance >= heights.max()).sum())) / (1 + SHUFFLES)
    return place if share <= ALPHA else None


def _ranks(rates: np.ndarray) -> np.ndarray:
    """Return the rank of each value from 1, ties at their middle."""
    ordered = np.sort(rates)
    first = np.searchsorted(ordered, rates, side="left")
    last = np.searchsorted(ordered, rates, side="right")
    ranks: np.ndarray = (first + last + 1) / 2
    return ranks


def _statistic(ranks: np.ndarray) -> np.ndarray:
    """Return U_t for t from 1 to n, over the last axis."""
    n = ranks.shape[-1]
    heights: np.ndarray = 2 * np.cumsum(ranks, axis=-1) - np.arange(1, n + 1) * (n + 1)
    return heights
