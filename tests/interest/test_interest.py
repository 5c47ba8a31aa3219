"""Totals of what is looked for: once an hour for a network, nobody stored, kept for a year."""

from __future__ import annotations

import datetime as dt
import re
from typing import TYPE_CHECKING

import pytest
from django.core.cache import caches
from django.db import IntegrityError
from redis import Redis

from apps.interest.models import DailyInterest
from apps.interest.selectors import times_looked_for
from apps.interest.services import count_interest, forget_old_days
from apps.plans.models import Plan
from tests import make
from tests.support.caching import forget_cache

if TYPE_CHECKING:
    from pytest_django import Settings

pytestmark = pytest.mark.django_db
DAY = dt.date(2026, 11, 25)


@pytest.fixture(autouse=True)
def _nothing_remembered() -> None:
    forget_cache()


def count(slug: str = "acme-a1", *, network: str = "198.51.100.0/24", day: dt.date = DAY) -> bool:
    return count_interest(kind="plan", slug=slug, network=network, today=day)


def test_a_network_counts_once_an_hour_for_a_thing() -> None:
    assert count()
    assert not count()
    assert count(network="198.51.101.0/24")
    assert count("acme-a2")
    assert dict(DailyInterest.objects.values_list("slug", "n")) == {"acme-a1": 2, "acme-a2": 1}


def test_only_a_short_keyed_hash_is_remembered_and_for_an_hour(settings: Settings) -> None:
    count()
    what_valkey_holds = settings.CACHES["default"]["LOCATION"]
    client = Redis.from_url(what_valkey_holds, decode_responses=True)
    of_this_test = f"{caches['default'].key_prefix}:*interest:*"
    (key,) = map(str, client.keys(of_this_test))
    assert "198.51" not in key
    assert "acme" not in key
    assert re.search(r":interest:[0-9a-f]{5}$", key)
    assert 0 < client.ttl(key) <= 3600
    settings.SECRET_KEY = "another"
    assert count()
    assert len(client.keys(of_this_test)) == 2


def test_without_valkey_nothing_is_counted_and_nothing_fails(settings: Settings) -> None:
    settings.CACHES = {"default": {**settings.CACHES["default"], "LOCATION": "redis://127.0.0.1:1"}}
    assert not count()
    assert not DailyInterest.objects.exists()


def test_days_are_kept_for_a_year() -> None:
    for days in (0, 365, 366):
        count(f"acme-{days}", day=DAY - dt.timedelta(days=days))
    forget_old_days(DAY)
    assert set(DailyInterest.objects.values_list("slug", flat=True)) == {"acme-0", "acme-365"}


def test_the_total_of_all_days_orders_other_queries() -> None:
    plans = [make.plan(name=name) for name in ("A", "B", "C")]
    count(plans[1].slug, network="a")
    count(plans[1].slug, network="b", day=DAY - dt.timedelta(days=9))
    count(plans[2].slug)
    found = Plan.objects.annotate(n=times_looked_for("plan")).order_by("-n", "name")
    assert list(found.values_list("name", "n")) == [("B", 2), ("C", 1), ("A", 0)]


def test_a_thing_has_one_row_a_day_and_a_known_kind() -> None:
    DailyInterest.objects.create(day=DAY, kind="plan", slug="a", n=1)
    with pytest.raises(IntegrityError):
        DailyInterest.objects.create(day=DAY, kind="person", slug="a", n=1)
