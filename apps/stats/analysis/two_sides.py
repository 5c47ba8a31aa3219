"""A bound of the p99 of a commit from the percentiles of its two sides, its write and its sync."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    Curve = Iterable[Sequence[float]]  # [q, ns] pairs, q in 0..1

BEYOND_MAX: Final = 0.01  # the share of commits beyond a p99
ROUNDING: Final = 1e-9  # of quantiles as they are printed: 0.995 and 0.995 leave 0.01


def p99_bound_ns(writes: Curve, syncs: Curve) -> int | None:
    """Return the lowest time that bounds the p99 of write and sync together, in nanoseconds.

    A commit takes longer than a + b only where its write takes longer than a or its sync longer
    than b, whatever ties the two: P(w + s > a + b) is at most P(w > a) + P(s > b). So two p99.5
    bound a p99, and so does a p99 of one side with the slowest of the other. None where no two
    quantiles of the sides leave as little.
    """
    pairs = [(write, sync) for write in writes for sync in syncs]
    bounds = (
        write_ns + sync_ns
        for (write_q, write_ns), (sync_q, sync_ns) in pairs
        if (1 - write_q) + (1 - sync_q) <= BEYOND_MAX + ROUNDING
    )
    lowest = min(bounds, default=None)
    return None if lowest is None else round(lowest)
