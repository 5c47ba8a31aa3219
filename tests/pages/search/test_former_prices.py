"""What a plan cost a year ago is set against what it costs now, in the same place."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

import pytest

from apps.pages.search.former_prices import then_and_now
from tests import make

pytestmark = pytest.mark.django_db

TODAY = date(2026, 11, 1)


@pytest.mark.parametrize(("then", "now"), [("DE", "DE"), ("DE; FI", "DE"), ("", "fsn1")])
def test_a_newer_price_of_elsewhere_is_not_that_of_a_year_ago(then: str, now: str) -> None:
    plan = make.plan()
    for amount, region, since in (
        ("4", then, date(2024, 1, 1)),
        ("8", "US", date(2024, 6, 1)),
        ("6", now, date(2026, 10, 1)),
    ):
        make.price(plan=plan, amount=Decimal(amount), region=region, valid_from=since)
    of_now, of_then = then_and_now([plan.slug], today=TODAY)[plan.slug]
    assert "1.5 times as much" in of_now
    assert "2024-01-01" in of_then


def test_where_nothing_older_is_known_of_a_place_nothing_is_set_against_it() -> None:
    plan = make.plan()
    make.price(plan=plan, amount=Decimal(6), region="US", valid_from=date(2024, 6, 1))
    make.price(plan=plan, amount=Decimal(5), region="DE", valid_from=date(2026, 10, 1))
    (said,) = then_and_now([plan.slug], today=TODAY)[plan.slug]
    assert "times" not in said
