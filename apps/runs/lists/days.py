"""The day of a run as the database has it."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Final

from django.db.models import Func

NOT_DATED: Final = datetime(1970, 1, 1, tzinfo=UTC)  # of runs without a day: before any run


class UtcDate(Func):
    """The UTC day of a moment."""

    template = "((%(expressions)s AT TIME ZONE 'UTC')::date)"
