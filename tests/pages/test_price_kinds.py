"""What a price is, said wherever its day is: superseded, derived, a "from" price, of one GiB."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from typing import TYPE_CHECKING

import pytest

from apps.pages.list_prices import as_listed, caution, price_day_lines
from apps.plans.currencies import Rate
from apps.plans.models import Price
from apps.plans.price_kinds import PriceKind, kind_of, worst_of
from apps.plans.rates import store_rates
from apps.rankings.catalogue import load_catalogue
from tests.pages.site import main, plan_at, text

if TYPE_CHECKING:
    from django.test import Client

    from apps.rankings.models import Standing

OLD = date(2024, 3, 6)
SUPERSEDED = "net, excl. VAT; superseded by the 2026 price adjustments"
DERIVED = "derived: EUR 104 base + EUR 130 for the drive, both quoted in the article"
DOUBT = "Not every price here is a list price that holds today: "


def price(includes: str, since: date = OLD, **fields: object) -> Price:
    usual = {"currency": "EUR", "period": "month", "amount": Decimal(80)}
    return Price(includes=includes, valid_from=since, **(usual | fields))


@pytest.mark.parametrize(
    ("includes", "kind", "lines"),
    [
        ("net, excl. VAT", None, ("2024-03-06 old",)),
        (SUPERSEDED, PriceKind.SUPERSEDED, ("2024-03-06", "superseded")),
        (
            "net, excl. VAT; incl. primary IPv4; price before the 2026 adjustments",
            PriceKind.SUPERSEDED, ("2024-03-06", "superseded"),
        ),
        ('"from" price of the AX line', PriceKind.FROM, ("2024-03-06 old", "“from” price")),
        (DERIVED, PriceKind.DERIVED, ("2024-03-06 old", "derived")),
        (
            "on demand; assembled from core and memory list rates", PriceKind.DERIVED,
            ("2024-03-06 old", "derived"),
        ),
        (
            "base server as quoted in the article (VAT treatment not stated)", PriceKind.QUOTED,
            ("2024-03-06 old", "from an article"),
        ),
    ],
)  # fmt: skip
def test_a_price_says_what_it_is_beside_its_day(
    includes: str, kind: PriceKind | None, lines: tuple[str, ...]
) -> None:
    assert kind_of(price(includes)) == kind
    assert price_day_lines(price(includes)) == lines


def test_a_sum_is_what_the_worst_of_its_prices_is() -> None:
    assert worst_of([None, PriceKind.QUOTED, PriceKind.SUPERSEDED]) == PriceKind.SUPERSEDED
    assert worst_of([None, None]) is None


def test_only_prices_that_do_not_hold_today_are_named() -> None:
    assert caution([("One", price("net", date(2026, 11, 1))), ("Two", None)]) == ""
    said = caution([("One", price("net")), ("Two", price(DERIVED)), ("Three", price(SUPERSEDED))])
    assert said.startswith(f"{DOUBT}Two (derived), Three (superseded).")


@pytest.mark.parametrize(
    ("includes", "amount", "shown"),
    [
        ("unit price: per GiB-month; excl. tax", "0.08", "€0.08 per GiB a month"),
        ("unit price: per GB-month (730 h); excl. VAT", "0.044", "€0.044 per GB a month"),
        ("unit price: per provisioned IOPS-month above 3,000", "0.005", "€0.005 per IOPS a month"),
        ("unit price: per provisioned GB per 30 days", "0.28", "€0.28 per GB a month"),
        ("unit price: so much", "0.28", "€0.28 per unit a month"),
    ],
)
def test_a_unit_price_has_its_unit(includes: str, amount: str, shown: str) -> None:
    assert as_listed(price(includes, amount=Decimal(amount), is_unit_price=True)) == shown


@pytest.mark.django_db
def test_every_unit_price_of_the_catalogue_names_its_unit(client: Client) -> None:
    load_catalogue()
    shown = [as_listed(each) for each in Price.objects.filter(is_unit_price=True)]
    assert len(shown) > 30
    assert not [each for each in shown if "per unit" in each]
    assert "per GiB a month<" in text(client, "/plans/google-cloud-hyperdisk-balanced/")


def costed(rate: float, name: str, cost: str, listed: Price, **changes: object) -> Standing:
    """Return the standing of a plan at a price."""
    standing = plan_at(rate, name, cost_per_billion=Decimal(cost), currency="EUR", **changes)
    assert standing.plan
    listed.plan = standing.plan
    listed.save()
    standing.price = listed
    standing.save()
    return standing


@pytest.mark.django_db
def test_costs_that_are_set_against_each_other_say_which_price_does_not_hold(
    client: Client,
) -> None:
    here = costed(1_000, "Sum", "8", price(DERIVED))
    there = costed(2_000, "Was", "2", price(SUPERSEDED), workload="direct-16k-fdatasync")
    assert here.plan
    assert there.plan
    board = " ".join(main(client, "/plans/?sort=cost&workload=commit-8k").split())
    assert "a billion (price of 2024-03-06, superseded)." in board
    assert f"{DOUBT}Sum (derived), Was (superseded)." in board
    assert "superseded, older" not in board
    assert '2024-03-06 <span class="dim">superseded</span>' in text(
        client, f"/plans/{there.plan.slug}/"
    )
    there.workload = here.workload
    there.save()
    address = f"/compare/?on=plan:{here.plan.slug}&on=plan:{there.plan.slug}"
    compared = " ".join(main(client, address).split())
    assert f"{DOUBT}Sum (derived), Was (superseded)." in compared
    assert "2024-03-06, superseded" in compared
    Price.objects.update(includes="net", valid_from=date(2026, 11, 1))
    assert DOUBT not in main(client, address)
    assert DOUBT not in main(client, "/plans/?sort=cost&workload=commit-8k")


@pytest.mark.django_db
def test_the_advisor_says_of_which_day_and_size_its_price_is(client: Client) -> None:
    store_rates([Rate(date(2026, 10, 30), "USD", Decimal("1.25"))])
    load_catalogue()
    page = " ".join(text(client, "/advisor/?rate=5000&p99=2").split())
    dearer = page[page.index('id="plan-hetzner-ax162-s"') :]
    assert (
        '<span class="i">2024-03-06</span><span class="i">superseded</span>'
        in dearer[: dearer.index("</tr>")]
    )
    volume = page[page.index('id="plan-google-cloud-hyperdisk-balanced"') :]
    assert '<span class="i">for 94 GiB</span>' in volume[: volume.index("</tr>")]
