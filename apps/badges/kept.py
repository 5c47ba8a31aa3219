"""Keeps what each badge last showed, for when the database is away: in files and in Valkey.

Facts are kept and not pictures, so that every style and figure of a thing comes from one record.
A record lies in a place made of its address, where another may replace it: that bounds both stores
without anybody counting. Neither is needed, and an answer is not slower than SHARED_AWAY_SECONDS
allow when Valkey hangs.
"""

from __future__ import annotations

import hashlib
import time
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Final

import msgspec
import structlog
from django.conf import settings
from django.core.cache import cache
from redis.exceptions import RedisError

from apps.badges.badge_facts import Absence, BadgeFacts, MeasurerFacts, MissingFigure, Shown

# Records of some kilobytes: 40 MB of files at most. Runs have places of their own, since there are
# so many of them.
PLACES: Final = {"run": 4096, "plan": 2048, "drive": 2048, "provider": 2048, "by": 2048}
KEPT_FOR: Final = timedelta(days=7)  # as long as caches may go on with what they have
WRITTEN_AGAIN: Final = timedelta(minutes=1)  # so that what is asked for is never old
SHARED_AWAY_SECONDS: Final = 10.0  # in which a Valkey that did not answer is not asked again
_KEY: Final = "badge:"

log = structlog.get_logger(__name__)


class Record(msgspec.Struct, frozen=True):
    """What was read of one address, and when."""

    kind: str
    slug: str
    read_at: datetime
    facts: BadgeFacts | None = None
    measurer: MeasurerFacts | None = None
    missing: MissingFigure | None = None

    @property
    def figures(self) -> Shown | None:
        """What the badge showed."""
        return self.facts or self.measurer or self.missing


@dataclass
class _Shared:
    """When Valkey may be asked again, in seconds of the monotonic clock."""

    again_at: float = 0.0


_shared: Final = _Shared()
_decoder: Final = msgspec.json.Decoder(Record)


def keep(kind: str, slug: str, figures: Shown) -> None:
    """Keep what was just read, unless it is kept already; forget what is no longer there."""
    place = _place(kind, slug)
    kept = _read_file(place)
    is_own = kept is not None and (kept.kind, kept.slug) == (kind, slug)
    if isinstance(figures, MissingFigure) and figures.absence is Absence.NOT_FOUND:
        if is_own:
            _forget(place)
        return
    now = datetime.now(UTC)
    if is_own and kept and kept.figures == figures and now - kept.read_at < WRITTEN_AGAIN:
        return
    facts = figures if isinstance(figures, BadgeFacts) else None
    measurer = figures if isinstance(figures, MeasurerFacts) else None
    missing = figures if isinstance(figures, MissingFigure) else None
    content = msgspec.json.encode(Record(kind, slug, now, facts, measurer, missing))
    _write_file(place, content)
    _set_shared(place, content)


def last_known(kind: str, slug: str) -> Shown | None:
    """Return what was kept of an address within KEPT_FOR, or None."""
    place = _place(kind, slug)
    for record in (_read_file(place), _get_shared(place)):
        if record is not None and (record.kind, record.slug) == (kind, slug):
            return record.figures if datetime.now(UTC) - record.read_at <= KEPT_FOR else None
    return None


def age_in_file(kind: str, slug: str) -> tuple[BadgeFacts | MeasurerFacts, float] | None:
    """Return the figure that a process of this host read, and how many seconds ago."""
    record = _read_file(_place(kind, slug))
    if record is None or (record.kind, record.slug) != (kind, slug):
        return None
    facts = record.facts or record.measurer
    if facts is None:
        return None
    return facts, (datetime.now(UTC) - record.read_at).total_seconds()


def _place(kind: str, slug: str) -> str:
    digest = hashlib.sha256(slug.encode("utf-8", "replace")).digest()
    return f"{kind}-{int.from_bytes(digest[:8]) % PLACES[kind]:04d}"


def _file(place: str) -> Path:
    folder: Path = settings.BADGES_FOLDER
    return folder / f"{place}.json"


def _read_file(place: str) -> Record | None:
    try:
        return _decoder.decode(_file(place).read_bytes())
    except (OSError, msgspec.MsgspecError, UnicodeDecodeError):
        return None  # there is none, or an earlier release wrote it


def _write_file(place: str, content: bytes) -> None:
    """Replace a record whole, whoever reads it meanwhile; a full or closed disk is no fault."""
    file = _file(place)
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        with NamedTemporaryFile(dir=file.parent, delete=False) as new:
            new.write(content)
        Path(new.name).replace(file)
    except OSError as error:
        log.warning("badge not kept in a file", error=str(error))


def _forget(place: str) -> None:
    _file(place).unlink(missing_ok=True)
    _set_shared(place, None)


def _get_shared(place: str) -> Record | None:
    if time.monotonic() < _shared.again_at:
        return None
    try:
        content = cache.get(_KEY + place)
        return _decoder.decode(content) if content else None
    except RedisError:
        _shared.again_at = time.monotonic() + SHARED_AWAY_SECONDS
    except msgspec.MsgspecError:
        pass  # an earlier release wrote it
    return None


def _set_shared(place: str, content: bytes | None) -> None:
    if time.monotonic() < _shared.again_at:
        return
    try:
        if content is None:
            cache.delete(_KEY + place)
        else:
            cache.set(_KEY + place, content, timeout=KEPT_FOR.total_seconds())
    except RedisError:
        _shared.again_at = time.monotonic() + SHARED_AWAY_SECONDS
