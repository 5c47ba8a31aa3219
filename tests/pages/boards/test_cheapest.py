"""What a board by cost answers: which plan is the cheapest, and which cannot be told from it."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING

import pytest

from apps.rankings.models import Standing
from tests import make
from tests.pages.site import main, plan_at

if TYPE_CHECKING:
    from django.test import Client

pytestmark = pytest.mark.django_db
ANSWER, TABLE = "Most durable commits for the rent, of those with", "<table"
RANKED = {"tier": 1, "median_sd_ln": 0.02, "apart_sds": 3.0, "rank_low": 1, "rank_high": 2}


def costing(cost: str, name: str, *, kind: str = "", **changes: object) -> Standing:
    """Return a ranked standing of a plan with a price, at so much a billion commits."""
    rate = 73 * 1e9 / 730 / 3600 / float(cost)
    ends = {"rate_per_s_low": rate * 0.95, "rate_per_s_high": rate * 1.05}
    standing = plan_at(
        rate, name, cost_per_billion=Decimal(cost), currency="EUR",
        **{**RANKED, **ends, **changes},
    )  # fmt: skip
    assert standing.plan
    price = make.price(plan=standing.plan, kind=kind)
    Standing.objects.filter(pk=standing.pk).update(price=price)
    return standing


def answer(client: Client) -> str:
    page = main(client, "/plans/?sort=cost")
    return page[page.index(ANSWER) : page.index(TABLE)] if ANSWER in page else ""


def test_plans_whose_costs_cannot_be_told_apart_are_named_together(client: Client) -> None:
    costing("10", "CAX11")
    costing("10.3", "EX130")
    costing("20", "Dear")
    found = answer(client)
    assert "which of these it is cannot be told" in found
    assert "CAX11" in found
    assert "EX130" in found
    assert "Dear" not in found


def test_a_plan_that_is_apart_from_the_next_is_named_alone(client: Client) -> None:
    costing("10", "CAX11")
    costing("20", "Dear")
    found = answer(client)
    assert "cannot be told" not in found
    assert "CAX11" in found
    assert "Dear" not in found


def test_intervals_decide_where_rows_have_no_rank(client: Client) -> None:
    costing("10", "CAX11", tier=None, median_sd_ln=None, apart_sds=None)
    costing("10.9", "EX130", tier=None, median_sd_ln=None, apart_sds=None)
    costing("11.2", "Dear", tier=None, median_sd_ln=None, apart_sds=None)
    found = answer(client)
    assert "EX130" in found
    assert "Dear" not in found


def test_a_superseded_price_never_leads(client: Client) -> None:
    costing("5", "Past", kind="superseded")
    costing("20", "Now")
    found = answer(client)
    assert "Now" in found
    assert "Past" not in found
    page = main(client, "/plans/?sort=cost")
    table = page[page.index(TABLE) :]
    assert table.index("Now") < table.index("Past")


def test_without_a_price_of_today_nothing_is_the_cheapest(client: Client) -> None:
    costing("5", "Past", kind="superseded")
    assert answer(client) == ""


def test_ranks_by_rate_are_not_printed_beside_money(client: Client) -> None:
    costing("10", "CAX11")
    assert "by rate" in main(client, "/plans/")
    assert "by rate" not in main(client, "/plans/?sort=cost")
    assert "by rate" not in main(client, "/plans/?sort=price")


def test_a_provider_says_that_a_stop_empties_its_fastest_plan(client: Client) -> None:
    standing = costing("10", "c6id")
    assert standing.plan
    standing.plan.is_ephemeral = True
    standing.plan.save()
    page = main(client, "/providers/?workload=commit-8k")
    row = page[page.index("fastest: c6id") :]
    assert row[: row.index("<")].strip().endswith("data lost on stop")
