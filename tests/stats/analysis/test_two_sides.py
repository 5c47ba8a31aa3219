"""The bound of a p99 by the two sides of a commit."""

from __future__ import annotations

import numpy as np

from apps.stats.analysis.two_sides import p99_bound_ns

TAIL = ((0.5, 10), (0.99, 20), (0.995, 30), (0.999, 70), (1.0, 400))
QUANTILES = (0.5, 0.9, 0.99, 0.995, 0.999, 1.0)


def test_two_p995_bound_a_p99_and_so_does_one_p99_with_the_slowest_of_the_other() -> None:
    assert p99_bound_ns(TAIL, TAIL) == 60
    assert p99_bound_ns([(0.99, 20)], TAIL) == 420
    assert p99_bound_ns(TAIL, [(0.99, 20), (1.0, 25)]) == 45  # the slowest sync leaves all to it


def test_nothing_is_bounded_by_two_p99_or_by_one_side() -> None:
    assert p99_bound_ns([(0.99, 20)], [(0.99, 20)]) is None
    assert p99_bound_ns(TAIL, ()) is None


def test_the_bound_holds_whatever_ties_the_two_sides() -> None:
    draws = np.random.default_rng(7).lognormal(size=(2, 20_000))
    write, sync = draws
    for other in (sync, np.sort(sync), np.sort(sync)[::-1]):
        by_write = np.argsort(write)
        both = write[by_write] + other
        curves = [
            [(q, float(np.quantile(side, q, method="higher"))) for q in QUANTILES]
            for side in (write, other)
        ]
        bound = p99_bound_ns(*curves)
        assert bound is not None
        assert bound + 1 >= np.quantile(both, 0.99)
