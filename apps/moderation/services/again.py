"""Has runs judged anew after a decision, and what counts of them computed again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from apps.rankings.services import mark_cells
from apps.runs.models import Run, Upload
from apps.runs.stale_runs import requeue

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
    requeue(Upload.objects.filter(pk__in=ids))


def ids_of(runs: QuerySet[Run]) -> list[UUID]:
    """Return the ids of runs."""
    return list(runs.values_list("pk", flat=True))
