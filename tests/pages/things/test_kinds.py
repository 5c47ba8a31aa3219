"""A plan whose storage is a lottery says so first: on its page, its badge, the board, in advice."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from apps.pages.show.answer import WORDS_MAX
from apps.pages.things.words import lead_answer
from apps.rankings.models import Standing
from apps.rankings.services import refresh_all
from tests import make
from tests.pages.measured import counted
from tests.pages.site import text

if TYPE_CHECKING:
    from django.test import Client

    from apps.plans.models import Plan

pytestmark = pytest.mark.django_db
SAID = "7 of 10 uploaders got PM9A3 (32,000/s), 3 got PM9A1 (215/s)"


@pytest.fixture
def plan() -> Plan:
    plan = make.plan(name="AX41", slug="acme-ax41")
    drives = {name: make.drive_family(name=name, slug=name.lower()) for name in ("PM9A3", "PM9A1")}
    for uploader in range(10):
        name, rate = ("PM9A3", 32_000) if uploader < 7 else ("PM9A1", 215)
        counted(rate, uploader=uploader, plan=plan, provider=plan.provider,
                drive_family=drives[name])  # fmt: skip
    refresh_all()
    return plan


def words(client: Client, address: str) -> str:
    return " ".join(text(client, address).split())


def test_the_page_of_the_plan_begins_with_it(client: Client, plan: Plan) -> None:
    page = words(client, f"/plans/{plan.slug}/")
    assert f'<p class="answer-says">{SAID}.</p>' in page
    assert f'content="{plan.full_name}: {SAID}.' in page
    assert (
        page.count(SAID) == 8
    )  # in the head thrice, first, twice in the lottery, and behind two rows
    assert "got the same" not in page
    assert "% interval" in page


def test_an_answer_of_many_kinds_is_still_one_breath(plan: Plan) -> None:
    names = [f"Samsung PM9A{n} / PM9A{n}a of a long name" for n in range(3)]
    lead = make.standing(
        plan=plan, kinds=[(9 - n, 10.0 ** (n + 1), name) for n, name in enumerate(names)]
    )
    said = lead_answer(lead).sentence
    assert said == "9 of 24 uploaders got 10/s, 8 got 100/s, 7 got 1,000/s."
    assert len(said.split()) <= WORDS_MAX


def test_board_badge_comparison_advice_and_api_say_it_too(client: Client, plan: Plan) -> None:
    assert SAID in words(client, "/plans/")
    assert SAID in words(client, f"/compare/?on=plan:{plan.slug}&on=drive:pm9a3")
    badge = text(client, f"/badge/plan/{plan.slug}.svg")
    assert SAID in badge
    assert "7 of 10 uploaders" in badge
    answer = client.get("/api/v1/advice?rate=100").json()["results"][0]
    assert f"Nobody chooses which storage they get: {SAID}." in answer["assumptions"]
    standing = client.get("/api/v1/standings?workload=commit-8k&subject=plan").json()["results"][0]
    assert standing["kinds"] == [[7, 32000.0, "PM9A3"], [3, 215.0, "PM9A1"]]


def test_a_plan_of_one_kind_says_nothing_of_it(client: Client, plan: Plan) -> None:
    Standing.objects.filter(variant=2).delete()
    Standing.objects.update(kinds=[], variant=0, n_variants=1)
    assert "of 10 uploaders got" not in words(client, f"/plans/{plan.slug}/")


def test_a_row_of_a_board_says_how_many_got_its_storage(client: Client, plan: Plan) -> None:
    assert plan.slug in text(client, "/plans/")
    rows = text(client, "/plans/").split("<table")[1]
    assert "7 of 10 uploaders got 32,000/s, 3 got 215/s" in rows
