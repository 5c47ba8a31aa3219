"""Reads what is a person's."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from apps.accounts.models import AgentKey
from apps.plans.models import Provider
from apps.runs.models import Upload

if TYPE_CHECKING:
    from django.contrib.auth.models import User

    from apps.accounts.models import KeyLogin

GROUP: Final = 8  # characters


@dataclass(frozen=True, slots=True)
class Account:
    """What somebody sees of themselves."""

    email: str
    keys: tuple[AgentKey, ...]


def account_of(user: User) -> Account:
    """Return the keys of a person, newest claim first: one query."""
    keys = AgentKey.objects.filter(owner=user).order_by("-claimed_at", "keyid")
    return Account(email=user.email, keys=tuple(keys))


@dataclass(frozen=True, slots=True)
class KnownKey:
    """A key as its owner compares it with the terminal."""

    key: AgentKey
    n_runs: int

    @property
    def groups(self) -> tuple[str, ...]:
        """Its id in groups of eight, which eyes can follow."""
        keyid = self.key.keyid
        return tuple(keyid[at : at + GROUP] for at in range(0, len(keyid), GROUP))


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
