"""Worked examples of the advisor: what it counts on, what gives way, what it does not know."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest

from apps.rankings.advice.candidate import Candidate
from apps.rankings.advice.engine import advise
from apps.rankings.advice.evidence import Grounds, LotteryDrive, WorkloadFigure
from apps.rankings.advice.needs import Need, NeedError
from apps.rankings.advice.offers import Offer
from apps.rankings.advice.remarks import RemarkKind, remark
from apps.rankings.advice.software import BY_ID, MS, SOFTWARE
from apps.rankings.advice.verdicts import Verdict
from apps.runs.published.services import published_workloads
from apps.stats.standings.confidence import Confidence, Support, support_of
from apps.stats.standings.gates import RANKED_UPLOADERS_MIN
from apps.wire.suites import find_workload, p99_limit_of
from apps.words.advice import reason_of
from apps.words.software import SOFTWARE_WORDS

DAY = date(2026, 11, 1)


def need(software: str = "commits", rate: int = 1_000, **fields: Any) -> Need:
    return Need(BY_ID[software], rate, **fields)


def figure(workload: str, rate: float, **fields: Any) -> WorkloadFigure:
    usual: dict[str, Any] = {
        "rate_low_per_s": rate * 0.8, "p99_ns": 2 * MS, "n_uploaders": 8, "n_machines": 9,
        "latency_side": "commit", "needs_runs": fields.get("n_uploaders", 8) < RANKED_UPLOADERS_MIN,
    }  # fmt: skip
    all_fields = usual | fields
    support = support_of(
        is_ranked=not all_fields["needs_runs"],
        is_published=all_fields.get("is_published", False),
        age=timedelta(days=90),
    )
    return WorkloadFigure(workload=workload, rate_per_s=rate, **({"support": support} | all_fields))


def drive(plp: str, share: Fraction = Fraction(1)) -> LotteryDrive:
    return LotteryDrive(f"a {plp} drive", plp, 7, 7, share, DAY, DAY, 900, 1_100)


def lottery(**of_ten: int) -> dict[str, Any]:
    return {"drives": tuple(drive(plp, Fraction(n, 10)) for plp, n in of_ten.items())}


def plan(slug: str = "p", *figures: WorkloadFigure, **fields: Any) -> Candidate:
    usual: dict[str, Any] = {
        "name": slug, "provider": "acme", "kind": "cloud", "storage_kind": "local-nvme",
        "regions": "fsn1; hel1", "figures": {each.workload: each for each in figures},
    }  # fmt: skip
    offered: dict[str, Any] = {
        "capacity_gb": Decimal(100),
        "price_month": Decimal(50),
        "price_day": DAY,
    }
    offered |= {name: fields.pop(name) for name in list(fields) if name in Offer.__slots__}
    return Candidate(slug=slug, offer=Offer(**offered), **(usual | fields))


@dataclass(frozen=True)
class Example:
    """A need and a plan, and what is said of it."""

    name: str
    software: str
    rate: int
    figures: tuple[WorkloadFigure, ...]
    verdict: Verdict
    reason: str
    breaks: str = "rate"
    asked: dict[str, Any] = field(default_factory=dict)
    offered: dict[str, Any] = field(default_factory=dict)


COMMITS = (figure("commit-8k", 1_500),)
LOG_WRITES = (figure("direct-16k-fdatasync", 9_000),)
SMALL_WRITES = (figure("randwrite-4k-fsync", 900),)


def useful(workload: str, rate: float, limit_ms: int, **fields: Any) -> WorkloadFigure:
    return figure(workload, rate, p99_ns=None, p99_limit_ns=limit_ms * MS, **fields)


READS = (
    useful("slo-randread-4k-1ms", 20_000, 1), useful("slo-randread-4k-10ms", 90_000, 10),
    figure("randread-4k-qd32", 150_000, p99_ns=800_000),
)  # fmt: skip
SYNCED_WRITES = (
    figure("randwrite-4k-fsync", 900), useful("slo-randwrite-4k-fsync-10ms", 3_000, 10),
)  # fmt: skip
EXAMPLES = (
    Example(
        "low end above", "commits", 1_000, (figure("commit-8k", 2_000),),
        Verdict.PASSES, "1,600 syncs a second can be counted on, 1,000 are needed.",
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
        Verdict.PASSES, "6,400 syncs a second", breaks="writers", asked={"sessions": 20},
    ),
    Example(
        "too few sessions for what the plan can do", "postgresql", 5_000,
        (figure("commit-8k", 500), figure("group-commit-8k-16", 8_000)),
        Verdict.FAILS, "16 sessions at once got 8,000: with more of them it carries more.",
        breaks="writers",
    ),
    Example(
        "the most sessions that were measured", "postgresql", 5_000,
        (figure("commit-8k", 500), figure("group-commit-8k-16", 8_000)),
        Verdict.PASSES, "6,400 syncs a second", asked={"sessions": 64},
    ),
    Example(
        "the low end of its interval", "commits", 1_200,
        (figure("commit-8k", 2_000, rate_low_per_s=1_100.0),),
        Verdict.MAY, "1,100 syncs a second can be counted on",
    ),
    Example(
        "one figure bounds nothing", "commits", 1_000,
        (figure("commit-8k", 10_318, rate_low_per_s=None, is_published=True),),
        Verdict.MAY, "10,318 syncs a second, without an interval; 1,000 are needed.",
    ),
    Example(
        "one figure that is too low", "commits", 1_000,
        (figure("commit-8k", 187, rate_low_per_s=None),), Verdict.FAILS,
        "187 syncs a second, without an interval",
    ),
    Example(  # a search that found nothing once: 0 is a figure
        "an interval that ends at nothing", "random-writes", 10,
        (useful("slo-randwrite-4k-fsync-10ms", 300, 10, rate_low_per_s=0.0),),
        Verdict.MAY, "0 durable writes a second can be counted on",
    ),
    Example(  # 90,000 * 0.8, without a rule of thumb: the limit is in the figure
        "useful IOPS", "random-reads", 70_000, READS,
        Verdict.PASSES, "72,000 reads a second can be counted on", asked={"p99_ns_max": 12 * MS},
    ),
    Example(
        "useful IOPS under a stricter limit", "random-reads", 15_000, READS,
        Verdict.PASSES, "At this rate 99 of 100 are answered within 1 ms, 2 ms are allowed.",
        asked={"p99_ns_max": 2 * MS},
    ),
    Example(  # a closed loop at its limit: it shows nothing of the tail under less load
        "stricter than any search", "random-reads", 15_000, READS,
        Verdict.MAY, "p99 is 0.8 ms, 0.5 ms are allowed.", breaks="p99",
        asked={"p99_ns_max": MS // 2},
    ),
    Example(
        "useful IOPS without a limit", "random-reads", 70_000, READS,
        Verdict.PASSES, "72,000 reads a second",
    ),
    Example(
        "small synced writes in a closed loop", "ceph-wal", 600, SYNCED_WRITES,
        Verdict.PASSES, "720 syncs a second", offered={"drives": (drive("full"),)},
    ),
    Example(
        "the same under a p99", "ceph-wal", 2_000, SYNCED_WRITES,
        Verdict.PASSES, "2,400 syncs a second", asked={"p99_ns_max": 10 * MS},
        offered={"drives": (drive("full"),)},
    ),
    Example(
        "too small", "commits", 100, COMMITS, Verdict.FAILS,
        "Storage, GB: 100, 101 are needed.", breaks="capacity", asked={"capacity_gb": 101},
    ),
    Example(
        "just large enough gives way first", "commits", 100, COMMITS, Verdict.PASSES,
        "Storage, GB: 100, 100 are needed.", breaks="capacity", asked={"capacity_gb": 100},
    ),
    Example(
        "a capacity that nobody states", "commits", 100, COMMITS, Verdict.MAY,
        "Storage, GB: not stated.", asked={"capacity_gb": 10}, offered={"capacity_gb": None},
    ),
    Example(
        "a volume as large as is needed", "commits", 100, COMMITS, Verdict.PASSES,
        "Its volume is ordered with 5,000 GB.", asked={"capacity_gb": 5_000},
        offered={"is_ordered": True},
    ),
    Example(
        "a volume that cannot be ordered so", "commits", 100, COMMITS, Verdict.MAY,
        "At most 80,000 IOPS can be priced here.", asked={"capacity_gb": 5_000},
        offered={"is_ordered": True, "price_month": None,
                 "problem": remark(RemarkKind.VOLUME_TOO_MUCH, most=80_000, what="IOPS")},
    ),
    Example(
        "the budget gives way first", "commits", 100, COMMITS, Verdict.PASSES,
        "It costs 50.00 EUR a month of 55.00.", breaks="budget",
        asked={"budget_month": Decimal(55)},
    ),
    Example(
        "etcd's own limit", "etcd", 50, (figure("fallocated-2300-fdatasync", 900, p99_ns=11 * MS),),
        Verdict.FAILS, "p99 is 11 ms, 10 ms are allowed.", breaks="p99",
    ),
    Example(
        "a typical p99 is no bound", "etcd", 50,
        (figure("fallocated-2300-fdatasync", 900, p99_ns=9 * MS),), Verdict.MAY,
        "p99 is 9 ms, 10 ms are allowed. It is typical and no bound.", breaks="p99",
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
        Verdict.FAILS, "It costs 50.00 EUR a month of 40.00.", breaks="budget",
        asked={"budget_month": Decimal(40)},
    ),
    Example(
        "free", "commits", 100, COMMITS, Verdict.PASSES, "It costs 0.00 EUR a month",
        asked={"budget_month": Decimal(40)}, offered={"price_month": Decimal(0)},
    ),
    Example(
        "a log device with protection", "zfs-slog", 100, LOG_WRITES,
        Verdict.PASSES, "100% of the uploaders got a drive with power-loss protection.",
        offered={"drives": (drive("full"),)},
    ),
    Example(
        "a lottery of drives", "zfs-slog", 100, LOG_WRITES, Verdict.MAY,
        "70% of the uploaders got a drive", offered=lottery(full=7, none=3),
    ),
    Example(
        "one uploader in five is the exception", "zfs-slog", 100, LOG_WRITES, Verdict.PASSES,
        "80% of the uploaders got a drive", offered=lottery(full=8, none=2),
    ),
    Example(
        "one uploader in five with protection is as well", "zfs-slog", 100, LOG_WRITES,
        Verdict.FAILS, "20% of the uploaders", offered=lottery(full=2, partial=5, none=3),
    ),
    Example(
        "drives whose protection nobody states", "zfs-slog", 100, LOG_WRITES,
        Verdict.MAY, "0% of the uploaders", offered=lottery(unknown=10),
    ),
    Example(
        "a log device without protection", "ceph-wal", 100, SMALL_WRITES,
        Verdict.FAILS, "0% of the uploaders", offered={"drives": (drive("none"),)},
    ),
    Example(
        "a drive that nobody knows", "ceph-wal", 100, SMALL_WRITES,
        Verdict.MAY, "Which drive one gets is not known",
    ),
    Example(
        "nobody measured it", "kafka", 100, (figure("seqwrite-256k-qd8", 900),),
        Verdict.NOT_MEASURED, "Nobody has measured this.", breaks="",
    ),
)  # fmt: skip


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.name)
def test_a_worked_example(example: Example) -> None:
    asked = need(example.software, example.rate, **example.asked)
    (answer,) = advise(asked, [plan("p", *example.figures, **example.offered)])
    assert (answer.verdict, answer.breaks_first) == (example.verdict, example.breaks)
    assert example.reason in "\n".join(map(reason_of, answer.reasons))


def test_the_cheapest_that_meets_the_need_comes_first_and_the_unmeasured_last() -> None:
    good, fair, bad = (figure("commit-8k", rate) for rate in (5_000, 1_100, 10))
    plans = [
        plan("unmeasured", price_month=Decimal(1)),
        plan("fails", bad, price_month=Decimal(2)),
        plan("may", fair, price_month=Decimal(3)),
        plan("no-price", good, price_month=None),
        plan("dear", good, price_month=Decimal(90)),
        plan("cheap", good, price_month=Decimal(80)),
        plan("volume", good, price_month=Decimal(4), is_part=True),
    ]
    names = [answer.candidate.slug for answer in advise(need(), plans)]
    assert names == ["cheap", "dear", "volume", "no-price", "may", "fails", "unmeasured"]


@pytest.mark.parametrize(
    "asked",
    [{"region": "nbg1"}, {"kind": "dedicated"}, {"provider": "other"}],
)
def test_what_was_not_asked_for_is_left_out(asked: dict[str, Any]) -> None:
    there = plan("p", figure("commit-8k", 5_000))
    assert advise(need(**asked), [there]) == []
    assert len(advise(need(region="FSN1", kind="cloud", provider="acme"), [there]))
    assert len(advise(need(kind="vps"), [there]))  # providers call one thing by either name


def test_under_a_budget_what_has_no_price_is_left_out() -> None:
    unpriced = plan("p", figure("commit-8k", 5_000), price_month=None)
    assert advise(need(budget_month=Decimal(40)), [unpriced]) == []


def test_a_volume_is_no_server_and_answers_only_where_it_is_asked_for() -> None:
    volume = replace(plan("v", figure("commit-8k", 5_000), is_part=True), kind="volume")
    assert advise(need(), [volume]) == []
    assert len(advise(need(kind="volume"), [volume]))


def test_a_p50_beyond_the_limit_of_p99_is_a_no_a_mean_is_not_and_what_has_a_p99_is_nearer() -> None:
    cited: dict[str, Any] = {"is_published": True, "support": Support.SOME}
    known = figure("commit-8k", 7_000, p99_ns=145_000, latency_side="commit", **cited)
    half = figure("commit-8k", 8_000, p99_ns=None, p50_ns=120_000, latency_side="commit", **cited)
    mean = figure("commit-8k", 20_000, p99_ns=None, is_one_writer=True, **cited)
    quick = figure("commit-8k", 2_000_000, p99_ns=None, is_one_writer=True, **cited)
    plans = [plan("half", half), plan("a-mean", mean), plan("known", known), plan("quick", quick)]
    answers = advise(need(rate=1_000, p99_ns_max=1_000), plans)
    assert [(each.candidate.slug, each.sure.confidence) for each in answers] == [
        ("quick", Confidence.UNKNOWN),
        ("a-mean", Confidence.UNKNOWN),  # a mean beyond the limit is a miss for the order alone
        ("known", Confidence.UNLIKELY),
        ("half", Confidence.UNLIKELY),
    ]
    said = [" ".join(map(reason_of, each.reasons)) for each in answers]
    assert "Its mean" not in said[0]
    assert "Its p99 is not known. Its mean is 0.05 ms; 0.001 ms are allowed." in said[1]
    assert "Its p99 is over 0.12 ms, its p50; 0.001 ms are allowed." in said[3]


def test_half_a_percent_of_stalls_makes_a_mean_and_no_p99() -> None:
    """199 commits of 0.1 ms and one of a second have a mean of 5 ms, and a p99 of 0.1 ms."""
    mean = figure("commit-8k", 196, p99_ns=None, p50_ns=100_000, latency_side="commit",
                  is_one_writer=True)  # fmt: skip
    (answer,) = advise(need(rate=50, p99_ns_max=1_000_000), [plan("mean", mean)])
    assert (answer.sure.confidence, answer.is_miss) == (Confidence.UNKNOWN, True)


@pytest.mark.parametrize(
    ("fields", "confidence"),
    [
        ({}, Grounds.FIRM),
        ({"n_uploaders": 2}, Grounds.FEW),
        ({"is_published": True}, Grounds.PUBLISHED),
    ],
)
def test_what_a_verdict_rests_on_is_said(fields: dict[str, Any], confidence: Grounds) -> None:
    (answer,) = advise(need(), [plan("p", figure("commit-8k", 5_000, **fields))])
    assert answer.confidence is confidence


def test_without_a_lower_bound_no_rate_can_be_counted_on() -> None:
    (answer,) = advise(need(), [plan("p", figure("commit-8k", 9_000, rate_low_per_s=None))])
    assert (answer.verdict, answer.rate_low_per_s) == (Verdict.MAY, None)


def test_transactions_are_counted_and_not_syncs() -> None:
    (answer,) = advise(need("mysql", 10), [plan("p", figure("commit-8k-fsync", 1_000))])
    assert answer.rate_low_per_s == 400  # two syncs for each, 800 of them for sure


def test_a_minute_is_the_longest_p99_that_may_be_asked_for() -> None:
    assert need(p99_ns_max=60_000 * MS).p99_ns_max == 60 * 10**9
    with pytest.raises(NeedError):
        need(p99_ns_max=60_000 * MS + 1)


@pytest.mark.parametrize(
    ("name", "fields"),
    [
        ("rate", {"rate": 0}),
        ("sessions", {"sessions": 0}),
        ("p99", {"p99_ns_max": 0}),
        ("capacity_gb", {"capacity_gb": -1}),
        ("budget", {"budget_month": Decimal(0)}),
    ],
)
def test_a_need_that_makes_no_sense_is_refused(name: str, fields: dict[str, Any]) -> None:
    with pytest.raises(NeedError) as caught:
        need(**fields)
    assert caught.value.field == name


def test_every_software_names_workloads_of_the_suites_and_its_source() -> None:
    for software in SOFTWARE:
        assert SOFTWARE_WORDS[software.id].rule
        assert SOFTWARE_WORDS[software.id].source
        for workload in software.workloads:
            is_ours = find_workload(workload, version=1) is not None
            assert is_ours or workload in published_workloads(), workload
        for workload in software.searches:
            assert p99_limit_of(workload, version=1) is not None, workload
