"""Advisory locks of PostgreSQL, by name: they order transactions that share no row, and last
until the transaction ends.
"""

from __future__ import annotations

from typing import Final

from django.db import connection

_KEY: Final = "hashtextextended(%s, 0)"


def hold_alone(name: str) -> None:
    """Wait until nobody holds this lock, then have it alone."""
    _call("pg_advisory_xact_lock", name)


def hold_shared(name: str) -> None:
    """Wait until nobody has this lock alone, then hold it together with others."""
    _call("pg_advisory_xact_lock_shared", name)


def can_share(name: str) -> bool:
    """Whether nobody has this lock alone; if so, hold it together with others."""
    return bool(_call("pg_try_advisory_xact_lock_shared", name))


def _call(function: str, name: str) -> object:
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {function}({_KEY})", [name])
        (answer,) = cursor.fetchone()
    return answer
