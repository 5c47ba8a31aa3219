"""What becomes of the runs of somebody who leaves."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final

from django.db import transaction

from apps.accounts.credit.names import give_name_up
from apps.accounts.credit.tickets import take_all_back
from apps.accounts.models import AgentKey, Ticket
from apps.accounts.services import release_key
from apps.moderation.models import BinnedRun
from apps.moderation.services.decisions import LOCK
from apps.runs.locks import hold_alone
from apps.runs.rulings import delete_run
from apps.runs.trust.ownership import run_ids_of_account

if TYPE_CHECKING:
    from django.contrib.auth.models import User
    from django.db.models import QuerySet

# Public, in the dump: English as all that it says.
REASON: Final = "deleted with the account of its owner"


@transaction.atomic
def delete_person(user: User, *, with_runs: bool) -> int:
    """Delete an account, and return how many runs went with it.

    Runs that stay are those of their key and network again, as if nobody had claimed them.
    """
    hold_alone(LOCK)  # nobody takes a run out of the bin meanwhile
    keys = list(AgentKey.objects.filter(owner=user))
    gone = [each["run_id"] for each in run_ids_of_account(user.pk)]
    for run_id in gone if with_runs else ():
        delete_run(run_id, by_owner=True, reason=REASON)
    for key in keys:
        if with_runs:
            _binned_of(key).delete()
        release_key(key)
    for ticket in Ticket.objects.filter(user=user, key__isnull=False).select_related("key"):
        if with_runs and ticket.key and ticket.run_id:
            _binned_of(ticket.key).filter(pk=ticket.run_id).delete()
    take_all_back(user)
    give_name_up(user)
    user.delete()
    return len(gone) if with_runs else 0


def _binned_of(key: AgentKey) -> QuerySet[BinnedRun]:
    """Return the runs of a key that a moderator deleted and could take back."""
    member = json.dumps({"key": key.pk})[1:-1]  # what a sender wrote lies in base64 beside it
    return BinnedRun.objects.filter(rows__contains=member)
