"""Whose runs are: the account of their key or ticket, else the network that they came from."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, Final

from django.db.models import Exists, F, OuterRef, Q

from apps.accounts.models import Person, Ticket
from apps.memory import remembered
from apps.runs.models import Run, Upload, UploaderMerge

if TYPE_CHECKING:
    from collections.abc import Iterable

    from django.db.models import QuerySet

# A new account is as cheap as a new key; one that waits a week is not worth a flood of runs.
KNOWN_AFTER: Final = timedelta(days=7)
ACCOUNT: Final = "account:"
NETWORK: Final = "network:"
# The ticket by which the run of an outer query was measured: shown before, of its plan, and by a
# key that has no other owner.
_TICKETS_OF_RUN: Final = Ticket.objects.filter(
    Q(user=F("key__owner")) | Q(key__owner=None),
    run_id=OuterRef("pk"),
    key=OuterRef("upload__key"),
    plan=OuterRef("plan"),
    used_at__lte=OuterRef("upload__received_at"),
)


@dataclass(frozen=True, slots=True)
class RunOwner:
    """The person whose a run is, and since when that was said."""

    user_id: int
    since: datetime


def owner_of(upload: Upload, tickets: Iterable[Ticket], *, plan: str) -> RunOwner | None:
    """Return who made the ticket that this run of a plan was measured by, or whose its key is.

    `tickets` are those of its id, as any key may show one for any id.
    """
    key = upload.key
    for ticket in tickets:
        is_shown = ticket.key_id == key.pk and ticket.plan == plan
        is_free = key.owner_id in (None, ticket.user_id)
        if is_shown and is_free and ticket.used_at and ticket.used_at <= upload.received_at:
            return RunOwner(ticket.user_id, ticket.used_at)
    if key.owner_id is not None and key.claimed_at is not None:
        return RunOwner(key.owner_id, key.claimed_at)
    return None


def uploader_of(*, owner: RunOwner | None, network: str) -> str:
    """Return the uploader that runs of this owner and network count for, as far as they are merged:
    one query.
    """
    name = f"{NETWORK}{network}" if owner is None else f"{ACCOUNT}{owner.user_id}"
    return _merged_into(name) or name


@remembered
def _merged_into(name: str) -> str | None:
    return UploaderMerge.objects.filter(pk=name).values_list("into", flat=True).first()


def runs_of_account(user_id: int) -> QuerySet[Run]:
    """Return the runs that are a person's before any merge."""
    return Run.objects.filter(pk__in=run_ids_of_account(user_id))


def run_ids_of_account(user_id: int) -> QuerySet[Upload, Any]:
    """Return the `run_id` of the uploads that a person's keys signed or that came by their tickets.

    Each half is found by an index; one condition over both would read every run.
    """
    signed = Upload.objects.filter(key__owner=user_id).order_by().values("run_id")
    return signed.union(runs_by_ticket(user_id).order_by().values("upload_id"))


def runs_by_ticket(user_id: int) -> QuerySet[Run]:
    """Return the runs that are a person's by their tickets."""
    shown = Ticket.objects.filter(user=user_id, run_id__isnull=False)
    return Run.objects.filter(
        Exists(_TICKETS_OF_RUN.filter(user=user_id)), pk__in=shown.values("run_id")
    )


def runs_of_network(network: str) -> QuerySet[Run]:
    """Return the runs that are no person's, before any merge."""
    unowned = Q(upload__network=network, upload__key__owner=None) & ~Exists(_TICKETS_OF_RUN)
    return Run.objects.filter(unowned | Q(imported_file__network=network))


def is_claimed(upload: Upload, owner: RunOwner | None) -> bool:
    """Whether a run was then that of a person who was known for a week: one query.

    Only runs that come afterwards gain by a claim, so that nobody lifts what is already there.
    """
    if owner is None or upload.received_at < owner.since:
        return False
    verified_at = _verified_at(owner.user_id)
    return verified_at is not None and upload.received_at >= verified_at + KNOWN_AFTER


@remembered
def _verified_at(user_id: int) -> datetime | None:
    return Person.objects.filter(pk=user_id).values_list("verified_at", flat=True).first()
