"""What a board by cost answers: which plan is the cheapest, and which cannot be told from it."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING

import pytest

from apps.pages.show.answer import WORDS_MAX
from apps.plans.models import Plan
from apps.rankings.models import Standing
from tests import make
from tests.pages.site import answer_on, main, plan_at

if TYPE_CHECKING:
    from django.test import Client

pytestmark = pytest.mark.django_db
TABLE = "<table"
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
    return answer_on(main(client, "/plans/?sort=cost"))


def test_plans_whose_costs_cannot_be_told_apart_are_named_together(client: Client) -> None:
    costing("10", "CAX11")
    costing("10.3", "EX130")
    costing("20", "Dear")
    found = answer(client)
    assert "Most commits for the rent: CAX11, EX130 €10.00 a billion" in found
    assert "€10.00 a billion commits" in found
    assert "Firm: 1 uploader" in found


def test_of_many_that_are_level_as_many_are_named_as_one_sentence_holds(client: Client) -> None:
    for place in range(8):
        standing = costing(f"10.{place}", f"P{place}")
        Plan.objects.filter(pk=standing.plan_id).update(name=f"Plan {place} of ACME")
    found = answer(client)
    sentence = found.split(" €")[0]
    assert sentence.endswith("Plan 0 of ACME, Plan 1 of ACME, Plan 2 of ACME, +5")
    assert len(sentence.split()) <= WORDS_MAX


def test_a_plan_that_is_apart_from_the_next_is_named_alone(client: Client) -> None:
    costing("10", "CAX11")
    costing("20", "Dear")
    found = answer(client)
    assert "Most commits for the rent: CAX11 €10.00" in found


def test_intervals_decide_where_rows_have_no_rank(client: Client) -> None:
    costing("10", "CAX11", tier=None, median_sd_ln=None, apart_sds=None)
    costing("10.9", "EX130", tier=None, median_sd_ln=None, apart_sds=None)
    costing("11.2", "Dear", tier=None, median_sd_ln=None, apart_sds=None)
    assert "rent: CAX11, EX130 €10.00" in answer(client)


def test_a_superseded_price_never_leads(client: Client) -> None:
    costing("5", "Past", kind="superseded")
    costing("20", "Now")
    assert "Most commits for the rent: Now €20.00" in answer(client)
    page = main(client, "/plans/?sort=cost")
    table = page[page.index(TABLE) :]
    assert table.index("Now") < table.index("Past")


def test_without_a_price_of_today_nothing_is_the_cheapest(client: Client) -> None:
    costing("5", "Past", kind="superseded")
    assert answer(client) == ""


def test_ranks_by_rate_are_not_printed_beside_money(client: Client) -> None:
    costing("10", "CAX11")
    tier = '<span class="cell-note">tier 1</span>'
    assert tier in main(client, "/plans/")
    assert tier not in main(client, "/plans/?sort=cost")
    assert tier not in main(client, "/plans/?sort=price")


def test_a_provider_says_that_a_stop_empties_its_fastest_plan(client: Client) -> None:
    standing = costing("10", "c6id")
    assert standing.plan
    standing.plan.is_ephemeral = True
    standing.plan.save()
    assert "c6id" not in main(client, "/providers/")
    page = main(client, "/providers/?kept=any")
    under = page.split('class="under" title="')[1].split('"')[0]
    assert under.startswith("c6id")
    assert under.endswith("data lost on stop")
