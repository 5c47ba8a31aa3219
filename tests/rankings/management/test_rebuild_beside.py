"""A rebuild works beside a site in use: it loses nothing that happens meanwhile, and can go on."""

from __future__ import annotations

from datetime import timedelta
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import OperationalError, connection
from django.test import Client

from apps.intake.services.work import drain
from apps.rankings.models import CatalogueLoad, CellMark, PublicChange, StandingRun
from apps.rankings.versions.public import number_changes
from apps.runs.models import Label, Level, Run, Upload
from apps.runs.packed.packing import deflated
from apps.runs.rebuilding import batches, crew, patience, tables
from apps.runs.rebuilding.places import take_places
from apps.runs.rulings import delete_run
from apps.runs.services import record_without_history
from tests import make
from tests.support.catalogue import store_catalogue
from tests.support.sent import Agent

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("few_published")]

OUTPUTS = Path(__file__).parents[2] / "intake" / "importers" / "fixtures"
FIO = (OUTPUTS / "fio-3.33-debian.fsync.json").read_bytes()
NO_VACUUM = ["autovacuum_enabled=false"]
OF_OPTIONS = """
    SELECT relname FROM pg_class
    WHERE reloptions = %s AND relnamespace = 'public'::regnamespace
"""
TAKE_PLACES = "apps.rankings.management.rebuilding.take_places"

SHAPE = """
    SELECT 'column', table_name, column_name, data_type, is_nullable, column_default,
        is_identity, generation_expression, character_maximum_length::text
    FROM information_schema.columns WHERE table_schema = 'public'
    UNION ALL SELECT 'key', conrelid::regclass::text, conname, pg_get_constraintdef(oid),
        convalidated::text, condeferred::text, '', '', ''
    FROM pg_constraint WHERE connamespace = 'public'::regnamespace
    UNION ALL SELECT 'index', tablename, indexname, indexdef, '', '', '', '', ''
    FROM pg_indexes WHERE schemaname = 'public'
    UNION ALL SELECT 'trigger', tgrelid::regclass::text, tgname, pg_get_triggerdef(oid),
        tgenabled::text, '', '', '', ''
    FROM pg_trigger WHERE NOT tgisinternal
    UNION ALL SELECT 'access', oid::regclass::text, relacl::text, relkind::text, '', '', '', '', ''
    FROM pg_class WHERE relnamespace = 'public'::regnamespace
    UNION ALL SELECT 'schema', nspname, '', '', '', '', '', '', '' FROM pg_namespace
"""


def rebuilt() -> str:
    """Rebuild, and return what was said."""
    output = StringIO()
    call_command("rebuild", stdout=output)
    return output.getvalue()


def shape() -> list[tuple[Any, ...]]:
    """Return columns, keys, indexes, triggers and grants of all tables, and the schemas."""
    return sorted(tables.ask(SHAPE, []), key=str)


def meanwhile(monkeypatch: pytest.MonkeyPatch, happens: Any) -> None:
    """Have something happen once, when all batches are made and nothing has been replaced."""

    keep_vacuum_out = tables.keep_vacuum_out

    def first() -> None:
        happens()
        keep_vacuum_out()

    monkeypatch.setattr(tables, "keep_vacuum_out", first)


def worked_on(**changes: Any) -> Run:
    upload = make.upload(witnessed=True, **changes)
    drain()
    return Run.objects.get(pk=upload.pk)


def test_the_new_tables_are_as_the_old_ones_were() -> None:
    store_catalogue()
    worked_on()
    with connection.cursor() as cursor:
        cursor.execute("GRANT SELECT ON runs_run TO pg_monitor")
    before = shape()
    rebuilt()
    assert shape() == before


def test_an_upload_that_comes_meanwhile_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    store_catalogue()
    worked_on()
    late: list[Run] = []
    meanwhile(monkeypatch, lambda: late.append(worked_on()))
    rebuilt()
    assert Run.objects.filter(pk=late[0].pk).exists()
    assert late[0].pk in StandingRun.objects.values_list("run_id", flat=True)
    assert not CellMark.objects.exists()


