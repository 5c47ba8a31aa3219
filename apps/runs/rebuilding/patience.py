"""Waits for who holds a table without making others wait, and without waiting in a circle."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Final, TypeVar

from django.db import OperationalError, connection, transaction

if TYPE_CHECKING:
    from collections.abc import Callable

PATIENCE_S: Final = 300.0  # with who holds a table: no statement of the site takes so long
PAUSE_S: Final = 0.2  # between tries, in which those who waited behind them are served
# Of each table: all together take less than the second after which PostgreSQL looks for those
# who wait for each other, and ends one. So it is never a reader that gives way.
LOCK_TIMEOUT: Final = "100ms"

_Found = TypeVar("_Found")


def patiently(
    step: Callable[[], _Found], *, between: Callable[[], object] = lambda: None
) -> _Found:
    """Try a step, each time in a transaction of its own, until nobody holds what it needs.

    Raises OperationalError where somebody does all the time.
    """
    ends = time.monotonic() + PATIENCE_S
    while True:
        try:
            with transaction.atomic():
                return step()
        except OperationalError:
            if time.monotonic() >= ends:
                raise
        time.sleep(PAUSE_S)
        between()


def give_up_soon() -> None:
    """Give up waiting for a lock after LOCK_TIMEOUT, until the transaction ends."""
    _set_timeout(f"'{LOCK_TIMEOUT}'")


def wait_as_usual() -> None:
    """Wait for locks as before."""
    _set_timeout("DEFAULT")


def _set_timeout(value: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(f"SET LOCAL lock_timeout TO {value}")
