"""What is kept for a while goes when its time is over, and not before."""

from __future__ import annotations

import threading
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
from allauth.usersessions.models import UserSession
from django.contrib.sessions.models import Session
from django.utils import timezone

from apps.accounts.models import Attempt, ClaimLink
from apps.intake.management.commands.drain import Rounds, sweep
from apps.intake.models import Challenge, OutputReading
from apps.intake.services.forgetting import (
    CHALLENGES_KEPT,
    REPORT_NETWORKS_KEPT,
    forget_what_is_over,
)
from apps.moderation.models import Report, Subject
from tests import make
from tests.support.accounts.watchers import today, watcher

if TYPE_CHECKING:
    from datetime import datetime

pytestmark = pytest.mark.django_db
A_MINUTE = timedelta(minutes=1)


def ago(period: timedelta) -> datetime:
    return timezone.now() - period


def challenge(issued_at: datetime) -> Challenge:
    upload = make.upload()
    return Challenge.objects.create(
        id=f"c{issued_at.timestamp()}", key=upload.key, run_id=upload.run_id, seed=b"s" * 32,
        suite="quick", suite_version=1, network="n", issued_at=issued_at, not_after=issued_at,
    )  # fmt: skip


def test_challenges_go_after_their_time() -> None:
    old, new = (
        challenge(ago(CHALLENGES_KEPT + A_MINUTE)),
        challenge(ago(CHALLENGES_KEPT - A_MINUTE)),
    )
    forget_what_is_over(today())
    left = set(Challenge.objects.values_list("pk", flat=True))
    assert old.pk not in left
    assert new.pk in left


def test_links_attempts_and_readings_go() -> None:
    upload = make.upload()
    for name, end in (("a", ago(A_MINUTE)), ("b", ago(-A_MINUTE))):
        ClaimLink.objects.create(
            token_sha256=name, key=upload.key, run_id=make.upload().run_id, not_after=end
        )
    for at in (ago(timedelta(hours=1) + A_MINUTE), ago(A_MINUTE)):
        Attempt.objects.create(kind="code", by="user:1", at=at)
        OutputReading.objects.create(network="n", read_at=at)
    forget_what_is_over(today())
    assert [each.pk for each in ClaimLink.objects.all()] == ["b"]
    assert Attempt.objects.count() == OutputReading.objects.count() == 1


def test_a_session_goes_with_its_address_and_browser() -> None:
    user = watcher()
    for key, end in (("over", ago(A_MINUTE)), ("open", ago(-A_MINUTE))):
        Session.objects.create(session_key=key, session_data="", expire_date=end)
        UserSession.objects.create(
            user=user, session_key=key, ip="192.0.2.1", user_agent="a browser"
        )
    forget_what_is_over(today())
    assert [each.session_key for each in UserSession.objects.all()] == ["open"]


def test_a_report_forgets_its_network() -> None:
    for days in (REPORT_NETWORKS_KEPT + A_MINUTE, REPORT_NETWORKS_KEPT - A_MINUTE):
        report = Report.objects.create(
            subject=Subject.RUN, subject_id="x", text="t", network="n", status_sha256=str(days)
        )
        Report.objects.filter(pk=report.pk).update(created_at=ago(days))
    forget_what_is_over(today())
    assert sorted(Report.objects.values_list("network", flat=True)) == ["", "n"]


@pytest.mark.django_db(transaction=True)  # in a block it closes the connection
def test_the_sweeper_forgets_on_a_new_day() -> None:
    Attempt.objects.create(kind="code", by="user:1", at=ago(timedelta(hours=2)))
    sweep(threading.Event(), Rounds())
    assert not Attempt.objects.exists()
