"""Keeps dumps: one a day, whole or not at all, the newest few, in a folder or an S3 store.

The row of a dump is the truth: files that no finished row names are not there for anybody.
"""

from __future__ import annotations

import shutil
import tempfile
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import structlog
from django.conf import settings
from django.core.files import File
from django.core.files.storage import FileSystemStorage, storages
from django.db import transaction
from django.db.models import Max, Q, Subquery
from django.db.models.functions import Now

from apps.accounts.clock import database_now
from apps.rankings.dumps.envelopes import PREFIX
from apps.rankings.dumps.package import files_as_json
from apps.rankings.dumps.writing import write_dump
from apps.rankings.models import Dump
from apps.runs.locks import can_hold_alone
from apps.runs.models import RunRuling, Tombstone
from apps.stored_files import sync

if TYPE_CHECKING:
    from collections.abc import Container, Iterator

DUMPS_KEPT: Final = 7  # a week, for who was away; each is complete
DUMP_SECONDS_MAX: Final = 3_300  # of a million runs; then it has hung
# Between two attempts: a broken one is over by then, and deletions of an hour go out together.
REST: Final = timedelta(hours=1)
# A deletion has the date of its begin, and others see it at its end: no request lasts as long.
SEEN_AFTER: Final = timedelta(minutes=10)
ATTEMPTS_KEPT: Final = timedelta(days=7)  # that failed, with what went wrong
_LOCK: Final = "fsyncmark.dumps"
log = structlog.get_logger(__name__)


def newest_dump() -> Dump | None:
    """Return the newest dump that is whole."""
    return Dump.objects.filter(finished_at__isnull=False).order_by("-begun_at").first()


def dump_age_seconds() -> float | None:
    """Return how long ago the newest whole dump was taken; None without any."""
    dump = newest_dump()
    return None if dump is None else (database_now() - dump.begun_at).total_seconds()


@dataclass(frozen=True, slots=True)
class DumpState:
    """When the newest whole dump was taken, and whether the last attempt at one came to nothing."""

    newest_at: datetime | None
    has_failed: bool  # or was broken off without a word


def dump_state() -> DumpState:
    """Return how dumps are doing: one query."""
    whole = Dump.objects.filter(finished_at__isnull=False).order_by("-begun_at")
    last = (
        Dump.objects.annotate(
            newest_at=Subquery(whole.values("begun_at")[:1]),
            is_old=Q(begun_at__lt=Now() - REST),
        )
        .order_by("-begun_at")
        .values_list("newest_at", "finished_at", "error", "is_old")
        .first()
    )
    if last is None:
        return DumpState(newest_at=None, has_failed=False)
    newest_at, finished_at, error, is_old = last
    return DumpState(newest_at, has_failed=finished_at is None and bool(error or is_old))


def is_due(now: datetime) -> bool:
    """Whether to write one: the first of a UTC day, or again because a run was taken out since."""
    last = Dump.objects.aggregate(begun=Max("begun_at"))["begun"]
    if last is not None and now - last < REST:
        return False
    newest = newest_dump()
    if newest is None or newest.begun_at.astimezone(UTC).date() < now.astimezone(UTC).date():
        return True
    return _may_hold_what_is_gone(newest)


def files_for_everybody(dump: Dump) -> list[dict[str, Any]]:
    """Return the files of a dump; once a run was taken out since, those without envelopes.

    Who takes a run back takes its envelope out of what is handed out at once.
    """
    is_old = _may_hold_what_is_gone(dump)
    return [each for each in dump.files if not (is_old and each["name"].startswith(PREFIX))]


def _may_hold_what_is_gone(dump: Dump) -> bool:
    """Whether a run was deleted, withdrawn, hidden or excluded since."""
    since = dump.begun_at - SEEN_AFTER
    rulings = RunRuling.objects.filter(at__gte=since).exclude(kind=RunRuling.Kind.RELEASED)
    return Tombstone.objects.filter(deleted_at__gte=since).exists() or rulings.exists()


