"""The work loop: leases, attempts, back-off, poison."""

from __future__ import annotations

import os
import signal
import threading
from datetime import timedelta
from typing import TYPE_CHECKING, Any
from uuid import uuid4

import pytest
from django.db import connection, transaction
from django.utils import timezone
from structlog.testing import capture_logs

from apps.accounts.clock import database_now
from apps.intake import failpoints
from apps.intake.services import work
from apps.intake.services.replay import replay
from apps.intake.services.work import Lease, at_most, backoff_after, drain, lease_next, process
from apps.rankings import services as rankings
from apps.rankings.models import CellMark, Standing
from apps.runs.models import ATTEMPTS_MAX, Run, Upload
from apps.runs.packed.packing import deflated
from tests import make

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

pytestmark = pytest.mark.django_db

HOUR = timedelta(hours=1)


def reloaded(upload: Upload) -> Upload:
    return Upload.objects.get(pk=upload.pk)


def leased(upload: Upload) -> Lease:
    lease = lease_next()
    assert lease
    assert lease.run_id == upload.pk
    return lease


def due(upload: Upload) -> None:
    """Let the time of a lease or of a back-off have passed."""
    Upload.objects.filter(pk=upload.pk).update(next_attempt_at=make.NOON)


# --- leasing -----------------------------------------------------------------------------------


def test_nothing_waits_nothing_is_leased() -> None:
    make.upload(state=Upload.State.DONE)
    make.upload(state=Upload.State.POISON)
    make.upload(next_attempt_at=timezone.now() + HOUR)
    assert lease_next() is None
    assert drain() == 0


def test_the_upload_that_waits_longest_comes_first() -> None:
    make.upload()
    oldest = make.upload(next_attempt_at=make.NOON - HOUR)
    leased(oldest)


def test_an_attempt_is_counted_before_the_work_begins() -> None:
    upload = make.upload()
    lease = leased(upload)
    stored = reloaded(upload)
    assert (stored.state, stored.attempts, stored.lease_token) == ("leased", 1, lease.token)
    assert stored.next_attempt_at > timezone.now()
    assert lease_next() is None


def test_a_lease_that_ran_out_is_given_again() -> None:
    upload = make.upload()
    first = leased(upload)
    due(upload)
    second = leased(upload)
    assert (first.attempt, second.attempt) == (1, 2)
    assert first.token != second.token


def test_an_upload_whose_worker_died_every_time_becomes_poison() -> None:
    upload = make.upload(state=Upload.State.LEASED, attempts=ATTEMPTS_MAX, lease_token=uuid4())
    other = make.upload(next_attempt_at=make.NOON + HOUR)
    leased(other)
    stored = reloaded(upload)
    assert (stored.state, stored.lease_token) == ("poison", None)
    assert stored.last_error == "Its worker died in every attempt."


@pytest.mark.django_db(transaction=True)
def test_two_workers_never_take_the_same_upload() -> None:
    first, second = make.upload(), make.upload(next_attempt_at=make.NOON + HOUR)
    held, release = threading.Event(), threading.Event()

    def other_worker() -> None:
        with transaction.atomic():
            Upload.objects.select_for_update().get(pk=first.pk)
            held.set()
            release.wait(10)
        connection.close()

    thread = threading.Thread(target=other_worker)
    thread.start()
    try:
        assert held.wait(10)
        leased(second)
        assert lease_next() is None
    finally:
        release.set()
        thread.join()
    leased(first)


# --- working -----------------------------------------------------------------------------------


def test_a_run_is_recorded_its_standing_computed_and_the_upload_done() -> None:
    make.ladder_class(slug="nvme-plp")
    upload = make.upload(witnessed=True)
    assert drain() == 1
    stored = reloaded(upload)
    assert (stored.state, stored.attempts, stored.lease_token) == ("done", 1, None)
    run = Run.objects.get(upload=stored)
    assert Standing.objects.filter(plan=run.plan, workload="commit-8k").exists()


