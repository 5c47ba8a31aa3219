"""How much of what the devices did was somebody else's."""

from __future__ import annotations

from typing import Final

from apps.wire.judgement import thresholds

# Figures with a larger share of others' traffic are marked, in thousandths: the counts of flushes
# and bytes a commit are then not the workload's own.
OTHERS_SHARE_MILLI_MAX: Final = thresholds().others.share_milli_max.value


def written_share(*, moved_bytes: int, reads: int, writes: int) -> int:
    """Return the part of these bytes that was probably written: the watch adds both directions."""
    return moved_bytes * writes // (reads + writes) if reads + writes else 0


def others_share_milli(
    *, idle_ns: int, idle_bytes: int, elapsed_ns: int, device_bytes: int
) -> int | None:
    """Return thousandths of `device_bytes`, written in `elapsed_ns`, that others moved.

    If they went on as in the idle watch, `idle_bytes` in `idle_ns`. None where nobody could watch
    or nothing was written.
    """
    if not idle_ns or not device_bytes:
        return None
    return min(idle_bytes * elapsed_ns * 1000 // (idle_ns * device_bytes), 1000)


def is_marked(share_milli: int) -> bool:
    """Whether a share of others is large enough to be said."""
    return share_milli > OTHERS_SHARE_MILLI_MAX
