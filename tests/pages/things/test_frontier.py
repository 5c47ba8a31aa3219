"""The page of a provider: price against commits, what is on the frontier, who pays, who answers."""

from __future__ import annotations

import json
import re
from datetime import date
from decimal import Decimal
from typing import TYPE_CHECKING

import pytest

from apps.pages.things.pictures.frontier import frontier_of
from apps.pages.things.pictures.lanes import LANES_MAX
from apps.plans.models import ExchangeRate, PriceKind, Provider
from apps.plans.prices.currencies import Rate, RateTable
from apps.rankings.models import Evidence, Standing
from tests import make
from tests.pages.site import plan_at, text, volume_for_8_cents

if TYPE_CHECKING:
    from django.test import Client
    from pytest_django import DjangoAssertNumQueries

pytestmark = pytest.mark.django_db
RATES = RateTable([Rate(date(2026, 11, 20), "USD", Decimal("1.25"))])


def offer(name: str, rate: float, month: str, currency: str = "EUR", **changes: object) -> Standing:
    """Return a standing of a plan of Acme with its price a month."""
    standing = plan_at(rate, name, **changes)
    standing.price = make.price(plan=standing.plan, amount=Decimal(month), currency=currency)
    standing.save()
    return standing


def test_on_the_frontier_is_what_no_plan_beats_for_the_same_price() -> None:
    standings = [
        offer("Small", 500, "10"), offer("Dear", 400, "20"), offer("Large", 2_000, "40"),
        offer("Twin", 2_000, "50"), offer("Huge", 9_000, "90"),
    ]  # fmt: skip
    frontier = frontier_of(standings, RATES)
    assert frontier
    assert [each.name for each in frontier.on_it] == ["Small", "Large", "Huge"]
    beaten = {each.name: each.beaten_by for each in frontier.offers if not each.is_on_frontier}
    assert beaten == {"Dear": "Small", "Twin": "Large"}


def test_a_plan_whose_interval_reaches_the_better_one_is_said_to_be_close() -> None:
    standings = [
        offer("A", 1_000, "10", rate_per_s_low=900, rate_per_s_high=1_100),
        offer("B", 950, "20", rate_per_s_low=800, rate_per_s_high=1_200),
        offer("C", 500, "30", rate_per_s_low=450, rate_per_s_high=550),
    ]
    frontier = frontier_of(standings, RATES)
    assert frontier
    assert {each.name: each.is_close for each in frontier.offers} == {
        "A": False, "B": True, "C": False,
    }  # fmt: skip


def test_one_currency_a_chart_and_the_others_converted_by_a_dated_rate() -> None:
    standings = [offer("A", 100, "10"), offer("B", 200, "20"), offer("C", 300, "20", "USD")]
    frontier = frontier_of(standings, RATES)
    assert frontier
    assert (frontier.currency, frontier.rates_day) == ("EUR", date(2026, 11, 20))
    assert {each.name: each.month for each in frontier.offers}["C"] == 16
    unknown = frontier_of([*standings, offer("D", 400, "20", "QQQ")], RATES)
    assert unknown
    assert unknown.n_unpriced == 1


def test_each_class_of_work_has_its_own_frontier_whatever_its_evidence() -> None:
    plans = [
        offer("Data", 500, "10", workload="commit-8k", evidence=Evidence.PUBLISHED, tier=None),
        offer("Metadata", 400, "20", workload="fallocated-8k-fsync"),
        offer("Gone", 9_000, "5", workload="commit-8k"),
        offer("Slower", 300, "30", workload="fallocated-8k-fsync"),
    ]
    gone = plans[2].price
    assert gone
    gone.kind = PriceKind.SUPERSEDED
    frontier = frontier_of(plans, RATES)
    assert frontier
    assert [each.name for each in frontier.on_it] == ["Data", "Metadata"]
    assert {each.name: each.beaten_by for each in frontier.offers} == {
        "Data": "", "Metadata": "", "Gone": "", "Slower": "Metadata",
    }  # fmt: skip
    assert (frontier.evidence, frontier.has_gone) == ("", True)
    assert (frontier.has_data, frontier.has_metadata) == (True, True)


def test_examples_are_drawn_where_nothing_real_is_known() -> None:
    examples = [offer(f"E{n}", 900, "10", evidence=Evidence.EXAMPLE) for n in range(3)]
    frontier = frontier_of(examples, RATES)
    assert frontier
    assert frontier.evidence == Evidence.EXAMPLE
    measured = [offer("M1", 100, "10"), offer("M2", 200, "20")]
    frontier = frontier_of([*measured, *examples], RATES)
    assert frontier
    assert [each.name for each in frontier.offers] == ["M1", "M2"]
    assert frontier_of(measured[:1], RATES) is None


