"""The keys of a person, with how often each was used."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.db.models import Count, Max

from apps.accounts.models import AgentKey, KeyEvent
from apps.accounts.selectors import key_events_of
from apps.pages.account.selectors.machines import OwnMachine, machines_of

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from django.contrib.auth.models import User
    from django.db.models import QuerySet


@dataclass(frozen=True, slots=True)
class OwnKey:
    """A key as its owner sees it."""

    key: AgentKey
    n_runs: int
    newest: datetime | None  # upload
    machines: tuple[OwnMachine, ...]  # that it signed runs of: without them no two keys differ
    events: tuple[KeyEvent, ...] = ()


def keys_of(user: User, machines: Iterable[OwnMachine]) -> tuple[OwnKey, ...]:
    """Return the keys of a person beside their machines, newest claim first: one query."""
    keys = _counted(AgentKey.objects.filter(owner=user)).order_by("-claimed_at", "keyid")
    return tuple(_own(key, machines) for key in keys)


def key_of(user: User, keyid: str) -> OwnKey | None:
    """Return one key with what happened to it, or None for one that is not theirs: four queries."""
    keys = AgentKey.objects.filter(owner=user, keyid=keyid).select_related("replaced_by")
    key = _counted(keys).first()
    if key is None:
        return None
    return _own(key, machines_of(user), events=tuple(key_events_of(user).filter(key=key)))


def _counted(keys: QuerySet[AgentKey]) -> QuerySet[AgentKey]:
    return keys.annotate(n_runs=Count("uploads"), newest=Max("uploads__received_at"))


def _own(
    key: AgentKey, machines: Iterable[OwnMachine], *, events: tuple[KeyEvent, ...] = ()
) -> OwnKey:
    counted: dict[str, Any] = vars(key)  # what the query counted
    return OwnKey(
        key=key,
        n_runs=counted["n_runs"],
        newest=counted["newest"],
        machines=tuple(each for each in machines if key.keyid in each.keyids),
        events=events,
    )
