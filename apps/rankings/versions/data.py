"""The version of what shared pages show: it changes with every change, so that copies know."""

from __future__ import annotations

from typing import Final

from django.db import connection
from django.db.models import Count, Max

from apps.rankings.models import DataChange

KEPT: Final = 1_000  # newest changes; of older ones no transaction is still open


def data_version(database: str = "default") -> str:
    """Return a text that differs whenever a committed transaction changed what pages show.

    It begins with a number that only grows.

    The highest id alone would miss a transaction that began first and commits last.
    """
    seen = DataChange.objects.using(database).aggregate(newest=Max("pk"), n=Count("pk"))
    return f"{seen['newest'] or 0}-{seen['n']}"


def leave_unnoted() -> None:
    """Let this transaction be no change: it changes nothing that pages show, whatever it deletes.

    As the triggers do when they have noted one; see migration 0071.
    """
    with connection.cursor() as cursor:
        cursor.execute("SELECT set_config('fsyncmark.noted', pg_current_xact_id()::text, true)")


def forget_old_changes() -> None:
    """Delete all but the newest changes."""
    newest = DataChange.objects.aggregate(newest=Max("pk"))["newest"] or 0
    DataChange.objects.filter(pk__lte=newest - KEPT).delete()
