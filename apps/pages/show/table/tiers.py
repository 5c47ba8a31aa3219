"""The lines between rows of a board: where a tier begins, and where the rows without a rank do."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import groupby
from typing import TYPE_CHECKING

from django.utils.text import capfirst
from django.utils.translation import gettext as _

from apps.pages.show import phrases
from apps.rankings.models import Evidence
from apps.stats.standings import ranks

if TYPE_CHECKING:
    from collections.abc import Sequence

    from apps.pages.show.table.row import Row


def with_tier_lines(rows: Sequence[Row]) -> tuple[Row, ...]:
    """Rows of one group in order, the first of each tier with the line that stands above it.

    Rows of one tier cannot be told from its first; whether its first can be told from the row above
    is said too. What has no tier comes after all that have one.
    """
    rows_with_lines: list[Row] = []
    for tier, members in groupby(rows, key=_tier):
        first, *others = members
        line = _unranked_line(first) if tier is None else tier_line(tier)
        if tier is not None and rows_with_lines and _are_level(rows_with_lines[-1], first):
            line = phrases.join_clauses((line, _level_line(first, rows_with_lines[-1])))
        rows_with_lines += [replace(first, tier_line=line), *others]
    return tuple(rows_with_lines)


def with_rank_line(rows: Sequence[Row]) -> tuple[Row, ...]:
    """Rows of one group with a line before the first that has no rank: there the order begins anew.

    Tiers are not named: the rows are in another order than by rate, or of providers.
    """
    first = next((row for row in rows if _tier(row) is None), None)
    return tuple(
        replace(row, tier_line=_unranked_line(row)) if row is first else row for row in rows
    )


def _are_level(above: Row, row: Row) -> bool:
    """Whether two ranked rows cannot be told apart."""
    one, other = _bounds_of(above), _bounds_of(row)
    if one is None or other is None or row.facts is None:
        return False
    return not ranks.are_apart(one, other, critical=row.facts.apart_sds or 0.0)


def _bounds_of(row: Row) -> ranks.Bounds | None:
    figures, facts = row.figures, row.facts
    sd = facts.median_sd_ln if facts else None
    if sd is None or not figures.rate_per_s or not figures.low or not figures.high:
        return None
    return ranks.Bounds(
        math.log(figures.rate_per_s), math.log(figures.low), math.log(figures.high), sd**2
    )


def _level_line(row: Row, above: Row) -> str:
    names = {"name": row.name, "above": above.name}
    return _("%(name)s is level with %(above)s") % names


def _tier(row: Row) -> int | None:
    return row.facts.tier if row.facts else None


def tier_line(tier: int) -> str:
    """What stands above the first row of a tier: none of it can be told apart from that row."""
    return capfirst(_("tier %(tier)s") % {"tier": tier})


def _unranked_line(first: Row) -> str:
    if first.facts is None or not Evidence.is_judged(first.facts.evidence):
        return ""  # published figures never rank: their group says so
    return _("Not ranked: too few uploaders, or too far apart, or not the storage that most got")
