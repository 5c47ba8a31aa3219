"""Which of several workloads stands for a plan: one order for badge, page, search and advisor."""

from __future__ import annotations

from typing import Any

import pytest

from apps.badges.badge_facts import BadgeFacts
from apps.badges.selectors import run_facts
from apps.badges.standings import plan_facts
from apps.pages.embed.cards.contents import card_of
from apps.pages.search.query import read_query
from apps.pages.search.selectors.things import search_things
from apps.pages.things.selectors.runs import RunEntriesQuery
from apps.pages.things.selectors.things import find_plan
from apps.pages.things.standing_rows import best_of, by_workload
from apps.rankings.advice.stand_ins import COMMITS
from apps.rankings.choice import (
    evidence_order,
    evidence_place,
    headline,
    headline_latency,
    headline_measurement,
    slowest_kind,
)
from apps.rankings.comparable.order import HEADLINE_ORDER, headline_place, headline_places
from apps.rankings.models import Evidence, Standing
from apps.rankings.selectors import best_of_each
from apps.runs.published.comparable import OVERWRITE, WITH_METADATA, comparable_class
from tests import make

pytestmark = pytest.mark.django_db
SHAPES = ("randwrite-4k-fsync", "direct-16k-fsync", "direct-16k-fdatasync")


def commits(workload: str, rate: float, evidence: str = Evidence.PUBLISHED) -> Standing:
    """Return a standing of the plan of this file."""
    return make.standing(
        plan_id="acme-c3d", workload=workload, rate_per_s=rate, evidence=evidence,
        is_durable_single_writer=True,
    )  # fmt: skip


@pytest.fixture(autouse=True)
def plan() -> None:
    make.plan(slug="acme-c3d", name="C3D", provider=make.provider(slug="acme", name="Acme"))


def test_evidence_goes_before_workload_and_examples_come_last() -> None:
    published = [commits(name, 1_000) for name in SHAPES]
    made_up = commits("commit-8k", 9_000, Evidence.EXAMPLE)
    reads = make.standing(plan_id="acme-c3d", workload="read", is_durable_single_writer=False)
    assert headline([made_up, reads, *published]) == published[2]
    measured = commits("commit-8k-fsync", 10, Evidence.MEASURED)
    assert headline([made_up, reads, *published, measured]) == measured
    assert headline([made_up, reads]) == made_up
    assert headline([reads]) is None
    large = commits("direct-2m-fdatasync", 10, Evidence.MEASURED)
    sample = commits("fallocated-8k-fsync", 10)
    sample.is_illustrative = True
    assert headline([large, sample]) is None


def test_overwrites_lead_before_work_whose_syncs_write_metadata() -> None:
    classes = [comparable_class(workload) for workload in headline_places()]
    assert classes == sorted(classes)
    assert set(classes) == {OVERWRITE, WITH_METADATA}
    assert [name for name in headline_places() if name in HEADLINE_ORDER] == list(HEADLINE_ORDER)


def test_the_database_chooses_the_same_standing_for_each_thing() -> None:
    make.plan(slug="acme-d4e", name="D4E", provider_id="acme")
    for name in (*SHAPES, "direct-2m-fsync"):
        commits(name, 1_000)
        commits(name, 900, Evidence.MEASURED)
        make.standing(plan_id="acme-d4e", workload=name, is_durable_single_writer=True)
    rows = Standing.objects.all()
    chosen = {each.plan_id: each for each in best_of_each(rows, "plan")}
    for plan_id in ("acme-c3d", "acme-d4e"):
        assert chosen.pop(plan_id) == headline(rows.filter(plan=plan_id))
    assert not chosen


def test_the_database_sorts_evidence_as_python_does() -> None:
    rows = [commits(f"of-{each}", 1_000, each) for each in sorted(Evidence.values, reverse=True)]
    in_database = Standing.objects.order_by(evidence_order())
    assert list(in_database) == sorted(rows, key=evidence_place)


def test_badge_page_picture_and_search_lead_with_the_same_figure() -> None:
    for place, name in enumerate(SHAPES):
        commits(name, 1_000 * (place + 1))
    badge, page = plan_facts(slug="acme-c3d"), find_plan("acme-c3d", RunEntriesQuery())
    card, [hit] = card_of("plan", "acme-c3d"), search_things(read_query("c3d"))
    assert isinstance(badge, BadgeFacts)
    assert page
    assert page.summary.lead
    best = best_of(by_workload(page.summary.standings), page.summary.lead)
    assert best
    assert card
    rates = {
        badge.rate_per_s, page.summary.lead.rate_per_s, best.figures.rate_per_s,
        card.rate_per_s, hit.standing.rate_per_s,
    }  # fmt: skip
    assert rates == {3_000}


def test_what_stands_for_commits_in_the_advisor_does_so_in_the_same_order() -> None:
    assert [stand_in.workload for stand_in in COMMITS] == sorted(
        headline_places(), key=headline_place
    )


def test_of_two_versions_of_a_workload_the_newer_stands_for_the_run() -> None:
    run = make.run()
    for version, rate in ((1, 900.0), (2, 700.0)):
        make.measurement(run=run, version=version, rate_per_s=rate)
    shown = headline_measurement(run)
    badge = run_facts(slug=run.slug)
    assert shown is not None
    assert isinstance(badge, BadgeFacts)
    assert shown.rate_per_s == badge.rate_per_s == 700


def test_the_whole_commit_stands_for_a_measurement_before_its_parts() -> None:
    measurement = make.measurement(run=make.run())
    measurement.latencies.all().delete()
    sync = measurement.latencies.create(side="sync", p50_ns=1_000)
    assert headline_latency(measurement) == sync
    commit = measurement.latencies.create(side="commit", p50_ns=None)
    assert headline_latency(measurement) == sync
    commit.p50_ns = 1_100
    commit.save()
    assert headline_latency(measurement) == commit


def test_nobody_chooses_a_kind_of_storage_so_the_slowest_with_enough_evidence_speaks() -> None:
    """Three networks at a tenth of the rate are a kind that speaks for no plan."""
    common = kind(1, 1_000, n_uploaders=8)
    made_up = kind(2, 100, n_uploaders=3, needs_runs=True)
    assert slowest_kind([common, made_up]) is common
    slow = kind(2, 100, n_uploaders=7)
    assert slowest_kind([common, slow]) is slow
    elsewhere = kind(0, 10, n_uploaders=7, region_group="asia", n_cell_uploaders=7)
    assert slowest_kind([common, slow, elsewhere]) is slow
    assert slowest_kind([made_up]) is made_up
    assert slowest_kind([]) is None


def kind(variant: int, rate: float, **fields: Any) -> Standing:
    usual = {"region_group": "europe", "n_cell_uploaders": 15}
    return Standing(variant=variant, rate_per_s=rate, **usual | fields)
