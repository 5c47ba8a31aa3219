"""The bank's file as the bank writes it, files that are not its, and amounts converted by it."""

from __future__ import annotations

import io
import zipfile
from datetime import date
from decimal import Decimal

import pytest
from pytest_django import DjangoAssertNumQueries

from apps.plans.catalogue import read_prices
from apps.plans.models import ExchangeRate
from apps.plans.prices.currencies import (
    CURRENCY_SIGNS,
    FILE_BYTES_MAX,
    RATES_SINCE,
    Rate,
    RatesError,
    RateTable,
)
from apps.plans.prices.currencies import read_rates as read
from apps.plans.prices.rates import RATES_FILE, current_rates, shipped_rates, store_rates

FRIDAY, THURSDAY = date(2026, 10, 30), date(2026, 10, 29)
HEADER = b"Date,USD,JPY,HRK,\n"
FILE = (
    HEADER + b"2026-10-30,1.1172,175.68,N/A,\n2026-10-29,1.113,175.92,N/A,\n1999-01-04,1.1789,,,\n"
)


def packed(content: bytes, *names: str) -> bytes:
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w") as archive:
        for name in names:
            # A test is named by these bytes: with the date of now each worker has another one.
            archive.writestr(zipfile.ZipInfo(name), content)
    return held.getvalue()


def table(**per_euro: str) -> RateTable:
    return RateTable(Rate(FRIDAY, name, Decimal(rate)) for name, rate in per_euro.items())


def test_the_file_is_read_packed_and_unpacked_without_what_is_not_stated() -> None:
    expected = [
        Rate(FRIDAY, "USD", Decimal("1.1172")),
        Rate(FRIDAY, "JPY", Decimal("175.68")),
        Rate(THURSDAY, "USD", Decimal("1.113")),
        Rate(THURSDAY, "JPY", Decimal("175.92")),
    ]
    assert read(FILE) == expected
    assert read(packed(FILE, "eurofxref-hist.csv")) == expected
    assert read(b"\xef\xbb\xbf" + FILE.replace(b"\n", b"\r\n")) == expected


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"", "not the bank's file"),
        (b"<html>Not found</html>", "not the bank's file"),
        (b"Date,,\n", "not the bank's file"),
        (b"\xff\xfe\x00", "not text"),
        (b"PK\x03\x04 and no more", "damaged"),
        (packed(FILE, "a.csv", "b.csv"), "holds 2 CSV files"),
        (packed(FILE, "readme.txt"), "holds 0 CSV files"),
        (HEADER + b"30.10.2026,1.1,1,1,\n", "Line 2"),
        (HEADER + b"2026-10-30,1,1172,,\n2026-10-29,minus,1,,\n", "Line 3"),
        (HEADER + b"2026-10-30,-1.1,1,1,\n", "'-1.1' is no rate"),
        (HEADER + b"2026-10-30,NaN,1,1,\n", "'NaN' is no rate"),
        (packed(b" " * (FILE_BYTES_MAX + 1), "a.csv"), "larger than 32 MiB"),
    ],
)
def test_what_is_not_the_bank_s_file_is_refused(content: bytes, says: str) -> None:
    with pytest.raises(RatesError, match=says):
        read(content)


def test_amounts_go_through_the_euro() -> None:
    rates = table(USD="1.1172", GBP="0.8338")
    assert rates.convert(Decimal("111.72"), source="USD", target="GBP") == Decimal("83.38")
    assert rates.convert(Decimal("11.172"), source="USD", target="EUR") == 10
    assert rates.convert(Decimal(5), source="XYZ", target="XYZ") == 5
    assert rates.day == FRIDAY
    assert rates.currencies == ["EUR", "GBP", "USD"]


def test_a_currency_without_a_rate_says_how_to_get_one() -> None:
    with pytest.raises(RatesError, match=r"no exchange rate for SEK.*load_rates"):
        table(USD="1.1").convert(Decimal(1), source="EUR", target="SEK")


def test_only_the_newest_day_counts() -> None:
    old, new = Rate(THURSDAY, "HRK", Decimal("7.5")), Rate(FRIDAY, "USD", Decimal("1.1172"))
    assert RateTable([new, old]).currencies == ["EUR", "USD"]
    assert RateTable([]).day is None


def test_a_shipped_copy_names_every_currency_of_the_catalogue_and_of_the_pages() -> None:
    rates = RateTable(shipped_rates())
    assert {price.currency for price in read_prices()} <= set(rates.currencies)
    assert CURRENCY_SIGNS.keys() <= set(rates.currencies)
    assert rates.day is not None
    assert RATES_FILE.read_text(encoding="utf-8").splitlines()[-1] >= RATES_SINCE.isoformat()


@pytest.mark.django_db
def test_stored_rates_are_corrected_and_the_newest_day_is_told(
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    assert current_rates().day is None
    assert store_rates(read(FILE)) == 4
    corrected = FILE.replace(b"1.1172", b"1.2")
    assert store_rates(read(corrected)) == 4
    with django_assert_num_queries(1):
        rates = current_rates()
    assert (rates.day, rates.per_euro("USD")) == (FRIDAY, Decimal("1.2"))
    assert ExchangeRate.objects.filter(currency="HRK").count() == 0
