"""Works the queue, which is the uploads themselves: leases one, normalises it, sets it to done.

While no upload waits, and for a while after each turn of uploads, it computes the standings that
they marked: a stream of uploads does not keep the boards from moving. An attempt is counted and
committed before its work begins, so that an upload which kills its worker is tried ATTEMPTS_MAX
times and then becomes poison. Every step may happen twice.
"""

from __future__ import annotations

import signal
import threading
import time
import uuid
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, NoReturn

import structlog
from django.db import Error as DatabaseError
from django.db import connection, transaction

from apps.accounts.clock import database_now
from apps.intake.failpoints import reach
from apps.rankings.services import mark_cells, refresh_marked, standings_are_held
from apps.runs.models import ATTEMPTS_MAX, Upload
from apps.runs.services import record_run

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from uuid import UUID

    from django.db.models import QuerySet

LEASE = timedelta(seconds=60)  # above the wall time that Celery gives an attempt
# Of processor time: on a busy machine an honest run waits long and works little. A run with 108,800
# buckets, more than the wire allows now, took 3.5.
PROCESS_SECONDS_MAX = 15
BACKOFF_FIRST = timedelta(seconds=5)  # then 20, 80 and 320: a restart is over by then
BACKOFF_FACTOR = 4
ERROR_CHARACTERS_MAX = 2000  # enough for the sentence that staff need; the log has the traceback
# While both wait they take turns of so many seconds: a third of the time is the boards'.
UPLOADS_TURN_S = 5.0
STANDINGS_TURN_S = 2.5
WAITING = (Upload.State.RECEIVED, Upload.State.LEASED, Upload.State.RETRY)

log = structlog.get_logger(__name__)


class TookTooLongError(Exception):
    """An attempt used PROCESS_SECONDS_MAX of the processor."""


@dataclass(frozen=True, slots=True)
class Lease:
    """The right to work on one upload until the lease ends."""

    run_id: UUID
    token: UUID
    attempt: int


def drain(*, most: int | None = None, stop: Callable[[], bool] = lambda: False) -> int:
    """Work on waiting uploads until there is none, `most` were done, or `stop` says so.

    Without `most`, it also computes the marked standings, while no upload waits or in their turn.
    Returns how many uploads were worked on, successfully or not.
    """
    worked, is_stopped = 0, False

    def is_over() -> bool:
        nonlocal is_stopped
        is_stopped = is_stopped or stop()
        return is_stopped

    while True:
        turn_ends, is_all = time.monotonic() + UPLOADS_TURN_S, False
        while (most is None or worked < most) and not is_over():
            lease = lease_next()
            if lease is None:
                is_all = True
                break
            process(lease)
            worked += 1
            if most is None and time.monotonic() >= turn_ends:
                break
        if most is not None or is_stopped:
            return worked
        reach("before-refresh")
        turn_ends = time.monotonic() + (0 if is_all else STANDINGS_TURN_S)
        if not refresh_marked(stop=_turn(turn_ends, is_over)) and is_all:
            return worked


def _turn(ends: float, is_over: Callable[[], bool]) -> Callable[[], bool]:
    """Return what says that uploads come next: one waits, and the turn of the boards is over."""
    return lambda: is_over() or (time.monotonic() >= ends and is_upload_waiting())


def is_upload_waiting() -> bool:
    """Whether an upload could be leased now."""
    return Upload.objects.filter(state__in=WAITING, next_attempt_at__lte=database_now()).exists()


def lease_next() -> Lease | None:
    """Take the upload that waits longest, counting the attempt; None where nothing waits.

    An upload whose lease ran out waits again. If it has used all its attempts, its last worker
    died, and it becomes poison here. While a rebuild holds the standings nothing is leased, because
    the attempt would time out waiting.
    """
    while True:
        with transaction.atomic():
            if standings_are_held():
                return None
            upload = (
                Upload.objects.select_for_update(skip_locked=True, no_key=True)
                .filter(state__in=WAITING, next_attempt_at__lte=(now := database_now()))
                .order_by("next_attempt_at", "run_id")  # the order of a history
                .only("run_id", "attempts", "last_error")
                .first()
            )
            if upload is None:
                return None
            if upload.attempts < ATTEMPTS_MAX:
                upload.state = Upload.State.LEASED
                upload.attempts += 1
                upload.lease_token = uuid.uuid4()
                upload.next_attempt_at = now + LEASE
                upload.save(update_fields=("state", "attempts", "lease_token", "next_attempt_at"))
                return Lease(upload.run_id, upload.lease_token, upload.attempts)
            upload.state = Upload.State.POISON
            upload.lease_token = None
            upload.last_error = upload.last_error or "Its worker died in every attempt."
            upload.save(update_fields=("state", "lease_token", "last_error"))
        log.error("upload is poison", run_id=str(upload.run_id), error=upload.last_error)


def process(lease: Lease) -> None:
    """Normalise a leased upload and mark its cells; an error is stored with the upload.

    Raises only if the database fails; then the lease runs out and another worker tries.
    """
    try:
        with at_most(PROCESS_SECONDS_MAX):
            reach("after-lease")
            _normalise(lease)
            reach("after-record")
        if _leased_upload(lease).update(state=Upload.State.DONE, lease_token=None, last_error=""):
            log.info("upload done", run_id=str(lease.run_id), attempt=lease.attempt)
    except Exception as error:  # a fault of one payload must not stop the others
        log.exception("upload failed", run_id=str(lease.run_id), attempt=lease.attempt)
        if isinstance(error, DatabaseError):
            connection.close_if_unusable_or_obsolete()
        _put_back(lease, error)


def backoff_after(attempt: int) -> timedelta:
    """Return how long an upload waits after its n-th attempt failed."""
    factor: int = BACKOFF_FACTOR ** (attempt - 1)
    return BACKOFF_FIRST * factor


@contextmanager
def at_most(seconds: float) -> Iterator[None]:
    """Raise TookTooLongError in the block when it used so much processor time.

    It works in the main thread only, which workers and the sweeper use; elsewhere it does nothing.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def interrupt(_number: int, _frame: object) -> NoReturn:
        raise TookTooLongError(f"used more than {seconds} s of the processor")

    before = signal.signal(signal.SIGPROF, interrupt)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def _leased_upload(lease: Lease) -> QuerySet[Upload]:
    """Return the queryset of the upload, empty if this lease no longer holds it."""
    return Upload.objects.filter(run_id=lease.run_id, lease_token=lease.token)


@transaction.atomic
def _normalise(lease: Lease) -> None:
    upload = _leased_upload(lease).select_for_update(no_key=True).first()
    if upload is not None:  # None: the lease ran out and another worker has it
        record_run(upload=upload)
        mark_cells(run_ids=[lease.run_id], may_rest=True)


def _put_back(lease: Lease, error: Exception) -> None:
    message = f"{type(error).__name__}: {error}"[:ERROR_CHARACTERS_MAX]
    is_last = lease.attempt >= ATTEMPTS_MAX
    _leased_upload(lease).update(
        state=Upload.State.POISON if is_last else Upload.State.RETRY,
        lease_token=None,
        last_error=message,
        next_attempt_at=database_now() + backoff_after(lease.attempt),
    )
    if is_last:
        log.error("upload is poison", run_id=str(lease.run_id), error=message)
