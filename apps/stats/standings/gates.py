"""How many uploaders and machines a cell needs to be ranked."""

from __future__ import annotations

from typing import Final

RANKED_UPLOADERS_MIN: Final = 3  # with one mistaken and one lying, three still show a conflict
RANKED_MACHINES_MIN: Final = 5  # hosts of one plan differ, and fewer show only some of them


def needs_runs(*, n_uploaders: int, n_machines: int) -> bool:
    """Whether a cell has too few uploaders or machines to be ranked."""
    return n_uploaders < RANKED_UPLOADERS_MIN or n_machines < RANKED_MACHINES_MIN
