"""Reads about keys."""

from __future__ import annotations

from typing import TYPE_CHECKING

from apps.accounts.models import AgentKey

if TYPE_CHECKING:
    from collections.abc import Iterable


def keys_by_id(keyids: Iterable[str]) -> dict[str, AgentKey]:
    """Return the enrolled keys among these ids."""
    return AgentKey.objects.in_bulk(list(keyids))
