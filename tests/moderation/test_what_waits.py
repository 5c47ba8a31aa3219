"""What waits for a moderator leaves by a decision about it, and comes back with what is new."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from apps.moderation.models import Decision, Report, Subject
from apps.moderation.selectors.queue import QueueKind, counts
from apps.moderation.selectors.reports import find_report
from apps.moderation.services.acts.act import Order
from apps.moderation.services.decisions import decide
from apps.runs.imported.services import record_import
from apps.runs.models import Outcome, Run
from tests import make
from tests.support.accounts.staff import REASON, make_report

if TYPE_CHECKING:
    from django.contrib.auth.models import User

pytestmark = pytest.mark.django_db
A = Decision.Action


def uploaded(**changes: object) -> Run:
    upload = make.upload(state="done")
    return make.run(id=upload.pk, slug=str(upload.pk), upload=upload, **changes)


def quarantined(*rules: str) -> Run:
    run = uploaded(outcome=Outcome.QUARANTINE, in_standings=False)
    for rule in rules:
        quarantine(run, rule)
    return run


def quarantine(run: Run, rule: str) -> None:
    make.label(run=run, rule=rule, outcome=Outcome.QUARANTINE, keeps_out="run")


def disputed() -> Run:
    run = uploaded(outcome=Outcome.LABEL)
    make.label(run=run, rule="placement-conflict", figures=None)
    return run


def waiting_run(kind: QueueKind) -> Run:
    if kind == QueueKind.QUARANTINED:
        return quarantined("near-copy")
    if kind == QueueKind.DISPUTED:
        return disputed()
    return record_import(make.output(claimed_plan="Nobody's Box"))


def decided(by: User, action: str, subject: Subject, subject_id: str, **given: str) -> None:
    decide([Order(action, subject, subject_id, REASON, by, given)])


def waits() -> set[QueueKind]:
    return {kind for kind, count in counts().items() if count}


@pytest.mark.parametrize("kind", [QueueKind.QUARANTINED, QueueKind.DISPUTED, QueueKind.OUTPUT])
def test_the_answer_to_a_report_leaves_its_run_in_the_queue(
    moderator: User, kind: QueueKind
) -> None:
    run = waiting_run(kind)
    report = find_report(make_report(subject_id=run.slug))
    assert report
    decided(moderator, A.ANSWER, Subject.RUN, run.slug, report=str(report.pk))
    assert waits() == {kind}


@pytest.mark.parametrize("action", [A.ANSWER, A.SHOW])
def test_the_answer_to_a_report_leaves_its_plan_in_the_queue(moderator: User, action: str) -> None:
    plan = make.plan(is_listed=False, is_seen=False)
    make.run(plan=plan)
    report = find_report(make_report(Subject.PLAN, plan.slug, kind=Report.Kind.REPLY.value))
    assert report
    decided(moderator, action, Subject.PLAN, plan.slug, report=str(report.pk))
    assert waits() == {QueueKind.PLAN}
    decided(moderator, A.KEEP, Subject.PLAN, plan.slug)
    assert waits() == set()


def test_a_run_that_was_kept_comes_back_with_a_new_label(moderator: User) -> None:
    run = quarantined("near-copy", "steal")
    decided(moderator, A.KEEP, Subject.RUN, run.slug)
    assert waits() == set()
    quarantine(run, "clock-jump")
    assert waits() == {QueueKind.QUARANTINED}
    decided(moderator, A.KEEP, Subject.RUN, run.slug)
    assert waits() == set()


def test_a_released_rule_speaks_for_no_other(moderator: User) -> None:
    run = quarantined("near-copy")
    decided(moderator, A.RELEASE, Subject.RUN, run.slug, rule="near-copy")
    assert waits() == set()
    quarantine(run, "clock-jump")
    assert waits() == {QueueKind.QUARANTINED}


def test_a_run_that_was_excluded_and_restored_comes_back_with_a_new_label(moderator: User) -> None:
    run = quarantined("near-copy")
    decided(moderator, A.EXCLUDE, Subject.RUN, run.slug)
    assert waits() == set()
    decided(moderator, A.RESTORE, Subject.RUN, run.slug)
    Run.objects.filter(pk=run.pk).update(is_listed=True)
    assert waits() == set()
    quarantine(run, "clock-jump")
    assert waits() == {QueueKind.QUARANTINED}
