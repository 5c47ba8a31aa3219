"""The fsync ladder: which class of storage a commit latency looks like."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable


@dataclass(frozen=True, slots=True)
class Rung:
    """A class of storage and the sync latencies that are typical of it, in nanoseconds."""

    slug: str
    low_ns: int
    high_ns: int


def distance(latency_ns: int, rung: Rung) -> tuple[float, float]:
    """Return how far a latency is outside of a rung, then from its middle, in natural logarithms.

    Latencies spread by factors, so distances are taken in log space and the middle is the
    geometric one.
    """
    latency = math.log(max(latency_ns, 1))
    low, high = math.log(max(rung.low_ns, 1)), math.log(max(rung.high_ns, 1))
    outside = max(low - latency, latency - high, 0.0)
    return outside, abs(latency - (low + high) / 2)


def rung_of(latency_ns: int, rungs: Iterable[Rung]) -> Rung | None:
    """Return the rung that a commit p50 in nanoseconds stands on, or None without rungs.

    Ranges overlap: of the rungs that hold the latency the one whose middle is nearest wins, the
    first of equals. A latency between or beyond all ranges stands on the nearest one.
    """
    return min(rungs, key=lambda rung: distance(latency_ns, rung), default=None)
