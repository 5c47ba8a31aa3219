"""Advisory locks of PostgreSQL, by name: they order transactions that share no row, and last
until the transaction ends.
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

from django.db import connection

if TYPE_CHECKING:
    from collections.abc import Iterator

_KEY: Final = "hashtextextended(%s, 0)"


def hold_alone(name: str) -> None:
    """Wait until no other transaction holds this lock, then hold it alone."""
    _call("pg_advisory_xact_lock", name)


def hold_shared(name: str) -> None:
    """Wait until no transaction holds this lock alone, then share it."""
    _call("pg_advisory_xact_lock_shared", name)


def can_hold_alone(name: str) -> bool:
    """Hold this lock alone without waiting; return False if another transaction holds it."""
    return bool(_call("pg_try_advisory_xact_lock", name))


@contextmanager
def held_for_long(name: str) -> Iterator[bool]:
    """Hold this lock alone in the block, over any number of transactions.

    False if somebody else holds it. A connection of its own holds it.
    """
    own = connection.copy()
    try:
        with own.cursor() as cursor:
            cursor.execute(f"SELECT pg_try_advisory_lock({_KEY})", [name])
            (is_held,) = cursor.fetchone()
        yield bool(is_held)
    finally:
        own.close()


def can_share(name: str) -> bool:
    """Share this lock without waiting; return False if a transaction holds it alone."""
    return bool(_call("pg_try_advisory_xact_lock_shared", name))


def _call(function: str, name: str) -> object:
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {function}({_KEY})", [name])
        (answer,) = cursor.fetchone()
    return answer
