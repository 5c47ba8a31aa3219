"""What one measurement of a plan costs, and where nobody can rent it for so short a time."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from typing import Any

import pytest

from apps.plans.models import Plan, Price, Provider
from apps.plans.prices.renting import (
    BILLINGS,
    MEASUREMENT_S,
    Billing,
    data_disk,
    measurement_price,
    usual_region,
)
from apps.plans.regions import place_of


def plan(provider: str = "hetzner", **changes: Any) -> Plan:
    owner = Provider(slug=provider, name=provider)
    fields = {"kind": "cloud", "storage_kind": "local-nvme", **changes}
    return Plan(slug=f"{provider}-x", provider=owner, name="x", **fields)


def hourly(amount: str = "0.60", **changes: Any) -> Price:
    fields: dict[str, Any] = {
        "pk": 1, "currency": "EUR", "amount": Decimal(amount), "period": "hour",
        "valid_from": date(2026, 11, 1), **changes,
    }  # fmt: skip
    return Price(**fields)


@pytest.mark.parametrize(
    ("billing", "used_s", "billed_s"),
    [
        (Billing(), 780, 3600),
        (Billing(), 3601, 7200),
        (Billing(60, 1), 780, 780),
        (Billing(60, 1), 30, 60),
        (Billing(600, 60), 61, 600),
    ],
)
def test_what_is_begun_is_billed_and_never_less_than_the_minimum(
    billing: Billing, used_s: int, billed_s: int
) -> None:
    assert billing.seconds(used_s) == billed_s


def test_a_measurement_costs_its_seconds_at_the_newest_price() -> None:
    prices = [hourly("0.50", valid_from=date(2026, 6, 1)), hourly("0.60"), hourly("0.70")]
    by_the_hour = measurement_price(plan(), prices)
    by_the_second = measurement_price(plan("aws", is_ephemeral=True), prices)
    assert by_the_hour
    assert by_the_second
    assert by_the_hour.amount == Decimal("0.60")
    assert by_the_second.seconds == MEASUREMENT_S == 780
    assert by_the_second.amount == Decimal("0.13")


def test_the_price_of_the_region_comes_before_a_newer_one_of_another() -> None:
    here = hourly("0.80", region="eu-west-1", valid_from=date(2026, 6, 1))
    there = hourly("0.60", region="us-east-1")
    cost = measurement_price(
        plan("aws", is_ephemeral=True), [there, here], region=place_of("eu-west-1", provider="aws")
    )
    assert cost
    assert cost.price is here


@pytest.mark.parametrize(
    "changes",
    [
        {"period": "month"}, {"unit": "GB"}, {"term_months": 12}, {"is_disputed": True},
        {"setup_fee": Decimal("39.00")},
    ],
)  # fmt: skip
def test_a_price_that_is_not_of_an_hour_of_a_machine_is_none(changes: dict[str, Any]) -> None:
    assert measurement_price(plan(), [hourly(**changes)]) is None


@pytest.mark.parametrize(
    "changes",
    [
        {"kind": "dedicated"}, {"kind": "volume"}, {"is_retired": True}, {"is_component": True},
        {"is_listed": False}, {"is_ephemeral": True},
        {"storage_description": "1900 GB local NVMe; 50 GB boot disk"},
    ],
)  # fmt: skip
def test_a_plan_that_nobody_can_rent_or_measure_so_has_no_price(changes: dict[str, Any]) -> None:
    assert measurement_price(plan(), [hourly()])
    assert measurement_price(plan(**changes), [hourly()]) is None


def test_the_disk_that_is_measured_is_the_one_that_is_rented() -> None:
    assert data_disk(plan()) == ""
    assert data_disk(plan("aws", is_ephemeral=True)) == BILLINGS["aws"].disk != ""
    assert data_disk(plan("oracle-cloud")) == BILLINGS["oracle-cloud"].disk != ""
    assert data_disk(plan("oracle-cloud", storage_kind="network")) == ""


@pytest.mark.parametrize(
    ("provider", "region", "where"),
    [
        ("hetzner", "fsn1", "fsn1"), ("ovhcloud", "EU", "gra11"), ("vultr", "", "fra"),
        ("scaleway", "fr-par-1", "fr-par-1"), ("ionos", "DE", ""), ("hetzner", "DE; FI", ""),
    ],
)  # fmt: skip
def test_a_kit_rents_where_the_price_holds_else_where_its_provider_usually_does(
    provider: str, region: str, where: str
) -> None:
    assert usual_region(plan(provider), hourly(region=region)) == where
