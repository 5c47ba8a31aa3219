"""Whose runs are: the account of their key, else the network that they came from."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Final

from apps.accounts.models import Person
from apps.memory import remembered
from apps.runs.models import Run, UploaderMerge

if TYPE_CHECKING:
    from datetime import datetime

    from django.db.models import QuerySet

    from apps.accounts.models import AgentKey
    from apps.runs.models import Upload

# A new account is as cheap as a new key; one that waits a week is not worth a flood of runs.
KNOWN_AFTER: Final = timedelta(days=7)
ACCOUNT: Final = "account:"
NETWORK: Final = "network:"


def uploader_of(*, key: AgentKey | None, network: str) -> str:
    """Return the uploader that runs of this key and network count for, as far as they are merged:
    one query.
    """
    name = own_uploader_of(key=key, network=network)
    return _merged_into(name) or name


@remembered
def _merged_into(name: str) -> str | None:
    return UploaderMerge.objects.filter(pk=name).values_list("into", flat=True).first()


def own_uploader_of(*, key: AgentKey | None, network: str) -> str:
    """Return the uploader before any merge."""
    if key is not None and key.owner_id is not None:
        return f"{ACCOUNT}{key.owner_id}"
    return f"{NETWORK}{network}"


def runs_of_account(user_id: int) -> QuerySet[Run]:
    """Return the runs that are a person's before any merge."""
    return Run.objects.filter(upload__key__owner=user_id)


def is_claimed(upload: Upload) -> bool:
    """Whether the key of an upload was then that of a person who was known for a week: one query.

    Only runs that come afterwards gain by a claim, so that nobody lifts what is already there.
    """
    key = upload.key
    if key.owner_id is None or key.claimed_at is None or upload.received_at < key.claimed_at:
        return False
    verified_at = _verified_at(key.owner_id)
    return verified_at is not None and upload.received_at >= verified_at + KNOWN_AFTER


@remembered
def _verified_at(user_id: int) -> datetime | None:
    return Person.objects.filter(pk=user_id).values_list("verified_at", flat=True).first()
