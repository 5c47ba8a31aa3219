"""Prices over time: a picture where one changed, and what capacity and commits cost on a page."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

import pytest
from django.test import Client
from django.utils.translation import override

from apps.pages.show.table.rows import price_note
from apps.pages.things.price_history import AtRate, price_histories, price_lines
from apps.plans.models import Price
from apps.rankings.models import Standing
from tests import make
from tests.pages.site import text

TODAY = date(2026, 11, 1)


def price(amount: str, since: date, **fields: object) -> Price:
    usual = {"currency": "EUR", "period": "month", "includes": "net", "region": ""}
    return Price(amount=Decimal(amount), valid_from=since, **(usual | fields))


def test_a_price_that_changed_is_drawn_in_steps_until_today() -> None:
    old, new = price("50", date(2026, 5, 5)), price("100", date(2026, 8, 3))
    (history,) = price_histories([new, old], today=TODAY)
    assert [(step.amount, step.x) for step in history.steps] == [("€50.00", 0), ("€100", 50)]
    assert history.steps[0].y - history.steps[1].y == 33  # half of the height of the highest
    assert history.path == f"M0 {history.steps[0].y}H500.0V{history.steps[1].y}H1000"
    assert history.sentence == "List price: 2026-05-05: €50.00, 2026-08-03: €100"


@pytest.mark.parametrize(
    "second",
    [
        price("50", date(2026, 8, 3)),  # the same, read again
        price("60", date(2026, 8, 3), region="SG"),
        price("60", date(2026, 8, 3), currency="USD"),
        price("60", date(2026, 8, 3), term_months=24),
        price("0.06", date(2026, 8, 3), unit="GB"),
    ],
)
def test_what_did_not_change_or_is_another_price_draws_nothing(second: Price) -> None:
    assert price_histories([price("50", date(2026, 5, 5)), second], today=TODAY) == ()


def test_a_list_that_names_its_regions_anew_goes_on_the_same_line() -> None:
    prices = [
        price("48.49", date(2025, 10, 21), region="DE"),
        price("62.49", date(2026, 4, 1), region="DE; FI"),
        price("138.99", date(2026, 6, 15), region="DE; FI"),
        price("0.2219", date(2026, 6, 15), region="fsn1", period="hour"),  # capped by the month
        price("74.90", date(2025, 10, 21), region="SG"),
    ]
    (history,) = price_histories(prices, today=TODAY)
    assert history.region == "DE; FI"
    assert [step.amount for step in history.steps] == ["€48.49", "€62.49", "€139"]


def test_a_list_of_regions_is_chinese_where_the_page_is() -> None:
    prices = [
        price(amount, date(2026, 5, int(amount)), region="us-east-1; others") for amount in "59"
    ]
    (history,) = price_histories(prices, today=TODAY)
    assert "us-east-1; others" in history.sentence
    standing = Standing(region_group="europe", price=prices[0])
    assert price_note(standing) == "us-east-1; others"
    with override("zh-hans"):
        assert "us-east-1\uff1b\u5176\u4ed6" in history.sentence
        assert price_note(standing) == "us-east-1\uff1b\u5176\u4ed6"


def test_hours_cost_what_their_month_is_capped_at() -> None:
    month = price("138.99", date(2026, 6, 15), region="DE; FI")
    hour = price("0.2219", date(2026, 6, 15), region="fsn1", period="hour")
    lines = price_lines([month, hour], at_rate=AtRate(1_000))
    assert [(line.cost, line.is_capped) for line in lines] == [("€52.89", False), ("€52.89", True)]


def test_regions_are_drawn_apart_and_hourly_prices_as_months() -> None:
    prices = [
        price("0.1", date(2026, 5, 5), period="hour", region="DE"),
        price("0.2", date(2026, 10, 25), period="hour", region="DE"),
        price("90", date(2026, 5, 5), region="SG"),
        price("80", date(2026, 8, 3), region="SG"),
    ]
    german, asian = price_histories(prices, today=TODAY)
    assert (german.steps[1].amount, german.steps[1].is_left) == ("€146", True)
    assert asian.sentence.startswith("List price (SG): 2026-05-05: €90.00")


@pytest.mark.django_db
def test_the_regions_of_a_list_price_stand_in_a_sentence_of_the_language(client: Client) -> None:
    plan = make.plan(name="Mine")
    for day in (1, 20):
        make.price(plan=plan, amount=Decimal(day), valid_from=date(2026, 5, day), region="DE; FI")
    chinese = "\u6708\u4ef7\uff1aDE\uff1bFI\u3002"
    for language, caption in (("", "Price a month: DE; FI."), ("/zh-hans", chinese)):
        page = text(client, f"{language}/plans/{plan.slug}/")
        assert caption in " ".join(page.split())


@pytest.mark.django_db
def test_the_page_of_a_plan_shows_what_its_capacity_and_its_commits_cost(client: Client) -> None:
    plan = make.plan(drive_count=2, drive_gb=Decimal(500))
    make.price(plan=plan, amount=Decimal("50.00"), valid_from=date(2026, 5, 1))
    now = make.price(plan=plan, amount=Decimal("73.00"))
    make.standing(
        plan=plan, rate_per_s=1_000, is_durable_single_writer=True, price=now, currency="EUR",
        cost_per_billion=Decimal("27.7778"), rate_per_s_low=500, rate_per_s_high=2_000,
    )  # fmt: skip
    page = text(client, f"/plans/{plan.slug}/")
    assert "€73.00 /mo" in page.partition("A terabyte")[2].partition("</dd>")[0]  # of a terabyte
    assert "€13.89\u2013€55.56" in page
    assert "List price: 2026-05-01: €50.00, 2026-11-01: €73.00" in page
    answer = client.get(f"/api/v1/plans/{plan.slug}").json()
    (standing,) = answer["standings"]
    assert (standing["cost_per_billion_low"], standing["cost_per_billion_high"]) == (
        13.8889, 55.5556,
    )  # fmt: skip


USEFUL = "slo-randread-4k-10ms"


@pytest.mark.django_db
def test_useful_iops_show_their_limit_and_what_a_thousand_cost_a_month(client: Client) -> None:
    plan = make.plan()
    now = make.price(plan=plan, amount=Decimal("73.00"))
    make.standing(
        plan=plan, workload=USEFUL, workload_title="reads", rate_per_s=2_000, price=now,
        p99_ns=None, currency="EUR", price_month_per_1000=Decimal("36.5"), rate_per_s_low=1_000,
        rate_per_s_high=4_000,
    )  # fmt: skip
    for address in (f"/plans/{plan.slug}/", f"/plans/?workload={USEFUL}"):
        page = " ".join(text(client, address).split())
        assert "1,000 a month<" in page
        assert "Useful IOPS" in page
        assert "€36.50" in page
        assert "€18.25\u2013€73.00" in page
        assert "p99 \u2264 <span" in page
        assert "p99 under 10 ms" in page
    (standing,) = client.get(f"/api/v1/plans/{plan.slug}").json()["standings"]
    assert (standing["p99_limit_ns"], standing["cost_per_billion_low"]) == (10_000_000, None)
    assert (standing["price_month_per_1000_low"], standing["price_month_per_1000_high"]) == (
        18.25, 73.0,
    )  # fmt: skip


@pytest.mark.django_db
def test_a_search_that_once_found_no_rate_has_no_upper_end_of_its_cost(client: Client) -> None:
    plan = make.plan()
    make.standing(
        plan=plan, workload=USEFUL, rate_per_s=2_000, price=make.price(plan=plan), currency="EUR",
        price_month_per_1000=Decimal("36.5"), rate_per_s_low=0, rate_per_s_high=4_000,
    )  # fmt: skip
    (standing,) = client.get(f"/api/v1/plans/{plan.slug}").json()["standings"]
    assert standing["price_month_per_1000_high"] is None
    assert "at both ends" not in text(client, f"/plans/{plan.slug}/")


@pytest.mark.django_db
def test_a_board_of_useful_iops_is_sorted_by_what_they_cost(client: Client) -> None:
    for name, cost in (("Dear", 90), ("Cheap", 3)):
        plan = make.plan(name=name)
        make.standing(
            plan=plan, workload=USEFUL, price=make.price(plan=plan), currency="EUR",
            price_month_per_1000=Decimal(cost), needs_runs=False,
        )  # fmt: skip
    page = text(client, f"/plans/?workload={USEFUL}&sort=cost")
    assert page.index(">Cheap<") < page.index(">Dear<")


def test_a_price_that_holds_something_else_is_joined_by_no_line() -> None:
    prices = [
        price("3.49", date(2026, 5, 5), includes="incl. primary IPv4; excl. tax"),
        price("3.99", date(2026, 7, 1), includes="excl. primary IPv4; excl. tax"),
        price("5.99", date(2026, 8, 3), includes="excl. primary IPv4; new orders; excl. tax"),
    ]
    (history,) = price_histories(prices, today=TODAY)
    assert history.includes == "2026-07-01: excl. primary IPv4"
    assert [history.path.count(turn) for turn in "MV"] == [2, 1]


def test_a_step_with_little_room_has_its_day_below_the_others() -> None:
    days = (date(2026, 1, 1), date(2026, 7, 1), date(2026, 8, 20))
    prices = [price(str(3 + place), day) for place, day in enumerate(days)]
    (history,) = price_histories(prices, today=TODAY)
    assert [step.is_cramped for step in history.steps] == [False, True, False]
    assert [step.has_room for step in history.steps] == [True, False, True]


@pytest.mark.django_db
def test_a_plan_says_what_a_billion_commits_cost_and_not_a_part_of_its_month(
    client: Client,
) -> None:
    plan = make.plan()
    make.standing(
        plan=plan, rate_per_s=1_044, is_durable_single_writer=True, price=make.price(plan=plan),
        currency="EUR", cost_per_billion=Decimal("2.18"), price_month_per_1000=Decimal("5.74"),
    )  # fmt: skip
    page = " ".join(text(client, f"/plans/{plan.slug}/").split())
    fold = page.partition('id="prices"')[2].partition("</summary>")[0]
    assert "€2.18 a billion commits" in fold
    assert "5.74" not in page
