"""Volumes as they are ordered, priced from the shipped unit prices."""

from __future__ import annotations

from decimal import Decimal

import pytest

from apps.plans.catalogue import read_plans, read_prices
from apps.plans.models import Price
from apps.plans.prices.volumes import (
    VolumeError,
    VolumeOrder,
    VolumeProblem,
    bill,
    extra_plans,
    terms,
)

GP3, IO2, HETZNER = "aws-ebs-gp3", "aws-ebs-io2-block-express", "hetzner-volume"
GP3_IOPS = "aws-ebs-gp3-extra-iops"


def unit_prices() -> dict[str, Price]:
    """The newest unit price of each plan."""
    by_age = sorted(read_prices(), key=lambda price: price.valid_from)
    return {price.plan_id: price for price in by_age if price.is_unit_price}


@pytest.mark.parametrize(
    ("plan", "order", "month"),
    [
        # the sums that the catalogue states for the same orders
        (GP3, VolumeOrder(1000, 3000, 125), "80.00"),
        (GP3, VolumeOrder(1000, 16_000, 1000), "180.00"),
        (GP3, VolumeOrder(1000), "80.00"),
        (IO2, VolumeOrder(100, 32_000), "2092.50"),
        # sold by the decimal gigabyte: 10 GiB are 10.74 GB
        (HETZNER, VolumeOrder(10), "0.61"),
    ],
)
def test_a_volume_costs_the_sum_of_its_parts(plan: str, order: VolumeOrder, month: str) -> None:
    assert bill(plan, order, unit_prices()).month == Decimal(month)


def test_a_bill_names_its_parts() -> None:
    order = bill(GP3, VolumeOrder(1000, 16_000, 1000), unit_prices())
    assert [(part.name, part.quantity, part.amount) for part in order.parts] == [
        ("GiB", Decimal(1000), Decimal(80)),
        ("IOPS", Decimal(13_000), Decimal(65)),
        ("MiB/s", Decimal(875), Decimal(35)),
    ]
    assert order.currency == "USD"


@pytest.mark.parametrize(
    ("plan", "order", "problem", "about"),
    [
        (GP3, VolumeOrder(0), VolumeProblem.EMPTY, ("", "", 0)),
        (GP3, VolumeOrder(100, 90_000), VolumeProblem.TOO_MUCH, ("", "IOPS", 80_000)),
        (GP3, VolumeOrder(100, 0, 5000), VolumeProblem.TOO_MUCH, ("", "MiB/s", 2_000)),
        (HETZNER, VolumeOrder(100, 5000), VolumeProblem.NOT_SOLD, ("", "IOPS", 0)),
        (GP3_IOPS, VolumeOrder(100), VolumeProblem.NO_CAPACITY_PRICE, (GP3_IOPS, "", 0)),
        (
            "nobody-nothing",
            VolumeOrder(100),
            VolumeProblem.NO_UNIT_PRICE,
            ("nobody-nothing", "", 0),
        ),
    ],
)
def test_what_cannot_be_ordered_says_why(
    plan: str, order: VolumeOrder, problem: VolumeProblem, about: tuple[str, str, int]
) -> None:
    with pytest.raises(VolumeError) as caught:
        bill(plan, order, unit_prices())
    error = caught.value
    assert (error.problem, (error.plan, error.part, error.most)) == (problem, about)


def test_prices_in_two_currencies_are_not_added_up() -> None:
    prices = unit_prices()
    prices["aws-ebs-gp3-extra-iops"].currency = "EUR"
    with pytest.raises(VolumeError) as caught:
        bill(GP3, VolumeOrder(100, 4000), prices)
    assert (caught.value.problem, caught.value.plan) == (VolumeProblem.CURRENCIES, GP3)


def test_every_plan_of_the_terms_is_in_the_catalogue_with_a_unit_price() -> None:
    plans, prices = {plan.slug for plan in read_plans()}, unit_prices()
    for plan in terms():
        assert {plan, *extra_plans(plan)} <= plans
        assert {plan, *extra_plans(plan)} <= prices.keys()
