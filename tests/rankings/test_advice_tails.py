"""Worked examples of a limit of p99: what the advisor says of it, and why it is not sure."""

from __future__ import annotations

import pytest

from apps.rankings.advice.engine import advise
from apps.rankings.advice.evidence import Verdict
from apps.rankings.advice.needs import MS
from tests.rankings.test_advice import Example, figure, need, plan

EXAMPLES = (
    Example(
        "the p99.9 of all together is a bound", "etcd", 50,
        (figure("fallocated-2300-fdatasync", 900, p99_ns=4 * MS, pooled_p999_ns=9 * MS),),
        Verdict.MEETS, "p99.9 of all that 4 uploaders did is 9 ms: at most 1 of 10 uploaders can "
        "have seen a slower p99 than is allowed.", breaks="p99",
    ),
    Example(
        "an overwrite does less than etcd", "etcd", 50,
        (figure("commit-8k", 900, p99_ns=4 * MS, pooled_p999_ns=9 * MS),),
        Verdict.MAY, "measured with less work", breaks="p99",
    ),
    Example(
        "the tail of an article", "etcd", 50,
        (figure("fallocated-2300-fdatasync", 900, p99_ns=4 * MS, is_published=True),),
        Verdict.MAY, "no bound: that of one published source.", breaks="p99",
    ),
    Example(
        "what ends before the sync is no p99", "etcd", 50,
        (figure("fallocated-2300-fdatasync", 900, p99_ns=4 * MS, latency_side="completion"),),
        Verdict.MAY, "what was timed ends where the sync begins",
    ),
    Example(
        "two syncs in a row are given half of the limit each", "mysql", 100,
        (figure("commit-8k-fsync", 5_000, p99_ns=4 * MS, pooled_p999_ns=5 * MS),),
        Verdict.MEETS, "at most 2 of 10 uploaders", breaks="p99", asked={"p99_ns_max": 10 * MS},
    ),
)  # fmt: skip


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.name)
def test_what_is_said_of_a_limit(example: Example) -> None:
    (answer,) = advise(
        need(example.software, example.rate, **example.asked), [plan("p", *example.figures)]
    )
    assert (answer.verdict, answer.breaks_first) == (example.verdict, example.breaks)
    assert any(example.reason in said for said in answer.reasons), answer.reasons
