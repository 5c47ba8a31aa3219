"""Puts uploads of stale runs back into the queue, to be normalised again.

A run is stale if a drive name in it now means another family, or if another normaliser made it,
with other rules or other figures to judge by. The transaction that changes patterns also sets the
families of all names. Stale runs can be found in the rows at any time after that, so a crash in
between loses nothing.
"""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Final

from django.contrib.postgres.functions import TransactionNow
from django.db import transaction
from django.db.models import F, Q

from apps.drives.services import recognise_names_again
from apps.runs.models import Run, RunDrive, Upload
from apps.runs.services import NORMALISER_VERSION, hold_all_runs

if TYPE_CHECKING:
    from uuid import UUID

    from django.db.models import QuerySet

# A worker on a leased upload finds its token gone and gives up. Poison stays, because it has no
# result that counts.
_REQUEUED = (Upload.State.DONE, Upload.State.LEASED, Upload.State.RETRY)
_HAS_ANOTHER_FAMILY = ~Q(name__family=F("named_family")) & (
    Q(name__family__isnull=False) | Q(named_family__isnull=False)
)
# A worker normalises five times as many in that time, so new uploads wait for at most one batch.
BATCH: Final = 60
BATCH_EVERY: Final = timedelta(minutes=1)


@transaction.atomic
def recognise_again() -> int:
    """Recognise every name with the current patterns; return how many now mean another family.

    Call it in the transaction that changes the patterns. It waits for runs that are being recorded,
    and later ones wait for it. So each run is either made with the new patterns, or found stale by
    `work_stale_runs_again` after the transaction.
    """
    hold_all_runs()
    return len(recognise_names_again())


@transaction.atomic
def work_stale_runs_again() -> list[UUID]:
    """Put the uploads of stale runs back into the queue, and return them.

    They come due batch by batch, so that new uploads are not held up. Do not call it while this
    transaction holds all runs: a worker may hold the row of an upload and wait for them.
    """
    renamed = RunDrive.objects.filter(_HAS_ANOTHER_FAMILY).values("run__upload")
    outdated = Run.objects.exclude(normaliser_version=NORMALISER_VERSION).values("upload")
    return requeue(Upload.objects.filter(Q(pk__in=renamed) | Q(pk__in=outdated)))


def requeue(uploads: QuerySet[Upload]) -> list[UUID]:
    """Put these uploads back into the queue where they have a result that counts; return them.

    They come due batch by batch. Call it in a transaction, and not while it holds all runs.
    """
    # locked in one order, so that two calls at the same time cannot wait for each other
    rows = uploads.select_for_update(no_key=True).filter(state__in=_REQUEUED).order_by("pk")
    run_ids = list(rows.values_list("pk", flat=True))
    for batch, first in enumerate(range(0, len(run_ids), BATCH)):
        Upload.objects.filter(pk__in=run_ids[first : first + BATCH]).update(
            state=Upload.State.RETRY,
            attempts=0,
            lease_token=None,
            last_error="",
            next_attempt_at=TransactionNow() + batch * BATCH_EVERY,
        )
    return run_ids
