"""Figures as readers see them."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal

import pytest

from apps.pages.show import figures, units
from apps.pages.templatetags import units as markup
from apps.stats.figures import NARROW_SPACE as NARROW


@pytest.mark.parametrize(
    ("value", "shown"),
    [(8, "8"), (Decimal("512.000"), "512"), (1920, "1,920"), (1.5, "1.50"), (3.84, "3.84")],
)
def test_what_was_stated_whole_stays_whole(value: float, shown: str) -> None:
    assert units.as_stated(value) == shown


@pytest.mark.parametrize(
    ("nanoseconds", "shown"),
    [
        (668, f"668{NARROW}ns"), (89_000, f"89{NARROW}µs"), (163_000, f"163{NARROW}µs"),
        (5_276_000, f"5.28{NARROW}ms"), (999_600, f"1.00{NARROW}ms"), (999, f"999{NARROW}ns"),
        (17_957_000, f"18.0{NARROW}ms"), (63_500_000_000, f"63.5{NARROW}s"),
        (0, f"0{NARROW}ns"), (6_000, f"6.00{NARROW}µs"),
    ],
)  # fmt: skip
def test_a_latency_takes_the_unit_that_fits(nanoseconds: int, shown: str) -> None:
    assert units.latency(nanoseconds) == shown


def test_a_range_names_a_shared_unit_once() -> None:
    assert units.latency_range(10_000, 50_000) == f"10\u201350{NARROW}µs"
    assert units.latency_range(800_000, 3_000_000) == f"800{NARROW}µs\u20133{NARROW}ms"
    assert units.latency_range(150, 150) == f"\u2248 150{NARROW}ns"


@pytest.mark.parametrize(
    ("amount", "currency", "shown"),
    [
        (Decimal("8.6296"), "EUR", "€8.63"), (Decimal("395.2493"), "EUR", "€395"),
        (Decimal("53.6"), "USD", "$53.60"), (Decimal("0.00123"), "USD", "$0.00123"),
        (Decimal("12.5"), "CHF", f"12.50{NARROW}CHF"),
        (Decimal("12.5"), "JPY", f"13{NARROW}JPY"), (Decimal("0.123"), "JPY", f"0.123{NARROW}JPY"),
        (Decimal("4660.12"), "JPY", f"4,660{NARROW}JPY"),
    ],
)  # fmt: skip
def test_money_keeps_its_currency(amount: Decimal, currency: str, shown: str) -> None:
    assert units.money(amount, currency) == shown


@pytest.mark.parametrize(
    ("amount", "period", "shown"),
    [
        ("234.000000", "month", "€234 /mo"), ("37.300000", "month", "€37.30 /mo"),
        ("1.444162", "hour", "€1.444 /h"), ("0.004200", "hour", "€0.0042 /h"),
        ("0.100000", "hour", "€0.10 /h"), ("12.345600", "month", "€12.35 /mo"),
        ("59.000000", "month", "€59.00 /mo"),
        ("1165.000000", "month", "€1,165 /mo"), ("204.490000", "month", "€204.49 /mo"),
    ],
)  # fmt: skip
def test_a_list_price_keeps_its_cents_and_no_endless_decimals(
    amount: str, period: str, shown: str
) -> None:
    assert units.list_price(Decimal(amount), "EUR", period) == shown


@pytest.mark.parametrize(
    ("amount", "shown"),
    [("59", "59"), ("4660.12", "4,660"), ("2.75", "2.75"), ("1.444162", "1.444")],
)
def test_a_list_price_in_a_currency_without_cents_has_none_but_what_its_source_states(
    amount: str, shown: str
) -> None:
    assert units.list_amount(Decimal(amount), "JPY") == f"{shown}{NARROW}JPY"


def test_a_price_is_stale_after_ninety_days() -> None:
    today = dt.date(2026, 11, 21)
    assert not units.is_stale(today - dt.timedelta(days=90), today)
    assert units.is_stale(today - dt.timedelta(days=91), today)


def test_sizes_are_binary() -> None:
    assert units.size(5 * 2**30) == f"5{NARROW}GiB"
    assert units.size(8192) == f"8{NARROW}KiB"
    assert units.size(0) == f"0{NARROW}B"


def test_the_unit_is_dim_and_never_parts_from_its_figure() -> None:
    assert str(figures.latency(89_000)) == (
        '<span class="fig">89<span class="unit">\u2009µs</span></span>'
    )


def test_missing_figures_are_a_dash_and_missing_facts_are_said() -> None:
    assert figures.latency(None) == "\u2013"
    assert figures.rate(None) == "\u2013"
    assert markup.day(None) == "date not stated"
    assert "not stated" in str(markup.or_not_stated(""))
    assert markup.or_not_stated("ext4") == "ext4"


def test_midnight_sharp_is_a_day_without_a_time() -> None:
    midnight = dt.datetime(2025, 11, 11, tzinfo=dt.UTC)
    assert markup.moment(midnight) == "2025-11-11"
    assert markup.moment(midnight.replace(hour=14, minute=8)) == "2025-11-11 14:08 UTC"
