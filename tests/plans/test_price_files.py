"""Files of prices as contributors write them: taken whole, or refused with every wrong line."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

import pytest

from apps.plans.catalogue import DATA
from apps.plans.models import Price, PriceKind
from apps.plans.prices import files as price_files
from apps.plans.prices.files import COLUMNS, PriceFileError, read_price_file

TODAY = date(2026, 11, 21)
HEADER = ",".join(COLUMNS) + "\n"
PLANS = {"acme-x1"}
GOOD = "Acme,X1,fsn1,EUR,37.30,month,79,2026-11-01,,,,net,https://acme.example/prices\n"


def read(text: str) -> list[Price]:
    return read_price_file(text, plans=PLANS, today=TODAY)


def problems(text: str) -> list[str]:
    with pytest.raises(PriceFileError) as caught:
        read(text)
    return [str(problem) for problem in caught.value.problems]


def test_a_price_is_taken_as_it_stands() -> None:
    (price,) = read("\ufeff" + HEADER + GOOD)
    assert (price.plan_id, price.amount, price.setup_fee) == (
        "acme-x1", Decimal("37.300000"), Decimal("79.00"),
    )  # fmt: skip
    assert (price.region, price.currency, price.period) == ("fsn1", "EUR", "month")
    assert (price.valid_from, price.is_unit_price, price.is_shipped) == (
        date(2026, 11, 1), False, False,
    )  # fmt: skip


def test_a_unit_price_is_known_by_its_unit_and_a_fee_may_be_missing() -> None:
    (price,) = read(HEADER + "acme,x1,,USD,0.08,month,,2026-11-01,GiB,,,excl. tax,page\n")
    assert (price.is_unit_price, price.unit, price.setup_fee) == (True, "GiB", None)


def test_a_term_and_a_kind_are_taken_as_they_are_stated() -> None:
    (price,) = read(HEADER + GOOD.replace(",,,,net", ",,24,derived,net"))
    assert (price.term_months, price.has_term, price.kind) == (24, True, PriceKind.DERIVED)


def test_what_the_words_of_a_price_say_decides_nothing() -> None:
    words = "unit price: per GiB-month; 24-month term; derived; superseded"
    (price,) = read(HEADER + GOOD.replace("net", words))
    assert (price.is_unit_price, price.has_term, price.kind) == (False, False, "")


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("X1", "X2", "no plan is called Acme 'X2' here"),
        ("EUR", "€", "three letters of ISO 4217"),
        ("EUR", "eur", "three letters of ISO 4217"),
        ("37.30", '"37,30"', "must be a number like 37.30"),
        ("37.30", "NaN", "must be a number"),
        ("37.30", "-1", "must be a number"),
        ("37.30", "1e9", "up to 1,000,000"),
        ("month", "year", "must be hour or month"),
        (",79,", ",free,", "must be a number"),
        ("2026-11-01", "1.11.2026", "must be a day like"),
        ("2026-11-01", "2026-11-22", "is ahead"),
        ("https://acme.example/prices", "", "source is empty"),
        ("https://acme.example/prices", "x" * 501, "source is longer"),
        (",net,", "," + "n" * 501 + ",", "includes is longer"),
        ("fsn1", "r" * 65, "region is longer"),
        (",net,", ",net, no VAT,", "13 columns are needed"),
        (",net,", ",", "13 columns are needed"),
        (",,,,net", ",TB,,,net", "unit 'TB' must be empty or one of GB, GiB, IOPS, MiB/s, vCPU"),
        (",,,,net", ",,a year,,net", "term_months 'a year' must be empty or a number of months"),
        (",,,,net", ",,0,,net", "up to 120"),
        (",,,,net", ",,121,,net", "up to 120"),
        (",,,,net", ",,,old,net", "kind 'old' must be empty or one of superseded, from, derived"),
    ],
)
def test_a_wrong_line_is_named_with_what_would_be_right(old: str, new: str, says: str) -> None:
    (problem,) = problems(HEADER + GOOD + GOOD.replace(old, new))
    assert problem.startswith("line 3: ")
    assert says in problem


def test_every_wrong_line_is_told_at_once() -> None:
    bad = GOOD.replace("EUR", "Euro")
    assert [problem.split(":")[0] for problem in problems(HEADER + bad + GOOD + bad)] == [
        "line 2", "line 4",
    ]  # fmt: skip


@pytest.mark.parametrize("text", ["", "plan,price\n", "<html>"])
def test_another_header_is_refused(text: str) -> None:
    assert problems(text)[0].startswith("line 1: the columns must be provider,plan,")


def test_what_is_no_csv_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "no CSV" in problems(HEADER + "x" * 200_000)[0]
    monkeypatch.setattr(price_files, "ROWS_MAX", 2)
    assert problems(HEADER + GOOD * 3) == ["line 4: more than 2 prices"]


def test_the_shipped_file_is_in_the_format_that_contributors_are_told() -> None:
    header = (DATA / "prices.csv").read_text(encoding="utf-8").splitlines()[0]
    assert header.split(",") == list(COLUMNS)
