"""The badge of who measures: what counts on it, and that nobody is named who did not ask for it."""

from __future__ import annotations

import json
from datetime import UTC, date, datetime

import pytest
from django.test import Client

from apps.accounts.credit.names import choose_name
from apps.badges.badge_facts import MeasurerFacts, MissingFigure
from apps.badges.drawing.badge import Tone
from apps.badges.kept import keep, last_known
from apps.badges.measurers import measurer_facts
from apps.badges.options import BadgeMetric
from apps.badges.wording import badge_of
from apps.runs.models import Run
from tests import make
from tests.support.accounts.people import make_person, own_run

ADA = MeasurerFacts(
    name="ada", runs=12, plans=1, measured_at=datetime(2026, 11, 21, tzinfo=UTC)
)  # fmt: skip


@pytest.mark.django_db
def test_it_counts_the_runs_that_count_and_their_plans() -> None:
    person, plan = make_person(), make.plan(slug="x1")
    for of_plan in (plan, plan, None):
        Run.objects.filter(pk=own_run(person).pk).update(plan=of_plan)
    own_run(make_person())
    kept_out, example, hidden = own_run(person), own_run(person), own_run(person)
    Run.objects.filter(pk=kept_out.pk).update(is_kept_out=True)
    Run.objects.filter(pk=example.pk).update(is_example=True)
    Run.objects.filter(pk=hidden.pk).update(is_listed=False)
    choose_name(person, "ada")
    facts = measurer_facts(slug="ada")
    assert isinstance(facts, MeasurerFacts)
    assert (facts.name, facts.runs, facts.plans) == ("ada", 3, 1)


@pytest.mark.django_db
@pytest.mark.parametrize("slug", ["nobody", "given-up", "gone", "1", "a\0b"])
def test_who_is_not_named_is_an_unknown_address(client: Client, slug: str) -> None:
    person, gone = make_person(), make_person()
    choose_name(person, "given-up")
    choose_name(person, "")
    choose_name(gone, "gone")
    gone.is_active = False
    gone.save()
    assert isinstance(measurer_facts(slug=slug), MissingFigure)
    answer = client.get(f"/badge/by/{slug}.json")
    assert (answer.status_code, answer.json()["isError"]) == (200, True)


def test_it_says_who_how_much_and_when() -> None:
    badge = badge_of(ADA, metric=BadgeMetric.TIER, today=date(2026, 11, 24))
    assert (badge.name, badge.figure, badge.remark) == (
        "measured by", "ada:", "12 runs · 1 plan · Nov 2026",
    )  # fmt: skip
    assert badge.sentence == (
        "Fsyncmark, measured by ada: 12 runs, 1 plan, the newest run of November 2026."
    )
    assert (badge.tone, badge.bars) == (Tone.UNRANKED, None)


def test_it_is_grey_when_all_is_old_or_nothing_is_there() -> None:
    assert badge_of(ADA, metric=BadgeMetric.FSYNC, today=date(2027, 11, 24)).is_grey
    nothing = MeasurerFacts(name="ada", runs=0, plans=0, measured_at=None)
    badge = badge_of(nothing, metric=BadgeMetric.FSYNC, today=date(2026, 11, 24))
    assert (badge.remark, badge.is_grey) == ("0 runs · 0 plans", True)


def test_what_was_read_is_known_while_the_database_is_away() -> None:
    keep("by", "ada", ADA)
    assert last_known("by", "ada") == ADA


@pytest.mark.django_db
def test_the_endpoint_of_shields_says_the_same(client: Client) -> None:
    choose_name(make_person(), "ada")
    document = json.loads(client.get("/badge/by/ada.json?style=flat&label=thanks").content)
    assert document["label"] == "thanks"
    assert document["message"] == "ada: 0 runs · 0 plans"
