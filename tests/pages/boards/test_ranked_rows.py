"""How sure a board is of its rows: intervals, ranks, tiers, kinds of storage, what needs runs."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from apps.rankings.models import Evidence
from tests import make
from tests.pages.site import plan_at, text

if TYPE_CHECKING:
    from django.test import Client

pytestmark = pytest.mark.django_db


def words_of(client: Client, address: str = "/plans/?workload=commit-8k") -> str:
    page = text(client, address)
    return " ".join(page[page.index("<table") :].replace("\u00a0", " ").split())


def test_a_ranked_row_tells_its_tier_and_its_ranks(client: Client) -> None:
    plan_at(
        1_000, "Aa", n_machines=9, n_uploaders=6, tier=2, rank_low=3, rank_high=7,
        order_rate_per_s=990.0, rate_per_s_low=900.0, rate_per_s_high=1_100.0,
        interval_is="uploaders", coverage=0.96875,
    )  # fmt: skip
    page = words_of(client)
    assert "9 machines / 6 uploaders · tier 2, rank 3\u20137, 96.9% interval" in page


def test_one_rank_is_no_range(client: Client) -> None:
    plan_at(1_000, "Aa", tier=1, rank_low=1, rank_high=1, order_rate_per_s=990.0)
    assert "tier 1, rank 1<" in words_of(client)


def test_what_needs_runs_comes_last_without_a_number_and_with_its_points(client: Client) -> None:
    plan_at(
        9_000, "Few", needs_runs=True, points=[12_000.0, 6_000.0], coverage=0.5, n_machines=2,
        n_uploaders=2,
    )  # fmt: skip
    plan_at(1_000, "Ranked", tier=1, rank_low=1, rank_high=1, order_rate_per_s=1_000.0)
    page = words_of(client)
    assert page.index("Ranked") < page.index("Few")
    assert re.findall(r'class="place">(\d+)<', page) == ["1"]
    counts = "2 machines / 2 uploaders · "
    assert f"{counts}no rank before more runs: 12,000 /s, 6,000 /s" in page
    assert "50% interval" not in page  # of two, with both of them beside it


def test_the_points_of_one_uploader_are_the_figure_itself(client: Client) -> None:
    plan_at(9_000, "Few", needs_runs=True, points=[9_000.0])
    assert "no rank before more runs<" in words_of(client)


def test_the_points_of_many_uploaders_are_one_list(client: Client) -> None:
    plan_at(9_000, "Few", needs_runs=True, points=[3_000.0, 2_000.0, 1_000.0])
    assert "no rank before more runs: 3,000 /s, 2,000 /s, 1,000 /s<" in words_of(client)


@pytest.mark.parametrize("sort", ["rate", "p99", "cost"])
def test_what_needs_runs_comes_last_in_every_order(client: Client, sort: str) -> None:
    plan_at(9_000, "Few", needs_runs=True, p99_ns=1)
    plan_at(1_000, "Ranked", p99_ns=9_000_000)
    page = words_of(client, f"/plans/?workload=commit-8k&sort={sort}")
    assert page.index("Ranked") < page.index("Few")


def test_the_order_is_that_of_what_is_believed_and_not_of_the_figure(client: Client) -> None:
    plan_at(2_000, "Lucky", order_rate_per_s=1_200.0, tier=1, rank_low=1, rank_high=2)
    plan_at(1_500, "Sure", order_rate_per_s=1_400.0, tier=1, rank_low=1, rank_high=2)
    page = words_of(client)
    assert page.index("Sure") < page.index("Lucky")


def test_kinds_of_storage_are_rows_of_their_own(client: Client) -> None:
    plan = make.plan(name="Two kinds")
    for variant, rate in ((1, 5_000.0), (2, 700.0)):
        make.standing(
            plan=plan, rate_per_s=rate, is_durable_single_writer=True, variant=variant,
            n_variants=2,
        )  # fmt: skip
    page = words_of(client)
    assert "storage kind 1 of 2 · " in page
    assert f'id="{plan.slug}-commit-8k-measured-1"' in page
    assert f'id="{plan.slug}-commit-8k-measured-2"' in page


def test_published_rows_keep_their_words(client: Client) -> None:
    plan_at(
        1_000, "Aa", evidence=Evidence.PUBLISHED, rate_per_s_low=900.0, rate_per_s_high=1_100.0,
        interval_is="uploaders", n_runs=2,
    )  # fmt: skip
    page = words_of(client)
    assert "between uploaders<" in page
    assert "2 runs<" in page


SURE = {"tier": 1, "rank_low": 1, "rank_high": 2, "interval_is": "uploaders", "apart_sds": 3.0}


@pytest.mark.parametrize(("sd", "is_level"), [(0.2, True), (0.1, False)])
def test_a_tier_whose_first_is_level_with_the_row_above_says_so(
    client: Client, sd: float, *, is_level: bool
) -> None:
    """ln 2 is 0.69: 3 standard errors of the difference are 0.85 or 0.42."""
    for tier, (rate, name) in enumerate([(2_000.0, "Upper"), (1_000.0, "Lower")], start=1):
        plan_at(
            rate, name, **SURE | {"tier": tier}, order_rate_per_s=rate, median_sd_ln=sd,
            rate_per_s_low=rate * 0.9, rate_per_s_high=rate * 1.1,
        )  # fmt: skip
    page = words_of(client)
    assert "Tier 2" in page
    assert ("Tier 2; Lower is level with Upper<" in page) is is_level
