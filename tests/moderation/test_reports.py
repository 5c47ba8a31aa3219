"""Reports of readers: a quota per network, answers by mail and at a private address."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.core import mail
from django.utils import timezone

from apps.moderation.models import Decision, Report, Subject
from apps.moderation.selectors.reports import find_report
from apps.moderation.services.acts.act import DecisionError, Order
from apps.moderation.services.decisions import decide, undo
from apps.moderation.services.reports import PER_DAY, PER_HOUR, TooManyReportsError, send_answers
from tests import make
from tests.support.accounts.staff import REASON, make_report, make_staff

pytestmark = pytest.mark.django_db
A = Decision.Action


def answered(report: Report, action: str = A.ANSWER, **given: str) -> Decision:
    about = (Subject(report.subject), report.subject_id, REASON, make_staff())
    (made,) = decide([Order(action, *about, {"report": str(report.pk), **given})])
    return made


def reported(subject: Subject = Subject.RUN, subject_id: str = "a-run", **changes: str) -> Report:
    found = find_report(make_report(subject, subject_id, **changes))
    assert found
    return found


def test_a_network_sends_a_few_an_hour_and_some_a_day() -> None:
    for _ in range(PER_HOUR):
        make_report()
    with pytest.raises(TooManyReportsError) as error:
        make_report()
    assert 0 < error.value.retry_after_s <= 3600
    make_report(network="5" * 32)
    while Report.objects.filter(network="4" * 32).count() < PER_DAY:
        Report.objects.update(created_at=timezone.now() - timedelta(hours=2))
        make_report()
    Report.objects.update(created_at=timezone.now() - timedelta(hours=2))
    with pytest.raises(TooManyReportsError):
        make_report()


def test_the_address_of_a_report_is_not_stored() -> None:
    token = make_report()
    assert token not in str(Report.objects.values().get())
    assert find_report(token)
    assert find_report(token + "x") is None


def test_an_answer_goes_out_once_and_the_address_is_forgotten() -> None:
    report = reported(email="reader@example.org", subject_id="a-run")
    answered(report, answer="Thank you.\nIt is out.")
    assert send_answers() == 1
    assert send_answers() == 0
    (sent,) = mail.outbox
    assert sent.to == ["reader@example.org"]
    assert "a-run" in sent.body
    assert "Thank you.\nIt is out." in sent.body
    report.refresh_from_db()
    assert report.email == ""
    assert report.state == Report.State.ANSWERED


def test_an_answer_speaks_the_language_of_the_report() -> None:
    answered(reported(email="reader@example.org", language="zh-hans"))
    send_answers()
    assert "你" in mail.outbox[0].subject


def test_without_an_own_answer_the_reason_is_it() -> None:
    report = reported()
    answered(report)
    report.refresh_from_db()
    assert report.answer == REASON


def test_a_report_is_opened_again() -> None:
    report = reported()
    made = answered(report)
    with pytest.raises(DecisionError, match="already"):
        answered(report)
    undo([made.pk], by=make_staff(), reason="Our mistake.")
    report.refresh_from_db()
    assert (report.state, report.answer) == (Report.State.OPEN, "")


def test_only_a_reply_is_shown() -> None:
    plan = make.plan()
    with pytest.raises(DecisionError):
        answered(reported(subject=Subject.PLAN, subject_id=plan.slug), A.SHOW)
    reply = reported(subject=Subject.PLAN, subject_id=plan.slug, kind=Report.Kind.REPLY)
    answered(reply, A.SHOW)
    reply.refresh_from_db()
    assert reply.is_shown
