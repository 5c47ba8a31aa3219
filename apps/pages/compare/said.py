"""What the page of a comparison says first, for the search."""

from __future__ import annotations

from typing import TYPE_CHECKING

from apps.pages.compare.answer import answer_of, contenders_of, kin_line, work_line
from apps.pages.compare.comparison import comparison_of
from apps.pages.compare.query import CompareQuery
from apps.pages.compare.selectors.comparison import read_comparison
from apps.pages.compare.views import kin_of
from apps.pages.frame.search_entries import Compared
from apps.pages.show.address.references import Ref

if TYPE_CHECKING:
    from collections.abc import Sequence


def said_of(things: Sequence[str]) -> Compared:
    """The answer of a comparison, how sure it is, and what differs between the works: 7 queries."""
    query = CompareQuery(on=tuple(ref for each in things if (ref := Ref.read(each))))
    rows = read_comparison(query)
    comparison = comparison_of(query, rows)
    contenders = contenders_of(comparison.things, kin_of(comparison))
    answer = answer_of(contenders)
    for standing in rows.standings.values():
        if run := rows.runs.get(standing.newest_run_slug):
            standing.measured_at = run.measured_at  # type: ignore[attr-defined]  # with_sources
    return Compared(
        lines=tuple(
            filter(None, (answer.sentence, answer.sure, kin_line(contenders), work_line(contenders)))
        ),
        standings={str(ref): standing for ref, standing in rows.standings.items()},
    )
