"""What an address shows, without making whoever asks wait for the database more than once.

A web process that keeps pages in memory remembers what it, or another of its host, read. For
MEMORY_SECONDS it answers from there and reads anew beside that, so that a busy database delays no
picture. While the database is away it is not asked for AWAY_SECONDS, and what was kept is shown.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from threading import Lock
from typing import TYPE_CHECKING, Final

import structlog
from django.conf import settings
from django.db import Error, close_old_connections

from apps.badges import kept, measurers, selectors, standings
from apps.badges.badge_facts import Absence, BadgeFacts, MeasurerFacts, MissingFigure, Shown

if TYPE_CHECKING:
    from collections.abc import Callable

READERS: Final[dict[str, Callable[..., Shown]]] = {
    "run": selectors.run_facts,
    "plan": standings.plan_facts,
    "drive": standings.drive_facts,
    "provider": standings.provider_facts,
    "by": measurers.measurer_facts,
}
CARD_KINDS: Final = ("run", "plan", "drive", "provider")  # a person has a badge alone
REMEMBERED_MAX: Final = 4096  # things, of a kilobyte or two
MEMORY_SECONDS: Final = 60.0  # our own answers follow a decision within a minute
YOUNG_SECONDS: Final = 5.0  # in which nobody reads anew
AWAY_SECONDS: Final = 1.0
READING_MAX: Final = 64  # that wait to be read anew; who asks later sets it off again

log = structlog.get_logger(__name__)
Key = tuple[str, str]


@dataclass
class _Memory:
    """What this process read, and when (monotonic seconds); until when the database is away."""

    read: OrderedDict[Key, tuple[BadgeFacts | MeasurerFacts, float]] = field(
        default_factory=OrderedDict
    )
    reading: set[Key] = field(default_factory=set)
    away_until: float = 0.0
    lock: Lock = field(default_factory=Lock)


_memory: Final = _Memory()
_reader: Final = ThreadPoolExecutor(1, thread_name_prefix="badges")


def figures_of(kind: str, slug: str) -> tuple[Shown, bool]:
    """Return what an address shows, and whether it is what the database says."""
    known = _remembered(kind, slug)
    if known is not None:
        return known, True
    if time.monotonic() >= _memory.away_until:
        try:
            return _read(kind, slug), True
        except Error as error:
            _memory.away_until = time.monotonic() + AWAY_SECONDS
            log.warning("badge without its database", error=str(error).strip())
    last = kept.last_known(kind, slug)
    return last or MissingFigure(absence=Absence.AWAY), False


def _read(kind: str, slug: str) -> Shown:
    """Read from the database, and keep that. Raises Error."""
    figures = READERS[kind](slug=slug)
    kept.keep(kind, slug, figures)
    if isinstance(figures, BadgeFacts | MeasurerFacts):
        if settings.BADGES_REMEMBERED:
            _remember((kind, slug), figures, read_at=time.monotonic())
    else:  # what has no figure heals at once
        with _memory.lock:
            _memory.read.pop((kind, slug), None)
    return figures


def _remember(key: Key, facts: BadgeFacts | MeasurerFacts, *, read_at: float) -> None:
    with _memory.lock:
        _memory.read[key] = facts, read_at
        _memory.read.move_to_end(key)
        if len(_memory.read) > REMEMBERED_MAX:
            _memory.read.popitem(last=False)


def _remembered(kind: str, slug: str) -> Shown | None:
    """Return what was read within MEMORY_SECONDS; of what is not young it is read anew."""
    if not settings.BADGES_REMEMBERED:
        return None
    key = kind, slug
    now = time.monotonic()
    if key not in _memory.read and (found := kept.age_in_file(kind, slug)):
        _remember(key, found[0], read_at=now - found[1])
    with _memory.lock:
        figures, read_at = _memory.read.get(key, (None, 0.0))
        if figures is None or now - read_at > MEMORY_SECONDS:
            return None
        is_due = now - read_at > YOUNG_SECONDS and now >= _memory.away_until
        if is_due and key not in _memory.reading and len(_memory.reading) < READING_MAX:
            _memory.reading.add(key)
            _reader.submit(_read_anew, key)
    return figures


def _read_anew(key: Key) -> None:
    """Read one address again, in the thread for that; while the database is away it stays."""
    close_old_connections()
    try:
        _read(*key)
    except Error as error:
        _memory.away_until = time.monotonic() + AWAY_SECONDS
        log.warning("badge not read anew", error=str(error).strip())
    finally:
        with _memory.lock:
            _memory.reading.discard(key)
        close_old_connections()
