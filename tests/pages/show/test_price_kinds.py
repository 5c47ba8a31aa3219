"""What a price is, said wherever its day is: superseded, derived, a "from" price, of one GiB."""

from __future__ import annotations

from collections import Counter
from datetime import date
from decimal import Decimal
from typing import TYPE_CHECKING

import pytest

from apps.pages.show.list_prices import as_listed, caution, price_day_lines
from apps.plans.catalogue import read_prices
from apps.plans.models import Price, PriceKind, PriceUnit
from apps.plans.prices.currencies import Rate
from apps.plans.prices.kinds import kind_of, worst_of
from apps.plans.prices.rates import store_rates
from apps.rankings.catalogue import load_catalogue
from tests.pages.site import main, plan_at, text

if TYPE_CHECKING:
    from django.test import Client

    from apps.rankings.models import Standing

OLD = date(2024, 3, 6)
DOUBT = "Not list prices of today: "


def price(kind: PriceKind | None = None, since: date = OLD, **fields: object) -> Price:
    usual = {"currency": "EUR", "period": "month", "amount": Decimal(80), "kind": kind or ""}
    return Price(valid_from=since, **(usual | fields))


@pytest.mark.parametrize(
    ("kind", "lines"),
    [
        (None, ("2024-03-06, old",)),
        (PriceKind.SUPERSEDED, ("2024-03-06", "superseded")),
        (PriceKind.FROM, ("2024-03-06, old", "“from” price")),
        (PriceKind.DERIVED, ("2024-03-06, old", "derived")),
        (PriceKind.QUOTED, ("2024-03-06, old", "from an article")),
    ],
)
def test_a_price_says_what_it_is_beside_its_day(
    kind: PriceKind | None, lines: tuple[str, ...]
) -> None:
    assert kind_of(price(kind)) == kind
    assert price_day_lines(price(kind)) == lines


def test_shipped_prices_are_of_the_kinds_that_their_sources_state() -> None:
    kinds = Counter(each.kind for each in read_prices() if each.kind)
    assert kinds == {
        PriceKind.DERIVED: 55,
        PriceKind.SUPERSEDED: 48,
        PriceKind.FROM: 5,
        PriceKind.QUOTED: 1,
    }


def test_what_the_words_of_a_price_say_decides_nothing() -> None:
    assert kind_of(price(includes="superseded; derived; quoted in the article")) is None


def test_a_sum_is_what_the_worst_of_its_prices_is() -> None:
    assert worst_of([None, PriceKind.QUOTED, PriceKind.SUPERSEDED]) == PriceKind.SUPERSEDED
    assert worst_of([None, None]) is None


def test_only_prices_that_do_not_hold_today_are_named() -> None:
    assert caution([("One", price(None, date(2026, 11, 1))), ("Two", None)]) == ""
    said = caution(
        [
            ("One", price()),
            ("Two", price(PriceKind.DERIVED)),
            ("Three", price(PriceKind.SUPERSEDED)),
        ]
    )
    assert said.startswith(f"{DOUBT}Two (derived), Three (superseded).")


@pytest.mark.parametrize(
    ("unit", "amount", "shown"),
    [
        (PriceUnit.GIB, "0.08", "€0.08 /GiB /mo"),
        (PriceUnit.GB, "0.044", "€0.044 /GB /mo"),
        (PriceUnit.IOPS, "0.005", "€0.005 /IOPS /mo"),
    ],
)
def test_a_unit_price_has_its_unit(unit: PriceUnit, amount: str, shown: str) -> None:
    assert as_listed(price(amount=Decimal(amount), unit=unit)) == shown


@pytest.mark.django_db
def test_every_unit_price_of_the_catalogue_names_its_unit(client: Client) -> None:
    load_catalogue()
    shown = [as_listed(each) for each in Price.objects.exclude(unit="")]
    assert len(shown) > 30
    assert {each.unit for each in Price.objects.all()} == {"", *PriceUnit.values}
    assert "/GiB /mo<" in text(client, "/plans/google-cloud-hyperdisk-balanced/")


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
    here = costed(1_000, "Sum", "8", price(PriceKind.DERIVED))
    there = costed(2_000, "Was", "2", price(PriceKind.SUPERSEDED), workload="direct-16k-fdatasync")
    assert here.plan
    assert there.plan
    board = " ".join(main(client, "/plans/?sort=cost&workload=commit-8k").split())
    assert "Most commits for the rent: Sum<" in board
    assert "2024-03-06, old, derived" in board  # behind the mark of its row
    assert "Was" not in board  # cheaper, at a price that nobody gets any more
    every = " ".join(main(client, "/plans/?sort=cost").split())
    assert "Most commits for the rent: Sum<" in every
    assert every.index(">Sum<") < every.index(">Was<")
    assert '2024-03-06 <span class="dim">superseded</span>' in text(
        client, f"/plans/{there.plan.slug}/"
    )
    there.workload = here.workload
    there.save()
    address = f"/compare/?on=plan:{here.plan.slug}&on=plan:{there.plan.slug}"
    compared = " ".join(main(client, address).split())
    assert f"{DOUBT}Sum (derived), Was (superseded)." in compared
    assert "2024-03-06, superseded" in compared
    Price.objects.update(kind="", valid_from=date(2026, 11, 1))
    assert DOUBT not in main(client, address)
    assert DOUBT not in main(client, "/plans/?sort=cost&workload=commit-8k")


@pytest.mark.django_db
def test_the_advisor_says_of_which_day_and_size_its_price_is(client: Client) -> None:
    store_rates([Rate(date(2026, 10, 30), "USD", Decimal("1.25"))])
    load_catalogue()
    page = " ".join(text(client, "/advisor/?rate=5000").split())
    dearer = page[page.index('id="plan-hetzner-ax162-s"') :]
    assert "2024-03-06, superseded" in dearer[: dearer.index("</tr>")]
    page = " ".join(text(client, "/advisor/?rate=500&kind=volume").split())
    volume = page[page.index('id="plan-google-cloud-hyperdisk-balanced"') :]
    assert "94 GiB" in volume[: volume.index("</tr>")]
