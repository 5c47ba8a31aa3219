"""The moment of a rebuild at which the new rows of runs take the places of the old ones."""

from __future__ import annotations

import time
from typing import Final

import structlog
from django.db import OperationalError, transaction

from apps.rankings.services import hold_all_standings, mark_keys
from apps.rankings.standings.points import all_keys, keys_of_runs
from apps.runs.rebuilding.places import catch_up, take_places
from apps.runs.rebuilding.tables import in_shadow

TRIES: Final = 20  # of the swap: each waits for readers as long as its lock timeout
PAUSE_S: Final = 2.0  # in which those who waited behind it are served

log = structlog.get_logger(__name__)


def mark_all_and_take_places() -> None:
    """Swap the tables and mark every cell, so that all standings are computed of the new rows.

    Raises UploadsFailedError, and OperationalError where others hold the tables all the time.
    """
    with in_shadow():
        keys = all_keys()
    for last in range(TRIES - 1, -1, -1):
        try:
            with transaction.atomic():
                hold_all_standings()
                rest = take_places()
                mark_keys(keys | keys_of_runs(rest))
        except OperationalError:
            if not last:
                raise
            log.warning("tables are held by others; trying again", tries_left=last)
            time.sleep(PAUSE_S)
            catch_up()
        else:
            return
