"""The sentence of the advisor says no more of the first plan than is known."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest

from apps.pages.advisor.answer import ROWS_MAX
from apps.pages.show.answer import WORDS_MAX
from apps.plans.models import Plan, PriceKind
from tests.pages.advisor.test_advisor import answer, plan_with, row_of
from tests.pages.site import answer_on, tight

if TYPE_CHECKING:
    from django.test import Client

pytestmark = pytest.mark.django_db


def test_the_cheapest_that_does_it_is_named_and_beside_it_a_surer_or_a_cheaper_one(
    client: Client,
) -> None:
    few: dict[str, Any] = {"n_uploaders": 2, "n_machines": 2, "needs_runs": True}
    plan_with("Likely", 9_000, month=5, **few)
    assert "Likely is the cheapest for 2,000/s." in answer(client, "?rate=2000")
    plan_with("Near", 2_500, month=3, **few)
    said = "Likely is the cheapest for 2,000/s; Near, \u20ac3.00, is borderline."
    assert said in answer(client, "?rate=2000")
    plan_with("Ranked", 9_000, month=100, n_uploaders=9, n_machines=9)
    said = "Likely is the cheapest for 2,000/s; Ranked, \u20ac100, is firm."
    assert said in answer(client, "?rate=2000")


def test_a_price_that_is_gone_is_neither_the_cheapest_nor_named(client: Client) -> None:
    few: dict[str, Any] = {"n_uploaders": 2, "n_machines": 2, "needs_runs": True}
    gone = plan_with("Gone", 9_000, month=5, **few)
    gone.prices.update(kind=PriceKind.SUPERSEDED)
    alone = answer_on(answer(client, "?rate=2000"))
    assert "Not list prices" not in alone
    assert alone.startswith("Gone: Likely, at 2,000/s. 9,000 durable commits/s")
    plan_with("Now", 9_000, month=50, **few)
    page = answer(client, "?rate=2000")
    assert "Now is the cheapest for 2,000/s." in page
    assert "Not list prices of today: Gone, \u20ac5.00 (superseded)." in page
    assert '<span class="cell-note gone">superseded</span>' in row_of(page, "Gone")
    table = page[page.index("<tbody") :]
    assert table.index(">Now<") < table.index(">Gone<")  # whatever it cost once


def test_the_first_screen_has_figure_work_day_and_source(client: Client) -> None:
    plan_with("Quick", 9_000)
    page = answer(client, "?rate=2000")
    basis = tight(page[page.index('need-basis">') :].partition("</p>")[0])
    assert "9,000 durable commits/s, p99 400 µs, overwrite, fdatasync, 2026-09-01" in basis
    assert "The newest run behind it" in basis


def test_the_share_of_a_rate_that_counts_is_said_where_it_decides(client: Client) -> None:
    plan_with("Quick", 9_000)
    assert "70% load" in row_of(answer(client, "?rate=5000&p99=2"), "Quick")
    assert "% load" not in row_of(answer(client, "?rate=5000"), "Quick")


def test_what_nobody_knows_is_said(client: Client) -> None:
    many = {"n_uploaders": 9, "n_machines": 9}
    flushed: dict[str, Any] = {"workload": "direct-16k-fdatasync", **many}
    plan_with("Bare", 9_000, month=1, plp="none", **flushed)
    plan_with("Unsaid", 9_000, month=80, plp="unknown", **flushed)
    said = answer(client, "?software=zfs-slog&rate=100")
    assert "Nobody knows whether Unsaid does 100/s." in said


def test_what_none_does_has_no_price_and_a_trace_of_it_no_digits(client: Client) -> None:
    plan_with("Small", 9_000, month=620)
    page = answer(client, "?rate=9000000&p99=1&p99_unit=us")
    head = page.partition("<table")[0]
    assert "None does 9,000,000/s within 1 \u00b5s; the nearest is Small." in tight(head)
    assert "answer-figure" not in head
    assert "under 0.01\u00d7" in row_of(page, "Small")


def test_over_the_budget_the_row_says_by_what(client: Client) -> None:
    plan_with("Dear", 9_000, month=11)
    page = answer(client, "?rate=2000&budget=10")
    assert "None does 2,000/s within \u20ac10; the nearest is Dear." in page
    assert "\u20ac11.00, over \u20ac10" in row_of(page, "Dear")


def test_all_that_cannot_be_read_is_said_at_once_and_once(client: Client) -> None:
    page = client.get("/advisor/?rate=abc&budget=-5").content.decode()
    for name, words in (("rate", "Write a number, such as 5000."), ("budget", "More than 0")):
        assert page.count(words) == 1
        assert f'<a href="#ask-{name}">' in page


def test_a_borderline_plan_is_not_the_cheapest_where_another_may_do_it_for_less(
    client: Client,
) -> None:
    few: dict[str, Any] = {"n_uploaders": 2, "n_machines": 2, "needs_runs": True}
    plan_with("Here", 2_500, month=30, **few)
    assert "Here is the cheapest for 2,000/s." in answer(client, "?rate=2000&region=fsn1")
    elsewhere = {"regions": "worldwide"}
    plan_with("Anywhere", 2_500, month=10, plan=elsewhere, **few)
    said = "Here is the cheapest for 2,000/s; Anywhere, \u20ac10.00, is borderline."
    assert said in answer(client, "?rate=2000&region=fsn1")
    Plan.objects.filter(name="Anywhere").update(name=" ".join(["Any"] * WORDS_MAX))
    assert "Here: Borderline at 2,000/s." in answer(client, "?rate=2000&region=fsn1")


def test_the_plan_of_the_sentence_is_drawn_and_listed_whatever_superseded_prices_there_are(
    client: Client,
) -> None:
    for n in range(ROWS_MAX + 1):
        gone = plan_with(f"Gone{n}", 9_000, month=5)
        gone.prices.update(kind=PriceKind.SUPERSEDED)
    plan_with("Now", 9_000, month=50)
    page = answer(client, "?rate=2000")
    assert "Now is the cheapest for 2,000/s." in page
    head, _, folded = page.partition('id="others"')
    assert 'id="plan-acme-now"' in head
    assert 'id="plan-acme-now"' not in folded
    assert re.search(r'<svg class="hot"', page)


def test_what_its_price_alone_fails_is_not_called_firm_by_its_runs(client: Client) -> None:
    plan_with("Dear", 9_000, month=50)
    said = answer_on(answer(client, "?rate=1000&budget=5"))
    assert "None does 1,000/s within \u20ac5; the nearest is Dear." in said
    assert "Firm: fails: \u20ac50.00, over \u20ac5, " in said
    assert "uploader" not in said


def test_a_bound_of_the_p99_stands_in_its_column(client: Client) -> None:
    plan_with("Parts", 9_000, p99_ns=None, p99_bound_ns=59_072, latency_side="")
    page = answer(client, "?rate=1000&p99=2")
    assert "\u2264" in row_of(page, "Parts")
    assert "p99 at most 59.1" in page
