"""The steady state of a device, by the rule of SNIA.

Solid State Storage Performance Test Specification (PTS 2.0.2, "Steady State"): in a window of five
rounds the range of the rates is at most 20 % of their average, and the line fitted to them by least
squares rises or falls by at most 10 % of it.
"""

from __future__ import annotations

from dataclasses import dataclass
from statistics import fmean
from typing import TYPE_CHECKING, Final

from apps.wire.judgement import thresholds

if TYPE_CHECKING:
    from collections.abc import Sequence

_STEADY: Final = thresholds().steady
WINDOW_ROUNDS: Final = _STEADY.window_rounds.value
RANGE_MAX: Final = _STEADY.range_share_max.value  # of the average
EXCURSION_MAX: Final = (
    _STEADY.excursion_share_max.value
)  # of the average: how far the fitted line rises or falls over the window


@dataclass(frozen=True, slots=True)
class SteadyState:
    """The steady state of a sustained workload, as SNIA defines it."""

    round: int  # from 1: the last round of the first window in which the rule holds
    mean_per_s: float  # of the window


def first_steady(rates_per_s: Sequence[float]) -> SteadyState | None:
    """Return the first window in which the rates are steady, or None."""
    for begin in range(len(rates_per_s) - WINDOW_ROUNDS + 1):
        window = rates_per_s[begin : begin + WINDOW_ROUNDS]
        if _is_steady(window):
            return SteadyState(begin + WINDOW_ROUNDS, fmean(window))
    return None


def _is_steady(window: Sequence[float]) -> bool:
    average = fmean(window)
    middle = (len(window) - 1) / 2
    offsets = [place - middle for place in range(len(window))]
    covariance = sum(
        offset * (rate - average) for offset, rate in zip(offsets, window, strict=True)
    )
    slope = covariance / sum(offset * offset for offset in offsets)
    excursion = abs(slope * (len(window) - 1))
    is_narrow = max(window) - min(window) <= RANGE_MAX * average
    return is_narrow and excursion <= EXCURSION_MAX * average
