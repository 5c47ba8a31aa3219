"""What a search costs: queries that do not grow with the rows, and an index that is used."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from django.db import connection

from apps.pages.search.query import read_query
from apps.plans.models import Plan, Provider
from tests import make
from tests.support.caching import forget_cache

if TYPE_CHECKING:
    from django.test import Client
    from pytest_django import DjangoAssertNumQueries

pytestmark = pytest.mark.django_db


def test_queries_do_not_grow_with_the_rows(
    client: Client, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    owner = Provider.objects.create(slug="acme", name="Acme")
    for place in range(30):
        plan = make.plan(provider=owner, slug=f"acme-ax{place}", name=f"AX{place}")
        make.standing(plan=plan, is_durable_single_writer=True)
        family = make.drive_family(slug=f"ax-{place}", name=f"AX {place}", match=f"^AX[ ]{place}$")
        make.standing(drive_family=family, is_durable_single_writer=True)
    forget_cache()
    # two compile the patterns, once; five count that the plan was looked for, once an hour
    with django_assert_max_num_queries(11):
        client.get("/search/?q=acme+ax12")
    with django_assert_max_num_queries(5):
        client.get("/search/?q=acme+ax12")
    with django_assert_max_num_queries(4):
        client.get("/search/?q=acme+ax12&as=list")


def test_an_index_finds_the_candidates_among_twenty_thousand() -> None:
    owner = Provider.objects.create(slug="acme", name="Acme")
    Plan.objects.bulk_create(
        Plan(slug=f"acme-{place:x}-{place * 7919 % 99991:x}", provider=owner, name=f"{place:x}")
        for place in range(20_000)
    )
    query = read_query("hetzer ax102")
    with connection.cursor() as cursor:
        for index in ("plan_slug_pieces", "plan_name_pieces"):  # what autovacuum does
            cursor.execute("SELECT gin_clean_pending_list(%s::regclass)", [index])
        cursor.execute("ANALYZE plans_plan")
        cursor.execute(
            "EXPLAIN SELECT slug FROM plans_plan WHERE slug ~* %s OR name ~* %s",
            [query.pieces, query.pattern],
        )
        plan = "\n".join(row[0] for row in cursor.fetchall())
    assert "plan_slug_pieces" in plan
    assert "plan_name_pieces" in plan
    assert "Seq Scan" not in plan
