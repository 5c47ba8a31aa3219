"""The moment of a rebuild at which the new rows of runs take the places of the old ones."""

from __future__ import annotations

from apps.rankings.models import CatalogueLoad
from apps.rankings.services import hold_all_standings, mark_keys
from apps.rankings.standings.months import mark_all_months
from apps.rankings.standings.points import all_keys, keys_of_runs
from apps.runs.rebuilding import tables
from apps.runs.rebuilding.patience import patiently
from apps.runs.rebuilding.places import catch_up, take_places
from apps.runs.services import NORMALISER_VERSION


class OutdatedError(Exception):
    """Program, columns or catalogue are others than when the rebuild began."""


def made_for() -> str:
    """Return what a rebuild is begun for: rules, columns and catalogue."""
    digest = CatalogueLoad.objects.values_list("digest", flat=True).first() or "none"
    return tables.stamp_of(f"{NORMALISER_VERSION} {digest}")


def mark_all_and_take_places() -> None:
    """Swap the tables and mark all cells and months, so that they are computed of the new rows.

    Raises UploadsFailedError, OutdatedError, and OperationalError where others hold the tables all
    the time.
    """
    tables.keep_vacuum_out()
    try:
        patiently(_take_places, between=catch_up)
    finally:
        tables.let_vacuum_in()


def _take_places() -> None:
    with tables.in_shadow():
        keys = all_keys()
        mark_all_months()
    hold_all_standings()
    if tables.stamp() != made_for():
        raise OutdatedError
    mark_keys(keys)
    mark_keys(keys_of_runs(take_places()) - keys)
