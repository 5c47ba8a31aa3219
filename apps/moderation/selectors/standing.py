"""Which decisions stand: those that nobody has taken back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from django.contrib.postgres.expressions import ArraySubquery
from django.db.models import (
    CharField,
    Count,
    Exists,
    F,
    Func,
    JSONField,
    OuterRef,
    Q,
    Subquery,
    Value,
)
from django.db.models.functions import Cast, Coalesce, JSONObject

from apps.moderation.models import Decision, Report, Subject
from apps.plans.models import Plan
from apps.runs.models import Run

if TYPE_CHECKING:
    from django.db.models import QuerySet

STANDING: Final = Q(undone_by__isnull=True) & ~Q(action=Decision.Action.UNDO)
# An answer is to who asked, and a release is about one rule alone.
SETTLING_NOTHING: Final = (
    Decision.Action.ANSWER, Decision.Action.SHOW, Decision.Action.RELEASE,
)  # fmt: skip
# By which column runs, and plans, are of it.
OWNED_BY: Final = {Subject.PLAN: "plan", Subject.PROVIDER: "provider"}
REPLIES_SHOWN_MAX: Final = 3  # of a provider, newest first: more belong on its own site


def standing_about(subject: Subject, subject_id: str) -> QuerySet[Decision]:
    """Return the decisions about one thing that stand, newest first."""
    return Decision.objects.filter(STANDING, subject=subject, subject_id=subject_id)


def is_decided(subject: Subject, column: str) -> Exists:
    """Whether a decision stands that settles the thing whose id this column of the row is."""
    own = Cast(OuterRef(column), CharField())
    standing = Decision.objects.filter(STANDING, subject=subject, subject_id=own)
    return Exists(standing.exclude(action__in=SETTLING_NOTHING))


def is_label_decided() -> Exists:
    """Whether a decision stands that was made in sight of this rule: for rows of labels.

    A label that came later has been before nobody.
    """
    rule = Func(OuterRef("rule"), function="to_jsonb", output_field=JSONField())
    return Exists(
        Decision.objects.filter(
            STANDING,
            subject=Subject.RUN,
            subject_id=OuterRef("run__slug"),
            details__rules__contains=rule,
        )
    )


def moderated(subject: Subject, column: str = "slug") -> dict[str, Coalesce | ArraySubquery]:
    """Return the columns by which the page of a row shows what was decided and replied about it."""
    return {
        "n_decisions": decisions_about(subject, column),
        "replies": replies_about(subject, column),
    }


def decisions_about(subject: Subject, column: str) -> Coalesce:
    """Count the decisions about a row, taken back or not: rides on the query of its page."""
    own = Cast(OuterRef(column), CharField())
    found = Decision.objects.filter(concerning(subject, own, OuterRef(OuterRef(column))))
    count = found.order_by().annotate(all=Value(1)).values("all").annotate(n=Count("pk"))
    return Coalesce(Subquery(count.values("n")), Value(0))


def concerning(subject: Subject, subject_id: Any, owner: Any) -> Q:
    """Decisions about a thing; of a plan those about its runs too, of a provider its plans' also.

    `owner` is the same id as a query within sees it.
    """
    own = Q(subject=subject, subject_id=subject_id)
    column = OWNED_BY.get(subject)
    if column is None:
        return own
    same = {"slug": OuterRef("subject_id"), column: owner}
    found = own | Q(Exists(Run.objects.filter(**same)), subject=Subject.RUN)
    if subject is Subject.PROVIDER:
        found |= Q(Exists(Plan.objects.filter(**same)), subject=Subject.PLAN)
    return found


def replies_about(subject: Subject, column: str) -> ArraySubquery:
    """The shown replies of a provider about a row: rides on the query of its page."""
    shown = Report.objects.filter(
        subject=subject, subject_id=Cast(OuterRef(column), CharField()), is_shown=True
    )
    newest = shown.order_by("-answered_at")[:REPLIES_SHOWN_MAX]
    return ArraySubquery(newest.values(reply=JSONObject(text="text", at=F("created_at"))))
