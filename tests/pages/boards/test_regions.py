"""Groups of regions on the pages: rows that say them, the filter, and which row leads."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING

import pytest

from apps.pages.run.selectors import find_run
from apps.plans.models import Plan
from apps.rankings.models import Evidence, Standing
from tests import make
from tests.pages.site import answer_on, measured_run, plan_at, text, tight

if TYPE_CHECKING:
    from django.test import Client
    from pytest_django import DjangoAssertNumQueries

pytestmark = pytest.mark.django_db


@pytest.fixture
def plan() -> Plan:
    owner = make.provider(slug="acme", name="Acme")
    return make.plan(provider=owner, slug="acme-x1", name="X1")


def standing(plan: Plan, region: str, rate: float, **changes: object) -> Standing:
    return make.standing(
        plan=plan, region_group=region, rate_per_s=rate,
        **{"is_durable_single_writer": True, **changes},
    )  # fmt: skip


def words_of(page: str) -> str:
    """The tables of a page without its white space."""
    return " ".join(page[page.index("<table") :].replace("\u00a0", " ").split())


def test_each_region_is_a_row_that_says_it(client: Client, plan: Plan) -> None:
    standing(plan, "europe", 1_000)
    standing(plan, "north-america", 900)
    standing(plan, "", 800)
    page = words_of(text(client, "/plans/?workload=commit-8k"))
    assert '>X1</a> <span class="region">· Europe</span>' in page
    assert '>X1</a> <span class="region">· North America</span>' in page
    assert page.count('class="region"') == 2  # where nobody said it nothing is said
    for row in ("acme-x1-commit-8k-measured-europe", "acme-x1-commit-8k-measured"):
        assert f'id="{row}"' in page


def test_the_filter_keeps_one_group(client: Client, plan: Plan) -> None:
    standing(plan, "europe", 1_000)
    plan_at(2_000, "Far", region_group="asia")
    plan_at(3_000, "Somewhere")
    waiting = make.plan(name="Waiting")
    for asked, kept in (("europe", "X1"), ("asia", "Far"), ("not-stated", "Somewhere")):
        board = words_of(text(client, f"/plans/?region={asked}"))
        assert [name for name in ("X1", "Far", "Somewhere") if f">{name}<" in board] == [kept]
        assert waiting.name not in board


def test_only_groups_with_rows_can_be_chosen(client: Client, plan: Plan) -> None:
    assert 'id="pick-region"' not in text(client, "/plans/")
    standing(plan, "", 800)
    assert 'id="pick-region"' not in text(client, "/plans/")  # nothing to choose between
    standing(plan, "asia", 900)
    page = text(client, "/plans/?region=asia")
    choices = page[page.index('id="pick-region"') :]
    choices = tight(choices[: choices.index("</select>")])
    assert '<option value="asia" selected>Asia</option>' in choices
    assert '<option value="not-stated">not stated</option>' in choices
    assert "Europe" not in choices


@pytest.mark.parametrize("address", ["/drives/", "/providers/acme/"])
def test_other_boards_do_not_ask_for_a_region(client: Client, plan: Plan, address: str) -> None:
    make.provider_standing(best=standing(plan, "europe", 1_000))
    make.standing(drive_family=make.drive_family(name="D"), is_durable_single_writer=True)
    page = text(client, f"{address}?region=asia")
    assert 'id="pick-region"' not in page
    assert "1,000" in page


def test_a_plan_shows_all_its_regions_and_leads_with_the_best_documented(
    client: Client, plan: Plan
) -> None:
    standing(plan, "asia", 9_000, n_uploaders=2)
    for variant, rate, uploaders in ((1, 5_000, 3), (2, 700, 7)):
        standing(
            plan, "europe", rate, variant=variant, n_variants=2, n_uploaders=uploaders,
            n_cell_uploaders=10,
        )  # fmt: skip
    page = " ".join(text(client, "/plans/acme-x1/").replace("\u00a0", " ").split())
    assert "700 durable commits/s" in answer_on(page)
    assert ", Europe, storage kind 2 of 2" in page
    assert "1 machine / 7 uploaders" in page
    rows = [
        page.index(f'id="acme-x1-commit-8k-measured-{key}"')
        for key in ("europe-2", "europe-1", "asia")
    ]
    assert rows == sorted(rows)
    assert '<span class="under" title="storage kind 1 of 2">' in page


def test_the_regions_of_each_workload_stay_together(client: Client, plan: Plan) -> None:
    for workload in ("commit-8k", "commit-8k-fsync"):
        for region, uploaders in (("asia", 1), ("europe", 5)):
            standing(plan, region, 1_000, workload=workload, n_uploaders=uploaders)
    standing(plan, "asia", 1_000, evidence=Evidence.PUBLISHED, n_uploaders=99)
    page = text(client, "/plans/acme-x1/")
    keys = (  # those that speak for their workload, and in a fold those of other regions
        "commit-8k-measured-europe", "commit-8k-fsync-measured-europe", "commit-8k-published-asia",
        "commit-8k-measured-asia", "commit-8k-fsync-measured-asia",
    )  # fmt: skip
    places = [page.index(f'id="acme-x1-{key}"') for key in keys]
    assert places == sorted(places)


def test_a_provider_says_where_its_fastest_and_its_cheapest_plan_stand(
    client: Client, plan: Plan
) -> None:
    fast = standing(plan, "europe", 9_000)
    cheap = standing(plan, "asia", 1_000, cost_per_billion=Decimal(3), currency="EUR")
    cheap.price = make.price(plan=plan)
    cheap.save()
    make.provider_standing(best=fast, cheapest=cheap)
    page = words_of(text(client, "/providers/?workload=commit-8k"))
    assert "X1 · Europe" in page
    assert "X1 · Asia" in page
    assert 'class="region"' not in page


def test_a_price_of_another_continent_is_called_so(client: Client, plan: Plan) -> None:
    far = make.price(plan=plan, region="us-east-1")
    near = make.price(plan=plan, region="DE", amount=Decimal(50))
    for region, price in (("europe", far), ("asia", far), ("", far), ("north-america", far)):
        standing(plan, region, 1_000, cost_per_billion=Decimal(9), currency="EUR", price=price)
    board = "/plans/?workload=commit-8k"
    assert words_of(text(client, board)).count("<dd>us-east-1, ") == 2
    Standing.objects.filter(region_group="europe").update(price=near)
    assert words_of(text(client, board)).count("<dd>us-east-1, ") == 1


def test_an_interval_is_told_as_what_it_is(client: Client, plan: Plan) -> None:
    interval = {"rate_per_s_low": 900.0, "rate_per_s_high": 1_100.0, "interval_is": "uploaders"}
    found = standing(plan, "", 1_000, **interval, coverage=0.96875, n_uploaders=6)
    page = " ".join(text(client, "/plans/acme-x1/").split())
    assert "96.9% interval" in page
    found.coverage = None
    for covered in ("uploaders", "machines", "repeats", "filesystems"):
        found.interval_is = covered
        found.save()
        page = " ".join(text(client, "/plans/acme-x1/").split())
        assert f"between {covered}" in page
        assert "% interval" not in page


def test_a_run_costs_what_its_own_region_costs(client: Client, plan: Plan) -> None:
    for region, cost, uploaders in (("europe", 50, 9), ("asia", 80, 1)):
        price = make.price(plan=plan, amount=Decimal(cost), region=region)
        standing(
            plan, region, 1_000, n_uploaders=uploaders, cost_per_billion=Decimal(cost),
            currency="EUR", price=price,
        )  # fmt: skip
    run = measured_run(plan=plan, provider=plan.provider, region="sin")
    assert "€80.00" in text(client, f"/runs/{run.slug}/")


def test_a_plan_of_many_regions_is_compared_with_once(plan: Plan) -> None:
    other = make.plan(name="Other")
    for region in ("europe", "asia", "oceania"):
        standing(plan, region, 1_000)
        standing(other, region, 2_000, curve=[[0.5, 1e6], [0.99, 2e6]])
    details = find_run(measured_run(plan=plan, provider=plan.provider).slug)
    assert details is not None
    assert [ghost.name for ghost in details.ghosts] == ["Other"]


def test_a_run_says_where_it_was_measured(client: Client, plan: Plan) -> None:
    run = measured_run(
        plan=plan, provider=plan.provider, region="sin", upload=make.upload(state="done")
    )
    page = text(client, f"/runs/{run.slug}/")
    assert "<small>Asia</small>" in tight(page)
    run.region = "garden"
    run.save()
    page = tight(text(client, f"/runs/{run.slug}/"))
    assert ">garden<" in page
    assert "<small>Asia</small>" not in page


def test_regions_cost_no_queries(
    client: Client, plan: Plan, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    for region in ("europe", "asia", "oceania", ""):
        standing(plan, region, 1_000)
    with django_assert_max_num_queries(6):
        client.get("/plans/?region=europe")
    with django_assert_max_num_queries(6):
        client.get("/plans/acme-x1/")
