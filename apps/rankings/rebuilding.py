"""The moment of a rebuild at which the new rows of runs take the places of the old ones."""

from __future__ import annotations

from typing import TYPE_CHECKING

from apps.rankings.services import hold_all_standings, mark_keys
from apps.rankings.standings.points import all_keys, keys_of_runs
from apps.runs.rebuilding.patience import patiently
from apps.runs.rebuilding.places import catch_up, take_places
from apps.runs.rebuilding.tables import in_shadow

if TYPE_CHECKING:
    from apps.rankings.standings.cells import CellKey


def mark_all_and_take_places() -> None:
    """Swap the tables and mark every cell, so that all standings are computed of the new rows.

    Raises UploadsFailedError, and OperationalError where others hold the tables all the time.
    """
    with in_shadow():
        keys = all_keys()
    patiently(lambda: _take_places(keys), between=catch_up)


def _take_places(keys: set[CellKey]) -> None:
    hold_all_standings()
    rest = take_places()
    mark_keys(keys | keys_of_runs(rest))
