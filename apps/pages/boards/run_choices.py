"""What a reader can choose on the list of runs, and what is chosen, to be undone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.translation import gettext as _

from apps.pages.show.table.choices import Option, Pick, Token
from apps.pages.show.words import level_words
from apps.runs.models import SHOWN_LEVELS

if TYPE_CHECKING:
    from apps.pages.boards.runs_query import RunListQuery
    from apps.pages.boards.selectors.runs import RunList


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
    )


def run_tokens(query: RunListQuery, picks: tuple[Pick, ...]) -> tuple[Token, ...]:
    """What is on, and the address of the list without it."""
    on = [(pick.name, pick.label, pick.words) for pick in picks if pick.is_on]
    if query.plan:
        on.append(("plan", _("Plan"), query.plan))
    if query.drive:
        on.append(("drive", _("Drive"), query.drive))
    return tuple(Token(label, words, query.without(name)) for name, label, words in on)
