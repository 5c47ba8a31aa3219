"""What things cost beside each other: list prices, a billion commits, and other currencies."""

from __future__ import annotations

import csv
import io
from datetime import date
from decimal import Decimal
from typing import TYPE_CHECKING

import pytest

from apps.plans.models import Plan, Price
from tests import make
from tests.pages.compare.build import against, delta_of, priced, words_of
from tests.pages.site import plan_at, text, tight

if TYPE_CHECKING:
    from django.test import Client

pytestmark = pytest.mark.django_db


def test_the_dearer_machine_may_be_the_cheaper_commit(client: Client) -> None:
    fast = priced(plan_at(10_000, "Fast"), "234")
    slow = priced(plan_at(187, "Slow"), "37.30")
    page = words_of(client, against(fast, slow))
    assert "The commits of Fast cost least." in page
    assert "0.16\u00d7" in page
    assert page.count('class="cell-note">2026-11-01<') == 2  # each price says of which day it is
    assert "8.5\u00d7" in page


def test_the_cheapest_commit_is_named_only_where_it_can_be_told(client: Client) -> None:
    ends = {"rate_per_s_low": 800, "rate_per_s_high": 1250}
    near = {"rate_per_s_low": 810, "rate_per_s_high": 1300}
    cheap = priced(plan_at(1000, "Cheap", **ends), "30")
    other = priced(plan_at(1050, "Other", **near), "31")
    unsure = "Which of them is the cheaper commit cannot be told."
    assert unsure in words_of(client, against(cheap, other))
    same = priced(plan_at(1050, "Same", **near), "30")
    assert unsure in words_of(client, against(cheap, same))
    far = priced(plan_at(100, "Far", rate_per_s_low=90, rate_per_s_high=110), "30")
    assert "The commits of Cheap cost least." in words_of(client, against(cheap, far))
    assert unsure in words_of(client, against(far, cheap, same))


def test_amounts_without_a_rate_compare_with_their_own_currency_alone(client: Client) -> None:
    """No newest rate of the krona is stored here: 100 kronor are neither more nor less than €90."""
    kronor, dearer = (
        priced(plan_at(1000, name), amount, "SEK") for name, amount in (("A", "100"), ("B", "850"))
    )
    euros = priced(plan_at(1000, "C"), "90")
    address = against(euros, kronor)
    page = words_of(client, address)
    assert "SEK" in page
    rows = csv.DictReader(
        io.StringIO(text(client, address.replace("/compare/", "/compare/figures.csv")))
    )
    prices = [row for row in rows if row["measure"] == "price_month"]
    assert [(row["unit"], row["value"]) for row in prices] == [("EUR", "90.0"), ("SEK", "100.0")]
    assert [row["ratio_to_base"] for row in prices] == ["", ""]
    assert tight(page).count('class="bar look') == 1
    alike = words_of(client, against(kronor, dearer))
    assert "8.5\u00d7" in alike
    assert tight(alike).count('class="bar look') == 2


def test_a_price_with_a_term_is_nobody_s_monthly_price(client: Client) -> None:
    bound = plan_at(1000, "Bound")
    make.price(plan=bound.plan, amount=Decimal("10.99"), currency="EUR", term_months=24)
    make.price(plan=bound.plan, amount=Decimal("27.99"), currency="EUR")
    page = words_of(client, against(bound, plan_at(400, "B")))
    assert "27.99" in page
    assert "10.99" not in page


def test_a_volume_compares_in_the_currency_of_its_own_price(client: Client) -> None:
    """Its newest price binds for a year, in a currency whose rate is not stored here."""
    volume = plan_at(900, "Disk")
    Plan.objects.filter(pk=volume.plan_id).update(kind="volume", drive_gb=None)
    of_volume = {
        "plan": volume.plan, "amount": Decimal("0.08"), "unit": "GiB",
        "period": Price.Period.MONTH, "region": "",
    }  # fmt: skip
    make.price(**of_volume, currency="EUR", valid_from=date(2026, 1, 1))
    make.price(**of_volume, currency="SEK", valid_from=date(2026, 6, 1), term_months=12)
    page = words_of(client, against(priced(plan_at(1000, "Server"), "3.76"), volume))
    assert delta_of(page, "A month")[1].startswith("2.0")
