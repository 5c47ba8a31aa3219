"""What plans cost with their storage: worked from the shipped prices, every assumption said."""

from __future__ import annotations

from collections import defaultdict
from datetime import date
from decimal import Decimal
from typing import TYPE_CHECKING, Any

import pytest

from apps.plans.catalogue import read_plans, read_prices
from apps.plans.models import Plan, Price
from apps.plans.prices.currencies import Rate, RateTable
from apps.rankings.advice.needs import Need
from apps.rankings.advice.offers import Market, Offer, offer_for
from apps.rankings.advice.remarks import RemarkKind, remark
from apps.rankings.advice.software import BY_ID
from apps.rankings.cost import is_orderable
from apps.words.advice import sentence_of, sentences_of

if TYPE_CHECKING:
    from collections.abc import Iterable

RATES = RateTable([Rate(date(2026, 10, 30), "USD", Decimal("1.25"))])
SHIPPED = {plan.slug: plan for plan in read_plans()}
GP3, HETZNER = "aws-ebs-gp3", "hetzner-volume"


def market(plans: Iterable[Plan], prices: Iterable[Price]) -> Market:
    by_plan: dict[str, list[Price]] = defaultdict(list)
    for price in prices:
        by_plan[price.plan_id].append(price)
    volumes: dict[str, list[Plan]] = defaultdict(list)
    for plan in plans:
        if is_orderable(plan) and plan.storage_kind == "network":
            volumes[plan.provider_id].append(plan)
    return Market(RATES, by_plan, volumes)


MARKET = market(SHIPPED.values(), read_prices())


def test_a_plan_costs_what_it_costs_where_it_was_measured() -> None:
    plan = Plan(slug="p", name="P", provider_id="hetzner", kind="cloud", storage_kind="local")
    prices = [
        Price(plan=plan, region=region, amount=Decimal(amount), currency="EUR", period="month",
              valid_from=date(2026, 10, 1))
        for region, amount in (("fsn1", "20"), ("sin", "12"))
    ]  # fmt: skip
    offers = [
        offer_for(Need(BY_ID["commits"], 1_000, region=asked), plan, market([plan], prices),
                  measured_in=measured_in)
        for asked, measured_in in (("", "europe"), ("", "asia"), ("sin", "europe"))
    ]  # fmt: skip
    assert [each.price_month for each in offers] == [Decimal(20), Decimal(12), Decimal(12)]


def offer(plan: str, rate: int = 1_000, **fields: Any) -> Offer:
    return offer_for(Need(BY_ID["commits"], rate, **fields), SHIPPED[plan], MARKET)


@pytest.mark.parametrize(
    ("plan", "rate", "asked", "month"),
    [
        # 1,000 GiB are 1,073.7 GB: 1,000 * 0.08, and what comes with it is enough
        (GP3, 1_000, {"capacity_gb": 1_073, "currency": "USD"}, "80.00"),
        # and 13,000 IOPS beyond the 3,000 at 0.005
        (GP3, 16_000, {"capacity_gb": 1_073, "currency": "USD"}, "145.00"),
        # 94 GiB for the 100 GB of a need without a capacity
        (GP3, 1_000, {"currency": "USD"}, "7.52"),
        # the same at 1.25 dollars a euro
        (GP3, 1_000, {}, "6.016"),
        # 10 GiB, sold as 10.74 GB at 0.0572
        (HETZNER, 1_000, {"capacity_gb": 10}, "0.61"),
    ],
)
def test_a_volume_is_ordered_as_large_and_fast_as_is_needed(
    plan: str, rate: int, asked: dict[str, Any], month: str
) -> None:
    found = offer(plan, rate, **asked)
    assert found.price_month == Decimal(month)
    assert (found.is_ordered, found.is_part, found.problem) == (True, True, None)
    assert "The price is without a server." in sentences_of(found.assumptions)


def test_the_order_of_a_volume_is_said_with_its_cost() -> None:
    said = sentences_of(offer(GP3, 16_000, currency="USD").assumptions)
    assert said[0] == "Priced with EBS gp3, 94 GiB + 16,000 IOPS, at 72.52 USD a month."


@pytest.mark.parametrize(("rate", "problem"), [(90_000, "At most 80,000 IOPS can be priced here.")])
def test_what_cannot_be_ordered_says_why(rate: int, problem: str) -> None:
    found = offer(GP3, rate)
    assert found.price_month is None
    assert found.problem
    assert sentence_of(found.problem) == problem


def made(*, drive_gb: int | None = None, provider: str = "acme", **fields: Any) -> Plan:
    usual = {"slug": "acme-s", "name": "S", "kind": "cloud", "storage_kind": "network"}
    size = None if drive_gb is None else Decimal(drive_gb)
    return Plan(provider_id=provider, drive_gb=size, **(usual | fields))


def price(plan: str, amount: str, **fields: Any) -> Price:
    usual = {"currency": "EUR", "period": "month", "valid_from": date(2026, 6, 1), "includes": ""}
    return Price(plan_id=plan, amount=Decimal(amount), **(usual | fields))