def dump_if_due() -> Dump | None:
    """Write a dump if one is due and nobody else is at it; None without.

    What goes wrong is kept with the attempt and raised; then nothing of it is in the store.
    """
    dump = _begin()
    if dump is None:
        return None
    try:
        with _folder_for(dump) as folder:
            files = write_dump(folder)
            _keep(folder, dump)
    except Exception as error:
        dump.error = f"{type(error).__name__}: {error}"
        dump.save(update_fields=["error"])
        raise
    dump.files, dump.finished_at = files_as_json(files), database_now()
    dump.save(update_fields=["files", "finished_at"])
    _forget_older(dump)
    return dump


@transaction.atomic
def _begin() -> Dump | None:
    """Take the turn, so that a task that runs twice writes one dump."""
    now = database_now()
    if not can_hold_alone(_LOCK) or not is_due(now):
        return None
    return Dump.objects.create(name=f"{now.astimezone(UTC):%Y-%m-%dT%H%M%SZ}", begun_at=now)


@contextmanager
def _folder_for(dump: Dump) -> Iterator[Path]:
    """A folder to write into: beside the others where that is a disk, so that it can be renamed.

    For a store elsewhere it is in DUMPS_FOLDER too: what is temporary is in memory in containers.
    """
    place = _own_disk() or (Path(settings.DUMPS_FOLDER) if settings.DUMPS_FOLDER else None)
    if place is not None:
        place.mkdir(parents=True, exist_ok=True)
        for left in place.glob(".*.partial"):  # of attempts that were killed
            shutil.rmtree(left, ignore_errors=True)
    with tempfile.TemporaryDirectory(
        prefix=f".{dump.name}-", suffix=".partial", dir=place, ignore_cleanup_errors=True
    ) as folder:
        yield Path(folder)


def _own_disk() -> Path | None:
    storage = storages["dumps"]
    return Path(storage.location) if isinstance(storage, FileSystemStorage) else None


def _keep(folder: Path, dump: Dump) -> None:
    """Put the files where readers find them, and only all of them."""
    place = _own_disk()
    if place is None:
        _upload(folder, dump)
        return
    for each in (*folder.iterdir(), folder):
        sync(each)
    folder.chmod(0o755)  # the web server is another process
    folder.rename(place / dump.name)
    sync(place)


def _upload(folder: Path, dump: Dump) -> None:
    storage = storages["dumps"]
    names = sorted(each.name for each in folder.iterdir())
    try:
        for name in names:
            with (folder / name).open("rb") as file:
                storage.save(f"{dump.name}/{name}", File(file))
    except BaseException:
        for name in names:
            with suppress(Exception):  # the store may be away
                storage.delete(f"{dump.name}/{name}")
        raise


def _forget_older(newest: Dump) -> None:
    """Drop dumps beyond those that are kept, and the envelopes of all but the newest.

    Of attempts that came to nothing whatever lies in the store goes: they may have been killed.
    """
    older = Dump.objects.filter(begun_at__lt=newest.begun_at).order_by("-begun_at")
    for place, dump in enumerate(older.filter(finished_at__isnull=False), start=1):
        if place < DUMPS_KEPT:
            dump.files = [each for each in dump.files if not each["name"].startswith(PREFIX)]
            dump.save(update_fields=["files"])
            _delete_but(dump, {each["name"] for each in dump.files})
        else:
            _delete_all(dump)
            dump.delete()
    for attempt in older.filter(finished_at__isnull=True):
        _delete_all(attempt)
        if attempt.begun_at < newest.begun_at - ATTEMPTS_KEPT:
            attempt.delete()


def _delete_all(dump: Dump) -> None:
    _delete_but(dump, ())
    storages["dumps"].delete(dump.name)  # of a disk the folder, which is empty


def _delete_but(dump: Dump, kept: Container[str]) -> None:
    """Delete what lies in the store under the name of a dump, whatever its row says."""
    storage = storages["dumps"]
    with suppress(FileNotFoundError):  # of a disk: no folder has the name
        for name in storage.listdir(dump.name)[1]:
            if name not in kept:
                storage.delete(f"{dump.name}/{name}")
