"""Forgets once a day what docs/privacy.md says is kept for a while only."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Final

from allauth.usersessions.models import UserSession
from django.contrib.sessions.models import Session

from apps.accounts.attempts import KEPT as ATTEMPTS_KEPT
from apps.accounts.clock import database_now
from apps.accounts.credit.names import forget_names
from apps.accounts.credit.tickets import forget_tickets
from apps.accounts.linking.logins import LOGINS_KEPT
from apps.accounts.models import Attempt, ClaimLink, EmailChange, KeyLogin
from apps.intake.models import Challenge, OutputReading
from apps.intake.services.rate_limits import RATE_LIMIT_PERIOD
from apps.interest.services import forget_old_days
from apps.moderation.models import Report

if TYPE_CHECKING:
    from datetime import date

# Those of a month are counted with a run, and none can be redeemed after a day.
CHALLENGES_KEPT: Final = timedelta(days=60)
ADDRESS_CHANGES_KEPT: Final = timedelta(days=30)  # who asked has forgotten it by then
REPORT_NETWORKS_KEPT: Final = timedelta(days=30)  # the longest quota of reports is a day


def forget_what_is_over(today: date) -> None:
    """Delete what nobody needs any more; called again it does nothing."""
    now = database_now()
    forget_old_days(today)
    Attempt.objects.filter(at__lte=now - ATTEMPTS_KEPT).delete()
    OutputReading.objects.filter(read_at__lte=now - RATE_LIMIT_PERIOD).delete()
    KeyLogin.objects.filter(not_after__lt=now - LOGINS_KEPT).delete()
    ClaimLink.objects.filter(not_after__lt=now).delete()
    Challenge.objects.filter(issued_at__lt=now - CHALLENGES_KEPT).delete()
    forget_names()
    forget_tickets()
    EmailChange.objects.filter(asked_at__lt=now - ADDRESS_CHANGES_KEPT).delete()
    Session.objects.filter(expire_date__lt=now).delete()
    living = Session.objects.values("session_key")
    UserSession.objects.exclude(session_key__in=living).delete()
    Report.objects.filter(created_at__lt=now - REPORT_NETWORKS_KEPT).update(network="")
