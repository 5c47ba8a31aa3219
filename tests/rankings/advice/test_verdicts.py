"""Worked examples of what makes an answer of the advisor a yes, a may or a no."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest

from apps.rankings.advice.engine import advise
from apps.rankings.advice.software import MS
from apps.rankings.advice.verdicts import (
    Judgement,
    Verdict,
    VerdictDoubt,
    judge_p99,
    protection_shares,
)
from apps.rankings.advice.work import StandIn
from apps.words.advice import reason_of
from tests.rankings.advice.test_needs import Example, figure, need, plan

EXAMPLES = (
    Example(
        "the p99 of one uploader is no bound either", "commits", 50,
        (figure("commit-8k", 9_000, n_uploaders=1),), Verdict.MAY,
        "It is typical and no bound.", breaks="p99", asked={"p99_ns_max": 3 * MS},
    ),
    Example(
        "nor is that of an article, which nobody uploaded", "commits", 50,
        (figure("commit-8k", 9_000, n_uploaders=1, is_published=True),), Verdict.MAY,
        "It is typical and no bound.", breaks="p99", asked={"p99_ns_max": 3 * MS},
    ),
    Example(
        "the share of the low end is said with what it is of", "commits", 5_000,
        (figure("commit-8k", 34_000),), Verdict.MAY, "19,040 syncs a second can be counted "
        "on, 5,000 are needed.", breaks="p99", asked={"p99_ns_max": 3 * MS},
    ),
    Example(
        "the share of a low end with other work", "commits", 5_000,
        (figure("direct-16k-fdatasync", 34_000, p99_ns=None),), Verdict.MAY,
        "19,040 syncs a second or more, by other work; 5,000 are needed.",
        asked={"p99_ns_max": 3 * MS},
    ),
    Example(
        "the share of a figure without an interval", "commits", 5_000,
        (figure("commit-8k", 10_000, rate_low_per_s=None),), Verdict.MAY,
        "7,000 syncs a second, without an interval",
        breaks="rate", asked={"p99_ns_max": 3 * MS},
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
    assert example.reason in "\n".join(map(reason_of, answer.reasons))


@pytest.mark.parametrize(
    ("fields", "syncs_per_transaction", "why"),
    [
        ({"n_uploaders": 2}, 1, VerdictDoubt.FEW),
        ({"is_published": True}, 1, VerdictDoubt.ONE_SOURCE),
        ({}, 2, VerdictDoubt.SEVERAL_SYNCS),
    ],
)
def test_a_tail_within_the_limit_is_a_pass_only_without_a_doubt(
    fields: dict[str, Any], syncs_per_transaction: int, why: VerdictDoubt
) -> None:
    """The p99.9 of all commits keeps the limit, whoever measured them."""
    tail = figure("commit-8k", 9_000, pooled_p999_ns=4 * MS, **fields)
    judged = judge_p99(
        tail, StandIn("commit-8k"), 5 * MS, syncs_per_transaction=syncs_per_transaction
    )
    assert judged == Judgement(Verdict.MAY, why)


@pytest.mark.parametrize(
    ("stated", "shares"), [("full", (1, 1)), ("none", (0, 1)), ("unknown", (0, 0)), ("", (0, 0))]
)
def test_where_no_drive_is_known_what_is_stated_counts_for_everybody(
    stated: str, shares: tuple[int, int]
) -> None:
    assert protection_shares((), stated=stated) == tuple(map(Fraction, shares))


def test_of_what_may_do_it_the_figures_that_reach_it_come_first() -> None:
    """Then those that are short, those without the p99 that is asked for, and those far off."""
    plans = [
        plan("misses", figure("fallocated-8k-fsync", 90), price_month=Decimal(1)),
        plan("nearly", figure("fallocated-8k-fsync", 900)),
        plan("short", figure("commit-8k", 1_050), price_month=Decimal(1)),
        plan("shortest", figure("commit-8k", 1_040), price_month=Decimal(0)),
        plan("no-p99", figure("commit-8k", 9_000, p99_ns=None)),
        plan("reaches", figure("commit-8k", 9_000)),
    ]
    answers = advise(need(p99_ns_max=5 * MS), plans)
    slugs = ["reaches", "short", "shortest", "nearly", "no-p99", "misses"]
    assert [answer.candidate.slug for answer in answers] == slugs
    assert {answer.verdict for answer in answers} == {Verdict.MAY}
    assert [answer.is_miss for answer in answers] == [False] * 3 + [True, False, True]
    assert [answer.falls_short for answer in answers] == [False] + [True] * 3 + [False, True]
