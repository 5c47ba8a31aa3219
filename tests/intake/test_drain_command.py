"""manage.py drain."""

from __future__ import annotations

import threading
from datetime import UTC, timedelta
from functools import partial
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command
from django.db import OperationalError, connection
from django.db.models.functions import Now
from pytest_django import Settings

from apps.accounts.clock import database_now
from apps.intake.management.commands import drain as command
from apps.rankings.models import CellMark, StandingsDay
from apps.rankings.services import mark_keys
from apps.rankings.standings import turns
from apps.rankings.standings.points import keys_of_runs
from apps.runs.models import Upload
from tests import make
from tests.rankings import build


@pytest.mark.django_db
def test_once_it_works_off_what_waits() -> None:
    make.upload()
    make.upload()
    output = StringIO()
    call_command("drain", stdout=output)
    assert output.getvalue() == "2 worked on\n"
    assert set(Upload.objects.values_list("state", flat=True)) == {"done"}


@pytest.mark.django_db(transaction=True)
def test_the_loop_looks_again_until_it_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    looks: list[partial[bool]] = []

    def look(*, stop: partial[bool]) -> int:
        looks.append(stop)
        if len(looks) == 3:
            stop.args[0].set()  # as the signal handler does
        return 0

    monkeypatch.setattr(command, "drain", look)
    monkeypatch.setattr("signal.signal", lambda *_: None)
    output = StringIO()
    call_command("drain", "--loop", "--every", "0.001", stdout=output)
    assert len(looks) == 3
    assert output.getvalue().splitlines() == ["looking for uploads", "stopped"]
    assert StandingsDay.objects.get().day == database_now().astimezone(UTC).date()


@pytest.mark.django_db(transaction=True)
def test_each_round_is_a_beat_where_somebody_looks(
    monkeypatch: pytest.MonkeyPatch, settings: Settings, tmp_path: Path
) -> None:
    settings.HEARTBEAT_FILE = tmp_path / "heartbeat-sweeper"

    def look(*, stop: partial[bool]) -> int:
        assert not stop()
        assert settings.HEARTBEAT_FILE.exists()  # between two uploads too
        stop.args[0].set()
        return 0

    monkeypatch.setattr(command, "drain", look)
    monkeypatch.setattr("signal.signal", lambda *_: None)
    call_command("drain", "--loop", "--every", "0.001", stdout=StringIO())


@pytest.mark.django_db
def test_a_round_thins_the_marks_of_what_rests(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(turns, "MARKS_A_CELL", 1)
    keys = keys_of_runs([build.run(1000, plan=build.plan()).id])
    command.sweep(threading.Event(), command.Rounds())  # with the day all cells are computed
    for _ in range(2):
        mark_keys(keys, rests=dict.fromkeys(keys, timedelta(hours=1)))
    command.sweep(threading.Event(), command.Rounds())
    assert CellMark.objects.filter(due_at__gt=Now()).count() == 1


@pytest.mark.django_db(transaction=True)
def test_under_a_stream_of_uploads_all_else_has_its_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    mailed: list[bool] = []
    monkeypatch.setattr(command, "DRAIN_S", 0)
    monkeypatch.setattr(command, "drain", lambda *, stop: int(stop()))
    monkeypatch.setattr(command, "send_answers", lambda: mailed.append(True))
    assert not command.sweep(threading.Event(), command.Rounds())
    monkeypatch.setattr(command, "DRAIN_S", 3600)
    assert command.sweep(threading.Event(), command.Rounds())
    assert len(mailed) == 2


@pytest.mark.django_db(transaction=True)
def test_a_database_that_is_away_is_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    def away(**_: object) -> int:
        raise OperationalError("the database system is shutting down")

    monkeypatch.setattr(command, "drain", away)
    connection.ensure_connection()
    command.sweep(threading.Event(), command.Rounds())
    assert connection.connection is None
