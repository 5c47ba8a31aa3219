"""The board of providers: any plan that fits lists its provider, by the best such plan."""

from __future__ import annotations

import re
from datetime import date
from decimal import Decimal
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

import pytest
from django.http import QueryDict

from apps.pages.boards.query import BoardQuery
from apps.pages.boards.rows import row_of
from apps.pages.boards.selectors.providers import (
    provider_standings,
    providers_board,
    providers_in_order,
)
from apps.pages.show.table.columns import PROVIDERS
from apps.pages.show.table.row import DOT
from apps.plans.models import ExchangeRate
from apps.rankings.models import ProviderStanding, Standing
from apps.rankings.standings.providers import refresh_providers
from tests import make
from tests.pages.site import text

if TYPE_CHECKING:
    from django.test import Client
    from pytest_django import DjangoAssertNumQueries

    from apps.pages.show.table.row import Row
    from apps.plans.models import Provider

pytestmark = pytest.mark.django_db
QUERIES_MAX = 6


def measured(owner: Provider, name: str, rate: float, **changes: object) -> Standing:
    """Return a standing of a new plan; what begins with `plan_` is of the plan."""
    of_plan = {key.removeprefix("plan_"): changes.pop(key) for key in [*changes] if "plan_" in key}
    plan = make.plan(provider=owner, name=name, **of_plan)
    return make.standing(plan=plan, rate_per_s=rate, is_durable_single_writer=True, **changes)


def query_of(**asked: str) -> BoardQuery:
    """The query of an address of the board of providers."""
    return BoardQuery.read(QueryDict(urlencode(asked)), PROVIDERS)


def shown(**asked: Any) -> dict[str, Row]:
    board = providers_board(query_of(**asked))
    rows = {row.name: row for row in map(row_of, board.standings)}
    assert board.facets.total == len(rows)
    return rows


def test_a_provider_is_listed_by_its_best_plan_that_fits() -> None:
    owner = make.provider(name="Acme")
    measured(owner, "Quick", 9_000, region_group="europe", plan_arch="x86_64")
    measured(owner, "Slow", 900, region_group="asia", plan_arch="arm64")
    measured(owner, "Slower", 500, region_group="asia", plan_arch="arm64")
    assert shown()["Acme"].under == f"Quick{DOT}Europe"
    assert shown(region="asia")["Acme"].under == f"Slow{DOT}Asia"
    assert shown(region="asia")["Acme"].evidence.n == "2 plans"
    assert shown(arch="arm64", region="europe") == {}  # no one plan is both
    assert shown(q="slower")["Acme"].under == f"Slower{DOT}Asia"
    assert shown(q="acme")["Acme"].evidence.n == "3 plans"


def test_a_price_is_that_of_the_plan_that_is_shown() -> None:
    owner = make.provider(name="Acme")
    dear, cheap = (
        measured(owner, name, rate, cost_per_billion=cost, currency="EUR")
        for name, rate, cost in (("Dear", 9_000.0, Decimal(50)), ("Cheap", 800.0, Decimal(70)))
    )
    for standing, amount in ((dear, Decimal(400)), (cheap, Decimal(40))):
        standing.price = make.price(plan=standing.plan, amount=amount)
        standing.save()
    every, within = shown()["Acme"], shown(price_max="100")["Acme"]
    assert (every.under, every.cost.note, every.cost.billion) == (
        "Dear",
        "Dear",
        Decimal(50),
    )
    assert (within.under, within.cost.note, within.cost.billion) == (
        "Cheap",
        "Cheap",
        Decimal(70),
    )
    assert shown(price_min="401") == {}


def test_a_protected_plan_behind_a_faster_one_counts() -> None:
    owner = make.provider(name="Acme")
    measured(owner, "Risky", 90_000, plp="none", p99_ns=50_000)
    measured(owner, "Safe", 9_000, plp="full", p99_ns=900_000)
    assert shown(plp="full")["Acme"].under == "Safe"
    assert shown(plp="full", p99_ms="0.5") == {}


def many_kinds() -> None:
    """Providers whose plans differ in rank, rate, cost, currency, region and evidence."""
    ExchangeRate.objects.create(day=date(2026, 11, 20), currency="USD", per_euro=Decimal("1.1"))
    for place in range(6):
        owner = make.provider(name=f"Owner {place}")
        for at in range(4):
            cost = None if (place + at) % 3 == 0 else Decimal(1 + (7 * at + place) % 5)
            measured(
                owner, f"P{place}{at}", 1_000.0 + (at * 37 + place * 11) % 90,
                region_group=("", "europe", "asia")[at % 3], variant=at % 2,
                tier=None if at == place % 4 else at + 1, cost_per_billion=cost,
                order_rate_per_s=None if at % 2 else 900.0 + at,
                currency="USD" if at % 2 else "EUR",
                workload="commit-8k-fsync" if at > 2 else "commit-8k",
                evidence="published" if place == 5 else "measured",
            )  # fmt: skip


