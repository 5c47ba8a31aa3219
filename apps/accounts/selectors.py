"""Reads about keys."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from django.db.models import F

from apps.accounts.models import AgentKey, KeyEvent

if TYPE_CHECKING:
    from collections.abc import Iterable

    from django.contrib.auth.models import User
    from django.db.models import QuerySet

SUCCESSORS_MAX: Final = 100  # rotations that are followed from a key
_KEYID: Final = re.compile(r"[0-9a-f]{64}")


def keys_by_id(keyids: Iterable[str]) -> dict[str, AgentKey]:
    """Return the enrolled keys among these ids.

    Strangers write them: what cannot be an id, such as a NUL, never reaches the database.
    """
    return AgentKey.objects.in_bulk([keyid for keyid in keyids if _KEYID.fullmatch(keyid)])


def key_events_of(user: User) -> QuerySet[KeyEvent]:
    """Return what happened to the keys of a person since they linked them: no earlier owner's."""
    return KeyEvent.objects.filter(key__owner=user, at__gte=F("key__claimed_at"))


def stands_in(key: str, *, of: str) -> bool:
    """Whether a key is this one, or one of those that replaced it: a query for each rotation."""
    keyid: str | None = of
    for _ in range(SUCCESSORS_MAX):
        if keyid in (key, None):
            break
        successors = AgentKey.objects.filter(pk=keyid)
        keyid = successors.values_list("replaced_by", flat=True).first()
    return keyid == key
