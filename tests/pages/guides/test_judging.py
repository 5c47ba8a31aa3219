"""The verdict of a guide: on both sides of every threshold, and never from another workload."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from apps.pages.guides.all import GUIDES
from apps.pages.guides.guide import Guide
from apps.pages.guides.judged import judged_of, point_of
from apps.pages.guides.verdicts import judged_once
from apps.rankings.advice.rules import FitnessRule
from apps.rankings.advice.verdicts import Verdict
from apps.rankings.models import Evidence
from apps.wire.suites import find_suite
from tests import make

if TYPE_CHECKING:
    from apps.rankings.models import Standing

pytestmark = pytest.mark.django_db
BY_SLUG = {guide.slug: guide for guide in GUIDES}
OLTP, ETCD, SLOG = BY_SLUG["oltp"], BY_SLUG["etcd"], BY_SLUG["zfs-slog"]
ENOUGH = {"n_uploaders": 3, "n_machines": 5}
MS = 1_000_000


def verdict(guide: Guide, **changes: object) -> Verdict:
    return guide.judge(make.standing(**changes)).verdict


def well_measured(**changes: object) -> dict[str, object]:
    """Return a standing that is ranked: 1,100 a second and surely more than 1,000."""
    return {"rate_per_s": 1_100.0, "rate_per_s_low": 1_000.0, **ENOUGH, **changes}


def test_a_rate_passes_at_its_low_end() -> None:
    assert verdict(OLTP, **well_measured()) is Verdict.PASSES
    assert verdict(OLTP, **well_measured(rate_per_s_low=999.0)) is Verdict.MAY
    assert verdict(OLTP, **well_measured(rate_per_s_low=None)) is Verdict.MAY
    assert verdict(OLTP, **well_measured(rate_per_s=999.0)) is Verdict.FAILS


@pytest.mark.parametrize("thin", [{"needs_runs": True}, {"evidence": Evidence.PUBLISHED}])
def test_what_few_measured_or_one_article_says_passes_nothing(thin: dict[str, object]) -> None:
    assert verdict(OLTP, **well_measured(**thin)) is Verdict.MAY
    assert verdict(OLTP, **well_measured(rate_per_s=9.0, rate_per_s_low=8.0, **thin)) is Verdict.MAY


def test_another_rate_can_be_asked_for() -> None:
    standing = make.standing(**well_measured())
    assert OLTP.asking(900).judge(standing).verdict is Verdict.PASSES
    assert OLTP.asking(1_101).judge(standing).verdict is Verdict.FAILS
    assert ETCD.asking(5) == ETCD


def test_a_workload_that_does_more_can_show_a_pass_and_no_failure() -> None:
    far = well_measured(workload="fallocated-8k-fsync", rate_per_s=10.0, rate_per_s_low=9.0)
    assert verdict(OLTP, **far) is Verdict.MAY
    passed = well_measured(workload="fallocated-8k-fsync")
    assert verdict(OLTP, **passed) is Verdict.PASSES


def test_a_miss_by_more_than_a_measured_factor_fails_and_other_work_never_passes() -> None:
    """Twice the bytes take at most twice as long, by another way to the disk."""
    near = well_measured(workload="direct-16k-fdatasync", rate_per_s=500.0)
    assert verdict(OLTP, **near) is Verdict.MAY
    assert verdict(OLTP, **{**near, "rate_per_s": 499.0}) is Verdict.FAILS
    assert verdict(OLTP, **{**near, "rate_per_s": 9_000.0, "rate_per_s_low": 8_000.0}) is (
        Verdict.MAY
    )
    assert verdict(OLTP, **{**near, "workload": "direct-16k-fsync", "rate_per_s": 1.0}) is (
        Verdict.MAY
    )


def test_a_rate_fails_where_its_high_end_does() -> None:
    low = well_measured(rate_per_s=900.0, rate_per_s_low=800.0)
    assert verdict(OLTP, **low, rate_per_s_high=999.0) is Verdict.FAILS
    assert verdict(OLTP, **low, rate_per_s_high=1_000.0) is Verdict.MAY
    assert verdict(OLTP, **low, rate_per_s_high=850.0) is Verdict.FAILS  # never below its figure


def test_a_workload_that_does_less_shows_failures_only() -> None:
    quick = {"p99_ns": MS, "pooled_p999_ns": 2 * MS, "rate_per_s_low": 900.0, **ENOUGH}
    assert verdict(ETCD, workload="commit-8k", **quick) is Verdict.MAY
    assert verdict(ETCD, workload="fallocated-2300-fdatasync", **quick) is Verdict.PASSES
    slow = {**quick, "p99_ns": 10 * MS + 1}
    assert verdict(ETCD, workload="commit-8k", **slow) is Verdict.FAILS


@pytest.mark.parametrize("workload", ["mix-4k-write", "randwrite-8k-fsync-qd32x4", "seqread-256k"])
def test_another_workload_says_nothing(workload: str) -> None:
    found = OLTP.judge(make.standing(**well_measured(workload=workload)))
    assert found.verdict is Verdict.NOT_MEASURED
    assert OLTP.judge(None).verdict is Verdict.NOT_MEASURED


def etcd(**changes: object) -> Standing:
    fields = {"workload": "fallocated-2300-fdatasync", "p99_ns": 10 * MS, "rate_per_s_low": 900.0}
    fields |= ENOUGH
    return make.standing(**{**fields, "pooled_p999_ns": 10 * MS, **changes})


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({}, Verdict.PASSES),
        ({"pooled_p999_ns": 10 * MS + 1}, Verdict.MAY),
        ({"pooled_p999_ns": None}, Verdict.MAY),
        ({"needs_runs": True}, Verdict.MAY),
        ({"needs_runs": True, "p99_ns": 10 * MS + 1}, Verdict.MAY),
        ({"p99_ns": 10 * MS + 1}, Verdict.FAILS),
        ({"p99_ns": None}, Verdict.MAY),
        ({"latency_side": "completion"}, Verdict.MAY),
        ({"rate_per_s": 49.0, "rate_per_s_low": 48.0}, Verdict.FAILS),
        ({"rate_per_s_low": 99.0}, Verdict.MAY),  # loaded to half of it: 49.5 of 50
        ({"latency_side": "sync"}, Verdict.PASSES),
    ],
)
def test_a_p99_passes_where_nine_in_ten_uploaders_must_have_kept_it(
    changes: dict[str, object], expected: Verdict
) -> None:
    assert ETCD.judge(etcd(**changes)).verdict is expected


@pytest.mark.parametrize(
    ("plp", "expected"),
    [
        ("full", Verdict.PASSES),
        ("unknown", Verdict.MAY),
        ("", Verdict.MAY),
        ("none", Verdict.FAILS),
        ("partial", Verdict.FAILS),
    ],
)
def test_a_log_device_wants_protection(plp: str, expected: Verdict) -> None:
    fields = well_measured(
        workload="direct-16k-fdatasync", rate_per_s=9_000.0, rate_per_s_low=8_000.0, plp=plp
    )
    assert verdict(SLOG, **fields) is expected


def test_a_p99_alone_that_is_not_of_a_read_is_not_measured() -> None:
    lookup = {"workload": "randread-4k-qd1", "latency_side": "completion", **ENOUGH}
    assert verdict(BY_SLUG["index-lookups"], **lookup) is Verdict.NOT_MEASURED


def test_a_rule_asks_for_something() -> None:
    with pytest.raises(ValueError, match="a rate or for a p99"):
        FitnessRule()


@pytest.mark.parametrize("guide", GUIDES, ids=lambda guide: guide.slug)
def test_every_command_names_workloads_of_its_suite(guide: Guide) -> None:
    words = guide.command.split()
    suite_id = words[words.index("--suite") + 1] if "--suite" in words else "quick"
    suite = find_suite(suite_id, version=1)
    assert suite
    only = words[words.index("--only") + 1].split(",")
    assert [name for name in only if suite.workload(name, version=1) is None] == []
    assert set(only) & set(guide.by_workload), "the command measures what the guide judges by"


@pytest.mark.parametrize("guide", GUIDES, ids=lambda guide: guide.slug)
def test_every_rule_can_be_passed_by_some_workload(guide: Guide) -> None:
    assert [stand_in for stand_in in guide.stand_ins if stand_in.can_pass]
    assert all(source.url.startswith("https://") for source in guide.sources)


def test_the_check_of_the_software_is_surer_than_what_does_more() -> None:
    few = {"needs_runs": True, "is_durable_single_writer": True}
    own = make.standing(**few, workload="etcd-2300-fdatasync", p99_ns=MS)
    more = make.standing(**few, workload="fallocated-8k-fsync", p99_ns=MS // 5)
    judged = judged_once(ETCD, [more, own], {})
    assert [each.standing for each in judged] == [own, more]
    assert {each.word for each in judged} == {"Likely"}


def test_a_mark_is_the_figure_that_is_printed_beside_it() -> None:
    p99 = make.standing(workload="etcd-2300-fdatasync", p50_ns=MS, p99_ns=3 * MS)
    bound = make.standing(
        workload="direct-16k-fdatasync", p50_ns=None, p99_ns=None, p99_bound_ns=2 * MS,
        latency_side="", evidence=Evidence.PUBLISHED,
    )  # fmt: skip
    points = [point_of(judged_of(ETCD, each, {})) for each in (p99, bound)]
    assert [(each.at_ns, each.from_ns, each.value) for each in points if each] == [
        (3 * MS, MS, "3.00\u202fms"),
        (2 * MS, None, "\u2264 2.00\u202fms"),
    ]


def test_a_bound_of_the_p99_is_said_as_one() -> None:
    parts = {"p50_ns": None, "p99_ns": None, "latency_side": "", "evidence": Evidence.PUBLISHED}
    judged = judged_of(
        ETCD,
        make.standing(
            workload="direct-16k-fdatasync", rate_per_s=90_000, p99_bound_ns=59_072, **parts
        ),
        {},
    )
    assert (judged.figure, judged.unit) == ("\u2264 59.1\u202f\u00b5s", "p99")
    assert judged.margin_words == "p99 at most 59.1\u202f\u00b5s"
    assert judged.word != "Unknown"
