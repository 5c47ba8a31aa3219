"""The public log: what was decided, by whom as a role, and whether it was taken back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from apps.moderation.models import Decision, Subject
from apps.moderation.selectors.standing import concerning
from apps.runs.models import Run

if TYPE_CHECKING:
    from collections.abc import Iterable
    from uuid import UUID

    from django.db.models import QuerySet

DECISIONS_A_PAGE: Final = 50
UNDOABLE_MAX: Final = 20  # of the newest, on the desk


def decisions(subject: Subject | None = None, subject_id: str = "") -> QuerySet[Decision]:
    """Return all decisions, or those that concern one thing, newest first, each with its undo."""
    found = Decision.objects.select_related("undone_by", "undoes").defer("by")
    return found.filter(concerning(subject, subject_id, subject_id)) if subject else found


def of_batch(batch: UUID) -> list[Decision]:
    """Return what was decided in one go."""
    return list(Decision.objects.filter(batch=batch).select_related("undone_by", "undoes"))


def runs_of(decisions: Iterable[Decision]) -> dict[str, Run]:
    """Return the runs that decisions are about, by their slugs, with what names them."""
    slugs = {each.subject_id for each in decisions if each.subject == Subject.RUN}
    named = Run.objects.select_related("plan", "citation", "drive_family")
    return {run.slug: run for run in named.filter(slug__in=slugs)} if slugs else {}


def newest() -> list[Decision]:
    """Return the newest decisions for the desk, taken back or not."""
    return list(decisions()[:UNDOABLE_MAX])
