"""The clock of the database, which dates everything: other clocks may be wrong by years."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import connection

if TYPE_CHECKING:
    from datetime import datetime


def database_now() -> datetime:
    """Return the time of this statement by the database's clock."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT statement_timestamp()")
        (now,) = cursor.fetchone()
    return now  # type: ignore[no-any-return]  # a timestamptz is a datetime
