"""A key that is to be linked, and where its login came from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from apps.plans.models import Provider
from apps.runs.models import Upload

if TYPE_CHECKING:
    from apps.accounts.models import AgentKey, KeyLogin


@dataclass(frozen=True, slots=True)
class KnownKey:
    """A key as its owner compares it with the terminal."""

    key: AgentKey
    n_runs: int


@dataclass(frozen=True, slots=True)
class Asker:
    """Where a login was asked for, as far as it is known."""

    provider: str  # empty: its network is no provider's that we know
    is_near: bool  # in the network of who looks at the page


def known_key(key: AgentKey) -> KnownKey:
    """A key with how many runs it sent: one query."""
    return KnownKey(key, Upload.objects.filter(key=key).count())


def asker_of(login: KeyLogin, *, network: str) -> Asker:
    """Where a login came from, seen from a network: one query."""
    names = Provider.objects.filter(pk=login.network_provider).values_list("name", flat=True)
    return Asker(provider=names.first() or "", is_near=login.network == network)