def test_an_attempt_only_marks_cells_and_the_sweep_computes_them() -> None:
    upload = make.upload(witnessed=True)
    assert drain(most=1) == 1
    assert reloaded(upload).state == "done"
    assert not Standing.objects.exists()
    assert set(CellMark.objects.values_list("workload", flat=True)) == {
        "commit-8k", "commit-8k-dsync", "commit-8k-fsync", "read-4k-floor",
    }  # fmt: skip
    assert drain() == 0
    assert Standing.objects.count() == 4
    assert not CellMark.objects.exists()


def test_an_upload_that_comes_meanwhile_goes_first(monkeypatch: pytest.MonkeyPatch) -> None:
    make.upload(witnessed=True)
    states: list[list[str]] = []

    def one_more(*, stop: Callable[[], bool]) -> int:
        if not states:
            make.upload(witnessed=True)
        states.append(sorted(Upload.objects.values_list("state", flat=True)))
        return rankings.refresh_marked(stop=stop)

    monkeypatch.setattr(work, "refresh_marked", one_more)
    assert drain() == 2
    assert states[0] == ["done", "received"]  # one board was computed, then the upload was taken
    assert states[1:] == [["done", "done"]] * 2
    assert set(Standing.objects.values_list("n_runs", flat=True)) <= {1, 2}
    assert not CellMark.objects.exists()


