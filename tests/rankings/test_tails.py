"""The one rule for a limit of p99, on both sides of every border, and the bound itself."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from apps.rankings.tails import Doubt, Tail, TailVerdict, Work, judge_tail
from apps.stats.histogram import Histogram
from apps.stats.pooled import Counts, Pool

if TYPE_CHECKING:
    from numpy.random import Generator

MS = 1_000_000
LIMIT = 10 * MS
KEPT = Tail(p99_ns=LIMIT, pooled_p999_ns=LIMIT, side="commit", n_uploaders=3, n_machines=5)


def verdict(tail: Tail, **how: Any) -> tuple[TailVerdict, Doubt]:
    found = judge_tail(tail, LIMIT, **how)
    return found.verdict, found.doubt


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({}, (TailVerdict.PASSES, Doubt.NONE)),
        ({"pooled_p999_ns": LIMIT + 1}, (TailVerdict.MAY, Doubt.HALF_SAW_WORSE)),
        ({"pooled_p999_ns": None}, (TailVerdict.MAY, Doubt.HALF_SAW_WORSE)),
        ({"n_uploaders": 2}, (TailVerdict.MAY, Doubt.FEW)),
        ({"n_machines": 4}, (TailVerdict.MAY, Doubt.FEW)),
        ({"is_published": True}, (TailVerdict.MAY, Doubt.ONE_SOURCE)),
        ({"p99_ns": LIMIT + 1}, (TailVerdict.FAILS, Doubt.ABOVE)),
        ({"p99_ns": LIMIT + 1, "is_published": True}, (TailVerdict.FAILS, Doubt.ABOVE)),
        ({"p99_ns": None}, (TailVerdict.UNKNOWN, Doubt.NO_P99)),
        ({"side": "completion"}, (TailVerdict.UNKNOWN, Doubt.NO_P99)),
        ({"side": "read"}, (TailVerdict.PASSES, Doubt.NONE)),
    ],
)
def test_each_border(changes: dict[str, Any], expected: tuple[TailVerdict, Doubt]) -> None:
    assert verdict(replace(KEPT, **changes)) == expected


def test_other_work_than_that_of_the_software() -> None:
    assert verdict(KEPT, work=Work(is_less=True)) == (TailVerdict.MAY, Doubt.LESS_WORK)
    near = replace(KEPT, p99_ns=3 * LIMIT)
    assert verdict(near, work=Work(times=3)) == (TailVerdict.MAY, Doubt.MORE_WORK)
    far = replace(KEPT, p99_ns=3 * LIMIT + 1)
    assert verdict(far, work=Work(times=3)) == (TailVerdict.FAILS, Doubt.ABOVE)


def test_operations_in_a_row_share_the_limit() -> None:
    half = replace(KEPT, p99_ns=LIMIT // 2, pooled_p999_ns=LIMIT // 2)
    assert verdict(half, in_a_row=2) == (TailVerdict.PASSES, Doubt.NONE)
    longer = replace(half, pooled_p999_ns=LIMIT // 2 + 1)
    assert verdict(longer, in_a_row=2) == (TailVerdict.MAY, Doubt.HALF_SAW_WORSE)
    assert verdict(KEPT, in_a_row=2) == (TailVerdict.FAILS, Doubt.ABOVE)


def uploaders(generator: Generator, n: int, slow: int) -> list[np.ndarray[Any, Any]]:
    """Commits of n uploaders, of which `slow` have a p99 beyond the limit by a little."""
    drawn = generator.lognormal(np.log(MS), 0.3, (n, 4_000))
    drawn[:slow, :45] = LIMIT * generator.uniform(1.05, 3, (slow, 45))  # 1.1 % of them
    return list(drawn.astype(np.int64))


@pytest.mark.parametrize(("n", "slow"), list(product([3, 5, 10, 20, 40], [0, 1, 2, 4])))
def test_what_passes_was_kept_by_nine_in_ten_uploaders(n: int, slow: int) -> None:
    """The bound itself, by pooling made-up uploaders whose own p99 is known."""
    commits = uploaders(np.random.default_rng(n * 100 + slow), n, min(slow, n))
    pool = Pool()
    for each in commits:
        counted, histogram = Counts(), Histogram.of(each.tolist())
        counted.add(
            histogram.buckets, histogram.counts, min_ns=int(each.min()), max_ns=int(each.max())
        )
        pool.add(counted, weight=1.0)
    pooled = pool.pooled()
    assert pooled is not None
    p99s = [int(np.quantile(each, 0.99)) for each in commits]
    tail = replace(
        KEPT, p99_ns=int(np.median(p99s)), pooled_p999_ns=pooled.quantile_ns(0.999), n_uploaders=n
    )
    passes = judge_tail(tail, LIMIT).verdict is TailVerdict.PASSES
    assert not (passes and sum(p99 > LIMIT for p99 in p99s) > n / 10)
    assert passes == (slow == 0 or slow * 45 / 4_000 / n < 0.001)
