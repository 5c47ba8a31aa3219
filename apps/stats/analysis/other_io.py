"""The share of a device's traffic that other processes caused."""

from __future__ import annotations

from typing import Final

from apps.wire.judgement import thresholds

# In thousandths. Above this share of others' traffic, the flushes and bytes counted per commit are
# not the workload's own, and pages say so.
OTHERS_SHARE_MILLI_MAX: Final = thresholds().others.share_milli_max.value


def written_share(*, moved_bytes: int, reads: int, writes: int) -> int:
    """Return how many of these bytes, read and written together, were probably written."""
    return moved_bytes * writes // (reads + writes) if reads + writes else 0


def others_share_milli(
    *, idle_ns: int, idle_bytes: int, elapsed_ns: int, device_bytes: int
) -> int | None:
    """Return the thousandths of `device_bytes`, written in `elapsed_ns`, that others moved.

    This assumes that the others went on as in the idle watch (`idle_bytes` in `idle_ns`). None
    without an idle watch or where nothing was written.
    """
    if not idle_ns or not device_bytes:
        return None
    return min(idle_bytes * elapsed_ns * 1000 // (idle_ns * device_bytes), 1000)


def is_marked(share_milli: int) -> bool:
    """Whether a share of others' traffic is so large that pages have to say it."""
    return share_milli > OTHERS_SHARE_MILLI_MAX