def test_standings_are_computed_while_uploads_go_on_waiting(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(work, "UPLOADS_TURN_S", 0.0)
    for _ in range(3):
        make.upload(witnessed=True)
    seen: list[tuple[int, bool]] = []

    def look() -> bool:
        waiting = Upload.objects.filter(state=Upload.State.RECEIVED).count()
        seen.append((waiting, Standing.objects.exists()))
        return False

    assert drain(stop=look) == 3
    assert (2, True) in seen  # after one upload, with two that wait
    assert not CellMark.objects.exists()


def test_working_twice_changes_nothing() -> None:
    upload = make.upload(witnessed=True)
    drain()
    before = list(Run.objects.values())
    Upload.objects.update(state=Upload.State.RETRY)
    due(upload)
    assert drain() == 1
    assert list(Run.objects.values()) == before


def test_a_payload_that_fails_is_tried_later_and_later_and_then_kept_aside() -> None:
    upload = make.upload(packed_payload=deflated(b"bytes that an older door let through"))
    for attempt in range(1, ATTEMPTS_MAX):
        asked = database_now()
        assert drain() == 1
        stored = reloaded(upload)
        assert (stored.state, stored.attempts) == ("retry", attempt)
        assert stored.last_error.startswith("DecodeError")
        assert stored.next_attempt_at >= asked + backoff_after(attempt)
        due(upload)
    assert drain() == 1
    assert reloaded(upload).state == "poison"
    assert drain() == 0


def test_the_log_names_each_upload_that_nobody_tries_again() -> None:
    died = make.upload(state=Upload.State.LEASED, attempts=ATTEMPTS_MAX, lease_token=uuid4())
    failed = make.upload(packed_payload=deflated(b"bad"), attempts=ATTEMPTS_MAX - 1)
    with capture_logs() as lines:
        drain()
    told = {line["run_id"]: line["error"] for line in lines if line["event"] == "upload is poison"}
    assert told == {
        str(died.pk): "Its worker died in every attempt.",
        str(failed.pk): reloaded(failed).last_error,
    }


def test_a_failure_does_not_keep_others_waiting() -> None:
    make.upload(packed_payload=deflated(b"bad"), next_attempt_at=make.NOON - HOUR)
    good = make.upload()
    assert drain() == 2
    assert reloaded(good).state == "done"


def test_backing_off_outlasts_a_restart() -> None:
    seconds = [backoff_after(attempt).total_seconds() for attempt in range(1, ATTEMPTS_MAX)]
    assert seconds == [5, 20, 80, 320]


def test_a_lease_that_was_lost_writes_nothing() -> None:
    upload = make.upload()
    slow = leased(upload)
    due(upload)
    quick = leased(upload)
    process(slow)
    assert not Run.objects.exists()
    assert reloaded(upload).lease_token == quick.token
    process(quick)
    assert reloaded(upload).state == "done"


def test_a_failure_after_the_lease_was_lost_counts_for_nobody(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    upload = make.upload()
    slow = leased(upload)
    due(upload)
    quick = leased(upload)

    def fail(_lease: Lease) -> None:
        raise RuntimeError("late")

    monkeypatch.setattr(work, "_normalise", fail)
    process(slow)
    stored = reloaded(upload)
    assert (stored.state, stored.lease_token, stored.last_error) == ("leased", quick.token, "")


@pytest.mark.django_db(transaction=True)
def test_an_error_of_the_database_is_a_failed_attempt(monkeypatch: pytest.MonkeyPatch) -> None:
    upload = make.upload()

    def fail(**_: Any) -> None:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1 / 0")

    monkeypatch.setattr(work, "record_run", fail)
    assert drain() == 1
    stored = reloaded(upload)
    assert stored.state == "retry"
    assert "division by zero" in stored.last_error


def test_a_payload_that_takes_for_ever_is_interrupted(monkeypatch: pytest.MonkeyPatch) -> None:
    upload = make.upload()

    def spin(**_: Any) -> None:
        while True:
            pass

    monkeypatch.setattr(work, "record_run", spin)
    monkeypatch.setattr(work, "PROCESS_SECONDS_MAX", 0.05)
    assert drain() == 1
    assert reloaded(upload).last_error == "TookTooLongError: used more than 0.05 s of the processor"


def test_a_time_limit_leaves_the_alarm_as_it_was() -> None:
    before = signal.getsignal(signal.SIGPROF)
    with at_most(100):
        assert signal.getsignal(signal.SIGPROF) is not before
    assert signal.getsignal(signal.SIGPROF) is before
    assert signal.getitimer(signal.ITIMER_PROF) == (0.0, 0.0)


def test_outside_the_main_thread_there_is_no_alarm_to_set() -> None:
    done: list[bool] = []

    def inside() -> None:
        with at_most(100):
            done.append(True)

    thread = threading.Thread(target=inside)
    thread.start()
    thread.join()
    assert done == [True]


def test_draining_stops_where_it_is_told() -> None:
    for _ in range(3):
        make.upload()
    assert drain(most=1) == 1
    answers: Iterator[bool] = iter([False, True])
    assert drain(stop=lambda: next(answers)) == 1
    assert drain() == 1


def test_poison_that_is_replayed_has_all_its_attempts_again() -> None:
    poison = make.upload(state=Upload.State.POISON, attempts=5, last_error="mended since")
    done = make.upload(state=Upload.State.DONE)
    assert replay(Upload.objects.all()) == 1
    assert drain() == 1
    assert reloaded(poison).state == "done"
    assert reloaded(poison).attempts == 1
    assert reloaded(done).attempts == 0


def test_a_folder_of_failpoints_kills_once_for_each_file(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    kills: list[tuple[int, int]] = []
    monkeypatch.setattr(os, "kill", lambda *words: kills.append(words))
    monkeypatch.setenv(failpoints.VARIABLE, str(tmp_path))
    (tmp_path / "somewhere").touch()
    for place in ("elsewhere", "somewhere", "somewhere"):
        failpoints.reach(place)
    assert kills == [(os.getpid(), signal.SIGKILL)]


def test_a_failpoint_kills_only_where_it_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    killed: list[tuple[int, int]] = []
    monkeypatch.setattr(os, "kill", lambda pid, number: killed.append((pid, number)))
    failpoints.reach("somewhere")
    monkeypatch.setenv(failpoints.VARIABLE, "somewhere")
    failpoints.reach("elsewhere")
    assert killed == []
    failpoints.reach("somewhere")
    assert killed == [(os.getpid(), signal.SIGKILL)]
