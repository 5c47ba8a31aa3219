"""Decisions about reports: answer one, and show the reply of a provider."""

from __future__ import annotations

from typing import TYPE_CHECKING
from uuid import UUID

from django.db.models.functions import Now
from django.utils.translation import gettext as _

from apps.moderation.models import TEXT_CHARACTERS_MAX, Report, Subject
from apps.moderation.services.acts.act import DecisionError, Done
from apps.moderation.text import plain_text

if TYPE_CHECKING:
    from apps.moderation.models import Decision
    from apps.moderation.services.acts.act import Order


def answer(order: Order) -> Done:
    """Answer a report; without an answer of its own the reason is the answer."""
    return _answer(order, is_shown=False)


def show(order: Order) -> Done:
    """Show the reply of a provider on the page that it is about, once it is known who sent it."""
    report = _report(order.given.get("report", ""))
    if report.kind != Report.Kind.REPLY:
        raise DecisionError(_("Only a provider's reply is shown."))
    return _answer(order, is_shown=True)


def undo_answer(decision: Decision) -> None:
    """Open the report again. A mail that has gone out stays where it is."""
    Report.objects.filter(pk=decision.details["report"]).update(
        state=Report.State.OPEN, answer="", answered_at=None, is_shown=False
    )


def _answer(order: Order, *, is_shown: bool) -> Done:
    report = _report(order.given.get("report", ""))
    if report.state == Report.State.ANSWERED:
        raise DecisionError(_("It is answered already."))
    said = plain_text(order.given.get("answer", ""))[:TEXT_CHARACTERS_MAX] or order.reason
    Report.objects.filter(pk=report.pk).update(
        state=Report.State.ANSWERED, answer=said, answered_at=Now(), is_shown=is_shown
    )
    return Done(Subject(report.subject), report.subject_id, {"report": str(report.pk)})


def _report(text: str) -> Report:
    try:
        report = Report.objects.filter(pk=UUID(text)).first()
    except ValueError:
        report = None
    if report is None:
        raise DecisionError(_("There is no such report any more."))
    return report
