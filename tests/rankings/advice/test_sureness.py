"""How sure the advisor is of a plan: the word, the margin of what decides, and the order."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest

from apps.rankings.advice.engine import advise
from apps.rankings.advice.software import MS
from apps.stats.standings.confidence import Confidence, Margin, Sureness
from apps.words.advice import reason_of
from tests.rankings.advice.test_needs import figure, need, plan

NO = Sureness(Confidence.FIRM, fails=True)
FEW = {"n_uploaders": 2}


@pytest.mark.parametrize(
    ("rate", "fields", "sure"),
    [
        (5_000, {}, Sureness(Confidence.FIRM)),
        (1_100, {}, Sureness(Confidence.BORDERLINE)),  # its low end lies below
        (900, {}, NO),
        (3_000, FEW, Sureness(Confidence.LIKELY)),  # 2,400 at its low end: more than twice
        (2_000, FEW, Sureness(Confidence.BORDERLINE)),
        (400, FEW, Sureness(Confidence.UNLIKELY)),
        (10_318, {"is_published": True}, Sureness(Confidence.LIKELY)),
    ],
)
def test_the_word_follows_from_support_and_margin(
    rate: float, fields: dict[str, Any], sure: Sureness
) -> None:
    (answer,) = advise(need(), [plan("p", figure("commit-8k", rate, **fields))])
    assert answer.sure == sure


def test_the_margin_is_that_of_what_decides() -> None:
    (rate,) = advise(need(), [plan("p", figure("commit-8k", 2_000, rate_high_per_s=2_500))])
    assert (rate.margin_of, rate.margin) == ("rate", Margin(2.0, 1.6, 2.5))
    (tail,) = advise(need(p99_ns_max=4 * MS), [plan("p", figure("commit-8k", 9_000))])
    assert (tail.margin_of, tail.margin) == ("p99", Margin(2.0))
    (dear,) = advise(need(budget_month=Decimal(40)), [plan("p", figure("commit-8k", 9_000))])
    assert (dear.margin_of, dear.margin, dear.sure) == ("budget", None, NO)
    (bare,) = advise(
        need("zfs-slog", 100), [plan("p", figure("direct-16k-fdatasync", 900, plp="none"))]
    )
    assert (bare.margin, bare.sure) == (None, NO)


def test_with_a_limit_of_which_nothing_is_known_the_word_is_borderline_at_best() -> None:
    (answer,) = advise(need(ram_gb=64), [plan("p", figure("commit-8k", 90_000))])
    assert (answer.sure, answer.unknown) == (Sureness(Confidence.BORDERLINE), ("ram",))


def test_without_the_p99_that_is_asked_for_nothing_is_known_but_that_a_rate_is_too_low() -> None:
    asked = need(p99_ns_max=5 * MS)
    (answer,) = advise(asked, [plan("p", figure("commit-8k", 90_000, p99_ns=None))])
    assert (answer.sure, answer.unknown) == (Sureness(Confidence.UNKNOWN), ("p99",))
    (slow,) = advise(asked, [plan("p", figure("commit-8k", 90, p99_ns=None))])
    assert slow.sure == NO
    below = {"p99_ns": None, "is_published": True, "rate_high_per_s": 1_300.0}
    (short,) = advise(asked, [plan("p", figure("commit-8k", 1_000, **below))])
    assert (short.sure, short.unknown) == (Sureness(Confidence.UNLIKELY), ("p99",))
    (known,) = advise(asked, [plan("p", figure("commit-8k", 1_000, **below | {"p99_ns": MS}))])
    assert known.sure == Sureness(Confidence.BORDERLINE)


def test_the_p99_has_the_bound_of_all_operations_for_a_low_end() -> None:
    tail = figure("commit-8k", 9_000, p99_ns=4 * MS, pooled_p999_ns=10 * MS)
    (answer,) = advise(need(p99_ns_max=5 * MS), [plan("p", tail)])
    assert (answer.margin_of, answer.margin) == ("p99", Margin(1.25, 0.5))
    assert answer.sure == Sureness(Confidence.BORDERLINE)


def test_the_cheapest_that_is_firm_or_likely_comes_first_then_the_other_words() -> None:
    rates = {"firm": (5_000, {}), "likely": (5_000, FEW), "near": (1_100, {}), "far": (300, FEW),
             "no": (90, {})}  # fmt: skip
    plans = [
        plan(f"{name}-{month}", figure("commit-8k", rate, **fields), price_month=Decimal(month))
        for name, (rate, fields) in rates.items()
        for month in (9, 5)
    ]
    names = [each.candidate.slug for each in advise(need(), [*plans, plan("unmeasured")])]
    others = [f"{name}-{month}" for name in ("near", "far", "no") for month in (5, 9)]
    assert names == ["firm-5", "likely-5", "firm-9", "likely-9", *others, "unmeasured"]


@pytest.mark.parametrize(
    ("bound_ns", "word", "unknown"),
    [
        (MS, Confidence.LIKELY, ()),
        (4 * MS, Confidence.BORDERLINE, ()),
        (5 * MS + 1, Confidence.UNKNOWN, ("p99",)),  # a bound beyond the limit shows nothing
    ],
)
def test_a_bound_by_both_sides_of_a_commit_is_likely_at_best(
    bound_ns: int, word: Confidence, unknown: tuple[str, ...]
) -> None:
    parts = {"p99_ns": None, "p99_bound_ns": bound_ns, "is_published": True}
    (answer,) = advise(need(p99_ns_max=5 * MS), [plan("p", figure("commit-8k", 9_000, **parts))])
    assert (answer.sure, answer.unknown) == (Sureness(word), unknown)
    says = "p99 at most 1 ms, from its two sides; 5 ms are allowed."
    assert (says in "\n".join(map(reason_of, answer.reasons))) is (bound_ns == MS)


def test_two_commits_in_a_row_have_no_bound() -> None:
    parts = {"p99_ns": None, "p99_bound_ns": 1_000, "is_published": True}
    asked = need("mysql", p99_ns_max=5 * MS)
    (answer,) = advise(asked, [plan("p", figure("commit-8k-fsync", 9_000, **parts))])
    assert answer.unknown == ("p99",)
