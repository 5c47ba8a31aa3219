"""When a name of drives comes to mean another family, the runs that bear it are made again.

Two steps. The names are brought to the patterns in the transaction that changes these. Which runs
are stale can be read from the rows at any time after it, so a crash in between loses nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import transaction
from django.db.models import F, Q
from django.db.models.functions import Now

from apps.drives.services import recognise_names_again
from apps.runs.models import RunDrive, Upload
from apps.runs.services import hold_all_runs

if TYPE_CHECKING:
    from uuid import UUID

# A worker that has a leased one in hand finds its token gone, and the upload waits once more.
# Poison stays: it has no result that counts.
_TO_BE_WORKED_AGAIN = (Upload.State.DONE, Upload.State.LEASED, Upload.State.RETRY)
_MEANS_ANOTHER = ~Q(name__family=F("named_family")) & (
    Q(name__family__isnull=False) | Q(named_family__isnull=False)
)


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

    Not to be called while runs are held: a worker may have an upload's row and wait for them.
    """
    stale = RunDrive.objects.filter(_MEANS_ANOTHER).values("run__upload")
    # locked in one order: two of these at once must not wait for each other
    rows = (
        Upload.objects.select_for_update(no_key=True)
        .filter(pk__in=stale, state__in=_TO_BE_WORKED_AGAIN)
        .order_by("pk")
    )
    uploads = list(rows.values_list("pk", flat=True))
    Upload.objects.filter(pk__in=uploads).update(
        state=Upload.State.RETRY,
        attempts=0,
        lease_token=None,
        last_error="",
        next_attempt_at=Now(),
    )
    return uploads
