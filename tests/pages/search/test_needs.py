"""A need in words: its rate, its limit and its budget are read, and kept by what answers it."""

from __future__ import annotations

import pytest

from apps.pages.search.grammar import read_question
from tests import make
from tests.pages.search.test_questions import PROVIDERS, answers
from tests.pages.site import plan_at
from tests.support.catalogue import store_catalogue

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("text", "rate", "p99"),
    [
        ("5,000 commits/s", 5_000, ""),
        ("20k commits/s", 20_000, ""),
        ("200 tps with p99 below 2 ms", 200, "2"),
        ("5000 commits/s within 2 ms", 5_000, "2"),
        ("5000/s under 2ms", 5_000, "2"),
        ("5,000 a second", 5_000, ""),
        ("5000 per second under 2 ms", 5_000, "2"),
        ("ccx33 5000/s", 5_000, ""),
        ("\u6bcf\u79d2 5000 \u6b21\u63d0\u4ea4", 5_000, ""),
        ("5000 \u6b21/\u79d2", 5_000, ""),
        ("5000 commits/s, at most 2ms", 5_000, "2"),
        ("5000 commits/s <= 2 ms", 5_000, "2"),
        ("5000 commits/s \u2264 2 ms", 5_000, "2"),
        ("\u6bcf\u79d2 5,000 \u6b21\u6301\u4e45\u5316\u63d0\u4ea4", 5_000, ""),
        ("每秒 5000 次提交\uff0c延迟 2 ms 以内", 5_000, "2"),
        ("每秒 5000 次提交\uff0c延迟 2 毫秒之内", 5_000, "2"),
        ("每秒 5000 次提交\uff0c延迟在 2 ms 以下", 5_000, "2"),
        ("每秒 5000 次提交\uff0c延迟不超过 2 ms", 5_000, "2"),
        ("每秒 5000 次提交\uff0cp99 不超过 2 ms", 5_000, "2"),
        ("每秒 5000 次提交\uff0c延迟小于 2 ms", 5_000, "2"),
    ],
)
def test_a_rate_and_its_limit_are_read(text: str, rate: int, p99: str) -> None:
    question = read_question(text, PROVIDERS)
    assert (question.rate_per_s, question.p99_ms) == (rate, p99)


def test_a_rate_that_no_device_does_is_answered_without_a_plan() -> None:
    store_catalogue()
    (answer, *_rest) = answers("0 commits/s")
    assert answer.says == ("No measured plan reaches it.",)


def test_a_budget_is_kept_or_what_is_nearest_to_it_is_said() -> None:
    store_catalogue()
    within = answers("1000 tps postgres under 20 euro")[0]
    assert within.url == "/advisor/?software=postgresql&rate=1000&budget=20"
    assert "/plans/hetzner-cpx22/" in [each.url for each in within.results]
    assert "/plans/hetzner-ax162-s/" not in [each.url for each in within.results]
    beyond = answers("1000 tps postgres under 2 euro")[0]
    assert beyond.says[0].startswith("None under \u20ac2")
    assert beyond.results
    assert answers("1000 tps vps under $10")[0].url == (
        "/advisor/?rate=1000&kind=vps&budget=10&currency=USD"
    )


def test_a_budget_alone_orders_the_board_by_cost_and_assumes_no_rate() -> None:
    store_catalogue()
    (answer, *_rest) = answers("cheapest plan under 10 euro")
    assert [each.title for each in answer.results] == ["CX23"]
    assert answer.head == "Plans: \u2264 \u20ac10.00, cost of a billion commits"
    nothing = answers("cheapest plan under 1 euro")[0]
    assert (nothing.results, nothing.says) == ((), ("Nobody has measured this.",))


def test_several_providers_have_a_winner_and_one_need_a_page() -> None:
    store_catalogue()
    need, guide = answers("AWS, Google and Hetzner for a small Postgres")
    assert need.says == ("CX23 is the cheapest for 200/s.",)
    assert (guide.head, guide.results) == ("PostgreSQL and MySQL", ())
    # a cheaper one that is borderline may do it as well
    assert answers("1000 tps postgres")[0].says == ()


def test_a_budget_is_kept_by_volumes_of_several_providers_too() -> None:
    store_catalogue()
    asked = "google and hetzner postgres 200 tps"
    google, hetzner = answers(asked)[0].results
    assert "without a server" in google.under
    assert hetzner.url == "/plans/hetzner-cx23/"
    (answer, *_rest) = answers(f"{asked} under 6 euro")
    assert answer.says == ("CX23 is the cheapest for 200/s.",)
    assert [(each.title, each.under) for each in answer.results] == [
        ("Google Cloud", "No measured plan reaches it."),
        ("CX23", hetzner.under),
    ]
    neither = answers("google and hetzner 90,000,000 commits/s")[0]
    assert neither.says == ()  # each row says it
    assert {each.under for each in neither.results} == {"No measured plan reaches it."}


def test_no_price_is_near_to_a_budget() -> None:
    plan_at(10_000, "One")
    bravo = make.plan(provider=make.provider(slug="bravo", name="Bravo"), slug="two", name="Two")
    make.standing(plan=bravo, rate_per_s=10_000, is_durable_single_writer=True)
    asked = "acme and bravo 200 tps"
    assert [each.title for each in answers(asked)[0].results] == ["One", "Two"]
    answer = answers(f"{asked} under 6 euro")[0]
    assert answer.says == ()
    assert {each.under for each in answer.results} == {"No measured plan reaches it."}


def test_a_need_without_a_rate_says_which_one_is_taken() -> None:
    store_catalogue()
    etcd = answers("etcd under 20 euro")[0]
    assert etcd.head.startswith("etcd, 50 commits/s, ")
    assert etcd.url == "/advisor/?software=etcd&rate=50&budget=20"
    assert answers("p99 under 1 ms")[0].head == "1,000 commits/s, p99 < 1 ms"
