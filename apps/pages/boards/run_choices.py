"""What a reader can choose on the list of runs, and what is chosen, to be undone."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from typing import TYPE_CHECKING

from django.utils.translation import gettext as _

from apps.pages.boards.choices import class_words
from apps.pages.boards.query import WORK_CLASSES
from apps.pages.boards.runs_query import UNDATED
from apps.pages.show import units, words
from apps.pages.show.table.choices import Option, Pick, Token
from apps.pages.show.table.rows import row_of_run
from apps.pages.show.words import level_words
from apps.runs.models import SHOWN_LEVELS

if TYPE_CHECKING:
    from apps.pages.boards.runs_query import RunListQuery
    from apps.pages.boards.selectors.runs import RunList
    from apps.pages.show.table.row import Row
    from apps.runs.models import Run


def run_picks(query: RunListQuery, run_list: RunList) -> tuple[Pick, ...]:
    """The filters of the list: values that some run has."""
    levels = {*run_list.levels, query.level}
    return (
        Pick(
            "level",
            _("Evidence"),
            tuple(Option(each, level_words(each).word) for each in SHOWN_LEVELS if each in levels),
            query.level,
            _("any"),
        ),
        Pick(
            "provider",
            _("Provider"),
            tuple(Option(slug, name) for slug, name in run_list.providers),
            query.provider,
            _("any"),
        ),
        Pick(
            "drive",
            _("Drive"),
            tuple(Option(slug, name) for slug, name in run_list.drives),
            query.drive,
            _("any"),
        ),
        Pick(
            "work",
            _("Work"),
            tuple(Option(name, class_words(name)) for name in WORK_CLASSES),
            query.work,
            _("any"),
        ),
    )


def run_tokens(query: RunListQuery, picks: tuple[Pick, ...]) -> tuple[Token, ...]:
    """What is on, and the address of the list without it."""
    on = [(pick.name, pick.label, pick.words) for pick in picks if pick.is_on]
    if query.plan:
        on.append(("plan", _("Plan"), query.plan))
    if query.day:
        day = _("not stated") if query.day == UNDATED else units.day(date.fromisoformat(query.day))
        on.append(("day", _("Measured"), day))
    return tuple(Token(label, words, query.without(name)) for name, label, words in on)


def row_in_list(query: RunListQuery, run: Run) -> Row:
    """A run as a row; of several that are alike with how many, and the way to them all."""
    row = row_of_run(run)
    n_alike = getattr(run, "n_alike", 1)
    if n_alike == 1:
        return row
    many = replace(row.evidence, n=words.count(n_alike, "run"), n_url=query.alike(run))
    return replace(row, evidence=many)
