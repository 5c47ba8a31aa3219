"""A price that a board filters by is the price that its row shows: SQL and Python pick the same."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from itertools import combinations, product

import pytest

from apps.pages.boards.selectors.conditions import SHOWN_PRICE
from apps.plans.models import Plan, Price
from apps.rankings.cost import pick_price
from tests import make

pytestmark = pytest.mark.django_db

DAYS = (date(2026, 1, 1), date(2026, 5, 1))
TERMS = (None, 1, 12)
UNITS = ("", "GB")
AMOUNTS = ("2", "3")
TEXTS = (("", ""), ("DE", "net"), ("de", "net"), ("fsn1", "gross"), ("fsn-1", ""))


def kinds_of_price() -> list[dict[str, object]]:
    """Every combination of what the choice looks at, each price different from all others."""
    return [
        {
            "valid_from": day,
            "term_months": term,
            "unit": unit,
            "period": period,
            "amount": Decimal(amount),
            "region": region,
            "includes": includes,
        }
        for day, term, unit, period, amount, (region, includes) in product(
            DAYS, TERMS, UNITS, Price.Period.values, AMOUNTS, TEXTS
        )
    ]


def test_sql_and_python_pick_the_same_of_any_two_prices() -> None:
    kinds = kinds_of_price()
    owner = make.provider()
    plans = []
    for place, pair in enumerate(combinations(range(0, len(kinds), 7), 2)):
        plans.append((Plan(provider=owner, slug=f"p{place}", name=f"P{place}"), pair))
    Plan.objects.bulk_create([plan for plan, _pair in plans])
    Price.objects.bulk_create(
        Price(plan=plan, currency="EUR", source="a price list", **kinds[each])
        for plan, pair in plans
        for each in pair
    )
    assert_same_picks()


@pytest.mark.parametrize("is_reversed", [False, True])
def test_sql_and_python_pick_the_same_of_prices_that_differ_in_their_words(
    *, is_reversed: bool
) -> None:
    texts = [*TEXTS, ("DE", "gross"), ("DE", "Net")]
    for region, includes in reversed(texts) if is_reversed else texts:
        make.price(plan=plan_of_all(), region=region, includes=includes)
    assert_same_picks()


def plan_of_all() -> Plan:
    """The one plan of a test."""
    return Plan.objects.first() or make.plan()


def assert_same_picks() -> None:
    """Compare what SQL picks of each plan with what a row shows."""
    by_sql = dict(Plan.objects.annotate(shown=SHOWN_PRICE).values_list("pk", "shown"))
    assert by_sql
    for plan in Plan.objects.prefetch_related("prices"):
        picked = pick_price(plan.prices.all())
        assert by_sql[plan.pk] == (picked.pk if picked else None), plan.prices.all()
