"""Filters with a meaning of their own: budgets, what a stop empties, whom a drive is for."""

from __future__ import annotations

import re
from datetime import date
from decimal import Decimal
from typing import TYPE_CHECKING

import pytest

from apps.plans.models import Price
from apps.plans.prices.currencies import Rate
from apps.plans.prices.rates import store_rates
from tests import make
from tests.pages.boards.build import facts, names_on, options, priced, tokens_on
from tests.pages.site import plan_at, text

if TYPE_CHECKING:
    from django.test import Client

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("budget", "kept"),
    [
        ("0-10", {"Ten"}),
        ("10-30", {"Ten", "Thirty", "Dollar"}),
        ("30-100", {"Thirty", "Hourly"}),
        ("100-300", set()),
        ("300-", {"Rack"}),
        ("3-4", {"Ten", "Thirty", "Dollar", "Hourly", "Rack", "Unpriced"}),
    ],
)
def test_a_budget_is_in_euros_a_month(client: Client, budget: str, kept: set[str]) -> None:
    store_rates([Rate(date(2026, 10, 30), "USD", Decimal("1.25"))])
    priced("Ten", "10", "EUR")
    priced("Thirty", "30", "EUR")
    priced("Dollar", "31", "USD")  # 24.80 euros
    priced("Hourly", "0.1", "EUR", Price.Period.HOUR)  # 73 euros a month
    priced("Rack", "900", "EUR")
    plan_at(1_000, "Unpriced")
    page = text(client, f"/plans/?budget={budget}&currency=USD")
    assert names_on(page) == kept
    rows = client.get(f"/plans.json?budget={budget}").json()["rows"]
    assert {row["name"] for row in rows} == kept
    assert (f'<option value="{budget}" selected>' in page) == (budget != "3-4")


def test_a_budget_narrows_beside_bounds_and_what_waits(client: Client) -> None:
    priced("Ten", "10", "EUR")
    priced("Thirty", "30", "EUR")
    for name, amount in (("Cheap", "5"), ("Dear", "500")):
        make.price(plan=make.plan(name=name), amount=Decimal(amount), currency="EUR")
    assert names_on(text(client, "/plans/?budget=10-30&price_min=11")) == {"Thirty"}
    page = text(client, "/plans/?budget=0-10")
    waiting = page.split('id="needs"')[1]
    assert ">Cheap<" in waiting
    assert ">Dear<" not in waiting
    assert "Budget a month" in tokens_on(page)
    assert "≤ €10" in tokens_on(page)
    address = "?budget=0-10&price_max=8"
    tokens = tokens_on(text(client, f"/plans/{address}"))
    assert re.findall(r'href="([^"]+)"', tokens) == [
        "/plans/?price_max=8", "/plans/?budget=0-10", "/plans/?",
    ]  # fmt: skip


def test_providers_show_storage_that_outlives_a_stop_unless_asked(client: Client) -> None:
    facts(plan_at(9_000, "Fleeting"), is_ephemeral=True)
    plan_at(900, "Lasting")
    gone = make.plan(provider=make.provider(name="Gone Ltd"), is_ephemeral=True)
    make.standing(plan=gone, is_durable_single_writer=True)
    for workload in ("", "workload=commit-8k&"):
        page = text(client, f"/providers/?{workload}")
        assert names_on(page) == {"Acme"}
        assert 'title="Lasting"' in page
        assert "Fastest that keeps its data: Acme" in page
        page = text(client, f"/providers/?{workload}kept=any")
        assert names_on(page) == {"Acme", "Gone Ltd"}
        assert 'title="Fleeting' in page
        assert "Fastest: Acme" in page
        assert "kept or lost" in tokens_on(page)
    rows = client.get("/providers.json").json()["rows"]
    assert [row["name"] for row in rows] == ["Acme"]
    assert len(client.get("/providers.json?kept=any").json()["rows"]) == 2
    assert names_on(text(client, "/plans/")) == {"Fleeting", "Lasting", gone.name}


def test_drives_are_chosen_by_whom_they_are_made_for(client: Client) -> None:
    for name, segment in (("990 PRO", "consumer"), ("PM9A3", "datacenter")):
        family = make.drive_family(name=name, segment=segment)
        make.standing(drive_family=family, is_durable_single_writer=True)
        make.drive_family(name=f"{name} waiting", segment=segment)
    page = text(client, "/drives/")
    assert options(page, "segment") == ["consumer", "datacenter"]
    page = text(client, "/drives/?segment=consumer")
    assert names_on(page) == {"990 PRO"}
    waiting = page.split('id="needs"')[1]
    assert "990 PRO waiting" in waiting
    assert "PM9A3 waiting" not in waiting
    assert "consumers" in tokens_on(page)
    rows = client.get("/drives.json?segment=consumer").json()
    assert [row["name"] for row in rows["rows"]] == ["990 PRO"]
    assert rows["page"].endswith("/drives/?segment=consumer")
