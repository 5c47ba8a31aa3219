"""Worked examples of what a reader wishes beside a rate, and of articles that stand in."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest

from apps.rankings.advice.engine import advise
from apps.rankings.advice.needs import NeedError
from apps.rankings.advice.software import MS
from apps.rankings.advice.verdicts import Verdict
from apps.words.advice import doubt_words, reason_of
from tests.rankings.advice.test_needs import COMMITS, Example, drive, figure, need, plan

EXAMPLES = (
    Example(
        "an article stands in", "commits", 1_000,
        (figure("direct-16k-fsync", 3_000, is_published=True),),
        Verdict.MAY, "2,400 syncs a second or more, by other work",
    ),
    Example(
        "two megabytes a sync stand in for nothing", "commits", 1_000,
        (figure("fio-2m-direct-randwrite-fdatasync", 3_000),),
        Verdict.NOT_MEASURED, "Nobody has measured",
        breaks="",
    ),
    Example(
        "the nearest stand-in goes first", "commits", 1_000,
        (figure("direct-16k-fsync", 9_000), figure("fallocated-8k-fsync", 500)),
        Verdict.MAY, "400 syncs a second",
    ),
    Example(
        "who passes with more work passes", "commits", 1_000,
        (figure("fallocated-8k-fsync", 5_000),), Verdict.PASSES, "4,000 syncs a second",
    ),
    Example(
        "too little memory", "commits", 100, COMMITS, Verdict.FAILS,
        "Memory, GB: 8, 16 are needed.",
        asked={"ram_gb": 16}, offered={"ram_gb": Decimal(8)},
    ),
    Example(
        "memory that nobody states", "commits", 100, COMMITS, Verdict.MAY,
        "Memory, GB: not stated.", asked={"ram_gb": 16},
    ),
    Example(
        "just enough processors give nothing way", "commits", 100, COMMITS, Verdict.PASSES,
        "vCPUs: 4, 4 are needed.", asked={"vcpus": 4}, offered={"vcpus": 4},
    ),
    Example(
        "a reader wants protection that the software does not ask for", "commits", 100, COMMITS,
        Verdict.FAILS, "0% of the uploaders", asked={"plp": True},
        offered={"drives": (drive("none"),)},
    ),
)  # fmt: skip


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.name)
def test_a_worked_example(example: Example) -> None:
    asked = need(example.software, example.rate, **example.asked)
    (answer,) = advise(asked, [plan("p", *example.figures, **example.offered)])
    assert (answer.verdict, answer.breaks_first) == (example.verdict, example.breaks)
    assert example.reason in "\n".join(map(reason_of, answer.reasons))


def test_plans_of_other_providers_are_left_out() -> None:
    there = plan("p", figure("commit-8k", 5_000))
    assert advise(need(providers=frozenset({"other", "another"})), [there]) == []
    assert len(advise(need(providers=frozenset({"other", "acme"})), [there])) == 1


def test_headroom_is_of_what_can_be_counted_on_else_of_the_estimate() -> None:
    (low,) = advise(need(), [plan("p", figure("commit-8k", 2_000))])
    (typical,) = advise(need(), [plan("p", figure("commit-8k", 2_000, rate_low_per_s=None))])
    (nothing,) = advise(need(), [plan("p")])
    assert (low.headroom, typical.headroom, nothing.headroom) == (1.6, 2.0, None)
    (other,) = advise(need(), [plan("p", figure("direct-16k-fsync", 9_000))])
    # it cannot show that the rate is reached
    assert (other.headroom, other.rate_low_per_s) == (None, None)
    assert doubt_words(other.doubt) == "measured with other work than it does"


def test_limits_of_which_nothing_is_known_are_named() -> None:
    known = plan("p", figure("commit-8k", 5_000, p99_ns=None), regions="")
    (answer,) = advise(need(region="fsn1", p99_ns_max=MS), [known])
    assert answer.unknown == ("p99", "region")


@pytest.mark.parametrize(
    ("name", "fields"),
    [
        ("budget", {"budget_month": Decimal(10**10)}),
        ("p99", {"p99_ns_max": 10**15}),
        ("capacity_gb", {"capacity_gb": 10**12}),
        ("ram_gb", {"ram_gb": -1}),
        ("vcpus", {"vcpus": 10**9}),
    ],
)
def test_a_wish_beyond_what_can_be_answered_is_refused(name: str, fields: dict[str, Any]) -> None:
    with pytest.raises(NeedError) as caught:
        need(**fields)
    assert caught.value.field == name
