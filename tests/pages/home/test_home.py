"""Home: the three ways in, the questions, and one's own run on the ladder."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from django.utils.html import escape

from apps.pages.draw.ladder import stretched
from apps.pages.frame.questions import QUESTIONS
from apps.pages.home.ladder import SHORT_CLASS_NAMES, short_class
from apps.rankings.models import Evidence
from apps.wire.judgement import judgement
from tests import make
from tests.pages.site import measured_run, plan_at, published_run, text

if TYPE_CHECKING:
    from django.test import Client
    from pytest_django import DjangoAssertNumQueries

pytestmark = pytest.mark.django_db
QUERIES_MAX = 6


def test_the_ways_in_and_the_questions_lead_on(client: Client) -> None:
    page = text(client, "/")
    for way in ("I want to rent", "I want to measure", "I want to embed"):
        assert way in page
    for address in ("/embed/", *(question.url for question in QUESTIONS)):
        assert f'href="{escape(address)}"' in page
    assert 'name="q"' in page
    ways = page[page.index('class="ways"') :]
    for address in ("/advisor/", "/plans/"):
        assert f'href="{address}"' in ways[: ways.index("I want to measure")]
    assert 'href="/advisor/?software=postgresql&amp;rate=200"' in page


def test_a_run_stands_on_the_ladder_with_its_sentence(
    client: Client, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    rung = make.ladder_class(slug="cloud-ssd", name="Cloud local or network SSD (CCX, CAX, gp3)")
    plan = make.plan(name="Mine")
    run = measured_run(measured_class=rung, plan=plan, provider=plan.provider)
    for _each in range(8):
        measured_run()
    with django_assert_max_num_queries(QUERIES_MAX):
        page = " ".join(text(client, f"/?run={run.slug}").split())
    assert "Where your run stands" in page
    assert "Mine: half of all commits finished in" in page
    assert "That is the range of: Cloud local or network SSD." in page
    assert f'href="/runs/{run.slug}/"' in page
    assert f'href="/embed/?of=run:{run.slug}"' in page
    assert 'class="yours-line"' in page


@pytest.mark.parametrize(
    ("side", "words"),
    [
        ("commit", "Mine: half of all commits finished in"),
        ("sync", "Mine: half of all syncs finished in"),
        ("completion", "Mine. One writer gets"),
    ],
)
def test_an_imported_run_says_its_level_and_what_its_median_times(
    client: Client, side: str, words: str
) -> None:
    make.ladder_class()
    run = make.imported_run(plan=make.plan(name="Mine"))
    make.latency(measurement=make.measurement(run=run), side=side)
    page = " ".join(re.sub(r"<[^>]+>", "", text(client, f"/?run={run.slug}")).split())
    head = page[page.index("Where your run stands") : page.index("Everything about it")]
    assert words in head
    assert "Imported" in head


def test_every_class_has_a_short_name_without_examples() -> None:
    short = {each.slug: str(SHORT_CLASS_NAMES[each.slug]) for each in judgement().classes}
    assert not [name for name in short.values() if "(" in name or "protection" in name]


def test_a_class_that_was_added_later_keeps_its_name() -> None:
    assert short_class(make.ladder_class(name="Tape (LTO)")) == "Tape (LTO)"


def test_it_is_said_how_much_was_sent(client: Client) -> None:
    make.ladder_class()
    make.run(is_example=True)
    make.run(level="published")
    assert "nobody has sent a run yet" in text(client, "/")
    measured_run()
    measured_run()
    assert "So far 2 runs were sent by the machines that made them" in text(client, "/")


def test_a_run_that_nobody_knows_is_said(client: Client) -> None:
    unknown = "01890a5d-ac96-774b-bcce-b302099a8057"
    page = text(client, f"/?run={unknown}")
    assert "No run of this address" in page
    assert f'href="/runs/{unknown}/"' in page
    assert "No run of this address" in text(client, "/?run=%00<b>")


def test_made_up_runs_are_neither_marks_nor_newest_runs(client: Client) -> None:
    rung = make.ladder_class()
    make.standing(
        drive_family=make.drive_family(name="Invented"), ladder_class=rung,
        is_durable_single_writer=True, evidence=Evidence.EXAMPLE,
    )  # fmt: skip
    measured_run(is_example=True, claimed_plan="Made-up plan")
    page = text(client, "/")
    assert "Invented" not in page
    assert "Made-up plan" not in page


def test_a_mark_is_a_time_that_holds_the_sync(client: Client) -> None:
    rung = make.ladder_class()
    for name, side in (("Synced", "sync"), ("Completed", "completion"), ("Written", "write")):
        make.standing(
            drive_family=make.drive_family(name=name), ladder_class=rung, rate_per_s=20_000,
            is_durable_single_writer=True, evidence=Evidence.PUBLISHED, latency_side=side,
            p50_ns=40_000,
        )  # fmt: skip
    page = text(client, "/")
    assert 'aria-label="Synced, sync p50 40\u202fµs"' in page
    for name in ("Completed", "Written"):
        assert f'aria-label="{name}, 1 / rate 50\u202fµs"' in page


def test_figures_that_their_article_calls_illustrative_are_no_marks(client: Client) -> None:
    make.standing(
        drive_family=make.drive_family(name="Sampled"), ladder_class=make.ladder_class(),
        is_durable_single_writer=True, evidence=Evidence.PUBLISHED,
        warnings=["Illustrative: the article calls this a sample run."], is_illustrative=True,
    )  # fmt: skip
    assert "Sampled" not in text(client, "/")


def test_the_fastest_plans_name_their_workload(client: Client) -> None:
    assert "Fastest plans so far </h2>" in " ".join(text(client, "/").split())
    plan_at(1_000, "One")
    page = " ".join(text(client, "/").split())
    assert "Fastest plans so far: Overwrite, fdatasync: what a WAL does </h2>" in page


def test_only_runs_with_a_date_are_newest(client: Client) -> None:
    published_run(sync="fsync", is_durable_single_writer=True)
    assert "Nothing has been measured yet" in text(client, "/")
    measured_run()
    page = text(client, "/")
    newest = page[page.index('id="newest-title"') :]
    assert newest.count('<tr class="row"') == 1


@pytest.mark.parametrize(
    ("latency_ns", "words"),
    [
        (150, "1 s"), (7_000, "47 s"), (50_000, "6 min"), (89_000, "10 min"),
        (7_400_000, "14 h"), (20_000_000, "1.5 days"),
    ],
)  # fmt: skip
def test_latencies_are_stretched_to_a_human_scale(latency_ns: int, words: str) -> None:
    assert stretched(latency_ns) == words
