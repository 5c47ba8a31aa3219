"""What a reader can choose on the list of runs, and what is chosen, to be undone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from apps.pages.show.table.choices import Option, Pick, Token
from apps.runs.models import EXAMPLE, Level

if TYPE_CHECKING:
    from apps.pages.boards.runs_query import RunListQuery
    from apps.pages.boards.selectors.runs import RunList
    from apps.words.catalogue import ValueWords

LEVELS: Final[ValueWords] = {
    Level.PUBLISHED.value: gettext_lazy("published"),
    Level.IMPORTED.value: gettext_lazy("imported"),
    Level.SIGNED.value: gettext_lazy("signed"),
    Level.WITNESSED.value: gettext_lazy("witnessed"),
    EXAMPLE: gettext_lazy("made-up example"),  # in no list that does not ask for it
}


def run_picks(query: RunListQuery, run_list: RunList) -> tuple[Pick, ...]:
    """The filters of the list: values that some run has."""
    levels = {*run_list.levels, query.level}
    return (
        Pick(
            "level",
            _("Level"),
            tuple(Option(*each) for each in LEVELS.items() if each[0] in levels),
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
