"""Judges a run beside those of others, which needs the whole cell: see the services of runs.

The modified z-score of an uploader's value x = ln(rate) in its cell is 0.6745 (x - median) / MAD
(Iglewicz and Hoaglin 1993); the limits are those of apps.stats.outliers.
"""

from __future__ import annotations

from typing import Final

from apps.stats.outliers import SCORE_MAX, UPLOADERS_MIN

FAR_FROM_PEERS: Final = "far-from-peers"


def far_from_peers(*, modified_z: float, uploaders: int) -> str | None:
    """Return what to say of an uploader whose value has this score among so many, or None."""
    if uploaders < UPLOADERS_MIN or abs(modified_z) <= SCORE_MAX:
        return None
    side = "above" if modified_z > 0 else "below"
    return (
        f"Its uploader lies {side} the others of its cell: modified z-score {modified_z:.1f} "
        f"among {uploaders} uploaders."
    )
