"""What readers report: stored within a quota, answered by mail and at a private address."""

from __future__ import annotations

import smtplib
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Final

import structlog
from django.core.mail import EmailMessage
from django.db import transaction
from django.utils import timezone, translation
from django.utils.translation import gettext as _

from apps.accounts.models import new_token, token_sha256
from apps.moderation.models import TEXT_CHARACTERS_MAX, BinnedRun, Report
from apps.moderation.text import plain_text

if TYPE_CHECKING:
    from django.db.models import QuerySet

    from apps.moderation.models import Subject

PER_HOUR: Final = 5  # reports of a network: who finds more writes them into one
PER_DAY: Final = 20  # of an office behind one address
BIN_LIFE: Final = timedelta(days=7)  # a decision is thought over within a week
MAILS_AT_ONCE: Final = 20  # a look of the sweeper waits for a mail server for so long

log = structlog.get_logger(__name__)


class TooManyReportsError(Exception):
    """A network has used its share; `retry_after_s` says for how long."""

    def __init__(self, retry_after_s: int) -> None:
        super().__init__(f"too many reports, for {retry_after_s} s")
        self.retry_after_s = retry_after_s


@dataclass(frozen=True, slots=True)
class NewReport:
    """What a reader wrote, checked by a form."""

    kind: str
    subject: Subject
    subject_id: str
    text: str
    email: str
    language: str
    network: str  # keyed hash


@transaction.atomic
def store_report(new: NewReport) -> str:
    """Store a report and return the token of its private address.

    Raises TooManyReportsError at the limit of the network.
    """
    _check_quota(new.network)
    token = new_token()
    Report.objects.create(
        kind=new.kind,
        subject=new.subject,
        subject_id=new.subject_id,
        text=plain_text(new.text)[:TEXT_CHARACTERS_MAX],
        email=new.email,
        language=new.language,
        network=new.network,
        status_sha256=token_sha256(token),
    )
    return token


def send_answers() -> int:
    """Mail the answers that are due and forget each address; return how many went out.

    A mail server that is away is tried again at the next look. A crash between a mail and its
    COMMIT sends the mail twice.
    """
    sent = 0
    due = _answered().exclude(email="")
    for pk in list(due.order_by("answered_at").values_list("pk", flat=True)[:MAILS_AT_ONCE]):
        with transaction.atomic():
            report = due.select_for_update(skip_locked=True).filter(pk=pk).first()
            if report is None:
                continue
            try:
                _mail_of(report).send()
            except (OSError, smtplib.SMTPException) as error:
                log.warning("answer not sent", report=str(pk), error=f"{type(error).__name__}")
                return sent
            Report.objects.filter(pk=pk).update(email="")
            sent += 1
    return sent


def _answered() -> QuerySet[Report]:
    """Return the reports that a moderator has answered: nobody else gets a mail."""
    return Report.objects.filter(state=Report.State.ANSWERED)


def empty_bin() -> int:
    """Forget the bytes of runs that were deleted too long ago; return how many."""
    return BinnedRun.objects.filter(binned_at__lt=timezone.now() - BIN_LIFE).delete()[0]


def _mail_of(report: Report) -> EmailMessage:
    """Return the answer as a mail. Nothing that anybody wrote stands in its head."""
    with translation.override(report.language):
        subject = _("Fsyncmark: the answer to your report")
        about = _("You wrote to us about %(what)s.") % {"what": report.subject_id}
    return EmailMessage(subject, f"{about}\n\n{report.answer}\n", to=[report.email])


def _check_quota(network: str) -> None:
    now = timezone.now()
    for most, period in ((PER_HOUR, timedelta(hours=1)), (PER_DAY, timedelta(days=1))):
        recent = Report.objects.filter(network=network, created_at__gt=now - period)
        times = list(recent.order_by("-created_at").values_list("created_at", flat=True)[:most])
        if len(times) >= most:
            wait = times[-1] + period - now
            raise TooManyReportsError(max(1, int(wait.total_seconds()) + 1))
