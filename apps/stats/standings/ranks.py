"""Ranks with their uncertainty: which rows of a board can be told apart, and which cannot.

Each row is drawn 4,000 times from a normal distribution around its shrunken estimate, and the rows
are ranked in each draw. The name of the board seeds the draws, so that a rebuild repeats them.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

DRAWS: Final = 4_000  # the standard error of a share of draws is at most 0.8 %
RANK_QUANTILES: Final = (0.05, 0.95)
APART_MIN: Final = 0.90  # share of draws that the upper row must win; below it the two are tied
_SEED_BYTES: Final = 16


@dataclass(frozen=True, slots=True)
class Ranking:
    """The rows of a board, best first; arrays have one entry a row in that order."""

    order: NDArray[np.intp]  # indices of the input
    rank_low: NDArray[np.int64]  # 1 is best
    rank_high: NDArray[np.int64]
    ahead: NDArray[np.float64]  # P(the row above is better); 1 for the first row
    tier: NDArray[np.int64]  # from 1; a row that the first of its tier beats begins the next tier

    @property
    def is_tied(self) -> NDArray[np.bool_]:
        """Whether a row cannot be told from the one above."""
        tied: NDArray[np.bool_] = self.ahead < APART_MIN
        return tied


def seed_of(board: str) -> int:
    """Return the seed of a board from its name."""
    return int.from_bytes(hashlib.sha256(board.encode()).digest()[:_SEED_BYTES], "big")


def rank(thetas: NDArray[np.float64], sds: NDArray[np.float64], *, board: str) -> Ranking:
    """Rank rows by theta, highest first; equal ones keep the order given. Shapes (P,)."""
    order = np.argsort(-thetas, kind="stable")
    means, deviations = thetas[order], sds[order]
    generator = np.random.Generator(np.random.PCG64(seed_of(board)))
    draws = means + deviations * generator.standard_normal((DRAWS, means.size))
    low, high = _rank_interval(draws)
    ahead = np.ones(means.size)
    ahead[1:] = np.mean(draws[:, :-1] > draws[:, 1:], axis=0)
    return Ranking(order, low, high, ahead, _tiers(draws))


def _rank_interval(draws: NDArray[np.float64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the 5 % and 95 % quantile of each column's rank over all draws."""
    best_first = np.argsort(-draws, axis=1, kind="stable")
    ranks = np.empty(draws.shape, dtype=np.int32)
    places = np.broadcast_to(np.arange(1, draws.shape[1] + 1, dtype=np.int32), draws.shape)
    np.put_along_axis(ranks, best_first, places, axis=1)
    low, high = np.quantile(ranks, RANK_QUANTILES, axis=0, method="inverted_cdf")
    return low.astype(np.int64), high.astype(np.int64)


def _tiers(draws: NDArray[np.float64]) -> NDArray[np.int64]:
    """Return the tier of each row, from 1. Each loop ends one tier."""
    count = draws.shape[1]
    tiers = np.zeros(count, dtype=np.int64)
    first, tier = 0, 0
    while first < count:
        tier += 1
        tiers[first:] = tier
        beaten = np.mean(draws[:, first : first + 1] > draws[:, first + 1 :], axis=0) >= APART_MIN
        first = first + 1 + int(np.argmax(beaten)) if beaten.any() else count
    return tiers
