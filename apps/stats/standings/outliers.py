"""Uploaders that lie far from the others of their cell: marked for review, never dropped.

The modified z-score of Iglewicz and Hoaglin (1993): 0.6745 (z - median) / MAD, beyond 3.5.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

NORMAL_MAD: Final = 0.6745  # the MAD of a normal distribution of standard deviation 1
SCORE_MAX: Final = 3.5
# The least MAD, as ln of the rate: 5 %. A few uploaders can agree by chance better than runs of one
# machine do, and dividing by so small a MAD would flag harmless differences.
MAD_MIN: Final = 0.05
UPLOADERS_MIN: Final = 5  # among fewer nobody can say who is wrong
FLAGGED_SHARE_MAX: Final = 0.2  # a group larger than a fifth of the uploaders is not an exception


def mads_of(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return median absolute deviations from the median along the last axis, without a factor."""
    middle = np.median(values, axis=-1, keepdims=True)
    deviations: NDArray[np.float64] = np.median(np.abs(values - middle), axis=-1)
    return deviations


def mad_of(values: NDArray[np.float64]) -> float:
    """Return the median absolute deviation of these values, without a factor."""
    return float(mads_of(values))


def modified_z(
    values: NDArray[np.float64], *, among: NDArray[np.float64] | None = None
) -> NDArray[np.float64]:
    """Return the modified z-score of each value (ln of a rate). Shape (n,).

    `among`: the values whose median and MAD count, where these are not all.
    """
    peers = values if among is None else among
    spread = max(mad_of(peers), MAD_MIN)
    scores: NDArray[np.float64] = NORMAL_MAD * (values - np.median(peers)) / spread
    return scores


def outliers(values: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Return which values (ln of a rate, one an uploader) are to be reviewed. Shape (n,).

    At most FLAGGED_SHARE_MAX of them, the farthest first; of equally far ones all or none.
    """
    if values.size < UPLOADERS_MIN:
        return np.zeros(values.size, dtype=np.bool_)
    scores = np.abs(modified_z(values))
    nearest_left_out = np.sort(scores)[::-1][int(FLAGGED_SHARE_MAX * values.size)]
    is_flagged: NDArray[np.bool_] = scores > max(SCORE_MAX, nearest_left_out)
    return is_flagged
