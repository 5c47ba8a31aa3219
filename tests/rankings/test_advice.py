"""Worked examples of the advisor: what it counts on, what gives way, what it does not know."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from typing import Any

import pytest

from apps.rankings.advice.engine import (
    Candidate,
    Confidence,
    DriveSeen,
    Figure,
    Verdict,
    advise,
)
from apps.rankings.advice.needs import BY_ID, MS, SOFTWARE, Need, NeedError
from apps.wire.suites import find_workload

DAY = date(2026, 11, 1)


def need(software: str = "commits", rate: int = 1_000, **fields: Any) -> Need:
    return Need(BY_ID[software], rate, **fields)


def figure(workload: str, rate: float, **fields: Any) -> Figure:
    usual = {"rate_low_per_s": rate * 0.8, "p99_ns": 2 * MS, "n_uploaders": 4, "n_machines": 6}
    return Figure(workload=workload, rate_per_s=rate, **(usual | fields))


def drive(plp: str) -> DriveSeen:
    return DriveSeen(f"a {plp} drive", plp, 2, DAY, DAY, 900, 1_100)


def plan(slug: str = "p", *figures: Figure, **fields: Any) -> Candidate:
    usual: dict[str, Any] = {
        "name": slug, "provider": "acme", "kind": "cloud", "storage_kind": "local-nvme",
        "regions": "fsn1; hel1", "capacity_gb": Decimal(100), "price_month": Decimal(50),
        "price_day": DAY, "figures": {each.workload: each for each in figures},
    }  # fmt: skip
    return Candidate(slug=slug, **(usual | fields))


@dataclass(frozen=True)
class Example:
    """A need and a plan, and what is said of it."""

    name: str
    software: str
    rate: int
    figures: tuple[Figure, ...]
    verdict: Verdict
    reason: str
    breaks: str = "rate"
    asked: dict[str, Any] = field(default_factory=dict)
    offered: dict[str, Any] = field(default_factory=dict)


COMMITS = (figure("commit-8k", 1_500),)
LOG_WRITES = (figure("direct-16k-fdatasync", 9_000),)
SMALL_WRITES = (figure("randwrite-4k-fsync", 900),)
EXAMPLES = (
    Example(
        "low end above", "commits", 1_000, (figure("commit-8k", 2_000),),
        Verdict.MEETS, "1,600 syncs a second can be counted on, 1,000 are needed.",
    ),
    Example(
        "estimate above, low end below", "commits", 1_000, (figure("commit-8k", 1_200),),
        Verdict.MAY, "960 syncs a second can be counted on",
    ),
    Example(
        "estimate below", "commits", 1_000, (figure("commit-8k", 900),),
        Verdict.FAILS, "720 syncs a second",
    ),
    Example(
        "MySQL syncs twice", "mysql", 1_000, (figure("commit-8k-fsync", 2_000),),
        Verdict.MAY, "2,000 are needed",
    ),
    Example(
        "sessions share syncs", "postgresql", 5_000,
        (figure("commit-8k", 500), figure("group-commit-8k-16", 8_000),
         figure("group-commit-8k-32", 20_000)),
        Verdict.MEETS, "6,400 syncs a second", asked={"sessions": 20},
    ),
    Example(
        "etcd's own limit", "etcd", 50, (figure("fallocated-2300-fdatasync", 900, p99_ns=11 * MS),),
        Verdict.FAILS, "p99 is 11 ms, 10 ms are allowed.", breaks="p99",
    ),
    Example(  # 1,500 * 0.8 * 0.7
        "a tail that was asked for costs rate", "commits", 1_000, COMMITS,
        Verdict.MAY, "840 syncs a second", asked={"p99_ns_max": 5 * MS},
    ),
    Example(
        "a p99 that nobody knows", "commits", 100, (figure("commit-8k", 1_500, p99_ns=None),),
        Verdict.MAY, "Its p99 is not known.", asked={"p99_ns_max": 5 * MS},
    ),
    Example(
        "too dear", "commits", 100, COMMITS,
        Verdict.FAILS, "It costs 50.00 EUR a month of 40.00.", asked={"budget_month": Decimal(40)},
    ),
    Example(
        "no price", "commits", 100, COMMITS, Verdict.MAY, "No price is known.",
        asked={"budget_month": Decimal(40)}, offered={"price_month": None},
    ),
    Example(
        "free", "commits", 100, COMMITS, Verdict.MEETS, "It costs 0.00 EUR a month",
        asked={"budget_month": Decimal(40)}, offered={"price_month": Decimal(0)},
    ),
    Example(
        "a log device with protection", "zfs-slog", 100, LOG_WRITES,
        Verdict.MEETS, "Every drive that was seen has", offered={"drives": (drive("full"),)},
    ),
    Example(
        "a lottery of drives", "zfs-slog", 100, LOG_WRITES, Verdict.MAY, "Not every drive",
        offered={"drives": (drive("full"), drive("none"))},
    ),
    Example(
        "a log device without protection", "ceph-wal", 100, SMALL_WRITES,
        Verdict.FAILS, "Not every drive", offered={"drives": (drive("none"),)},
    ),
    Example(
        "a drive that nobody knows", "ceph-wal", 100, SMALL_WRITES,
        Verdict.MAY, "Which drive one gets is not known",
    ),
    Example(
        "nobody measured it", "kafka", 100, (figure("commit-8k-dsync", 900),),
        Verdict.UNMEASURED, "Nobody has measured this.", breaks="",
    ),
)  # fmt: skip


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.name)
def test_a_worked_example(example: Example) -> None:
    asked = need(example.software, example.rate, **example.asked)
    (answer,) = advise(asked, [plan("p", *example.figures, **example.offered)])
    assert (answer.verdict, answer.breaks_first) == (example.verdict, example.breaks)
    assert any(example.reason in said for said in answer.reasons), answer.reasons


def test_the_cheapest_that_meets_the_need_comes_first_and_the_unmeasured_last() -> None:
    good, fair, bad = (figure("commit-8k", rate) for rate in (5_000, 1_100, 10))
    plans = [
        plan("unmeasured", price_month=Decimal(1)),
        plan("fails", bad, price_month=Decimal(2)),
        plan("may", fair, price_month=Decimal(3)),
        plan("no-price", good, price_month=None),
        plan("dear", good, price_month=Decimal(90)),
        plan("cheap", good, price_month=Decimal(80)),
    ]
    names = [answer.candidate.slug for answer in advise(need(), plans)]
    assert names == ["cheap", "dear", "no-price", "may", "fails", "unmeasured"]


@pytest.mark.parametrize(
    "asked",
    [{"region": "nbg1"}, {"kind": "dedicated"}, {"provider": "other"}, {"capacity_gb": 101}],
)
def test_what_was_not_asked_for_is_left_out(asked: dict[str, Any]) -> None:
    there = plan("p", figure("commit-8k", 5_000))
    assert advise(need(**asked), [there]) == []
    assert len(advise(need(region="FSN1", kind="cloud", provider="acme", capacity_gb=100), [there]))


@pytest.mark.parametrize(
    ("fields", "confidence"),
    [
        ({}, Confidence.FIRM),
        ({"n_uploaders": 2}, Confidence.FEW),
        ({"n_machines": 4}, Confidence.FEW),
        ({"is_published": True}, Confidence.PUBLISHED),
    ],
)
def test_what_a_verdict_rests_on_is_said(fields: dict[str, Any], confidence: Confidence) -> None:
    (answer,) = advise(need(), [plan("p", figure("commit-8k", 5_000, **fields))])
    assert answer.confidence is confidence


def test_assumptions_are_named_with_the_rule() -> None:
    rule = BY_ID["postgresql"].rule
    asked = need("postgresql", 100, sessions=20)
    (grouped,) = advise(asked, [plan("p", figure("group-commit-8k-16", 8_000))])
    assert grouped.assumptions == (rule, "20 sessions get at least what 16 got that share syncs.")
    (alone,) = advise(asked, [plan("p", figure("commit-8k", 500))])
    assert alone.assumptions[1].startswith("Nobody measured sessions that share syncs here")
    (other,) = advise(need("etcd", 10), [plan("p", figure("commit-8k", 500, rate_low_per_s=None))])
    assert other.assumptions[1:3] == (
        "fallocated-2300-fdatasync was not measured: commit-8k stands for it.",
        "There is no interval: the one figure that is known is counted on.",
    )
    assert "loaded to 70%" in other.assumptions[3]


def test_transactions_are_counted_and_not_syncs() -> None:
    (answer,) = advise(need("mysql", 10), [plan("p", figure("commit-8k-fsync", 1_000))])
    assert answer.rate_low_per_s == 400  # two syncs for each, 800 of them for sure


@pytest.mark.parametrize(
    ("name", "fields"),
    [
        ("rate", {"rate": 0}),
        ("sessions", {"sessions": 0}),
        ("p99", {"p99_ns_max": 0}),
        ("capacity", {"capacity_gb": -1}),
        ("budget", {"budget_month": Decimal(0)}),
    ],
)
def test_a_need_that_makes_no_sense_is_refused(name: str, fields: dict[str, Any]) -> None:
    with pytest.raises(NeedError) as caught:
        need(**fields)
    assert caught.value.field == name


def test_every_software_names_workloads_of_the_suites_and_its_source() -> None:
    for software in SOFTWARE:
        assert software.rule
        assert software.source
        for workload in software.workloads:
            assert find_workload(workload, version=1) is not None, workload
