"""A field of the need can be asked for on the page and in the API, and the page's link to the API
asks for it too: a field that one of them lacks makes a test red."""

from __future__ import annotations

from dataclasses import MISSING, fields
from datetime import date
from decimal import Decimal
from typing import Any, Final

import pytest
from django.http import QueryDict

from apps.api.advice import AdviceQuery
from apps.pages.advisor.forms import AdviceForm
from apps.plans.prices.currencies import Rate
from apps.plans.prices.rates import store_rates
from apps.rankings.advice.needs import Need
from apps.rankings.advice.software import BY_ID
from tests import make

pytestmark = pytest.mark.django_db
# What an address says of each field of the need, and what the need then holds.
ASKED: Final[dict[str, tuple[str, Any]]] = {
    "software": ("software=etcd", BY_ID["etcd"]),
    "rate_per_s": ("rate=5001", 5001),
    "p99_ns_max": ("p99=250&p99_unit=us", 250_000),
    "sessions": ("sessions=16", 16),
    "capacity_gb": ("capacity_gb=500", 500),
    "region": ("region=DE", "DE"),
    "provider": ("provider=acme", "acme"),
    "kind": ("kind=cloud", "vps"),
    "budget_month": ("budget=49.90", Decimal("49.90")),
    "currency": ("currency=USD", "USD"),
    "providers": ("provider=acme&provider=other", frozenset({"acme", "other"})),
    "ram_gb": ("ram_gb=32", 32),
    "vcpus": ("vcpus=8", 8),
    "plp": ("plp=true", True),
}


def form_of(address: str) -> AdviceForm:
    """The form that an address fills in."""
    form = AdviceForm(
        QueryDict(address),
        currencies=["EUR", "USD"],
        providers=[("acme", "Acme"), ("other", "Other")],
    )
    assert form.is_valid(), form.errors
    return form


def need_of_page(address: str) -> Need:
    """The need that the page reads from an address."""
    need = form_of(address).need
    assert need is not None
    return need


def need_of_api(query: str) -> Need:
    """The need that the API reads from a query string."""
    asked = AdviceQuery(data=QueryDict(query).dict())
    assert asked.is_valid(), asked.errors
    need = asked.validated_data["need"]
    assert isinstance(need, Need)
    return need


@pytest.fixture(autouse=True)
def known() -> None:
    for slug in ("acme", "other"):
        make.provider(slug=slug, name=slug.title())
    store_rates([Rate(date(2026, 10, 30), "USD", Decimal("1.25"))])


def test_every_field_of_the_need_is_tried() -> None:
    assert list(ASKED) == [each.name for each in fields(Need)]
    for each in fields(Need):
        assert each.default is MISSING or each.default != ASKED[each.name][1]


@pytest.mark.parametrize("name", ASKED)
def test_the_page_asks_for_it_and_its_link_asks_the_api_for_the_same(name: str) -> None:
    address, value = ASKED[name]
    form = form_of(address)
    assert getattr(form.need, name) == value
    assert need_of_api(form.api_query) == form.need


def test_one_provider_that_is_ticked_is_asked_for_as_one() -> None:
    """A machine of one's own is no plan for rent: only `provider=home` finds it."""
    assert form_of("provider=acme").api_query.endswith("&provider=acme")


def test_all_of_it_can_be_asked_for_at_once() -> None:
    address = "&".join(text for name, (text, _) in ASKED.items() if name != "provider")
    form = form_of(address)
    assert form.need == Need(
        **{name: value for name, (_, value) in ASKED.items()} | {"provider": ""}
    )
    assert need_of_api(form.api_query) == form.need


def test_the_api_takes_one_provider_by_itself() -> None:
    assert need_of_api("rate=1&provider=acme").provider == "acme"
