"""Sentences that answer a new reader's question: each with its figure, n, date and source."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING

import pytest
from django.utils import translation

from apps.pages.guides.lies.all import LIES
from apps.pages.search.query import read_query
from apps.pages.search.results import results_of
from apps.pages.urls import INDEXES
from apps.rankings.models import Evidence
from tests import make
from tests.pages.site import answer_on, main, plan_at, text

if TYPE_CHECKING:
    from django.test import Client

from apps.rankings.models import Standing

pytestmark = pytest.mark.django_db
QUESTION = "Most commits for the rent:"


def priced(rate: float, name: str, cost: str, **changes: object) -> Standing:
    """Return the standing of a plan with a list price and what a billion commits cost at it."""
    standing = plan_at(rate, name, cost_per_billion=Decimal(cost), currency="EUR", **changes)
    assert standing.plan
    standing.price = make.price(plan=standing.plan)
    standing.save()
    return standing


def published(standing: Standing, title: str) -> None:
    """Give a standing an article as its newest run."""
    run = make.run(plan=standing.plan, level="published", slug="an-article", measured_at=None)
    make.citation(run=run, title=title)
    standing.newest_run_slug = run.slug
    standing.save()


def test_a_board_by_cost_says_the_cheapest_with_n_date_interval_and_source(client: Client) -> None:
    interval = {"rate_per_s_low": 800.0, "rate_per_s_high": 1_200.0}
    cheap = priced(1_000, "Cheap", "3", evidence=Evidence.PUBLISHED, n_runs=2, **interval)
    priced(9_000, "Dear", "9", evidence=Evidence.PUBLISHED)
    published(cheap, "A review of disks")
    page = main(client, "/plans/?sort=cost")
    said = answer_on(page)
    assert f"{QUESTION} Cheap €3.00 a billion commits" in said
    assert "2 published runs" in said
    assert "Dear" not in said
    row = page[page.index('id="acme-cheap-') :].split("</tr>")[0]
    for each in ("800\u20131,200", "2 runs", "date not stated", "A review of disks"):
        assert each in row
    assert "/runs/an-article/" in row


def test_heavier_work_that_costs_less_comes_first_by_cost(client: Client) -> None:
    priced(1_000, "Here", "8")
    priced(27_000, "There", "2", workload="direct-16k-fsync")
    priced(9_000, "Unreal", "1", workload="direct-16k-fsync", evidence=Evidence.EXAMPLE)
    assert f"{QUESTION} There €" in answer_on(main(client, "/plans/?sort=cost"))
    assert f"{QUESTION} Here €" in answer_on(main(client, "/plans/?sort=cost&workload=commit-8k"))


@pytest.mark.parametrize("address", ["/plans/", "/plans/?sort=-cost", "/drives/?sort=cost"])
def test_another_order_answers_no_such_question(client: Client, address: str) -> None:
    priced(1_000, "Cheap", "3")
    assert QUESTION not in text(client, address)


def test_without_a_price_nothing_is_the_cheapest(client: Client) -> None:
    plan_at(1_000, "Priceless")
    assert QUESTION not in text(client, "/plans/?sort=cost")


def test_too_few_uploaders_are_said(client: Client) -> None:
    priced(1_000, "Cheap", "3", tier=None, needs_runs=True)
    assert "Likely: 1 uploader" in answer_on(main(client, "/plans/?sort=cost"))


def test_things_with_nothing_in_common_say_what_each_has(client: Client) -> None:
    one = plan_at(1_000, "CCX33", workload="randread", is_durable_single_writer=False)
    assert one.plan
    make.plan(provider=one.plan.provider, slug="acme-ax102", name="AX102")
    near = plan_at(900, "CCX63", rate_per_s_low=850.0, rate_per_s_high=950.0)
    published(near, "A review of disks")
    plan_at(800, "AX102-big")
    page = main(client, "/compare/?on=plan:acme-ccx33&on=plan:acme-ax102")
    assert "Nearest measured: CCX63 is 1.1 times as fast as AX102-big." in page
    assert "CCX63 stands for CCX33; AX102-big stands for AX102." in " ".join(page.split())
    assert "900/s" in page
    assert "800/s" in page


@pytest.mark.parametrize("language", ["en", "zh-hans"])
@pytest.mark.parametrize(
    ("asked", "url"),
    [
        ("0.7 us", "/lies/#668-ns"),
        ("0.7us", "/lies/#668-ns"),
        ("0.7 \u00b5s", "/lies/#668-ns"),
        ("668 ns", "/lies/#668-ns"),
        ("postgres", "/guides/oltp/"),
        ("zfs slog", "/guides/zfs-slog/"),
        ("where is my run", "/uploads/"),
        ("compare", "/compare/"),
    ],
)
def test_questions_are_found_in_every_language(language: str, asked: str, url: str) -> None:
    with translation.override(language):
        found = results_of(read_query(asked), [], INDEXES)
    assert any(each.url.endswith(url) for group in found.groups for each in group.results)


def test_a_name_of_a_thing_finds_no_question() -> None:
    assert not results_of(read_query("990 pro"), [], INDEXES).groups


def test_what_was_asked_as_a_question_has_its_answer_and_its_basis() -> None:
    lie = next(each for each in LIES if each.anchor == "668-ns")
    assert lie.answer.sentence.startswith("No: flash takes over 10 µs")
    assert lie.answer.sure == "Likely: 1 published run, 1 run of ours"
    for each in ("1 published run", "date not stated", "668", "55,742 reads", "2026-11-22"):
        assert each in lie.basis
    assert lie.cited[0].url.startswith("https://frn.sh/")
