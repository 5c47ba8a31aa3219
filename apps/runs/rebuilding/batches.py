"""The work of a rebuild: batches of uploads, which any number of processes take one by one.

A batch is done in one transaction that holds its row, so that of a process that dies nothing is
left and another one takes the batch.
"""

from __future__ import annotations

from enum import IntEnum
from typing import TYPE_CHECKING, Final

import structlog
from django.db import OperationalError, transaction

from apps.runs.models import Run, Upload
from apps.runs.rebuilding.tables import ask, in_shadow, run
from apps.runs.rules.hindsight import findings, stored_runs
from apps.runs.rules.history import histories_of
from apps.runs.services import record_run, record_without_history

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from uuid import UUID

BATCH: Final = 200  # uploads: some 8,000 rows, a second of work
_ERROR_CHARACTERS_MAX: Final = 500

log = structlog.get_logger(__name__)


class Stage(IntEnum):
    """How far a batch is."""

    WAITS = 0
    MADE = 1  # its runs have rows, without what came before them
    COMPARED = 2  # with the runs that came before


# Of each upload whose result counts: it is done, or has a run that another worker works on again.
_FILL: Final = """
    INSERT INTO rebuild.batch (number, run_ids)
    SELECT number, array_agg(run_id ORDER BY received_at, run_id) FROM (
        SELECT run_id, received_at,
            (row_number() OVER (ORDER BY received_at, run_id) - 1) / %s AS number
        FROM public.runs_upload upload
        WHERE state <> 'poison' AND (state = 'done'
            OR EXISTS (SELECT FROM public.runs_run run WHERE run.upload_id = upload.run_id))
    ) AS uploads GROUP BY number
"""
_TAKE: Final = """
    SELECT number, run_ids FROM rebuild.batch WHERE stage < %s
    ORDER BY number LIMIT 1 FOR UPDATE SKIP LOCKED
"""
_MISSING: Final = """
    SELECT run.id FROM public.runs_run run JOIN public.runs_upload upload
        ON upload.run_id = run.upload_id
    WHERE upload.state <> 'poison'
        AND NOT EXISTS (SELECT FROM rebuild.runs_run made WHERE made.id = run.id) LIMIT 5
"""
_FAILURES: Final = """
    SELECT run_id, error FROM rebuild.failure JOIN public.runs_upload USING (run_id)
    WHERE state <> 'poison' ORDER BY run_id
"""


def fill() -> None:
    """Divide the uploads that must have a run into batches, in the order of their arrival."""
    run(_FILL, [BATCH])


def left_before(stage: Stage) -> int:
    """Return how many batches are not so far yet."""
    return int(ask("SELECT count(*) FROM rebuild.batch WHERE stage < %s", [stage])[0][0])


def counted() -> int:
    """Return how many uploads there are in all batches."""
    found = ask("SELECT coalesce(sum(cardinality(run_ids)), 0) FROM rebuild.batch", [])
    return int(found[0][0])


def work_on_next(stage: Stage) -> bool:
    """Bring one batch to this stage; False where none is left that nobody else has."""
    with in_shadow():
        taken = ask(_TAKE, [stage])
        if not taken:
            return False
        ((number, run_ids),) = taken
        if stage is Stage.MADE:
            _make(run_ids)
        else:
            _compare(run_ids)
        run("UPDATE rebuild.batch SET stage = %s WHERE number = %s", [stage, number])
    return True


def missing() -> list[UUID]:
    """Return runs of uploads that would be lost, some of them: there should be none."""
    return [run_id for (run_id,) in ask(_MISSING, [])]


def failures() -> dict[UUID, str]:
    """Return the uploads that could not be made again, with what went wrong."""
    return dict(ask(_FAILURES, []))


def make_again(run_ids: Sequence[UUID]) -> None:
    """Make the runs of these uploads anew; all others of these runs go.

    Call it with the tables of the rebuild in place of the others.
    """
    Run.objects.filter(pk__in=run_ids).delete()
    run("DELETE FROM rebuild.failure WHERE run_id = ANY(%s)", [list(run_ids)])
    _make(run_ids)
    _compare(run_ids)


def _uploads(run_ids: Sequence[UUID]) -> list[Upload]:
    uploads = Upload.objects.filter(pk__in=run_ids).exclude(state=Upload.State.POISON)
    return list(uploads.select_related("key").order_by("received_at", "run_id"))


def _make(run_ids: Sequence[UUID]) -> None:
    """Make the runs of a batch at once; where one of them fails, one by one."""
    uploads = _uploads(run_ids)
    try:
        with transaction.atomic():
            record_without_history(uploads)
    except OperationalError:  # no fault of a payload
        raise
    except Exception:  # one payload must not stop the others
        log.exception("batch is made one by one")
        for upload in uploads:
            _try(upload, lambda upload: record_without_history([upload]))


def _try(upload: Upload, make: Callable[[Upload], object]) -> None:
    """Make one run, and note where it fails."""
    try:
        with transaction.atomic():
            make(upload)
    except OperationalError:
        raise
    except Exception as error:
        log.exception("upload not made again", run_id=str(upload.run_id))
        message = f"{type(error).__name__}: {error}"[:_ERROR_CHARACTERS_MAX]
        note = "INSERT INTO rebuild.failure VALUES (%s, %s) ON CONFLICT DO NOTHING"
        run(note, [upload.run_id, message])


def _compare(run_ids: Sequence[UUID]) -> None:
    """Judge those runs of a batch anew of which the history says something."""
    histories = histories_of(stored_runs(run_ids))
    found = [run_id for run_id in run_ids if run_id in histories and findings(histories[run_id])]
    for upload in _uploads(found):
        _try(upload, lambda upload: record_run(upload=upload))
