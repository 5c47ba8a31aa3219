"""What moderators decide about runs of articles: it holds through each load of the catalogue."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from django.core.management import call_command

from apps.intake.services.work import drain
from apps.moderation.models import Decision, Subject
from apps.moderation.services.acts.act import Order
from apps.moderation.services.decisions import decide, undo
from apps.rankings.models import StandingRun
from apps.runs.models import Label, Measurement, Run, RunRuling
from apps.runs.published.services import load_published, read_published, run_id_of
from tests.support.accounts.staff import REASON, at_desk, make_report, make_staff
from tests.support.catalogue import store_catalogue

if TYPE_CHECKING:
    from django.contrib.auth.models import User

pytestmark = pytest.mark.django_db
A = Decision.Action
SLUG = "webp-ax41-nvme-fio-fsync-8k"
PK = run_id_of(SLUG)


@pytest.fixture(autouse=True)
def catalogue(db: None) -> None:
    store_catalogue()


@pytest.fixture
def moderator() -> User:
    return make_staff()


def found() -> Run:
    return Run.objects.get(pk=PK)


def counts() -> bool:
    """Whether it counts in a standing, once what was marked is computed."""
    drain()
    return StandingRun.objects.filter(run_id=PK).exists()


def is_excluded() -> bool:
    run = found()
    labelled = Label.objects.filter(run=run, rule="excluded").exists()
    assert labelled == run.is_kept_out == (not run.is_listed)
    return labelled


def test_a_published_run_is_excluded_at_the_desk_and_taken_back(moderator: User) -> None:
    make_report(subject_id=SLUG)
    client = at_desk(moderator)
    form = {"action": A.EXCLUDE, "reason": REASON, "kind": "reported"}
    page = client.get("/desk/?kind=reported").content.decode()
    token = page.partition('value="reported:')[2].partition('"')[0]
    figures = Measurement.objects.filter(run=PK).values_list("rate_per_s", flat=True)
    before = list(figures)
    client.post("/desk/act/", {**form, "item": f"reported:{token}"})
    assert is_excluded()
    assert not counts()
    assert list(figures) == before
    undo(list(Decision.objects.values_list("pk", flat=True)), by=moderator, reason="")
    assert not is_excluded()
    assert not RunRuling.objects.exists()
    assert counts()


def test_an_exclusion_outlives_the_catalogue_and_a_rebuild(moderator: User) -> None:
    (made,) = decide([Order(A.EXCLUDE, Subject.RUN, SLUG, REASON, moderator)])
    load_published(read_published())
    assert is_excluded()
    call_command("rebuild")
    assert is_excluded()
    assert not counts()
    undo([made.pk], by=moderator, reason="")
    assert not is_excluded()


def test_a_rule_is_set_aside_for_a_published_run(moderator: User) -> None:
    label = Label.objects.filter(run__level="published", run__is_kept_out=True).first()
    assert label
    about = (Subject.RUN, label.run.slug, REASON, moderator, {"rule": label.rule})
    decide([Order(A.RELEASE, *about)])
    assert Label.objects.get(run=label.run_id, rule=label.rule).is_released
    load_published(read_published())
    assert Label.objects.get(run=label.run_id, rule=label.rule).is_released
