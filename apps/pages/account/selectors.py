"""Reads what is a person's."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from apps.accounts.models import AgentKey

if TYPE_CHECKING:
    from django.contrib.auth.models import User


@dataclass(frozen=True, slots=True)
class Account:
    """What somebody sees of themselves."""

    email: str
    keys: tuple[AgentKey, ...]


def account_of(user: User) -> Account:
    """Return the keys of a person, newest claim first: one query."""
    keys = AgentKey.objects.filter(owner=user).order_by("-claimed_at", "keyid")
    return Account(email=user.email, keys=tuple(keys))
