"""Writes about keys and people: enrolling a key on first use, keeping what was agreed to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from apps.accounts.models import AgentKey, TermsAcceptance

if TYPE_CHECKING:
    from django.contrib.auth.models import User


def enrol_key(*, keyid: str, public_key: bytes) -> tuple[AgentKey, bool]:
    """Return the enrolled key and whether it is new. The same key twice is one key."""
    return AgentKey.objects.get_or_create(keyid=keyid, defaults={"public_key": public_key})


def accept_terms(user: User, *, version: int) -> None:
    """Keep that a person agreed to a version of the terms; the first time counts."""
    TermsAcceptance.objects.get_or_create(user=user, version=version)