@pytest.mark.daily
def test_who_keeps_a_copy_is_told_of_every_run() -> None:
    store_catalogue()
    known, missed = worked_on(), worked_on()
    PublicChange.objects.filter(slug=missed.slug).delete()
    PublicChange.objects.create(kind="run", slug="of-before", changed_at=make.NOON)
    number_changes()
    rebuilt()
    waiting = PublicChange.objects.filter(kind="run", number=None)
    told = dict(waiting.values_list("slug", "is_gone"))
    assert (told[known.slug], told[missed.slug], told["of-before"]) == (False, False, True)


def test_a_run_that_is_deleted_meanwhile_does_not_come_back(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    store_catalogue()
    kept, gone = worked_on(), worked_on()
    meanwhile(monkeypatch, lambda: delete_run(gone.pk, by_owner=True, reason="A mistake."))
    rebuilt()
    assert list(Run.objects.exclude(upload=None)) == [kept]


def test_an_import_that_comes_meanwhile_is_there(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    store_catalogue()
    meanwhile(monkeypatch, lambda: client.generic("POST", "/api/v1/imports", FIO, "text/plain"))
    rebuilt()
    assert Run.objects.filter(level=Level.IMPORTED).count() == 1


def test_an_import_that_is_deleted_meanwhile_does_not_come_back(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    store_catalogue()
    client.generic("POST", "/api/v1/imports", FIO, "text/plain")
    imported = Run.objects.get(level=Level.IMPORTED)
    meanwhile(
        monkeypatch, lambda: delete_run(imported.pk, by_owner=False, reason="Of somebody else.")
    )
    rebuilt()
    assert not Run.objects.filter(level=Level.IMPORTED).exists()


def test_a_run_that_was_lost_on_the_way_stops_the_swap(monkeypatch: pytest.MonkeyPatch) -> None:
    store_catalogue()
    run = worked_on()

    def lose() -> None:
        tables.run("DELETE FROM rebuild.runs_run WHERE upload_id IS NOT NULL")

    meanwhile(monkeypatch, lose)
    with pytest.raises(CommandError, match=f"{run.pk}: not made"):
        rebuilt()
    assert Run.objects.filter(pk=run.pk).exists()


def test_a_cell_that_cannot_be_computed_ends_it_with_an_error(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    store_catalogue()
    worked_on()
    monkeypatch.setattr(crew, "STUCK_S", -1)
    monkeypatch.setattr(crew, "PAUSE_S", 0)
    monkeypatch.setattr("apps.rankings.services._refresh", lambda _keys: 1 / 0)
    with pytest.raises(CommandError, match="are left and none is done"):
        rebuilt()


def test_it_goes_on_where_it_was_broken_off(monkeypatch: pytest.MonkeyPatch) -> None:
    store_catalogue()
    monkeypatch.setattr(batches, "BATCH", 1)
    runs = {worked_on().pk for _ in range(3)}
    left = [2]

    def breaks(uploads: Any) -> None:
        left[0] -= 1
        if not left[0]:
            raise OperationalError("the server went away")
        record_without_history(uploads)

    with monkeypatch.context() as patch:
        patch.setattr(batches, "record_without_history", breaks)
        with pytest.raises(OperationalError):
            rebuilt()
    assert set(Run.objects.exclude(upload=None).values_list("pk", flat=True)) == runs
    assert batches.left_before(batches.Stage.MADE) == 2
    assert "Going on with a rebuild that was broken off." in rebuilt()
    assert set(Run.objects.exclude(upload=None).values_list("pk", flat=True)) == runs


@pytest.mark.parametrize("made_for", ["another version", None])
def test_what_another_version_began_or_has_no_list_is_begun_anew(made_for: str | None) -> None:
    store_catalogue()
    run = worked_on()
    tables.make_shadow()
    if made_for:
        batches.fill()
        tables.set_stamp(made_for)
    assert "Going on" not in rebuilt()
    assert Run.objects.filter(pk=run.pk).exists()


@pytest.mark.daily
def test_a_catalogue_that_comes_meanwhile_lets_it_begin_anew(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    store_catalogue()
    run = worked_on()
    meanwhile(
        monkeypatch, lambda: CatalogueLoad.objects.update_or_create(id=1, defaults={"digest": "x"})
    )
    with pytest.raises(CommandError, match="a release or a catalogue came meanwhile"):
        rebuilt()
    monkeypatch.undo()
    assert Run.objects.filter(pk=run.pk).exists()
    assert "Going on" not in rebuilt()
    assert Run.objects.filter(pk=run.pk).exists()


def test_what_was_made_can_be_given_up() -> None:
    before = shape()
    tables.make_shadow()
    tables.keep_vacuum_out()
    call_command("rebuild", abandon=True)
    assert shape() == before


@pytest.mark.daily
def test_nothing_is_replaced_where_an_upload_cannot_be_made_again() -> None:
    store_catalogue()
    kept, spoilt = worked_on(), worked_on()
    Upload.objects.filter(pk=spoilt.pk).update(packed_payload=deflated(b"{}"))
    with pytest.raises(CommandError, match=str(spoilt.pk)):
        rebuilt()
    assert not tables.ask(OF_OPTIONS, [NO_VACUUM])
    assert set(Run.objects.exclude(upload=None)) == {kept, spoilt}
    whole = make.upload(witnessed=True)
    Upload.objects.filter(pk=spoilt.pk).update(state=Upload.State.POISON)
    drain()
    rebuilt()
    assert set(Run.objects.exclude(upload=None).values_list("pk", flat=True)) == {
        kept.pk,
        whole.pk,
    }


def test_what_came_before_a_run_is_found_again() -> None:
    store_catalogue()
    agents = [Agent() for _ in range(4)]
    headline: Any = None
    for place, agent in enumerate(agents):
        document = make.payload(run_id=make.uuid7(), latency_ns=200_000 + place, operations=100)
        headline = document["workloads"][0]
        make.upload(
            document,
            agent=agent,
            witnessed=True,
            received_at=make.NOON + timedelta(minutes=place),
        )
    copied = make.payload(run_id=make.uuid7(), operations=100)
    copied["workloads"][0] = headline
    drain()
    make.upload(copied, witnessed=True, received_at=make.NOON + timedelta(hours=1))
    drain()
    labels = ("run__upload", "rule", "outcome", "keeps_out", "figures")
    measured = Label.objects.exclude(run__upload=None).values_list(*labels)
    before = set(map(str, measured.all()))
    assert {"many-keys", "copied-figures"} <= set(Label.objects.values_list("rule", flat=True))
    rebuilt()
    assert set(map(str, measured.all())) == before


@pytest.mark.parametrize("happens", ["lock", "for ever"])
def test_who_holds_the_tables_is_waited_for(monkeypatch: pytest.MonkeyPatch, happens: str) -> None:
    store_catalogue()
    run = worked_on()
    monkeypatch.setattr(patience, "PAUSE_S", 0)
    monkeypatch.setattr(patience, "PATIENCE_S", 60 if happens == "lock" else 0)
    left = [1 if happens == "lock" else 9]

    def held() -> Any:
        left[0] -= 1
        if left[0] >= 0:
            raise OperationalError("canceling statement due to lock timeout")
        return take_places()

    monkeypatch.setattr(TAKE_PLACES, held)
    if happens == "lock":
        rebuilt()
    else:
        with pytest.raises(CommandError, match="others hold the tables"):
            rebuilt()
    assert Run.objects.filter(pk=run.pk).exists()


@pytest.mark.django_db(transaction=True)
def test_several_processes_make_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    store_catalogue()
    monkeypatch.setattr(batches, "BATCH", 1)
    runs = {make.upload(witnessed=True).pk for _ in range(12)}
    drain()
    one = rebuilt().splitlines()[-1]  # the digest of all standings
    output = StringIO()
    call_command("rebuild", processes=3, stdout=output)
    assert output.getvalue().splitlines()[-1] == one
    assert set(Run.objects.exclude(upload=None).values_list("pk", flat=True)) == runs
