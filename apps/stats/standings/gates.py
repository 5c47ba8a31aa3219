"""How much evidence a cell needs to be ranked, and to be sure of in advice.

An uploader that no account has claimed is a network, and networks are cheap. Seven are the fewest
of whom the honest are a majority against three made-up ones.
"""

from __future__ import annotations

from typing import Final

NETWORKS_MADE_UP: Final = 3  # that one person is expected to send from
RANKED_UPLOADERS_MIN: Final = 2 * NETWORKS_MADE_UP + 1
RANKED_CLAIMED_MIN: Final = 3  # accounts: with one mistaken and one lying, three show a conflict
CLAIMED_MACHINES_MIN: Final = 5  # of theirs: hosts of one plan differ, and fewer show only some
LOW_END_SHARE_MIN: Final = 0.5  # of the rate: a figure that may be half of itself ranks nothing


def is_enough(*, n_uploaders: int, n_claimed: int, n_machines: int) -> bool:
    """Whether so many uploaders, or claimed accounts with so many machines, can be ranked."""
    are_accounts = n_claimed >= RANKED_CLAIMED_MIN and n_machines >= CLAIMED_MACHINES_MIN
    return n_uploaders >= RANKED_UPLOADERS_MIN or are_accounts


def is_wide(rate: float, low: float | None) -> bool:
    """Whether the low end of a rate lies too far below it to be ranked, or is not known."""
    return low is None or low < LOW_END_SHARE_MIN * rate
