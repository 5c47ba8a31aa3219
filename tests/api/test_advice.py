"""The advisor's API: a need in, plans with reasons out, and mistakes told by their field."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from typing import TYPE_CHECKING, Any

import pytest

from apps.plans.prices.currencies import Rate
from apps.plans.prices.rates import store_rates
from apps.rankings.advice.lottery import store_lotteries
from tests import make

if TYPE_CHECKING:
    from django.test import Client
    from pytest_django import DjangoAssertNumQueries

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def rates() -> None:
    store_rates([Rate(date(2026, 10, 30), "USD", Decimal("1.25"))])


def ask(client: Client, query: str) -> dict[str, Any]:
    answer = client.get(f"/api/v1/advice?{query}")
    assert answer.status_code == 200, answer.content
    return dict(answer.json())


def test_what_its_price_alone_fails_is_not_called_firm_by_its_runs(client: Client) -> None:
    plan = make.plan()
    make.price(plan=plan, amount=Decimal("73.00"))
    make.standing(plan=plan, rate_per_s=9_000, is_durable_single_writer=True)
    (answer,) = ask(client, "rate=100&budget=5")["results"]
    assert answer["answer"] == "Firm: fails: It costs 73.00 EUR a month of 5.00."


def test_plans_come_with_price_reasons_and_drives(client: Client) -> None:
    plan = make.plan(kind="cloud", regions="fsn1", drive_count=2, drive_gb=Decimal(500))
    make.price(plan=plan, amount=Decimal("73.00"))
    make.standing(
        plan=plan, rate_per_s=1_500, rate_per_s_low=1_200, n_uploaders=3, n_machines=5,
        is_durable_single_writer=True,
    )  # fmt: skip
    run = make.run(plan=plan, provider=plan.provider, drive_family=make.drive_family(plp="full"))
    make.measurement(run=run, rate_per_s=1_234, is_durable_single_writer=True)
    store_lotteries([plan.slug])
    body = ask(client, "software=postgresql&rate=1000&currency=USD&capacity_gb=1000")
    assert (body["currency"], body["rates_day"], body["n_plans"]) == ("USD", "2026-10-30", 1)
    assert "fdatasync" in body["rule"]
    (answer,) = body["results"]
    assert (answer["plan"], answer["verdict"], answer["confidence"]) == (plan.slug, "meets", "firm")
    assert (answer["price_month"], answer["rate_low_per_s"]) == (91.25, 1200)
    assert answer["sure"] == "firm"
    assert answer["answer"] == "Firm: at least 1.2 times what you need, 3 uploaders"
    assert answer["reasons"] == [
        "1,200 syncs a second can be counted on, 1,000 are needed.",
        "Storage, GB: 1,000, 1,000 are needed.",
    ]
    assert answer["breaks_first"] == "capacity"
    assert (answer["listed_month"], answer["listed_currency"]) == (73, "EUR")
    assert answer["exchange_rate"] == 1.25
    assert "reference rate of the European Central Bank of 2026-10-30" in answer["assumptions"][-1]
    assert answer["low_is"] == "Counted on is the low end of its interval."
    (drive,) = answer["drives"]
    assert (drive["plp"], drive["n_machines"], drive["rate_low_per_s"]) == ("full", 1, 1234)


def test_what_was_measured_goes_before_an_article(client: Client) -> None:
    plan = make.plan()
    make.standing(plan=plan, rate_per_s=9_000, evidence="published")
    make.standing(plan=plan, rate_per_s=100, rate_per_s_low=90, needs_runs=True)
    (answer,) = ask(client, "rate=1000")["results"]
    assert (answer["verdict"], answer["confidence"], answer["rate_low_per_s"]) == (
        "may",
        "few",
        90,
    )


def test_a_ranked_plan_is_counted_on_by_the_low_end_of_its_interval(client: Client) -> None:
    make.standing(rate_per_s=2_000, rate_per_s_low=1_500)
    (answer,) = ask(client, "rate=1600")["results"]
    assert (answer["verdict"], answer["rate_low_per_s"]) == ("may", 1500)
    assert answer["answer"].startswith("Borderline: at least 0.94 times what you need")


def test_useful_iops_are_used_under_their_limit(client: Client) -> None:
    make.standing(
        workload="slo-randread-4k-10ms", rate_per_s=5_000, rate_per_s_low=4_000, p99_ns=None,
        n_uploaders=3, n_machines=5,
    )  # fmt: skip
    (answer,) = ask(client, "software=random-reads&rate=3000&p99_ms=20")["results"]
    assert (answer["verdict"], answer["workload"]) == ("meets", "slo-randread-4k-10ms")
    assert (answer["p99_limit_ns"], answer["rate_low_per_s"]) == (10_000_000, 4_000)


def test_a_server_on_network_storage_is_priced_with_a_volume(client: Client) -> None:
    owner = make.provider()
    server = make.plan(provider=owner, kind="cloud", storage_kind="network")
    volume = make.plan(provider=owner, kind="volume", storage_kind="network")
    make.price(plan=server, amount=Decimal(20))
    make.price(
        plan=volume,
        amount=Decimal("0.04"),
        unit="GiB",
        includes="unit price: per GiB-month",
    )
    body = ask(client, "rate=10&capacity_gb=1000")
    prices = {answer["plan"]: answer["price_month"] for answer in body["results"]}
    assert prices == {server.slug: 57.28}
    (alone,) = ask(client, "rate=10&capacity_gb=1000&kind=volume")["results"]
    assert (alone["price_month"], alone["price_is_part"]) == (37.28, True)
    (answer,) = ask(client, "rate=10&capacity_gb=1000&kind=cloud")["results"]
    assert (answer["price_month"], answer["price_is_part"]) == (57.28, False)


def test_a_plan_that_nobody_measured_says_so(client: Client) -> None:
    make.plan()
    make.plan(storage_description="price component of gp3: more IOPS", is_component=True)
    (answer,) = ask(client, "rate=10")["results"]
    assert (answer["verdict"], answer["reasons"]) == ("unmeasured", ["Nobody has measured this."])
    assert answer["rate_low_per_s"] is None
    assert answer["answer"] == "Unknown: nobody measured it"


def test_what_nobody_rents_out_is_named_only_when_asked_for(client: Client) -> None:
    at_home = make.plan(provider=make.provider(slug="home", name="Home"), kind="home")
    to_rent = make.plan(kind="cloud")
    for query, expected in (("", to_rent), ("&kind=home", at_home), ("&provider=home", at_home)):
        (answer,) = ask(client, f"rate=10{query}")["results"]
        assert answer["plan"] == expected.slug, query


def test_provider_and_kind_narrow_what_is_read(client: Client) -> None:
    ours = make.plan(kind="cloud")
    make.plan(kind="dedicated")
    body = ask(client, f"rate=10&kind=cloud&provider={ours.provider_id}")
    assert [answer["plan"] for answer in body["results"]] == [ours.slug]


def test_a_price_in_a_currency_without_a_rate_is_not_known(client: Client) -> None:
    make.price(currency="XTS")
    (answer,) = ask(client, "rate=10")["results"]
    assert answer["price_month"] is None


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ("", "rate"),
        ("rate=0", "rate"),
        ("rate=10&software=mongodb", "software"),
        ("rate=10&p99_ms=0", "p99_ms"),
        ("rate=10&p99_ms=1e308", "p99_ms"),
        ("rate=10&currency=XTS", "currency"),
        ("rate=10&currency=euro", "currency"),
        ("rate=10&budget=0", "budget"),
        ("rate=10&sessions=0", "sessions"),
        ("rate=10&colour=red", "colour"),
        ("rate=1.000", "rate"),
        ("rate=10&provider=nobody", "provider"),
        ("rate=10&providers=nobody", "providers"),
        ("rate=10&kind=boat", "kind"),
        ("rate=10&region=atlantis", "region"),
    ],
)
def test_a_mistake_is_told_by_its_field(client: Client, query: str, field: str) -> None:
    answer = client.get(f"/api/v1/advice?{query}")
    assert answer.status_code == 400
    assert answer.json()["detail"].startswith(f"{field}: ")


def test_however_many_plans_there_are_the_queries_are_as_many(
    client: Client, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    for _ in range(5):
        make.price()
    with django_assert_num_queries(5):
        ask(client, "rate=10")
