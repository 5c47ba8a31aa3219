"""What plans.csv says of storage in words fits its columns, and prices.csv its sums."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Final

import pytest

from apps.plans.catalogue import read_plans, read_prices
from apps.plans.models import HOME_PROVIDER, Plan, PriceKind, StorageKind

GB: Final = {"GB": 1, "GiB": 1, "TB": 1000}
SIZE: Final = re.compile(r"(?:(?P<count>\d+) x )?(?P<size>[\d.]+) (?P<unit>GB|GiB|TB)\b")
NUMBER: Final = re.compile(r"[\d,]+(?:\.\d+)?")
SUM: Final = re.compile(r"[\d,. x+]+")
PLANS: Final = read_plans()


def _size(plan: Plan) -> tuple[int | None, Decimal | None]:
    """Return how many drives of how many gigabytes its words begin with."""
    first = plan.storage_description.split("; ")[0]
    size = SIZE.match(first)
    if size is None:
        return None, None
    count = int(size["count"]) if size["count"] else None
    return count, Decimal(size["size"]) * GB[size["unit"]]


def test_sizes_in_words_are_those_of_the_columns() -> None:
    differing = []
    for plan in PLANS:
        count, gb = _size(plan)
        is_listed_apart = " + " in plan.name  # of a drive beside those of its server
        if gb is None or plan.drive_gb is None or is_listed_apart:
            continue
        if gb != plan.drive_gb or (count or plan.drive_count or 1) != (plan.drive_count or 1):
            differing.append(plan.slug)
    assert differing == []


def test_what_a_stop_empties_says_so_in_words_and_nothing_else_does() -> None:
    said = {plan.slug for plan in PLANS if "data lost on stop" in plan.storage_description}
    assert said == {plan.slug for plan in PLANS if plan.is_ephemeral}


@pytest.mark.parametrize(
    ("words", "kind"),
    [
        ("network storage", StorageKind.NETWORK),
        ("local NVMe", StorageKind.LOCAL_NVME),
        ("instance store", StorageKind.LOCAL_NVME),
        ("HDD", StorageKind.HDD),
    ],
)
def test_the_kind_in_words_is_that_of_the_column(words: str, kind: StorageKind) -> None:
    named = [plan for plan in PLANS if words in plan.storage_description]
    others = {plan.slug for plan in named if plan.storage_kind != kind}
    assert named
    assert others <= {"ionos-block-storage-hdd"}  # hard disks behind a network


def test_a_sum_in_the_notes_of_a_price_is_its_amount() -> None:
    sums = 0
    for price in read_prices():
        first = price.includes.split("; ")[0]
        if not SUM.fullmatch(first):
            continue
        sums += 1
        assert price.kind == PriceKind.DERIVED
        terms = ([Decimal(n.replace(",", "")) for n in NUMBER.findall(each)]
                 for each in first.split(" + "))  # fmt: skip
        total = sum((one[0] * (one[1] if len(one) > 1 else 1) for one in terms), Decimal(0))
        assert total == price.amount, first
    assert sums == 8


def test_machines_at_home_are_described_too() -> None:
    assert all(plan.storage_description for plan in PLANS if plan.provider_id == HOME_PROVIDER)
