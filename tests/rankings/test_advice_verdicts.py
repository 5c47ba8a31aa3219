"""Worked examples of what makes an answer of the advisor a yes, a may or a no."""

from __future__ import annotations

import pytest

from apps.rankings.advice.engine import advise
from apps.rankings.advice.needs import MS
from apps.rankings.advice.verdicts import Verdict
from tests.rankings.test_advice import Example, figure, need, plan

EXAMPLES = (
    Example(
        "the p99 of one uploader is no bound either", "commits", 50,
        (figure("commit-8k", 9_000, n_uploaders=1),), Verdict.MAY,
        "no bound: that of one uploader.", breaks="p99", asked={"p99_ns_max": 3 * MS},
    ),
    Example(
        "two syncs in a row take the time of two", "mysql", 100,
        (figure("commit-8k-fsync", 5_000, p99_ns=8 * MS),), Verdict.MAY,
        "8 ms a sync, 16 ms for 2 in a row", breaks="p99", asked={"p99_ns_max": 10 * MS},
    ),
    Example(
        "one of two syncs is too slow already", "mysql", 100,
        (figure("commit-8k-fsync", 5_000, p99_ns=11 * MS),), Verdict.FAILS,
        "11 ms a sync, 22 ms for 2 in a row", breaks="p99", asked={"p99_ns_max": 10 * MS},
    ),
    Example(
        "the p99.9 of all commits bounds the p99 of nine in ten uploaders", "commits", 500,
        (figure("commit-8k", 1_500, pooled_p999_ns=5 * MS),), Verdict.PASSES,
        "99.9 % ended within 5 ms", breaks="rate", asked={"p99_ns_max": 5 * MS},
    ),
    Example(
        "of fewer than three uploaders nothing is sure", "commits", 500,
        (figure("commit-8k", 9_000, n_uploaders=2),), Verdict.MAY, "7,200 syncs a second",
    ),
    Example(
        "an article is one source, however good", "commits", 500,
        (figure("commit-8k", 9_000, is_published=True),), Verdict.MAY, "7,200 syncs a second",
    ),
    Example(
        "a high end above leaves it open", "commits", 1_000,
        (figure("commit-8k", 900, rate_high_per_s=1_100.0),), Verdict.MAY, "720 syncs a second",
    ),
    Example(
        "more sessions than were measured may get more", "postgresql", 9_000,
        (figure("group-commit-8k-16", 8_000),), Verdict.MAY, "6,400 syncs a second",
        asked={"sessions": 20},
    ),
    Example(
        "as many sessions as were measured", "postgresql", 9_000,
        (figure("group-commit-8k-16", 8_000),), Verdict.FAILS, "6,400 syncs a second",
        asked={"sessions": 16},
    ),
)  # fmt: skip


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.name)
def test_a_worked_example(example: Example) -> None:
    asked = need(example.software, example.rate, **example.asked)
    (answer,) = advise(asked, [plan("p", *example.figures, **example.offered)])
    assert (answer.verdict, answer.breaks_first) == (example.verdict, example.breaks)
    assert any(example.reason in said for said in answer.reasons), answer.reasons


def test_of_what_may_do_it_the_figures_that_reach_it_come_first() -> None:
    """Then those with a limit of which nothing is known, then those that miss."""
    plans = [
        plan("misses", figure("fallocated-8k-fsync", 90)),
        plan("no-p99", figure("commit-8k", 9_000, p99_ns=None)),
        plan("reaches", figure("commit-8k", 9_000)),
    ]
    answers = advise(need(p99_ns_max=5 * MS), plans)
    assert [answer.candidate.slug for answer in answers] == ["reaches", "no-p99", "misses"]
    assert {answer.verdict for answer in answers} == {Verdict.MAY}
    assert [answer.is_miss for answer in answers] == [False, False, True]
