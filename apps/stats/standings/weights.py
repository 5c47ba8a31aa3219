"""The weight of each uploader, and the weighted median.

A claimed account weighs 1 and an anonymous uploader one half. Beside three claimed accounts all
anonymous ones together have at most 30 % of a cell, however many there are; beside fewer that would
let one account alone outvote any number of networks. Where nobody is claimed, all weigh the same.

An uploader is doubted of whom every run may be a lie that nobody can tell. Beside as many others as
a rank takes, it weighs half. Beside fewer it does not: leaving such a label away is easy, and three
made-up networks without one would outweigh four honest ones that have it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from apps.stats.standings.gates import RANKED_CLAIMED_MIN, RANKED_UPLOADERS_MIN

if TYPE_CHECKING:
    from numpy.typing import NDArray

CLAIMED_WEIGHT: Final = 1.0
ANONYMOUS_WEIGHT: Final = 0.5
ANONYMOUS_SHARE_MAX: Final = 0.3  # of the sum of all weights in a cell
DOUBTED_SHARE: Final = 0.5  # of the weight that an uploader would have
# Rounding errors of sums of weights: 0.1 + 0.2 is not 0.3.
_ROUNDING: Final = 1e-9


def weights_of(
    is_claimed: NDArray[np.bool_], *, is_doubted: NDArray[np.bool_] | None = None
) -> NDArray[np.float64]:
    """Return the weight of each uploader of one cell, in the order given. Shapes (n,)."""
    weights = _belief(is_claimed.size, is_doubted)
    if not is_claimed.any():
        return weights
    weights = weights * np.where(is_claimed, CLAIMED_WEIGHT, ANONYMOUS_WEIGHT)
    if np.count_nonzero(is_claimed) < RANKED_CLAIMED_MIN:
        return weights
    share = ANONYMOUS_SHARE_MAX / (1 - ANONYMOUS_SHARE_MAX)  # of the sum of the claimed ones
    anonymous_sum, most = weights[~is_claimed].sum(), weights[is_claimed].sum() * share
    if anonymous_sum > most:
        weights = np.where(is_claimed, weights, weights * most / anonymous_sum)
    return weights


def deciding(is_claimed: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return which uploaders of a cell say how it varies and when it changed. Shapes (n,).

    The claimed ones where there are three, else all: what counts uploaders without a weight, as an
    interval does, would otherwise go by whoever has the most networks.
    """
    if np.count_nonzero(is_claimed) >= RANKED_CLAIMED_MIN:
        return is_claimed
    return np.ones(is_claimed.size, dtype=np.bool_)


def _belief(n: int, is_doubted: NDArray[np.bool_] | None) -> NDArray[np.float64]:
    """Return the share of its weight that each of n uploaders has."""
    if is_doubted is None or n - np.count_nonzero(is_doubted) < RANKED_UPLOADERS_MIN:
        return np.ones(n)
    return np.where(is_doubted, DOUBTED_SHARE, 1.0)


def middle_places(
    values: NDArray[np.float64], weights: NDArray[np.float64]
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return the indices of the two values between which the weighted median lies.

    `values` has the shape (..., n) and `weights` that shape or (n,); each array returned has the
    shape (...). Both indices are equal unless exactly half of the weight lies below the median.
    """
    order = np.argsort(values, axis=-1, kind="stable")
    sorted_weights = np.take_along_axis(np.broadcast_to(weights, values.shape), order, axis=-1)
    shares = np.cumsum(sorted_weights, axis=-1)
    shares = shares / shares[..., -1:]
    below = np.argmax(shares >= 0.5 - _ROUNDING, axis=-1)[..., np.newaxis]
    above = np.argmax(shares > 0.5 + _ROUNDING, axis=-1)[..., np.newaxis]
    return (
        np.take_along_axis(order, below, axis=-1)[..., 0],
        np.take_along_axis(order, above, axis=-1)[..., 0],
    )


def weighted_median(
    values: NDArray[np.float64], weights: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return the weighted median along the last axis: the mean of the two in the middle.

    With equal weights it is the median. Shapes as for `middle_places`.
    """
    low, high = (
        np.take_along_axis(values, place[..., np.newaxis], axis=-1)[..., 0]
        for place in middle_places(values, weights)
    )
    middle: NDArray[np.float64] = (low + high) / 2
    return middle


def effective_number(weights: NDArray[np.float64]) -> float:
    """Return how many equal voices these weights are worth: (sum w)^2 / sum w^2 (Kish 1965)."""
    return float(np.sum(weights) ** 2 / np.sum(weights**2))
