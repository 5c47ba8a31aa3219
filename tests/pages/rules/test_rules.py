"""The pages of the rules, and the way to them from a run."""

from __future__ import annotations

from dataclasses import replace
from html import escape
from typing import TYPE_CHECKING

import pytest
from django.utils.translation import override

from apps.drives.models import LadderClass
from apps.pages.show import words
from apps.pages.show.figures import latency
from apps.runs.ladder.floors import floors
from apps.runs.models import FlushVerdict, KeepsOut, Outcome
from apps.runs.rules import RULES, TABLE, Rule, RuleKind
from apps.words.labels import threshold_of
from tests import make
from tests.pages.site import measured_run, text
from tests.support.catalogue import store_catalogue

if TYPE_CHECKING:
    from django.test import Client
    from pytest_django import DjangoAssertNumQueries

pytestmark = pytest.mark.django_db


def flat(client: Client, address: str) -> str:
    return " ".join(text(client, address).split())


@pytest.mark.parametrize("rule", TABLE, ids=lambda rule: rule.id)
def test_every_rule_has_a_page_with_all_its_words(client: Client, rule: Rule) -> None:
    page = flat(client, f"/rules/{rule.id}/")
    assert "{" not in threshold_of(rule)
    said_of_it = (rule.explanation, threshold_of(rule), rule.origin, rule.remedy, rule.consequence)
    for said in said_of_it:
        assert escape(said) in page
    assert rule.id in page
    assert "0 runs" in page


@pytest.mark.parametrize(
    ("language", "words_of_it"),
    [("en", "Speaks below 0.25 flushes a sync"), ("zh-hans", "每次同步的刷写少于 0.25 次")],
)
def test_another_figure_of_judgement_leaves_the_words_as_they_are(
    language: str, words_of_it: str
) -> None:
    rule = replace(RULES["few-flushes"], threshold_figures={"flushes_per_sync": 0.25})
    with override(language):
        assert words_of_it in threshold_of(rule)


def test_the_list_leads_to_every_rule(client: Client) -> None:
    page = text(client, "/rules/")
    for rule in TABLE:
        assert f'href="/rules/{rule.id}/"' in page
    for title in words.RULE_KINDS.values():
        assert f">{title}</h2>" in page


def test_every_kind_and_every_verdict_has_words() -> None:
    assert words.RULE_KINDS.keys() == set(RuleKind)
    assert words.FLUSH_VERDICTS.keys() == set(FlushVerdict)


def test_a_rule_that_is_not_there(client: Client) -> None:
    assert client.get("/rules/no-such-rule/").status_code == 404


def test_it_is_counted_how_many_runs_carry_a_label(client: Client) -> None:
    for _ in range(2):
        make.label(run=make.run())
    make.label(run=make.run(is_example=True))  # made up: counted nowhere
    assert "2 runs" in flat(client, "/rules/stolen-time/")
    assert "0 runs" in flat(client, "/rules/burst/")
    assert "<td>2</td>" in flat(client, "/rules/")


@pytest.mark.parametrize(
    ("address", "queries"),
    [("/rules/", 1), ("/rules/stolen-time/", 1), ("/rules/faster-than-medium/", 2)],
)
def test_a_page_of_rules_asks_the_database_once_or_twice(
    client: Client,
    address: str,
    queries: int,
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    make.label()
    with django_assert_num_queries(queries):
        client.get(address)


def test_the_floors_stand_beside_what_was_published(client: Client) -> None:
    store_catalogue()
    page = flat(client, "/rules/faster-than-medium/")
    for floor in floors().values():
        assert escape(floor.reason) in page
        if floor.lowest_published_run:
            address = f"/runs/{floor.lowest_published_run}/"
            assert f'href="{address}"' in page
            assert client.get(address).status_code == 200
    reads = flat(client, "/rules/reads-from-cache/")
    assert "Floor of a read" in reads
    assert "Quickest published" not in reads


def test_the_page_shows_the_floor_that_staff_set(client: Client) -> None:
    store_catalogue()
    assert latency(6_000) not in text(client, "/rules/faster-than-medium/")
    LadderClass.objects.filter(pk="optane").update(floor_ns=6_000)
    assert latency(6_000) in text(client, "/rules/faster-than-medium/")


def test_a_label_leads_to_its_rule(client: Client) -> None:
    run = measured_run()
    make.label(run=run)
    assert 'href="/rules/stolen-time/"' in text(client, f"/runs/{run.slug}/")


@pytest.mark.parametrize(
    ("label", "said"),
    [
        (
            {"outcome": Outcome.QUARANTINE, "keeps_out": KeepsOut.RUN},
            "Quarantine: the figures cannot",
        ),
        ({"keeps_out": KeepsOut.RUN}, "This keeps the run out of standings."),
        ({"keeps_out": KeepsOut.READS}, "This keeps its reads out of standings."),
    ],
)
def test_a_label_says_what_it_does_to_the_run(
    client: Client, label: dict[str, str], said: str
) -> None:
    plain = measured_run()
    make.label(run=plain)
    assert "out of standings" not in flat(client, f"/runs/{plain.slug}/")
    run = measured_run()
    make.label(run=run, **label)
    assert said in flat(client, f"/runs/{run.slug}/")


@pytest.mark.parametrize("verdict", FlushVerdict)
def test_a_run_tells_its_flush_verdict_with_the_reasons(
    client: Client, verdict: FlushVerdict
) -> None:
    reason = "The drive finished 1.00 flushes a commit."
    figures = {"case": "counted", "flushes_hundredths": 100}
    run = measured_run(flush_verdict=verdict, flush_reasons=[figures])
    page = flat(client, f"/runs/{run.slug}/")
    title, sentence = words.FLUSH_VERDICTS[verdict]
    assert f"Flushes: {title}" in page
    assert escape(sentence) in page
    assert f"<li>{reason}</li>" in page
    assert " lying" not in page.lower().replace("make lying slow", "")


def test_a_run_without_a_verdict_says_nothing_of_flushes(client: Client) -> None:
    run = measured_run()
    assert 'id="flushes"' not in text(client, f"/runs/{run.slug}/")
