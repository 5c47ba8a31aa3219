"""Puts poisoned uploads back into the queue, after the cause of their failure is fixed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from apps.accounts.clock import database_now
from apps.runs.models import Upload

if TYPE_CHECKING:
    from django.db.models import QuerySet


def replay(uploads: QuerySet[Upload]) -> int:
    """Reset the attempts of the poisoned ones of these uploads; return how many there were."""
    return uploads.filter(state=Upload.State.POISON).update(
        state=Upload.State.RETRY, attempts=0, next_attempt_at=database_now()
    )
