"""From how much evidence on a cell is ranked."""

from __future__ import annotations

from typing import Final

RANKED_UPLOADERS_MIN: Final = 3  # one may err and one may lie: three can disagree
RANKED_MACHINES_MIN: Final = 5  # hosts of one plan differ: fewer show one corner of it


def needs_runs(*, n_uploaders: int, n_machines: int) -> bool:
    """Whether a cell has too little behind it to be ranked."""
    return n_uploaders < RANKED_UPLOADERS_MIN or n_machines < RANKED_MACHINES_MIN
