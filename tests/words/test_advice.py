"""The advisor's words: each remark, doubt, operation and likeness has them, in every language."""

from __future__ import annotations

import ast
import re
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from django.utils.translation import override

from apps.rankings.advice import engine, evidence, limits, offers
from apps.rankings.advice.needs import NeedError
from apps.rankings.advice.remarks import Remark, RemarkKind, remark
from apps.rankings.advice.software import MS, SOFTWARE, Operation
from apps.rankings.advice.verdicts import VerdictDoubt
from apps.rankings.advice.work import Likeness
from apps.words.advice import (
    DOUBTS,
    FORMATS,
    OPERATIONS,
    REMARKS,
    doubt_words,
    reason_of,
    refusal_of,
    sentence_of,
)
from apps.words.software import LIKENESSES, SOFTWARE_WORDS
from tests.rankings.advice.test_needs import figure

PLACE = re.compile(r"%\(\w+\)")
# A value for every place that any remark has; of a number any will do.
PLACES = (
    *FORMATS, "n", "name", "currency", "wanted", "day", "region", "stated", "plan", "what",
    "ordered",
)  # fmt: skip
FIGURES: dict[str, Any] = {
    "operations": Operation.READS, "size": "ram", "why": Likeness.SEARCH, "software": "etcd",
    **dict.fromkeys(("work", "other", "workload"), "commit-8k"),
    "kinds": ((2, 900.0, ""), (1, 90.0, "")),
}  # fmt: skip


def test_everything_that_is_to_be_said_has_words() -> None:
    assert set(REMARKS) == set(RemarkKind)
    assert set(DOUBTS) == set(VerdictDoubt)
    assert set(OPERATIONS) == set(Operation)
    assert set(LIKENESSES) == set(Likeness)
    assert set(SOFTWARE_WORDS) == {software.id for software in SOFTWARE}


def test_every_remark_is_made_by_the_advisor() -> None:
    made = {
        node.attr
        for module in (engine, evidence, limits, offers)
        for node in ast.walk(ast.parse(Path(module.__file__ or "").read_text(encoding="utf-8")))
        if isinstance(node, ast.Attribute)
    }
    assert {kind.name for kind in RemarkKind} <= made


@pytest.mark.parametrize("language", ["en", "zh-hans"])
@pytest.mark.parametrize("kind", list(RemarkKind))
def test_every_remark_is_a_sentence_in_every_language(kind: RemarkKind, language: str) -> None:
    figures = {name: FIGURES.get(name, 7) for name in PLACES}
    with override(language):
        said = sentence_of(Remark(kind, figures))
    assert said.endswith("." if language == "en" else "\u3002")
    assert not PLACE.search(said)


@pytest.mark.parametrize(
    ("figures", "written"),
    [
        ({"rate": 1_600.4}, "1,600"),
        ({"has": Decimal("107.6")}, "108"),
        ({"needed": 12_000}, "12,000"),
        ({"price": Decimal("6.016")}, "6.02"),
        ({"p99": 1_234_567}, "1.23"),
        ({"share": 0.7}, "70%"),
        ({"amount": Decimal("72.520")}, "72.520"),
        ({"operations": Operation.DURABLE_WRITES}, "durable writes"),
        ({"size": "ram"}, "Memory, GB"),
        ({"why": None}, ""),
    ],
)
def test_a_figure_is_written_by_its_name(figures: dict[str, Any], written: str) -> None:
    ((name, value),) = figures.items()
    assert FORMATS[name](value) == written


def test_amounts_of_a_currency_without_cents_have_no_decimals() -> None:
    budget = remark(
        RemarkKind.BUDGET, price=Decimal("4660.12"), currency="JPY", budget=Decimal("5000.00")
    )
    assert sentence_of(budget) == "It costs 4660 JPY a month of 5000."
    fee = remark(RemarkKind.SETUP_FEE, amount=Decimal("6200.00"), currency="JPY")
    assert sentence_of(fee).startswith("A setup fee of 6,200 JPY is paid once")
    fee = remark(RemarkKind.SETUP_FEE, amount=Decimal("39.00"), currency="EUR")
    assert sentence_of(fee).startswith("A setup fee of 39.00 EUR is paid once")


def test_an_amount_that_is_converted_is_rounded() -> None:
    amount, rate = Decimal("20.009"), Decimal("0.8")
    figures: dict[str, Any] = {
        "amount": amount, "currency": "USD", "rate": rate, "wanted": "EUR", "day": None,
    }  # fmt: skip
    said = sentence_of(Remark(RemarkKind.CONVERTED, figures))
    assert said.startswith("20.01 USD at 1 USD = 0.8000 EUR")


def test_what_belongs_together_is_one_text() -> None:
    parts = (remark(RemarkKind.P99_UNKNOWN), remark(RemarkKind.P99_TYPICAL))
    assert reason_of(parts) == "Its p99 is not known. It is typical and no bound."


def test_a_verdict_without_a_doubt_says_nothing() -> None:
    assert doubt_words(None) == ""
    assert doubt_words(VerdictDoubt.BELOW) == "the rate lies below"


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (
            NeedError("rate", least=1, most=10_000_000),
            "From 1 to 10,000,000.",
        ),
        (
            NeedError("p99", most=60_000 * MS),
            "More than 0, a minute at most.",
        ),
        (
            NeedError("budget", most=Decimal(10**9)),
            "More than 0, 1,000,000,000 at most.",
        ),
    ],
)
def test_a_need_that_makes_no_sense_is_told_what_would(error: NeedError, said: str) -> None:
    assert refusal_of(error) == said


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ({"interval_is": "samples"}, "the slowest half second of one run"),
        ({"interval_is": "repeats"}, "the low end of its interval"),
        ({"interval_is": "samples", "p99_limit_ns": MS}, "the low end of its interval"),
        ({"rate_low_per_s": None}, "no low end is known"),
    ],
)
def test_what_is_counted_on_is_said(fields: dict[str, Any], says: str) -> None:
    assert says in sentence_of(figure("commit-8k", 10, **fields).low_end)
