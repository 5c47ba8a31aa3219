"""Plans and prices as they ship."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

import pytest

from apps.plans.catalogue import price_key, read_plans, read_prices, read_providers
from apps.plans.models import Plan, Price, Provider


def test_the_counts_are_those_of_the_catalogue() -> None:
    assert len(read_plans()) == 524 + 3  # the workstation with four drives is four plans
    assert len(read_prices()) == 647
    assert len(read_providers()) == 34 + 1  # and Unlisted


def test_every_price_belongs_to_a_plan_and_every_plan_to_a_provider() -> None:
    plans = {plan.slug: plan for plan in read_plans()}
    assert {price.plan_id for price in read_prices()} <= plans.keys()
    assert {plan.provider_id for plan in plans.values()} <= {row.slug for row in read_providers()}
    assert len({price.plan_id for price in read_prices()}) == 445


def test_a_unit_price_is_marked() -> None:
    units = [price for price in read_prices() if price.is_unit_price]
    assert len(units) == 41
    assert "google-cloud-hyperdisk-balanced" in {price.plan_id for price in units}


def test_a_month_without_a_day_says_so() -> None:
    price = next(
        price for price in read_prices() if price.plan_id == "hetzner-ax102-15-36-tb-nvme-dc-drive"
    )
    assert (price.amount, price.currency, price.valid_from) == (
        Decimal(234),
        "EUR",
        date(2025, 11, 1),
    )
    assert price.includes.endswith("; the source states no day")


def test_no_price_lies_in_the_future_of_the_catalogue() -> None:
    assert max(price.valid_from for price in read_prices()) <= date(2026, 11, 21)


def test_prices_are_distinct() -> None:
    assert len({price_key(price) for price in read_prices()}) == len(read_prices())


def test_storage_that_does_not_outlive_its_machine_is_known_by_its_description() -> None:
    by_provider: dict[str, set[str]] = {}
    for plan in read_plans():
        if plan.is_ephemeral:
            by_provider.setdefault(plan.provider_id, set()).add(plan.name)
    assert set(by_provider) == {"aws", "google-cloud", "microsoft-azure"}
    assert {"i3.large", "i4i.xlarge", "i8g.large"} <= by_provider["aws"]
    assert {"c3d-standard-30-lssd", "z3-highmem-8-highlssd", "Local SSD (add-on)"} <= (
        by_provider["google-cloud"]
    )
    assert "Standard_L8s_v3" in by_provider["microsoft-azure"]
    assert "gp3" not in by_provider["aws"]


@pytest.mark.django_db
def test_the_catalogue_fits_the_tables() -> None:
    for provider in read_providers():
        provider.full_clean()
    Provider.objects.bulk_create(read_providers())
    for plan in read_plans():
        plan.full_clean(exclude=("provider",))
    Plan.objects.bulk_create(read_plans())
    for price in read_prices():
        price.clean_fields(exclude=("plan",))
    Price.objects.bulk_create(read_prices())
    assert str(Plan.objects.get(slug="hetzner-cax41")) == "hetzner CAX41"
    assert "41.49" in str(Price.objects.get(amount="41.49", plan="hetzner-cax41"))
    assert str(Provider.objects.get(slug="aws")) == "AWS"
