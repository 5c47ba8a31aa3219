"""What the advisor's page shows before a fold, and the title that each need has."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING

import pytest

from apps.rankings.catalogue import load_catalogue
from tests import make
from tests.pages.advisor.test_advisor import answer, plan_with

if TYPE_CHECKING:
    from django.test import Client

pytestmark = pytest.mark.django_db


def test_what_is_not_among_the_first_is_folded_and_counted(client: Client) -> None:
    for place in range(15):
        plan_with(f"P{place}", 100 + place)
    page = answer(client, "?rate=5000")
    first, others = page.split('<details class="fold" id="others">')
    assert first.count('class="row"') == 12
    assert "<span> 3 </span>" in others
    assert others.count('class="row"') == 3


def test_each_need_has_a_title_of_its_own(client: Client) -> None:
    load_catalogue()
    asked = (
        "", "?rate=5000", "?rate=5000&p99=2", "?rate=5000&budget=50", "?region=DE", "?plp=true",
        "?software=etcd", "?sessions=16", "?ram_gb=32", "?vcpus=8", "?capacity_gb=500",
        "?provider=hetzner", "?currency=USD", "?kind=vps",
    )  # fmt: skip
    pages = [answer(client, query) for query in asked]
    titles = {page[page.index("<title>") : page.index("</title>")] for page in pages}
    assert len(titles) == len(asked)


def test_what_is_cheaper_and_less_known_stands_below_the_cheapest(client: Client) -> None:
    for name, amount, p99_ns in (("Known", 200, 1_000_000), ("Cheap", 100, None)):
        plan = make.plan(name=name)
        price = make.price(plan=plan, amount=Decimal(amount), currency="EUR")
        make.standing(
            plan=plan, price=price, workload="commit-8k", evidence="published",
            is_durable_single_writer=True, rate_per_s=9_000.0, rate_per_s_low=8_000.0,
            rate_per_s_high=9_500.0, p99_ns=p99_ns,
        )  # fmt: skip
    page = answer(client, "?rate=1000&p99=2")
    assert "Known is the cheapest for 1,000/s within 2" in page
    assert page.index(">Known</a>") < page.index(">Cheap</a>")
