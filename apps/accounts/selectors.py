"""Reads about keys."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from apps.accounts.models import AgentKey

if TYPE_CHECKING:
    from collections.abc import Iterable

_KEYID: Final = re.compile(r"[0-9a-f]{64}")


def keys_by_id(keyids: Iterable[str]) -> dict[str, AgentKey]:
    """Return the enrolled keys among these ids.

    Strangers write them: what cannot be an id, such as a NUL, never reaches the database.
    """
    return AgentKey.objects.in_bulk([keyid for keyid in keyids if _KEYID.fullmatch(keyid)])
