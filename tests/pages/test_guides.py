"""Pages of guides: live standings with their verdicts, what a reader asks, how often they ask."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from apps.pages.guides.all import GUIDES
from apps.pages.selectors.guides import ROWS_A_GROUP, list_guides, read_guide
from apps.pages.views.guides import read_rate
from apps.rankings.models import Evidence
from tests import make
from tests.pages.site import plan_at, text

if TYPE_CHECKING:
    from django.test import Client
    from pytest_django import DjangoAssertNumQueries

    from apps.pages.guides.guide import Guide

pytestmark = pytest.mark.django_db
QUERIES_MAX = 6
OLTP = next(guide for guide in GUIDES if guide.slug == "oltp")
ENOUGH = {"n_uploaders": 3, "n_machines": 5}


def rows(page: str) -> list[str]:
    """Return the rows of all tables of verdicts, in order."""
    return re.findall(r'<tr role="row">\s*<th role="rowheader".*?</tr>', page, re.DOTALL)


@pytest.mark.parametrize("guide", GUIDES, ids=lambda guide: guide.slug)
def test_an_empty_site_has_every_guide(client: Client, guide: Guide) -> None:
    page = text(client, f"/guides/{guide.slug}/")
    assert "Nobody has run its workload yet" in page
    assert "fsyncmark run . " in page


def test_a_row_says_verdict_interval_n_and_date(client: Client) -> None:
    run = make.run()
    plan_at(
        1_500, "Good", rate_per_s_low=1_200, rate_per_s_high=1_900, coverage=0.75,
        newest_run_slug=run.slug, **ENOUGH,
    )  # fmt: skip
    row = rows(text(client, "/guides/oltp/"))[0]
    for words in (
        "Good",
        "passes",
        "1,500 /s",
        "1,200\u20131,900 (75%)",
        "5 machines / 3 uploaders",
    ):
        assert words in row
    assert "2025-06-15" in row
    assert f'href="/runs/{run.slug}/"' in row


def test_the_better_verdicts_come_first_and_the_rate_can_be_changed(client: Client) -> None:
    plan_at(1_500, "Low", rate_per_s_low=800, **ENOUGH)
    plan_at(1_200, "Sure", rate_per_s_low=1_100, **ENOUGH)
    plan_at(500, "Slow", rate_per_s_low=400, **ENOUGH)
    names = re.findall(r'href="/plans/[^"]+">(\w+)</a>', text(client, "/guides/oltp/"))
    assert names == ["Sure", "Low", "Slow"]
    page = text(client, "/guides/oltp/?rate=450")
    assert page.count("verdict-mark passes") == 3  # in the head and in two rows
    assert 'value="450"' in page


@pytest.mark.parametrize("wrong", ["0", "-5", "many", "1e9", "99999999999", "٣"])
def test_a_rate_that_is_none_is_said_and_the_example_stands(client: Client, wrong: str) -> None:
    assert read_rate(wrong) is None
    page = text(client, f"/guides/oltp/?rate={wrong}")
    assert "A rate is a whole number" in page
    assert 'value="1000"' in page


def test_a_name_finds_its_rows_only(client: Client) -> None:
    make.standing(
        drive_family=make.drive_family(name="990 PRO", vendor="Samsung", plp="none"),
        is_durable_single_writer=True, rate_per_s=330,
    )  # fmt: skip
    plan_at(9_000, "Other")
    page = text(client, "/guides/oltp/?q=samsung+990")
    assert len(rows(page)) == 1
    assert "fails" in rows(page)[0]
    assert "Nothing named" in text(client, "/guides/oltp/?q=nobody-has-this")
    assert text(client, "/guides/oltp/?q=%00")


def test_kinds_of_evidence_and_workloads_are_never_mixed() -> None:
    for name, evidence, workload in (
        ("A", Evidence.EXAMPLE, "commit-8k"),
        ("B", Evidence.PUBLISHED, "fallocated-8k-fsync"),
        ("C", Evidence.MEASURED, "commit-8k"),
        ("D", Evidence.MEASURED, "mix-4k-write"),
    ):
        plan_at(1_000, name, evidence=evidence, workload=workload)
    groups = [(each.stand.workload, each.evidence) for each in read_guide(OLTP).groups]
    assert groups == [
        ("commit-8k", "measured"),
        ("fallocated-8k-fsync", "published"),
        ("commit-8k", "example"),
    ]


def test_what_nobody_measured_is_counted_and_examples_are_left_out_of_the_list() -> None:
    plan_at(1_000, "Measured")
    make.plan(name="Waiting")
    plan_at(1_000, "Unrelated", workload="mix-4k-write")
    assert read_guide(OLTP).unmeasured_plans == 2
    plan_at(1_000, "Made-up", evidence=Evidence.EXAMPLE)
    assert read_guide(OLTP).unmeasured_plans == 3
    assert {line.guide.slug: line.n for line in list_guides()}["oltp"] == 1


def test_pages_ask_little_whatever_there_is(
    client: Client, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    rung = make.ladder_class()
    for place in range(ROWS_A_GROUP + 3):
        plan = plan_at(1_000 + place, f"P{place}", ladder_class=rung).plan
        make.price(plan=plan)
    for address in ("/guides/", "/guides/oltp/", "/guides/etcd/?q=p1", "/lies/", "/method/"):
        with django_assert_max_num_queries(QUERIES_MAX):
            client.get(address)
    page = text(client, "/guides/oltp/")
    assert len(rows(page)) == ROWS_A_GROUP
    assert "3 more" in page


def test_an_unknown_guide_is_404(client: Client) -> None:
    assert client.get("/guides/none/").status_code == 404
