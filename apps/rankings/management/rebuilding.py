"""The moment of a rebuild at which the new rows of runs take the places of the old ones."""

from __future__ import annotations

from django.db import transaction

from apps.rankings.models import CatalogueLoad
from apps.rankings.services import hold_all_standings, mark_keys
from apps.rankings.standings.months import mark_all_months
from apps.rankings.standings.points import all_keys, keys_of_runs
from apps.rankings.versions.public import note_all_runs
from apps.runs.rebuilding import tables
from apps.runs.rebuilding.patience import patiently
from apps.runs.rebuilding.places import catch_up, take_places
from apps.runs.services import NORMALISER_VERSION, hold_all_runs


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


def finish_swap() -> None:
    """Do what the swap leaves for later: note all runs as changed, and drop the old tables.

    Notes of a million runs take too long for a moment in which nobody may read. The old tables say
    that this is still to be done, where a rebuild was broken off.
    """
    if tables.is_swapped():
        _note_all_runs()
    tables.prove_references()


@transaction.atomic
def _note_all_runs() -> None:
    hold_all_standings()
    hold_all_runs()
    note_all_runs()


def _take_places() -> None:
    with tables.in_shadow():
        keys = all_keys()
        mark_all_months()
    hold_all_standings()
    if tables.stamp() != made_for():
        raise OutdatedError
    mark_keys(keys)
    mark_keys(keys_of_runs(take_places()) - keys)
