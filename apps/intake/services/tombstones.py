"""Refuses what was deleted: its id is taken for ever."""

from __future__ import annotations

from typing import TYPE_CHECKING

from apps.runs.models import Tombstone
from apps.wire import problems
from apps.wire.problems import Refusal

if TYPE_CHECKING:
    from uuid import UUID


def refuse_deleted(run_id: UUID) -> None:
    """Raise Refusal for the id of a run that was deleted."""
    if Tombstone.objects.filter(pk=run_id).exists():
        raise Refusal(problems.RUN_DELETED, f"The run {run_id} was deleted.")
