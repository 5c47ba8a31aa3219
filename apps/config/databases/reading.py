"""Where queries go: to the primary, unless a request is answered from a replica."""

from __future__ import annotations

import contextlib
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any, Final

from django.db import connections

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

PRIMARY: Final = "default"
REPLICA: Final = "replica"
READ_FROM: Final = "fsyncmark.read_from"  # in a request's environ, by the web server: a database

_reads: ContextVar[str] = ContextVar("reads", default=PRIMARY)


def reads_from() -> str:
    """Return which database this thread reads from now."""
    return _reads.get()


@contextlib.contextmanager
def reading_from(database: str) -> Iterator[None]:
    """Read from a database while the block runs; what is written goes to the primary."""
    token = _reads.set(database)
    try:
        yield
    finally:
        _reads.reset(token)


def each_read_from(database: str, parts: Iterable[bytes]) -> Iterator[bytes]:
    """Make each part of a stream from a database, long after its view has returned."""
    source = iter(parts)
    while True:
        with reading_from(database):
            part = next(source, None)
        if part is None:
            return
        yield part


class ReplicaRouter:
    """Django's router: a transaction reads what it wrote, so all of it is the primary's."""

    def db_for_read(self, _model: type[Any], **_hints: Any) -> str:
        return PRIMARY if connections[PRIMARY].in_atomic_block else _reads.get()

    def db_for_write(self, _model: type[Any], **_hints: Any) -> str:
        return PRIMARY

    def allow_relation(self, _one: Any, _other: Any, **_hints: Any) -> bool:
        """Let rows of both be related: they are the same rows."""
        return True

    def allow_migrate(self, database: str, _app: str, **_hints: Any) -> bool:
        return database == PRIMARY
