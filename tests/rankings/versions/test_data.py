"""The version of what pages show changes with every committed change, and with nothing else."""

from __future__ import annotations

import importlib
from datetime import timedelta

import pytest
from django.db import connection, transaction

from apps.plans.models import Provider
from apps.rankings.models import CellMark, DataChange
from apps.rankings.services import mark_keys, thin_marks
from apps.rankings.standings import turns
from apps.rankings.standings.points import keys_of_runs
from apps.rankings.versions.data import KEPT, data_version, forget_old_changes
from tests.rankings import build

pytestmark = pytest.mark.django_db(transaction=True)

TABLES = importlib.import_module("apps.rankings.migrations.0071_data_changes").TABLES


def change(slug: str = "one") -> None:
    Provider.objects.update_or_create(slug=slug, defaults={"name": slug})


def test_a_change_that_is_committed_is_a_new_version() -> None:
    before = data_version()
    change()
    assert data_version() != before


def test_a_change_that_is_rolled_back_is_none() -> None:
    before = data_version()
    with transaction.atomic():
        change()
        transaction.set_rollback(True)
    assert data_version() == before


def test_a_savepoint_that_is_rolled_back_hides_no_later_change() -> None:
    before = data_version()
    with transaction.atomic():
        with transaction.atomic():
            change("lost")
            transaction.set_rollback(True)
        change("kept")
    assert data_version() != before


def test_a_transaction_is_one_change() -> None:
    with transaction.atomic():
        for slug in ("one", "two", "three"):
            change(slug)
    assert DataChange.objects.count() == 1


def test_what_changes_nothing_shown_is_no_change(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(turns, "MARKS_A_CELL", 1)
    keys = keys_of_runs([build.run(1000, plan=build.plan()).id])
    for _ in range(2):
        mark_keys(keys, rests=dict.fromkeys(keys, timedelta(hours=1)))
    before = data_version()
    thin_marks()
    assert CellMark.objects.count() == 1
    assert data_version() == before
    CellMark.objects.all().delete()
    assert data_version() != before


def test_who_begins_first_and_commits_last_is_seen() -> None:
    """Its row has the lower number: the highest number alone would not tell."""
    other = connection.copy()
    other.set_autocommit(False)
    with other.cursor() as cursor:
        cursor.execute("DELETE FROM rankings_standingsday")
    change()
    between = data_version()
    other.commit()
    other.close()
    assert data_version() != between


def test_marks_are_no_change_until_they_are_worked_off() -> None:
    before = data_version()
    CellMark.objects.create(subject="plan", slug="x", evidence="measured", workload="w", version=1)
    assert data_version() == before
    CellMark.objects.all().delete()
    assert data_version() != before


@pytest.mark.parametrize("table", TABLES)
def test_a_statement_on_each_table_is_a_change(table: str) -> None:
    before = data_version()
    with connection.cursor() as cursor:
        column = connection.introspection.get_table_description(cursor, table)[-1].name
        cursor.execute(
            f"DELETE FROM {table}"  # noqa: S608  the names are ours
            if TABLES[table] == "DELETE"
            else f'UPDATE {table} SET "{column}" = "{column}"'  # noqa: S608  and these
        )
    assert data_version() != before


def test_old_changes_go_and_new_ones_stay() -> None:
    DataChange.objects.bulk_create(DataChange() for _ in range(KEPT + 5))
    forget_old_changes()
    assert DataChange.objects.count() == KEPT