def test_the_page_has_the_chart_its_table_and_who_pays(client: Client) -> None:
    offer("Small", 500, "10", rate_per_s_low=450, rate_per_s_high=600)
    offer("Dear", 400, "20")
    offer("Large", 2_000, "50", "USD")
    ExchangeRate.objects.create(day=date(2026, 11, 20), currency="USD", per_euro=Decimal("1.25"))
    page = " ".join(text(client, "/providers/acme/").split())
    data = re.search(r'<script id="frontier-data" type="application/json">(.*?)</script>', page)
    assert data
    points = json.loads(data[1])["points"]
    assert [(point["name"], point["on"]) for point in points] == [
        ("Small", True), ("Dear", False), ("Large", True),
    ]  # fmt: skip
    assert points[2]["x"] == 40
    assert "Converted by the ECB rates of 2026-11-20." in page
    assert "Small does more and costs no more" in page
    assert "Most commits for the rent: Small, Large" in page
    assert "takes nothing from Acme or any other provider" in page
    assert "No answer is on file" in page


@pytest.mark.parametrize("slug", ["home", "unlisted"])
def test_nobody_answers_for_machines_that_people_own(client: Client, slug: str) -> None:
    Provider.objects.get_or_create(slug=slug, defaults={"name": slug.capitalize()})
    page = text(client, f"/providers/{slug}/")
    assert "Right of reply" not in page
    assert "charts.js" not in page


def test_a_provider_of_hundreds_of_rows_asks_six_times_and_names_the_rest(
    client: Client, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    for number in range(130):
        offer(f"N{number}", 500 + number, str(10 + number))
    with django_assert_max_num_queries(6):
        page = " ".join(text(client, "/providers/acme/").split())
    assert "Fastest: N129" in page
    assert "Show all (+120)" in page
    assert "Show all (+10)" in page
    assert page.count('class="row"') == 10


def test_a_plan_stands_once_by_what_represents_it_and_the_chart_is_in_the_head(
    client: Client,
) -> None:
    slow = offer("Slow", 500, "10")
    offer("Fast", 900, "20", workload="commit-8k")
    make.standing(plan=slow.plan, workload="fallocated-8k-fsync", rate_per_s=9_000,
                  is_durable_single_writer=True)  # fmt: skip
    published = {"evidence": Evidence.PUBLISHED, "workload": "fallocated-8k-fsync"}
    offer("Metadata", 5_000, "30", **published)
    offer("Example", 70_000, "30", evidence=Evidence.EXAMPLE)
    page = text(client, "/providers/acme/")
    head, _, table = page.partition("<table")
    assert 'data-chart="frontier"' in head
    assert "Fastest: Metadata, €30.00 /mo<" in head  # heavier work was faster
    rows = re.findall(r'<th class="name".*?<a href="[^"]*">(.*?)</a>', table, re.DOTALL)
    assert rows[:4] == ["Fast", "Slow", "Metadata", "Example"]
    assert len(rows) == 4


def test_the_plan_that_leads_is_drawn_however_many_there_are(client: Client) -> None:
    for n in range(LANES_MAX):
        plan_at(500 + n, f"N{n}", workload="commit-8k")
    plan_at(9_000, "Heavy", workload="fallocated-8k-fsync")  # below all others on the board
    page = text(client, "/providers/acme/")
    assert "Fastest: Heavy<" in page
    assert 'aria-label="9,000 /s Heavy; 509 /s N9;' in page
    assert page.count('<g class="hot') == 1


def test_a_volume_costs_on_its_pages_what_it_costs_on_the_board(
    client: Client, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    volume_for_8_cents()
    waiting = make.plan(provider=Provider.objects.get(slug="acme"), slug="acme-w", name="Waiting")
    make.price(plan=waiting)
    for address in ("/providers/acme/", "/plans/acme-disk/"):
        with django_assert_max_num_queries(6):
            page = " ".join(text(client, address).split())
        assert "no price" not in page
    page = text(client, "/providers/acme/")
    assert "Fastest: Disk, $7.52 /mo, 100 GB<" in page  # 100 GB are 94 GiB
    assert page.count("$7.52") == 2


def test_a_provider_leads_with_the_fastest_plan_that_keeps_its_data(client: Client) -> None:
    lost = plan_at(9_000, "Lost")
    assert lost.plan
    lost.plan.is_ephemeral = True
    lost.plan.save()
    assert "Fastest: Lost, data lost on stop" in text(client, "/providers/acme/")
    plan_at(500, "Kept")
    assert "Fastest that keeps its data: Kept" in text(client, "/providers/acme/")
