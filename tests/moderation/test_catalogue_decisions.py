"""What is decided about the catalogue: names of drives and outputs, plans, prices."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from django.contrib.auth.models import User

from apps.drives.models import DriveName
from apps.intake.services.work import drain
from apps.moderation.models import Decision, Subject
from apps.moderation.selectors.queue import QueueKind, waiting
from apps.moderation.services.acts.act import DecisionError
from apps.moderation.services.decisions import decide
from apps.plans.held import UNSEEN_NAME
from apps.plans.models import Plan, PlanRuling
from apps.rankings.cost import pick_price
from apps.rankings.models import CellMark
from apps.runs.imported.services import record_import
from apps.runs.models import Run
from tests import make
from tests.moderation.test_decisions import order, taken_back
from tests.rankings.management.again import make_all_again

if TYPE_CHECKING:
    from pytest_django import DjangoCaptureOnCommitCallbacks

pytestmark = pytest.mark.django_db
A = Decision.Action


def test_a_name_of_a_drive_gets_its_family(
    moderator: User, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    family = make.drive_family(name="Acme Fast", slug="acme-fast")
    run_id = make.uuid7()
    devices = [make.device(vendor="", model="ACME FAST 960")]
    make.upload(make.payload(run_id=run_id, devices=devices))
    drain()
    name = DriveName.objects.get(model="ACME FAST 960")
    given = {"what": "map-name", "family": family.slug, "pattern": "^ACME FAST"}
    with django_capture_on_commit_callbacks(execute=True):
        (made,) = decide([order(moderator, A.CORRECT, Subject.NAME, name.key, **given)])
    drain()
    assert Run.objects.get(pk=run_id).drive_family == family
    with django_capture_on_commit_callbacks(execute=True):
        taken_back(made, moderator)
    drain()
    assert Run.objects.get(pk=run_id).drive_family is None


def test_a_pattern_of_everything_is_refused(moderator: User) -> None:
    family = make.drive_family()
    name = DriveName.objects.create(key="k", vendor="", model="ACME")
    given = {"what": "map-name", "family": family.slug, "pattern": "^.*"}
    with pytest.raises(DecisionError, match="every name"):
        decide([order(moderator, A.CORRECT, Subject.NAME, name.key, **given)])


def unlisted(provider: str = "Nobody", plan: str = "Box 1") -> Run:
    run_id = make.uuid7()
    claim = {"provider": provider, "plan": plan, "region": None}
    make.upload(make.payload(run_id=run_id, claim=claim))
    drain()
    return Run.objects.get(pk=run_id)


def test_an_unlisted_plan_keeps_its_better_name_through_a_rebuild(moderator: User) -> None:
    run = unlisted()
    assert run.plan
    assert not run.plan.is_seen
    given = {"what": "accept-plan", "name": "Nobody Box One"}
    (made,) = decide([order(moderator, A.CORRECT, Subject.PLAN, run.plan.slug, **given)])
    make_all_again()
    plan = Plan.objects.get(slug=run.plan.slug)
    assert (plan.name, plan.is_seen) == ("Nobody Box One", True)
    drain()
    run.refresh_from_db()
    assert (run.claimed_provider, run.claimed_plan) == ("Nobody", "Box 1")
    taken_back(made, moderator)
    plan.refresh_from_db()
    assert plan.name.startswith("an unlisted plan")
    assert not plan.is_seen
    drain()
    run.refresh_from_db()
    assert (run.claimed_provider, run.claimed_plan) == (UNSEEN_NAME, UNSEEN_NAME)
    assert not PlanRuling.objects.exists()


def test_names_of_an_output_wait_and_are_shown_and_held_again(moderator: User) -> None:
    run = record_import(make.output(claimed_plan="Nobody's Box"))
    (item,) = waiting(QueueKind.OUTPUT, span=slice(10))
    assert (item.key, run.claimed_plan) == (run.slug, UNSEEN_NAME)
    given = {"what": "show-names"}
    (made,) = decide([order(moderator, A.CORRECT, Subject.RUN, run.slug, **given)])
    assert Run.objects.get(pk=run.pk).claimed_plan == "Nobody's Box"
    assert waiting(QueueKind.OUTPUT, span=slice(10)) == []
    taken_back(made, moderator)
    assert Run.objects.get(pk=run.pk).claimed_plan == UNSEEN_NAME


def test_an_unlisted_plan_counts_as_a_listed_one(moderator: User) -> None:
    run, listed = unlisted(), make.plan(slug="nobody-box-2", name="Box 2")
    assert run.plan
    given = {"what": "merge-plan", "into": listed.slug}
    (made,) = decide([order(moderator, A.CORRECT, Subject.PLAN, run.plan.slug, **given)])
    drain()
    assert Run.objects.get(pk=run.pk).plan == listed
    make_all_again()
    assert Run.objects.get(pk=run.pk).plan == listed
    taken_back(made, moderator)
    drain()
    assert Run.objects.get(pk=run.pk).plan_id == run.plan.slug


def test_a_plan_that_was_shown_before_a_decision_is_shown_after_its_undo(moderator: User) -> None:
    plan, listed = make.plan(is_listed=False, is_seen=True), make.plan()
    given = {"what": "merge-plan", "into": listed.slug}
    (made,) = decide([order(moderator, A.CORRECT, Subject.PLAN, plan.slug, **given)])
    taken_back(made, moderator)
    plan.refresh_from_db()
    assert plan.is_seen


def test_no_cost_rests_on_a_price_in_dispute(moderator: User) -> None:
    price = make.price()
    standing = make.standing(plan=price.plan)
    given = {"what": "dispute-price", "price": str(price.pk)}
    (made,) = decide([order(moderator, A.CORRECT, Subject.PLAN, price.plan_id, **given)])
    price.refresh_from_db()
    assert pick_price([price]) is None
    assert CellMark.objects.filter(slug=standing.plan_id).exists()
    taken_back(made, moderator)
    price.refresh_from_db()
    assert pick_price([price]) == price
