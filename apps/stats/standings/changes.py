"""When a cell changed: from some day on, other uploaders than before measure another rate.

Providers renew disks and move plans to other hosts. A median over half a year would hide that until
half of its uploaders are new ones.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

SIDE_MIN: Final = 3  # uploaders before and since; with fewer no order of them is rare enough
SPLITS_MAX: Final = 50  # times that are tried, evenly spread: the work grows with them
PERMUTATIONS: Final = 2_000  # the standard error of a share of 1 % is 0.2 %
CHANCE_MAX: Final = 0.01  # a site has hundreds of cells
FACTOR_MIN: Final = 1.1  # between the medians; less is within what repeats of one machine differ by
NUMBERS_AT_ONCE: Final = 4_000_000  # of permutations in memory: 32 MB, however many uploaders
_SEED: Final = 20_261_125


@dataclass(frozen=True, slots=True)
class Change:
    """The first moment of the new uploaders, in the unit of the input, and the share of chance."""

    since: float
    chance: float  # of permutations whose best split is as good


def find_change(
    firsts: NDArray[np.float64], lasts: NDArray[np.float64], values: NDArray[np.float64]
) -> Change | None:
    """Return when the values changed, or None where chance explains it.

    Each uploader has the times of its first and last run and a value (ln of its rate). Shapes (n,).
    A split at a time compares those who began at or after it with those who ended before; its score
    is the standardised rank sum of Mann and Whitney (1947). The best score of all splits is judged
    against that of permuted values, which allows for having chosen the split. In whichever order
    the uploaders come, the answer is the same.
    """
    order = np.lexsort((values, lasts, firsts))  # else the same dice permute other values
    firsts, lasts, values = firsts[order], lasts[order], values[order]
    splits = _splits(firsts, lasts)
    if not len(splits):
        return None
    ranks = _ranks(values)
    score = _score(splits, ranks)
    best = int(np.argmax(np.abs(score)))
    is_new, is_old = splits[best] > 0, splits[best] < 0
    gap = abs(float(np.median(values[is_new]) - np.median(values[is_old])))
    if gap < math.log(FACTOR_MIN):
        return None
    as_good = int(np.count_nonzero(_best_by_chance(splits, ranks) >= abs(score[best]) - 1e-9))
    chance = (as_good + 1) / (PERMUTATIONS + 1)
    return Change(float(firsts[is_new].min()), chance) if chance <= CHANCE_MAX else None


def _best_by_chance(splits: NDArray[np.float64], ranks: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the best score of each permutation. Shape (PERMUTATIONS,)."""
    generator = np.random.Generator(np.random.PCG64([_SEED, ranks.size]))
    at_once = max(1, min(PERMUTATIONS, NUMBERS_AT_ONCE // ranks.size))
    best = []
    for begin in range(0, PERMUTATIONS, at_once):
        rows = min(at_once, PERMUTATIONS - begin)
        permuted = generator.permuted(np.tile(ranks, (rows, 1)), axis=1)
        best.append(np.abs(_score(splits, permuted)).max(axis=1))
    return np.concatenate(best)


def _splits(firsts: NDArray[np.float64], lasts: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the splits with enough uploaders on either side. Shape (splits, n).

    1 is a new uploader, -1 an old one, and 0 one who measured before and since.
    """
    times = np.unique(firsts)[1:]
    n_new = len(firsts) - np.searchsorted(np.sort(firsts), times)
    n_old = np.searchsorted(np.sort(lasts), times)
    enough = times[(n_new >= SIDE_MIN) & (n_old >= SIDE_MIN)]
    places = np.linspace(0, len(enough) - 1, min(SPLITS_MAX, len(enough))).astype(int)
    tried = enough[places][:, None]
    sides: NDArray[np.float64] = (firsts >= tried).astype(np.float64) - (lasts < tried)
    return sides


def _ranks(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the rank of each value; equal values have the mean of theirs."""
    ordered = np.sort(values)
    below = np.searchsorted(ordered, values, side="left")
    up_to = np.searchsorted(ordered, values, side="right")
    ranks: NDArray[np.float64] = (below + up_to + 1) / 2
    return ranks


def _score(splits: NDArray[np.float64], ranks: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return how far the mean ranks of both sides are apart, in its standard deviation by chance.

    `ranks` has the shape (..., n), and the scores have (..., splits).
    """
    n = ranks.shape[-1]
    is_new, is_old = splits > 0, splits < 0
    n_new, n_old = is_new.sum(axis=1), is_old.sum(axis=1)
    gap = ranks @ is_new.T / n_new - ranks @ is_old.T / n_old
    deviation = np.sqrt(n * (n + 1) / 12 * (1 / n_new + 1 / n_old))
    scores: NDArray[np.float64] = gap / deviation
    return scores
