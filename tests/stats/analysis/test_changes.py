"""Change points against series whose changes are known."""

from __future__ import annotations

import numpy as np
import pytest

from apps.stats.analysis.changes import SIDE_MIN, change_points


def noisy(level: float, n: int, seed: int) -> list[float]:
    return list(level * np.exp(np.random.default_rng(seed).normal(0, 0.03, n)))


def test_one_change_is_found_where_it_is() -> None:
    assert change_points([*noisy(1000, 12, 1), *noisy(700, 12, 2)]) == (12,)


def test_two_changes_are_found_in_their_order() -> None:
    rates = [*noisy(1000, 15, 3), *noisy(500, 15, 4), *noisy(900, 15, 5)]
    assert change_points(rates) == (15, 30)


def test_a_steady_series_rarely_has_a_change() -> None:
    found = [bool(change_points(noisy(1000, 20, seed))) for seed in range(60)]
    assert sum(found) <= 4


@pytest.mark.parametrize("rates", [[], [1.0], [1.0] * 30, [5.0, 1.0] * (SIDE_MIN - 1)])
def test_too_little_to_tell_is_no_change(rates: list[float]) -> None:
    assert change_points(rates) == ()


def test_a_change_too_small_to_matter_is_none() -> None:
    assert change_points([1000 + n / 100 for n in range(40)]) == ()
