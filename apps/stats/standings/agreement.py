"""Whether claimed uploaders of a cell agree: how many of their ranges hold one rate in common.

Three that do make the cell "reproduced". A range runs from the slowest to the fastest part of an
uploader's runs, and is never narrower than what repeats of one machine differ by.
"""

from __future__ import annotations

import math
from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from apps.stats.standings.changes import FACTOR_MIN
from apps.stats.standings.estimate import uploader_of_keys

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from apps.stats.standings.estimate import RunPoint

REPRODUCED_MIN: Final = 3  # unrelated claimed accounts: two may agree by chance, or know each other
REPEATS_FACTOR: Final = (
    FACTOR_MIN  # between repeats of one machine: a range has at least this width
)


@dataclass(frozen=True, slots=True)
class Reach:
    """The slowest and the fastest part of a run. Positive, in one unit."""

    slowest: float
    fastest: float


def most_in_common(ranges: Iterable[Reach]) -> int:
    """Return how many of these ranges hold one value in common at most; their ends belong to them.

    Of intervals each two of which overlap all have a value in common (Helly 1923).
    """
    ends = sorted(
        end for each in ranges for end in ((each.slowest, -1), (each.fastest, 1))
    )  # of equal values the beginnings first
    most = now = 0
    for _value, step in ends:
        now -= step
        most = max(most, now)
    return most


def agreeing(points: Sequence[RunPoint], reaches: Sequence[Reach]) -> int:
    """Return the most claimed uploaders whose ranges hold one rate in common.

    `reaches` are those of the runs, in the order of `points`. Only claimed runs count.
    """
    uploader_of_key = uploader_of_keys(points)
    of_uploader: dict[str, list[Reach]] = defaultdict(list)
    for point, reach in zip(points, reaches, strict=True):
        if point.is_claimed:
            of_uploader[uploader_of_key[point.key]].append(reach)
    return most_in_common(_widened(reaches) for reaches in of_uploader.values())


def _widened(reaches: Sequence[Reach]) -> Reach:
    low, high = min(each.slowest for each in reaches), max(each.fastest for each in reaches)
    missing = max(1.0, REPEATS_FACTOR / (high / low))
    return Reach(low / math.sqrt(missing), high * math.sqrt(missing))