def unit(plan: str, amount: str, **fields: Any) -> Price:
    return price(plan, amount, unit="GiB", includes="unit price: per GiB-month", **fields)


SLOW = made(slug="acme-slow", name="Slow", kind="volume")
QUICK = made(slug="acme-quick", name="Quick", kind="volume")
UNITS = (unit("acme-slow", "0.04", valid_from=date(2026, 3, 1)), unit("acme-quick", "0.12"))


def server(plan: Plan, *prices: Price, capacity_gb: int = 0) -> Offer:
    need = Need(BY_ID["commits"], 1_000, capacity_gb=capacity_gb)
    return offer_for(need, plan, market((plan, SLOW, QUICK), prices))


def test_a_server_on_network_storage_costs_itself_and_the_cheapest_volume() -> None:
    found = server(made(), price("acme-s", "20"), *UNITS, capacity_gb=1_000)
    # 932 GiB at 0.04 are 37.28
    assert (found.price_month, found.price_day) == (Decimal("57.28"), date(2026, 3, 1))
    assert (found.is_ordered, found.is_part, found.ordered_gib) == (True, False, 932)
    said = sentences_of(found.assumptions)
    assert said == ["Priced with Slow, 932 GiB, at 37.28 EUR a month."]


def test_what_comes_with_a_server_is_used_where_it_is_enough() -> None:
    small = made(drive_gb=50)
    enough = server(small, price("acme-s", "20"), *UNITS, capacity_gb=50)
    assert (enough.price_month, enough.capacity_gb) == (Decimal(20), Decimal(50))
    assert not enough.assumptions
    more = server(small, price("acme-s", "20"), *UNITS, capacity_gb=51)
    assert more.price_month == Decimal("21.92")  # 48 GiB
    assert "Priced with Slow, 48 GiB, at 1.92 EUR a month." in sentences_of(more.assumptions)


def test_a_local_disk_is_as_large_as_it_is() -> None:
    local = made(drive_gb=50, drive_count=2, storage_kind="local-nvme")
    found = server(local, price("acme-s", "20"), *UNITS, capacity_gb=5_000)
    assert (found.price_month, found.capacity_gb) == (Decimal(20), Decimal(100))
    assert not found.is_ordered


@pytest.mark.parametrize(
    ("prices", "problem"),
    [
        (UNITS, "No price is known."),
        ((price("acme-s", "20"),), "No price is known."),
        (
            (price("acme-s", "20"), unit("acme-slow", "0.04", currency="USD")),
            "No price is known.",
        ),
    ],
)
def test_a_server_without_a_price_of_both_has_none(prices: tuple[Price, ...], problem: str) -> None:
    found = server(made(), *prices)
    assert found.price_month is None
    assert found.problem
    assert sentence_of(found.problem) == problem


def test_a_volume_of_a_fixed_size_costs_what_is_listed() -> None:
    fixed = made(kind="volume", drive_gb=1_000)
    found = server(fixed, price("acme-s", "180"), capacity_gb=2_000)
    assert (found.price_month, found.capacity_gb) == (Decimal(180), Decimal(1_000))
    assert (found.is_ordered, found.is_part) == (False, True)


def test_an_amount_is_converted_at_a_rate_that_is_shown() -> None:
    local = made(drive_gb=50, storage_kind="local-nvme")
    found = server(local, price("acme-s", "20", currency="USD", setup_fee=Decimal(39)))
    assert (found.price_month, found.exchange_rate) == (Decimal(16), Decimal("0.8"))
    assert (found.listed_month, found.listed_currency) == (Decimal(20), "USD")
    fee, converted = sentences_of(found.assumptions)
    assert fee == "A setup fee of 39 USD is paid once and not counted."
    assert converted == (
        "20.00 USD at 1 USD = 0.8000 EUR, the reference rate of the European Central Bank of "
        "2026-10-30."
    )


def test_without_a_rate_there_is_no_price() -> None:
    local = made(drive_gb=50, storage_kind="local-nvme")
    found = server(local, price("acme-s", "20", currency="XTS"))
    assert found.price_month is None
    assert found.problem == remark(RemarkKind.NO_EXCHANGE_RATE, currency="XTS")
    assert found.listed_month == 20


def test_a_volume_costs_what_it_costs_where_the_plan_was_measured() -> None:
    units = (
        unit("acme-slow", "0.04", region="fsn1", valid_from=date(2026, 10, 1)),
        unit("acme-slow", "0.02", region="sin", valid_from=date(2026, 10, 1)),
    )
    both = made(provider="hetzner")
    slow = made(slug="acme-slow", name="Slow", kind="volume", provider="hetzner")
    need = Need(BY_ID["commits"], 1_000, capacity_gb=1_000)
    at = market((both, slow), (price("acme-s", "20"), *units))
    for plan, server_price in ((slow, "0"), (both, "20")):
        months = [
            offer_for(need, plan, at, measured_in=each).price_month for each in ("europe", "asia")
        ]  # 932 GiB
        volume = Decimal("37.28"), Decimal("18.64")
        assert months == [Decimal(server_price) + each for each in volume]
