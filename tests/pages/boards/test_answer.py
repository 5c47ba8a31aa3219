"""What a board by rate answers before its rows."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from apps.rankings.models import Evidence
from tests import make
from tests.pages.site import answer_on, main, plan_at

if TYPE_CHECKING:
    from django.test import Client

pytestmark = pytest.mark.django_db


def answer(client: Client, address: str = "/plans/") -> str:
    """The answer of a board, in words."""
    return answer_on(main(client, address))


def test_the_fastest_row_answers_with_its_rate_and_how_sure_it_is(client: Client) -> None:
    plan_at(900, "Slow")
    plan_at(2_000, "Quick", region_group="europe", n_uploaders=9)
    plan_at(9_000, "Heavy", workload="commit-8k-fsync")
    found = answer(client)
    assert found.startswith("Fastest: Quick, Europe 2,000 durable commits/s Firm: 9 up")


def test_what_an_article_says_is_never_firm(client: Client) -> None:
    plan_at(2_000, "Told", evidence=Evidence.PUBLISHED, newest_run_slug="an-article-2019-01")
    assert "Firm" not in answer(client)
    assert "1 published run" in answer(client)


def test_a_row_that_does_not_rank_is_not_firm(client: Client) -> None:
    plan_at(2_000, "Few", needs_runs=True, n_uploaders=2)
    assert "Likely: 2 uploaders" in answer(client)


def test_the_fastest_row_that_is_likely_answers_where_the_first_is_less_sure(
    client: Client,
) -> None:
    old = {"evidence": Evidence.PUBLISHED, "newest_run_slug": "old-article"}  # of no known day
    plan_at(9_000, "Old", **old)
    assert answer(client).startswith("Fastest: Old 9,000 durable commits/s Borderline")
    plan_at(2_000, "Few", needs_runs=True, n_uploaders=2)
    plan_at(1_000, "Many", n_uploaders=9)
    assert answer(client).startswith("Likely fastest: Few 2,000")
    assert "2 uploaders; Old, date not stated: borderline" in answer(client)
    plan_at(90_000, "Heavy", workload="commit-8k-fsync")
    assert "Few" in answer(client)


def test_an_example_answers_nothing_for_sure(client: Client) -> None:
    plan_at(2_000, "Pretend", evidence=Evidence.EXAMPLE)
    assert "Unknown: made-up example" in answer(client)


def test_providers_and_drives_answer_too(client: Client) -> None:
    plan_at(2_000, "Quick")
    family = make.drive_family(name="PM9A3")
    make.standing(drive_family=family, is_durable_single_writer=True, rate_per_s=3_000.0)
    assert answer(client, "/providers/").startswith(
        "Fastest that keeps its data: Acme, Quick 2,000"
    )
    assert answer(client, "/drives/").startswith(f"Fastest: {family.name} 3,000 durable")


def test_reads_are_not_called_commits(client: Client) -> None:
    plan_at(2_000, "Quick", workload="read-4k-floor", is_durable_single_writer=False)
    assert "2,000 a second" in answer(client, "/plans/?workload=read-4k-floor")


@pytest.mark.parametrize("asked", ["page=2", "sort=-rate", "sort=p99", "sort=name"])
def test_other_orders_and_later_pages_answer_nothing(client: Client, asked: str) -> None:
    for place in range(52):
        plan_at(900 - place, f"P{place}")
    assert answer(client)
    assert answer(client, f"/plans/?{asked}") == ""


def test_a_board_in_another_order_says_by_what_it_is_sorted(client: Client) -> None:
    plan_at(900, "One")
    assert "Plans, sorted by p99 </p>" in " ".join(main(client, "/plans/?sort=p99").split())
    assert "sorted by" not in main(client, "/plans/").split("<table")[0]


def test_an_empty_board_answers_nothing(client: Client) -> None:
    assert answer(client) == ""
