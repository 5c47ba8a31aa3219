"""How far repeats of the same workload lie apart, and above which spread pages say so."""

from __future__ import annotations

from dataclasses import dataclass
from statistics import median
from typing import TYPE_CHECKING, Final

from apps.wire.judgement import thresholds

if TYPE_CHECKING:
    from collections.abc import Sequence

UNSTEADY_SPREAD: Final = thresholds().repeats.unsteady_spread_above.value
REPEATS_MIN: Final = 2  # a single value has no spread


@dataclass(frozen=True, slots=True)
class RepeatSpread:
    """How far repeats lie apart."""

    median_per_s: float
    spread: float  # (largest - smallest) / median

    @property
    def is_unsteady(self) -> bool:
        """Whether the figure depends on the moment when it was taken."""
        return self.spread > UNSTEADY_SPREAD


def repeat_spread(rates_per_s: Sequence[float]) -> RepeatSpread | None:
    """Return the spread of these rates; None for fewer than two, or where their median is 0."""
    if len(rates_per_s) < REPEATS_MIN:
        return None
    middle = median(rates_per_s)
    if middle <= 0:
        return None
    return RepeatSpread(middle, (max(rates_per_s) - min(rates_per_s)) / middle)