def test_without_filters_it_is_what_is_stored() -> None:
    """A workload's board chooses in the database as standings of providers do in Python."""
    many_kinds()
    refresh_providers(None)
    stored = {
        (row.provider_id, row.evidence, row.workload): (row.best_id, row.cheapest_id, row.n_plans)
        for row in ProviderStanding.objects.all()
    }
    for sort in ("rate", "cost", "-cost", "price", "p99"):
        found: dict[tuple[str, str, str], tuple[int, int | None, int]] = {}
        for workload in ("commit-8k", "commit-8k-fsync"):
            query = query_of(sort=sort, workload=workload)
            rows, facets = provider_standings(query)
            found |= {
                (row.provider_id, row.evidence, row.workload): (
                    row.best.pk, row.cheapest.pk if row.cheapest else None, row.n_plans,
                )
                for row in providers_in_order(rows, query, facets, slice(0, 100))
            }  # fmt: skip
        assert found == stored, sort


def test_the_order_by_cost_is_that_of_the_cheapest_plans() -> None:
    for name, costs in (("One", (9, 2)), ("Two", (1, 8)), ("Three", (5, 4))):
        owner = make.provider(name=name)
        for place, cost in enumerate(costs):
            measured(
                owner, f"{name}{place}", 1_000.0, cost_per_billion=Decimal(cost), currency="EUR"
            )
    make.standing(
        plan=make.plan(provider=make.provider(name="None")), is_durable_single_writer=True
    )
    assert list(shown(sort="cost")) == ["Two", "One", "Three", "None"]
    assert list(shown(sort="-cost")) == ["Three", "One", "Two", "None"]


def test_who_waits_is_asked_the_same_of_its_plans() -> None:
    make.plan(provider=make.provider(name="Quiet"), arch="arm64", is_listed=True)
    for arch, n in (("arm64", 1), ("x86_64", 0), ("", 1)):
        assert len(providers_board(query_of(arch=arch)).needs) == n


def test_many_providers_cost_no_more_queries(
    client: Client, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    many_kinds()
    for address in ("", "?sort=cost&region=europe&price_max=900", "?kept=any&cols=measured"):
        with django_assert_max_num_queries(QUERIES_MAX):
            page = text(client, f"/providers/{address}")
        assert "Traceback" not in page
    with django_assert_max_num_queries(QUERIES_MAX):
        assert client.get("/providers.json?sort=cost").json()["rows"]


@pytest.mark.parametrize(
    ("workload", "work"), [("commit-8k", ""), ("commit-8k-fsync", "+metadata")]
)
def test_a_cheapest_plan_of_heavier_work_says_so(client: Client, workload: str, work: str) -> None:
    owner = make.provider(name="Acme")
    measured(owner, "Quick", 9_000)
    cost = {"cost_per_billion": Decimal(2), "currency": "EUR"}
    cheap = measured(owner, "Cheap", 100, workload=workload, **cost)
    assert cheap.plan
    cheap.price = make.price(plan=cheap.plan)
    cheap.save()
    assert shown()["Acme"].cost.work == work
    page = text(client, "/providers/")
    row = page[page.index('data-name="Per billion"') :].split("</td>")[0]
    assert ">Cheap<" in row
    assert ("+metadata" in row) == bool(work)


def test_of_two_plans_in_a_row_each_figure_says_whose_it_is(client: Client) -> None:
    owner = make.provider(name="Acme")
    measured(owner, "Quick", 9_000)
    cheap = measured(owner, "Cheap", 100, cost_per_billion=Decimal(2), currency="EUR")
    assert cheap.plan
    cheap.price = make.price(plan=cheap.plan)
    cheap.save()
    two = shown()["Acme"]
    assert (two.figures.whose, two.cost.whose) == ("Quick", "Cheap")
    one = shown(q="cheap")["Acme"]
    assert (one.figures.whose, one.cost.whose) == ("", "")
    page = text(client, "/providers/")
    assert re.search(r">Quick</span>\s*<span[^>]*>\s*9,000", page)


def test_that_only_storage_that_keeps_its_data_speaks_can_be_seen_and_taken_off(
    client: Client,
) -> None:
    measured(make.provider(name="Acme"), "Quick", 9_000)
    tokens = text(client, "/providers/").split('class="tokens taps"')[1].split("</ul>")[0]
    assert 'href="/providers/?kept=any"' in tokens
    assert "After a stop" in tokens
    assert "Clear filters" not in tokens
    assert 'class="tokens taps"' not in text(client, "/plans/")
