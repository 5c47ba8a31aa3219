"""A cache of one's own: workers share one Valkey, and clearing it would empty that of others."""

from __future__ import annotations

from uuid import uuid4

from django.core.cache import caches


def forget_cache() -> None:
    """Make the cache of this thread as if nothing had been stored in it."""
    caches["default"].key_prefix = f"test-{uuid4().hex}"
