"""What a web process remembers: a busy database delays no picture, and none is old for long."""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING

import pytest
from django.db import OperationalError

from apps.badges import figures, kept
from apps.badges.badge_facts import Absence, MissingFigure
from apps.badges.figures import figures_of
from apps.embedded.process import wait_until
from tests.badges.facts import some_facts

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from pytest_django import Settings

    from apps.badges.badge_facts import Figures

SECONDS_MAX = 10.0  # reached only where a test fails


class Database:
    """Stands where the rows are read: it counts, waits at a gate, and may be away."""

    def __init__(self) -> None:
        self.says: Figures = some_facts()
        self.is_away = False
        self.asked = 0
        self.gate = threading.Event()
        self.gate.set()

    def __call__(self, *, slug: str) -> Figures:
        self.asked += 1
        self.gate.wait(SECONDS_MAX)
        if self.is_away:
            raise OperationalError(slug)
        return self.says


@pytest.fixture
def database(
    tmp_path: Path, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Database]:
    settings.BADGES_FOLDER = tmp_path
    settings.BADGES_REMEMBERED = True
    monkeypatch.setattr(kept, "_shared", kept._Shared(again_at=time.monotonic() + 1000))
    monkeypatch.setattr(figures, "_memory", figures._Memory())
    database = Database()
    monkeypatch.setitem(figures.READERS, "plan", database)
    yield database
    figures._reader.submit(lambda: None).result()  # what was set off is not left to the next test


def wait_until_read(database: Database, times: int) -> None:
    wait_until(
        lambda: database.asked >= times and not figures._memory.reading,
        what="badges are read anew",
        seconds=SECONDS_MAX,
    )


def test_a_figure_is_read_once_while_it_is_young(database: Database) -> None:
    for _ in range(5):
        assert figures_of("plan", "ax102") == (some_facts(), True)
    assert database.asked == 1


def test_a_database_that_does_not_answer_keeps_nobody_waiting(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    figures_of("plan", "ax102")
    monkeypatch.setattr(figures, "YOUNG_SECONDS", -1.0)
    database.gate.clear()
    database.says = some_facts(rate_per_s=5.0)
    for _ in range(20):
        assert figures_of("plan", "ax102") == (some_facts(), True)
    database.gate.set()
    wait_until_read(database, 2)
    assert database.asked == 2  # by one of twenty
    assert figures_of("plan", "ax102") == (some_facts(rate_per_s=5.0), True)


def test_another_process_of_the_host_need_not_read_it(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    figures_of("plan", "ax102")
    monkeypatch.setattr(figures, "_memory", figures._Memory())
    assert figures_of("plan", "ax102") == (some_facts(), True)
    assert database.asked == 1


def test_after_a_minute_it_is_waited_for(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    figures_of("plan", "ax102")
    monkeypatch.setattr(figures, "MEMORY_SECONDS", -1.0)
    database.says = some_facts(rate_per_s=5.0)
    assert figures_of("plan", "ax102") == (some_facts(rate_per_s=5.0), True)


def test_what_has_no_figure_heals_at_once(database: Database) -> None:
    database.says = MissingFigure(absence=Absence.MEASURING)
    assert figures_of("plan", "ax102") == (database.says, True)
    database.says = some_facts()
    assert figures_of("plan", "ax102") == (some_facts(), True)


def test_a_database_that_is_away_is_left_alone_for_a_second(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    figures_of("plan", "ax102")
    database.is_away = True
    monkeypatch.setattr(figures, "MEMORY_SECONDS", -1.0)
    for _ in range(10):
        assert figures_of("plan", "ax102") == (some_facts(), False)
    assert database.asked == 2
    monkeypatch.setattr(figures, "AWAY_SECONDS", 0.0)
    figures._memory.away_until = 0.0
    database.is_away = False
    assert figures_of("plan", "ax102") == (some_facts(), True)


def test_no_more_is_remembered_than_there_is_room_for(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(figures, "REMEMBERED_MAX", 3)
    for number in range(10):
        figures_of("plan", f"ax{number}")
    assert [slug for _, slug in figures._memory.read] == ["ax7", "ax8", "ax9"]


def test_only_web_processes_that_keep_pages_remember(
    database: Database, settings: Settings
) -> None:
    settings.BADGES_REMEMBERED = False
    figures_of("plan", "ax102")
    figures_of("plan", "ax102")
    assert database.asked == 2
