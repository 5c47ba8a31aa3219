"""What is kept for when the database is away: in files and in Valkey, bounded, and not for ever."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest
from django.core.cache import cache

from apps.badges import kept
from apps.badges.badge_facts import Absence, BadgeFacts, MissingFigure
from apps.badges.standings import NOT_FOUND
from tests.badges.facts import some_facts

if TYPE_CHECKING:
    from pathlib import Path

    from pytest_django import Settings

RUN = "01a21acb-6fcc-737a-a189-2ec9c6ff361e"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of the test's own; Valkey may be asked at once, and holds nothing."""
    settings.BADGES_FOLDER = tmp_path / "badges"
    monkeypatch.setattr(kept, "_shared", kept._Shared())
    cache.clear()
    return tmp_path / "badges"


@pytest.fixture
def no_valkey(settings: Settings) -> None:
    """Nobody listens where Valkey should."""
    away = {**settings.CACHES["default"], "LOCATION": "redis://127.0.0.1:9/0"}
    settings.CACHES = {"default": away}


def all_files(folder: Path) -> list[Path]:
    return sorted(folder.iterdir()) if folder.exists() else []


@pytest.mark.parametrize(
    "figures",
    [
        some_facts(),
        some_facts(cheapest=some_facts(plan="AX41", measured_at=None)),
        MissingFigure(absence=Absence.NOT_MEASURED, name="AX102"),
    ],
)
def test_what_was_read_is_known_again_whole(figures: BadgeFacts | MissingFigure) -> None:
    kept.keep("plan", "ax102", figures)
    assert kept.last_known("plan", "ax102") == figures
    assert kept.last_known("plan", "ax41") is None
    assert kept.last_known("drive", "ax102") is None


def test_a_host_without_the_file_has_it_from_valkey(folder: Path) -> None:
    kept.keep("plan", "ax102", some_facts())
    for file in all_files(folder):
        file.unlink()
    assert kept.last_known("plan", "ax102") == some_facts()


@pytest.mark.usefixtures("no_valkey")
def test_valkey_is_not_needed() -> None:
    kept.keep("plan", "ax102", some_facts())
    assert kept.last_known("plan", "ax102") == some_facts()
    assert kept.last_known("plan", "other") is None


@pytest.mark.usefixtures("no_valkey")
def test_a_valkey_that_is_away_is_left_alone_for_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    assert kept.last_known("plan", "other") is None
    asked: list[str] = []
    monkeypatch.setattr(type(cache), "get", lambda *_: asked.append("again"), raising=False)
    assert kept.last_known("plan", "other") is None
    assert not asked


def test_no_file_is_needed(settings: Settings, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder")
    settings.BADGES_FOLDER = tmp_path / "file" / "badges"
    kept.keep("plan", "ax102", some_facts())
    assert kept.last_known("plan", "ax102") == some_facts()


def test_what_is_gone_is_forgotten_everywhere() -> None:
    kept.keep("run", RUN, some_facts())
    kept.keep("run", RUN, NOT_FOUND)
    assert kept.last_known("run", RUN) is None


def test_what_is_unknown_takes_no_place(folder: Path) -> None:
    for number in range(50):
        kept.keep("run", f"unknown-{number}", NOT_FOUND)
    assert all_files(folder) == []


def test_there_are_never_more_records_than_places(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(kept.PLACES, "run", 8)
    for number in range(100):
        kept.keep("run", f"run-{number}", some_facts(name=f"machine {number}"))
    assert len(all_files(folder)) <= 8
    known = [kept.last_known("run", f"run-{number}") for number in range(100)]
    for number, figures in enumerate(known):
        assert figures is None or figures.name == f"machine {number}"
    assert any(known)


def test_after_a_week_it_is_not_known_any_more(monkeypatch: pytest.MonkeyPatch) -> None:
    kept.keep("plan", "ax102", some_facts())
    monkeypatch.setattr(kept, "KEPT_FOR", timedelta(seconds=-1))
    assert kept.last_known("plan", "ax102") is None


def test_what_is_asked_for_stays_young(folder: Path) -> None:
    kept.keep("plan", "ax102", some_facts())
    (file,) = all_files(folder)
    written = file.read_bytes()
    kept.keep("plan", "ax102", some_facts())
    assert file.read_bytes() == written
    old = kept._decoder.decode(written).read_at.isoformat().replace("+00:00", "Z")
    ago = (datetime.now(UTC) - kept.WRITTEN_AGAIN * 2).isoformat().replace("+00:00", "Z")
    file.write_bytes(written.replace(old.encode(), ago.encode()))
    kept.keep("plan", "ax102", some_facts())
    assert ago.encode() not in file.read_bytes()


@pytest.mark.parametrize("content", [b"", b"{", b"\xff", b'{"kind":"plan"}'])
def test_a_broken_record_is_none(folder: Path, content: bytes) -> None:
    kept.keep("plan", "ax102", some_facts())
    cache.clear()
    (file,) = all_files(folder)
    file.write_bytes(content)
    assert kept.last_known("plan", "ax102") is None
    kept.keep("plan", "ax102", some_facts())
    assert kept.last_known("plan", "ax102") == some_facts()
