"""What a board answers before its rows: who is fastest, or whose commits cost least."""

from __future__ import annotations

from itertools import accumulate
from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext as _

from apps.pages.boards.cheapest import cheapest_of
from apps.pages.show import phrases, units
from apps.pages.show.answer import WORDS_MAX, Answer
from apps.pages.show.dates import figure_day
from apps.pages.show.figures import rate
from apps.pages.show.table.columns import Sort
from apps.pages.show.table.rows import key_of
from apps.rankings.models import ProviderStanding, Standing
from apps.rankings.standings.confidence import sureness_of
from apps.stats.standings.confidence import Confidence
from apps.words import confidence

if TYPE_CHECKING:
    from apps.pages.boards.cheapest import CheapestAnswer
    from apps.pages.boards.query import BoardQuery
    from apps.pages.boards.selectors.boards import BoardRows
    from apps.pages.show.table.groups import Group
    from apps.pages.show.table.row import Row

LIKELY_AT_LEAST: Final = (Confidence.FIRM, Confidence.LIKELY)
TITLE_WORDS: Final = 6  # of the sentence that names plans, without their names


def board_answer(
    kind: str, board: BoardRows, groups: tuple[Group, ...], query: BoardQuery
) -> Answer | None:
    """The answer of a board by rate or by cost on its first page, or None."""
    if not groups or board.pages.number > 1:
        return None
    if query.sort == Sort.RATE:
        return _fastest(board, groups[0], query)
    cheapest = cheapest_of(kind, groups, query, board.pages)
    return _cheapest(cheapest, board) if cheapest else None


def _fastest(board: BoardRows, group: Group, query: BoardQuery) -> Answer:
    """The fastest row of the first group that is likely at least; the first where none is.

    Where a faster row stands above it, how sure that one is and why stands behind.
    """
    standings = [
        each.best if isinstance(each, ProviderStanding) else each for each in board.standings
    ]
    rows = list(zip(standings, group.rows, strict=False))  # the first group has the first rows
    likely = (pair for pair in rows if sureness_of(pair[0]).confidence in LIKELY_AT_LEAST)
    standing, row = next(likely, rows[0])
    is_first = row is group.rows[0]
    sure = confidence.line_of(standing)
    return Answer(
        sentence=phrases.with_name(
            _fastest_is(query, is_first=is_first),
            phrases.join_facts((row.name, row.on_name or row.region)),
        ),
        sure=sure if is_first else phrases.join_clauses((sure, _less_sure(*rows[0]))),
        figure=rate(row.figures.rate_per_s),
        unit=_("durable commits/s") if row.figures.is_commit else _("a second"),
    )


def _fastest_is(query: BoardQuery, *, is_first: bool) -> str:
    if not is_first:
        return _("Likely fastest")
    return _("Fastest that keeps its data") if query.keeps_data else _("Fastest")


def _less_sure(standing: Standing, row: Row) -> str:
    """How sure a row is that stands above the answer, and its day, which an article may lack."""
    day = "" if row.facts is None else figure_day(row.facts.measured_on, row.facts.newest_run)
    word = confidence.word(sureness_of(standing)).lower()
    return phrases.with_name(phrases.join_facts((row.name, day)), word)


def _cheapest(cheapest: CheapestAnswer, board: BoardRows) -> Answer:
    row = cheapest.row
    by_key = {key_of(each): each for each in board.standings if isinstance(each, Standing)}
    standing = by_key.get(row.key)
    return Answer(
        sentence=_cheapest_sentence([each.name for each in cheapest.level]),
        sure=confidence.line_of(standing),
        figure=units.money(row.cost.billion or 0, row.cost.currency),
        unit=_("a billion commits"),
    )


def _cheapest_sentence(level: list[str]) -> str:
    """Name the plans whose costs are level, as many as the sentence has room for."""
    words = accumulate(len(name.split()) for name in level)
    named = max(1, sum(total <= WORDS_MAX - TITLE_WORDS for total in words))
    more = f"+{len(level) - named}" if len(level) > named else ""
    names = phrases.join_names((*level[:named], more))
    return phrases.with_name(_("Most commits for the rent"), names)
