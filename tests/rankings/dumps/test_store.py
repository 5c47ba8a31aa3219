"""Dumps are written once a day, whole or not at all; old ones go, and so do their envelopes."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.core.files.storage import storages
from django.test import override_settings

from apps.accounts.clock import database_now
from apps.rankings.dumps import store, writing
from apps.rankings.dumps.package import StoredFile
from apps.rankings.dumps.store import (
    DUMPS_KEPT,
    REST,
    dump_if_due,
    dump_state,
    is_due,
    newest_dump,
)
from apps.rankings.models import Dump
from apps.runs.models import RunRuling, Tombstone
from tests import make

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("dumps_folder")]


def later(by: timedelta) -> None:
    """Let all attempts, with their names, be older."""
    for dump in Dump.objects.all():
        finished, name = dump.finished_at and dump.finished_at - by, f"day-{make.number():05}"
        Dump.objects.filter(pk=dump.pk).update(
            begun_at=dump.begun_at - by, finished_at=finished, name=name
        )
        if finished:
            place = Path(storages["dumps"].path(""))
            (place / dump.name).rename(place / name)


def few(into: Path) -> list[StoredFile]:
    """Write two files in place of a dump."""
    names = ("envelopes-2026-10.tar.zst", "runs.parquet")
    for name in names:
        (into / name).write_bytes(b"x")
    return [StoredFile(name, 1, "0" * 64) for name in names]


def test_a_day_has_one_dump_whose_files_are_those_of_its_row(dumps_folder: Path) -> None:
    dump = dump_if_due()
    assert dump is not None
    assert [each.name for each in dumps_folder.iterdir()] == [dump.name]
    stored = {path.name: path.stat().st_size for path in (dumps_folder / dump.name).iterdir()}
    assert stored == {each["name"]: each["bytes"] for each in dump.files}
    assert dump_if_due() is None
    later(2 * REST)
    if database_now().hour >= 2:
        assert dump_if_due() is None
    later(timedelta(days=1))
    assert dump_if_due() is not None


def test_a_deletion_makes_another_dump_due_of_the_same_day() -> None:
    first = dump_if_due()
    Tombstone.objects.create(run_id=make.uuid7(), by_owner=True, reason="taken back")
    assert dump_if_due() is None  # deletions of an hour go out together
    later(REST)
    second = dump_if_due()
    assert first is not None
    assert second is not None
    assert newest_dump() == second


@pytest.mark.parametrize("kind", RunRuling.Kind)
def test_who_takes_a_run_out_makes_another_dump_due(kind: RunRuling.Kind) -> None:
    moment = database_now().replace(hour=12)
    Dump.objects.create(name="a", begun_at=moment, finished_at=moment)
    rule = "too-fast" if kind == RunRuling.Kind.RELEASED else ""
    ruling = RunRuling.objects.create(run_id=make.uuid7(), kind=kind, rule=rule)
    # its transaction lasted
    RunRuling.objects.filter(pk=ruling.pk).update(at=moment - timedelta(minutes=9))
    assert is_due(moment + REST) == (kind != RunRuling.Kind.RELEASED)
    RunRuling.objects.filter(pk=ruling.pk).update(at=moment - timedelta(minutes=11))
    assert not is_due(moment + REST)


def test_files_for_a_store_elsewhere_are_written_where_there_is_a_disk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written: list[Path] = []

    def nothing(into: Path) -> list[StoredFile]:
        written.append(into)
        return []

    monkeypatch.setattr(store, "write_dump", nothing)
    elsewhere = {"BACKEND": "django.core.files.storage.InMemoryStorage"}
    storages_ = {**settings.STORAGES, "dumps": elsewhere}
    with override_settings(STORAGES=storages_, DUMPS_FOLDER=str(tmp_path / "dumps")):
        assert dump_if_due() is not None
    assert [each.parent for each in written] == [tmp_path / "dumps"]
    assert not list((tmp_path / "dumps").iterdir())


def test_what_an_attempt_left_that_was_killed_goes_with_the_next_dump(
    dumps_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store, "write_dump", few)
    begun = database_now() - 2 * REST
    Dump.objects.create(name="renamed", begun_at=begun)
    Dump.objects.create(name="without-a-folder", begun_at=begun)
    (dumps_folder / "renamed").mkdir()
    (dumps_folder / "renamed" / "envelopes-2026-10.tar.zst").write_bytes(b"x")
    dump = dump_if_due()
    assert dump is not None
    assert [each.name for each in dumps_folder.iterdir()] == [dump.name]
    assert Dump.objects.count() == 3  # with what went wrong


def test_a_dump_that_fails_leaves_no_file_and_is_seen(
    dumps_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_space(*_: Any) -> None:
        raise OSError("No space left on device")

    (dumps_folder / ".of-one-that-was-killed.partial").mkdir()
    monkeypatch.setattr(writing, "write_envelopes", no_space)
    with pytest.raises(OSError, match="No space"):
        dump_if_due()
    assert not list(dumps_folder.iterdir())
    assert newest_dump() is None
    assert dump_state().has_failed
    assert Dump.objects.get().error == "OSError: No space left on device"
    monkeypatch.undo()
    assert dump_if_due() is None  # not at once again
    later(REST)
    assert dump_if_due() is not None
    assert not dump_state().has_failed


def test_one_that_was_killed_has_failed_after_an_hour() -> None:
    Dump.objects.create(name="a", begun_at=database_now())
    assert not dump_state().has_failed
    later(REST + timedelta(seconds=1))
    assert dump_state().has_failed


def test_old_dumps_go_and_envelopes_are_of_the_newest_alone(
    dumps_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store, "write_dump", few)
    for _day in range(DUMPS_KEPT + 2):
        later(timedelta(days=1))
        assert dump_if_due() is not None
    kept = sorted(Dump.objects.values_list("name", flat=True))
    assert len(kept) == DUMPS_KEPT
    assert sorted(each.name for each in dumps_folder.iterdir()) == kept
    newest = newest_dump()
    assert newest is not None
    found = sorted(dumps_folder.rglob("envelopes-*"))
    assert [each.parent.name for each in found] == [newest.name]
    assert storages["dumps"].exists(f"{kept[-1]}/runs.parquet")
