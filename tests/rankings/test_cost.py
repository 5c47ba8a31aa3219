"""Which price counts and what commits cost: worked values from published results and prices."""

from __future__ import annotations

import re
from datetime import date
from decimal import Decimal
from typing import Any

import pytest

from apps.plans.catalogue import read_prices
from apps.plans.models import Price
from apps.rankings.cost import (
    cost_per_billion,
    cost_range,
    month_cap,
    pick_price,
    price_month_per_1000,
    price_month_per_tb,
)

AX102_RATE = 10_318.05  # commits/s, WebP Cloud, 8 KiB with fsync
AX41_RATE = 187.15


def price(amount: str = "10", **fields: Any) -> Price:
    usual = {
        "plan_id": "p",
        "currency": "EUR",
        "period": "month",
        "valid_from": date(2026, 1, 1),
        "includes": "net, excl. VAT",
    }
    return Price(amount=Decimal(amount), **(usual | fields))


def shipped(plan: str) -> list[Price]:
    return [row for row in read_prices() if row.plan_id == plan]


@pytest.mark.parametrize(
    ("plan", "rate", "per_billion", "month_per_1000"),
    [
        ("hetzner-ax102-15-36-tb-nvme-dc-drive", AX102_RATE, "8.63", "22.68"),
        ("hetzner-ax41-nvme", AX41_RATE, "75.84", "199.31"),
    ],
)
def test_the_worked_values_of_the_published_servers(
    plan: str, rate: float, per_billion: str, month_per_1000: str
) -> None:
    chosen = pick_price(shipped(plan))
    assert chosen is not None
    cent = Decimal("0.01")
    assert cost_per_billion(chosen, rate_per_s=rate).quantize(cent) == Decimal(per_billion)
    assert price_month_per_1000(chosen, rate_per_s=rate).quantize(cent) == Decimal(month_per_1000)


def test_an_hourly_price_costs_the_same_as_730_times_it_a_month() -> None:
    by_hour, by_month = price("0.1", period="hour"), price("73")
    assert cost_per_billion(by_hour, rate_per_s=1000) == cost_per_billion(by_month, rate_per_s=1000)
    assert price_month_per_1000(by_hour, rate_per_s=500) == Decimal("146.0000")


def test_the_newest_price_counts() -> None:
    old, new = price("30"), price("40", valid_from=date(2026, 6, 15))
    assert pick_price([old, new]) is new


def test_a_monthly_price_goes_before_an_hourly_one_of_the_same_day() -> None:
    cax41 = pick_price(shipped("hetzner-cax41"))
    assert cax41 is not None
    assert (cax41.amount, cax41.period) == (Decimal("41.49"), "month")


def test_a_newer_hourly_price_goes_before_an_older_monthly_one() -> None:
    old = price("30", period="month")
    new = price("0.2", period="hour", valid_from=date(2026, 6, 15))
    assert pick_price([old, new]) is new


def test_the_month_of_a_cloud_is_the_limit_of_its_hours() -> None:
    ccx33 = shipped("hetzner-ccx33")
    by_hour = next(each for each in ccx33 if each.period == "hour")
    cap = month_cap(by_hour, ccx33)
    assert cap is not None
    assert by_hour.amount * 730 > cap.amount == Decimal("138.99")
    assert pick_price([by_hour, cap], region="fsn1") is cap
    hour = price("0.2", period="hour", region="us-east-1")
    anywhere = price("100")
    assert (
        pick_price([hour, anywhere], region="us-east-1") is anywhere
    )  # its region alone is nearer


@pytest.mark.parametrize(
    "other",
    [
        {"amount": "147"},  # more than 730 hours
        {"currency": "USD"},
        {"region": "SG"},
        {"kind": "superseded"},
        {"term_months": 12},
        {"unit": "GB"},
        {"valid_from": date(2025, 1, 1)},
        {"period": "hour"},
    ],
)
def test_what_is_another_price_caps_no_month(other: dict[str, Any]) -> None:
    hour = price("0.2", period="hour", region="DE")
    assert month_cap(hour, [hour, price(**({"amount": "100", "region": "DE"} | other))]) is None


def test_the_region_of_the_runs_counts_before_the_date() -> None:
    ccx33 = shipped("hetzner-ccx33")
    in_singapore = pick_price(ccx33, region="sin")
    assert in_singapore is not None
    assert (in_singapore.region, in_singapore.amount) == ("SG", Decimal("74.9"))
    in_germany = pick_price(ccx33, region="fsn1")
    assert in_germany is not None
    assert in_germany.amount == Decimal("138.99")


def test_without_a_region_the_lowest_of_equals_counts() -> None:
    dear, cheap = price("12", region="SG"), price("9", region="US")
    assert pick_price([dear, cheap]) is cheap


def test_a_unit_price_never_counts() -> None:
    assert pick_price([price("0.08", unit="GB")]) is None
    assert pick_price(shipped("google-cloud-hyperdisk-balanced")) is None
    assert pick_price(shipped("hetzner-volume")) is None


@pytest.mark.parametrize("months", [2, 12, 24])
def test_more_than_a_month_is_a_term(months: int) -> None:
    assert pick_price([price(term_months=months)]) is None


@pytest.mark.parametrize("months", [None, 1])
def test_a_month_is_no_term(months: int | None) -> None:
    assert pick_price([price(term_months=months)]) is not None


def test_words_make_no_term() -> None:
    assert pick_price([price(includes="24-month term")]) is not None


def test_shipped_prices_have_the_term_that_their_words_state() -> None:
    stated = re.compile(r"\b(?P<months>\d+)-month term\b")
    found = [
        (each.term_months, int(term["months"]))
        for each in read_prices()
        if (term := stated.search(each.includes)) is not None
    ]
    assert len(found) == sum(each.has_term for each in read_prices()) == 11
    assert all(months == said for months, said in found)


def test_a_price_with_a_term_never_counts() -> None:
    hostinger = pick_price(shipped("hostinger-kvm-1"))
    assert hostinger is not None
    assert hostinger.includes == "renewal price"
    assert pick_price(shipped("contabo-cloud-vps-10")) is None


def test_no_price_no_choice() -> None:
    assert pick_price([]) is None


def test_the_interval_of_a_cost_is_that_of_the_rate_turned_round() -> None:
    chosen = price("73")
    low, high = cost_range(chosen, rate_low_per_s=500, rate_high_per_s=1000)
    assert low == cost_per_billion(chosen, rate_per_s=1000)
    assert high == 2 * low


def test_every_cost_has_an_interval_by_the_same_function() -> None:
    by_month = cost_range(
        price("73"), rate_low_per_s=500, rate_high_per_s=2000, cost=price_month_per_1000
    )
    assert by_month == (Decimal("36.5"), Decimal(146))


def test_a_terabyte_is_a_share_of_all_drives() -> None:
    chosen = price("104")
    assert price_month_per_tb(chosen, drive_count=2, drive_gb=Decimal(1920)) == Decimal("27.0833")
    assert price_month_per_tb(chosen, drive_count=None, drive_gb=Decimal(1040)) == 100
    with pytest.raises(ValueError, match="without capacity"):
        price_month_per_tb(chosen, drive_count=2, drive_gb=Decimal(0))
