"""Numbers what changed for those who keep a copy of the API, in the order in which they see it."""

from __future__ import annotations

from typing import Final

from django.db import connection, transaction

# A copy of a million runs is numbered in a few hundred rounds; each holds its rows for a moment.
NUMBERED_AT_ONCE: Final = 5_000
_LOCK: Final = "fsyncmark.public_changes"
# Rows that a transaction is changing are left to the next round: nobody waits for anybody.
_NUMBER: Final = """
    WITH waiting AS (
        SELECT id FROM rankings_publicchange WHERE number IS NULL
        ORDER BY id LIMIT %s FOR UPDATE SKIP LOCKED
    )
    UPDATE rankings_publicchange AS change SET number = nextval('public_change_number')
    FROM waiting WHERE change.id = waiting.id
"""
# A rebuild swaps tables, of which no trigger of a row tells.
_NOTE_LISTED: Final = """
    INSERT INTO rankings_publicchange (kind, slug, is_gone, changed_at)
        SELECT 'run', slug, false, clock_timestamp() FROM runs_run WHERE is_listed
        ON CONFLICT (kind, slug) DO UPDATE
            SET is_gone = false, changed_at = excluded.changed_at, number = NULL
"""
_NOTE_GONE: Final = """
    UPDATE rankings_publicchange AS change
        SET is_gone = true, changed_at = clock_timestamp(), number = NULL
        WHERE kind = 'run' AND NOT is_gone AND NOT EXISTS
            (SELECT FROM runs_run AS run WHERE run.slug = change.slug AND run.is_listed)
"""


def note_all_runs() -> None:
    """Note every run as changed, and those that are in no list any more as gone.

    Call it while nobody else records runs: who waits for one of these rows could hold another.
    """
    with connection.cursor() as cursor:
        cursor.execute(_NOTE_LISTED)
        cursor.execute(_NOTE_GONE)


def number_changes() -> int:
    """Number the next changes, and return how many; none while another process does.

    The lock is held until COMMIT, so that a lower number is never seen after a higher one.
    """
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_xact_lock(hashtext(%s))", [_LOCK])
        (is_ours,) = cursor.fetchone()
        if not is_ours:
            return 0
        cursor.execute(_NUMBER, [NUMBERED_AT_ONCE])
        return int(cursor.rowcount)
