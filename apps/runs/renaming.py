"""When a name of drives comes to mean another family, the runs that bear it are made again; and
all runs when a newer version of the product would make other rows of the same bytes.

Two steps. The names are brought to the patterns in the transaction that changes these. Which runs
are stale can be read from the rows at any time after it, so a crash in between loses nothing.
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

# A worker that has a leased one in hand finds its token gone, and the upload waits once more.
# Poison stays: it has no result that counts.
_TO_BE_WORKED_AGAIN = (Upload.State.DONE, Upload.State.LEASED, Upload.State.RETRY)
_MEANS_ANOTHER = ~Q(name__family=F("named_family")) & (
    Q(name__family__isnull=False) | Q(named_family__isnull=False)
)
# A worker does five times as many in that time: new uploads wait for one batch at most.
BATCH: Final = 60
BATCH_EVERY: Final = timedelta(minutes=1)


@transaction.atomic
def recognise_again() -> int:
    """Recognise every name with the patterns as they are now; return how many mean another.

    To be called in the transaction that changes the patterns. Runs that are being recorded are
    waited for, and later ones wait, so each is either made with the new patterns or seen as stale
    by `work_stale_runs_again` after the transaction.
    """
    hold_all_runs()
    return len(recognise_names_again())


@transaction.atomic
def work_stale_runs_again() -> list[UUID]:
    """Put the uploads of stale runs back into the queue, and return them.

    Stale are those of drives that are called otherwise now, and those that another normaliser
    made. Many come due batch by batch, the oldest upload first, so that new ones are not held up.
    Not to be called while runs are held: a worker may have an upload's row and wait for them.
    """
    renamed = RunDrive.objects.filter(_MEANS_ANOTHER).values("run__upload")
    outdated = Run.objects.exclude(normaliser_version=NORMALISER_VERSION).values("upload")
    # locked in one order: two of these at once must not wait for each other
    rows = (
        Upload.objects.select_for_update(no_key=True)
        .filter(Q(pk__in=renamed) | Q(pk__in=outdated), state__in=_TO_BE_WORKED_AGAIN)
        .order_by("pk")
    )
    uploads = list(rows.values_list("pk", flat=True))
    for nth, first in enumerate(range(0, len(uploads), BATCH)):
        Upload.objects.filter(pk__in=uploads[first : first + BATCH]).update(
            state=Upload.State.RETRY,
            attempts=0,
            lease_token=None,
            last_error="",
            next_attempt_at=TransactionNow() + nth * BATCH_EVERY,
        )
    return uploads
