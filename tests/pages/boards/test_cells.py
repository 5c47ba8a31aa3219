"""What a row says in its three lines: p99 below the rate, a former price, a volume's price."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING

import pytest

from apps.plans.models import Plan, Price, PriceKind
from apps.rankings.models import Standing
from tests import make
from tests.pages.boards.build import words_of
from tests.pages.site import plan_at

if TYPE_CHECKING:
    from django.test import Client

pytestmark = pytest.mark.django_db


def test_p99_stands_below_the_rate_unless_it_has_a_column(client: Client) -> None:
    plan_at(900, "Aa", p99_ns=145_000)
    page = words_of(client, "/plans/")
    assert '<span class="cell-note">p99 <span class="fig">145' in page
    assert 'id="sort-p99"' in page
    chosen = words_of(client, "/plans/?cols=rate,p99")
    assert '<span class="cell-note">p99' not in chosen
    by_p99 = words_of(client, "/plans/?sort=p99")
    assert by_p99.count('class="now"') == 1
    assert 'aria-sort="ascending"' in by_p99


def test_without_any_p99_nobody_can_sort_by_it(client: Client) -> None:
    plan_at(900, "Aa", p99_ns=None)
    assert "sort-p99" not in words_of(client, "/plans/")


def test_a_price_that_does_not_hold_any_more_is_one_that_was(client: Client) -> None:
    standing = plan_at(900, "Aa", cost_per_billion=Decimal("2.76"), currency="EUR")
    price = make.price(plan=standing.plan, amount=Decimal(199), kind=PriceKind.SUPERSEDED)
    Standing.objects.filter(pk=standing.pk).update(price=price)
    page = words_of(client, "/plans/")
    assert '<span class="was">was</span> €2.76' in page
    assert "superseded" in page


def test_a_volume_costs_what_the_advisor_takes_for_it(client: Client) -> None:
    standing = plan_at(900, "Disk")
    Plan.objects.filter(pk=standing.plan_id).update(kind="volume", drive_gb=None)
    make.price(
        plan=standing.plan, amount=Decimal("0.08"), currency="USD", unit="GiB",
        period=Price.Period.MONTH, region="",
    )  # fmt: skip
    for address in ("/plans/", "/providers/", "/plans/?cols=rate,price"):
        page = words_of(client, address)
        assert "$7.52 /mo" in page  # 100 GB are 94 GiB
        assert "100 GB" in page
        assert "no price" not in page
    assert "The price is without a server." in words_of(client, "/plans/")


def test_a_volume_without_a_list_price_has_none(client: Client) -> None:
    standing = plan_at(900, "Disk")
    Plan.objects.filter(pk=standing.plan_id).update(kind="volume", drive_gb=None)
    assert "no price" in words_of(client, "/plans/")
