"""Puts uploads back into the queue after a decision, so that their runs are judged anew."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.contrib.postgres.functions import TransactionNow

from apps.rankings.services import mark_cells
from apps.runs.models import Run, Upload

if TYPE_CHECKING:
    from collections.abc import Iterable
    from uuid import UUID

    from django.db.models import QuerySet


def work_again(run_ids: Iterable[UUID]) -> None:
    """Let these runs be made again, and mark the cells in which they count now.

    What they touch afterwards the worker marks. Runs that no upload made are only marked.
    """
    ids = list(run_ids)
    mark_cells(run_ids=ids)
    rows = Upload.objects.filter(pk__in=ids).exclude(state=Upload.State.POISON).order_by("pk")
    locked = list(rows.select_for_update(no_key=True).values_list("pk", flat=True))
    Upload.objects.filter(pk__in=locked).update(
        state=Upload.State.RETRY,
        attempts=0,
        lease_token=None,
        last_error="",
        next_attempt_at=TransactionNow(),
    )


def ids_of(runs: QuerySet[Run]) -> list[UUID]:
    """Return the ids of runs."""
    return list(runs.values_list("pk", flat=True))
