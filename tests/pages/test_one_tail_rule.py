"""A guide and the advisor say the same of the same plan and limit of p99."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from typing import TYPE_CHECKING

import pytest

from apps.pages.guides.all import GUIDES
from apps.pages.guides.guide import Guide
from apps.pages.guides.judging import Verdict as GuideVerdict
from apps.plans.rates import current_rates
from apps.rankings.advice.engine import advise
from apps.rankings.advice.evidence import Verdict
from apps.rankings.advice.needs import BY_ID, Need
from apps.rankings.advice.selectors import candidates_for
from apps.rankings.models import Evidence, Standing
from tests import make

if TYPE_CHECKING:
    from apps.plans.models import Plan

pytestmark = pytest.mark.django_db
MS = 1_000_000
OF_TAILS = [guide for guide in GUIDES if guide.rule.p99_ns_max and guide.advisor]
SAME = {
    GuideVerdict.PASSES: Verdict.MEETS,
    GuideVerdict.MAY: Verdict.MAY,
    GuideVerdict.FAILS: Verdict.FAILS,
    GuideVerdict.NOT_MEASURED: Verdict.MAY,  # said as "not sure": its rate was measured
}


def test_there_are_guides_that_judge_a_p99() -> None:
    assert {guide.slug for guide in OF_TAILS} == {"etcd", "index-lookups"}


@pytest.mark.parametrize("guide", GUIDES, ids=lambda guide: guide.slug)
def test_both_compare_the_work_of_a_workload_alike(guide: Guide) -> None:
    if guide.advisor:
        software = BY_ID[guide.advisor]
        used = {*software.workloads, *software.articles}
        for stand in guide.stands:
            if stand.workload in used:
                assert software.work_of(stand.workload) == stand.work, stand.workload


def advised(guide: Guide, plan: Plan, limit_ns: int) -> Verdict:
    need = Need(BY_ID[guide.advisor], 1, p99_ns_max=limit_ns)
    (answer,) = [
        each
        for each in advise(need, candidates_for(need, rates=current_rates()))
        if each.candidate.slug == plan.slug
    ]
    return answer.verdict


@pytest.mark.parametrize("guide", OF_TAILS, ids=lambda guide: guide.slug)
def test_the_verdict_on_a_p99_is_the_same(guide: Guide) -> None:
    """Over every workload of the guide, kind of evidence, and side of each border."""
    plan = make.plan(is_listed=True)
    standing = make.standing(plan=plan, rate_per_s=900.0, rate_per_s_low=800.0)
    limit = guide.rule.p99_ns_max or 0
    seen = set()
    used = BY_ID[guide.advisor].workloads
    for workload, evidence, p99, pooled, n, side in product(
        [stand.workload for stand in guide.stands if stand.workload in used],
        [Evidence.MEASURED, Evidence.PUBLISHED],
        [limit // 2, limit, limit + 1, None],
        [limit, limit + 1, None],
        [2, 3],
        ["commit", "completion"],
    ):
        Standing.objects.filter(pk=standing.pk).update(
            workload=workload, evidence=evidence, p99_ns=p99, pooled_p999_ns=pooled,
            n_uploaders=n, n_machines=5, latency_side=side,
        )  # fmt: skip
        standing.refresh_from_db()
        said = guide.judge(standing).verdict
        assert advised(guide, plan, limit) is SAME[said], (workload, evidence, p99, pooled, n, side)
        seen.add(said)
    assert seen == set(GuideVerdict)


def test_a_stricter_limit_is_judged_alike() -> None:
    etcd = next(guide for guide in GUIDES if guide.slug == "etcd")
    strict = replace(etcd, rule=replace(etcd.rule, p99_ns_max=4 * MS))
    plan = make.plan(is_listed=True)
    for pooled in (4 * MS, 4 * MS + 1):
        standing = make.standing(
            plan=plan, workload="fallocated-2300-fdatasync", p99_ns=3 * MS, pooled_p999_ns=pooled,
            n_uploaders=3, n_machines=5, rate_per_s=900.0, rate_per_s_low=800.0,
        )  # fmt: skip
        said = SAME[strict.judge(standing).verdict]
        assert advised(strict, plan, 4 * MS) is said
        standing.delete()
