"""Writes about keys: enrolling one on first use."""

from __future__ import annotations

from apps.accounts.models import AgentKey


def enrol_key(*, keyid: str, public_key: bytes) -> tuple[AgentKey, bool]:
    """Return the enrolled key and whether it is new. The same key twice is one key."""
    return AgentKey.objects.get_or_create(keyid=keyid, defaults={"public_key": public_key})
