"""Decisions of moderators as lines: for the public log, and for the desk that takes them back."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from django.urls import NoReverseMatch, reverse
from django.utils.translation import gettext as _

from apps.moderation.models import Decision, Subject
from apps.moderation.reasons import lines_in_words
from apps.moderation.roles import MODERATOR
from apps.moderation.selectors.log import runs_of
from apps.pages.show import units
from apps.pages.show.dates import plain
from apps.pages.show.phrases import WordTable, join_facts, join_sentences
from apps.pages.show.table.rows import run_name
from apps.words import decisions as words

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from apps.runs.models import Run

ID_ENDS: Final = 6  # characters that people compare at each end
RUN_ID: Final = re.compile(r"[0-9a-f]{8}-[0-9a-f-]{27}")
# What these did is said without what they did it to.
OF_ANYTHING: Final = (Decision.Action.KEEP, Decision.Action.ANSWER, Decision.Action.SHOW)
# Corrections by which the catalogue got no name.
OF_NAMES_HELD: Final = ("set-aside", "show-names")

_ROLES: Final = WordTable(words.ROLES)
DONE: Final = WordTable(words.DONE)
SUBJECTS: Final = WordTable(words.SUBJECTS)
PAGES: Final = {
    Subject.RUN: "pages:run",
    Subject.PLAN: "pages:plan",
    Subject.DRIVE: "pages:drive",
    Subject.PROVIDER: "pages:provider",
}


@dataclass(frozen=True, slots=True)
class DecisionLine:
    """One decision in words."""

    pk: int
    at: datetime
    day: str
    who: str
    did: str
    kind: str  # of what it is about, where the act does not say it
    about: str
    url: str  # empty where there is no page
    to: str  # what the correction led to
    reason: str
    undone_on: str  # empty: it stands
    is_undoable: bool


def lines_of(decisions: Iterable[Decision]) -> list[DecisionLine]:
    """Each decision as a line: a query for the names of runs."""
    found = list(decisions)
    runs = runs_of(found)
    return [line_of(each, runs.get(each.subject_id)) for each in found]


def line_of(decision: Decision, run: Run | None = None) -> DecisionLine:
    """One decision as a line, and the run that it is about, if there is one."""
    undone_by = getattr(decision, "undone_by", None)
    is_undo = decision.action == Decision.Action.UNDO
    return DecisionLine(
        pk=decision.pk,
        at=decision.at,
        day=units.day(decision.at),
        who=_ROLES[decision.role if decision.role in _ROLES else MODERATOR],
        did=_did(decision),
        kind=SUBJECTS[decision.subject] if _act_of(decision) in OF_ANYTHING else "",
        about=subject_name(decision, run),
        url=url_of(decision.subject, decision.subject_id),
        to=str(_shown_details(decision).get("to", "")),
        reason=reason_words(decision.reason),
        undone_on=units.day(undone_by.at) if undone_by else "",
        is_undoable=not is_undo and undone_by is None,
    )


def subject_name(decision: Decision, run: Run | None) -> str:
    """What a decision is about, as people call it."""
    subject_id = decision.subject_id
    if decision.subject == Subject.NAME:
        return str(_shown_details(decision).get("name", subject_id))
    is_number = decision.subject == Subject.KEY or RUN_ID.fullmatch(subject_id)
    # Ids of runs begin with their time: those of a minute differ at their ends.
    short = f"{subject_id[:ID_ENDS]}·{subject_id[-ID_ENDS:]}" if is_number else subject_id
    if run is None or decision.subject != Subject.RUN:
        return short
    return join_facts((run_name(run), plain(run.measured_at, run.slug), short))


def _shown_details(decision: Decision) -> dict[str, Any]:
    """Return what the log may tell of what a decision keeps.

    A name stands there because somebody let it be shown, and as long as that holds.
    """
    is_undone = getattr(decision, "undone_by", None) is not None
    is_held = decision.details.get("what") in OF_NAMES_HELD
    return {} if is_undone or is_held else decision.details


def url_of(subject: str, subject_id: str) -> str:
    """The page of what a decision or a report is about; empty where it has none."""
    page = PAGES.get(Subject(subject))
    try:
        return reverse(page, args=[subject_id]) if page else ""
    except NoReverseMatch:
        return ""


def _act_of(decision: Decision) -> str:
    """What was done, or taken back."""
    return decision.undoes.action if decision.undoes else decision.action


def _did(decision: Decision) -> str:
    if decision.action == Decision.Action.UNDO and decision.undoes is not None:
        return _("took back: %(what)s") % {"what": _did(decision.undoes)}
    return DONE[decision.details.get("what", decision.action)]


def reason_words(reason: str) -> str:
    """A stored reason in the language of the page."""
    return join_sentences(lines_in_words(reason))
