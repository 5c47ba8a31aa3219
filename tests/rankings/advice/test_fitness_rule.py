"""A rule of fitness: a rate, a p99 or both, and each is judged where it is asked for."""

from __future__ import annotations

import pytest

from apps.drives.models import DriveFamily
from apps.plans.models import Plan, StorageKind
from apps.rankings.advice.rules import COMMIT_STAND_INS, FitnessRule, judge, storage_of
from apps.rankings.advice.verdicts import Verdict
from apps.rankings.models import Standing
from tests import make

QUICK, SLOW = 1_100_000.0, 10.0  # per second: beside the 1,000 that is asked for
MS = 1_000_000


def test_a_rule_that_asks_for_nothing_is_refused() -> None:
    with pytest.raises(ValueError, match="a rate or for a p99"):
        FitnessRule()
    assert FitnessRule(least_per_s=1).p99_ns_max is None
    assert FitnessRule(p99_ns_max=1).least_per_s is None


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("rule", "rate_per_s", "p99_ns", "expected"),
    [
        (FitnessRule(least_per_s=1_000), SLOW, MS, Verdict.FAILS),
        (FitnessRule(least_per_s=1_000), QUICK, 900 * MS, Verdict.MAY),
        (FitnessRule(p99_ns_max=10 * MS), SLOW, MS, Verdict.MAY),
        (FitnessRule(p99_ns_max=10 * MS), QUICK, 900 * MS, Verdict.FAILS),
        (FitnessRule(least_per_s=1_000, p99_ns_max=10 * MS), SLOW, MS, Verdict.FAILS),
        (FitnessRule(least_per_s=1_000, p99_ns_max=10 * MS), QUICK, 900 * MS, Verdict.FAILS),
    ],
)
def test_each_wish_is_judged_where_it_is_made(
    rule: FitnessRule, rate_per_s: float, p99_ns: int, expected: Verdict
) -> None:
    standing = make.standing(plan=make.plan(), rate_per_s=rate_per_s, p99_ns=p99_ns)
    assert judge(rule, COMMIT_STAND_INS, standing).verdict is expected


@pytest.mark.parametrize(
    ("standing", "expected"),
    [
        (Standing(), ""),
        (Standing(plan=Plan(storage_kind=StorageKind.NETWORK)), "network"),
        (Standing(drive_family=DriveFamily(kind="hdd", interface="sata")), "hdd"),
        (Standing(drive_family=DriveFamily(kind="ssd", interface="sata")), "local-sata"),
        (Standing(drive_family=DriveFamily(kind="ssd", interface="nvme")), "local-nvme"),
        (Standing(drive_family=DriveFamily(kind="ssd", interface="")), ""),
    ],
)
def test_the_storage_is_that_of_the_plan_or_of_the_drive(standing: Standing, expected: str) -> None:
    assert storage_of(standing) == expected
