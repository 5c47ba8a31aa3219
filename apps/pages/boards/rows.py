"""The rows of a board as a reader sees them: of plans, of drives, and of providers."""

from __future__ import annotations

from dataclasses import replace
from operator import itemgetter
from typing import TYPE_CHECKING

from django.urls import reverse
from django.utils.translation import gettext as _

from apps.pages.show import words
from apps.pages.show.phrases import join_facts, translate, with_name
from apps.pages.show.table.cells import cells_of
from apps.pages.show.table.columns import COLUMNS, Sort
from apps.pages.show.table.groups import group_of_all, groups_by_class, groups_of, numbered_row
from apps.pages.show.table.row import DOT, Row, RowCost
from apps.pages.show.table.rows import row_of_standing
from apps.pages.show.table.tiers import with_rank_line, with_tier_lines
from apps.rankings.comparable.data import class_factor
from apps.rankings.models import ProviderStanding, Standing
from apps.runs.published.comparable import APART, comparable_class
from apps.wire.suites import HEADLINE_WORKLOAD
from apps.words.workloads import COMPARABLE, class_mark

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from apps.pages.boards.query import BoardQuery
    from apps.pages.boards.selectors.boards import BoardRows
    from apps.pages.show.table.columns import Column
    from apps.pages.show.table.groups import Group
    from apps.pages.show.table.standing_facts import StandingFacts


def board_groups(kind: str, board: BoardRows, query: BoardQuery) -> tuple[Group, ...]:
    """The rows of a page in their groups, with what stands between them."""
    if not board.facets.workload:
        if query.is_by_money:
            return group_of_all([mixed_row(each) for each in board.standings])
        return _by_figure(board.standings, query)
    groups = groups_of(board.standings, title=workload_title_of, row=row_of)
    has_tiers = kind != "providers"
    return tuple(
        replace(each, rows=with_lines(each.rows, query, has_tiers=has_tiers)) for each in groups
    )


def _by_figure(
    standings: Sequence[Standing | ProviderStanding], query: BoardQuery
) -> tuple[Group, ...]:
    """Rows by their class of work; those without a figure in the column of the order come last."""
    column = COLUMNS[query.column]
    rows = [(each.workload, mixed_row(each)) for each in standings]
    n_known = len(rows) if column.is_text else sum(_has(row, column) for _, row in rows)
    known, unknown = (
        groups_by_class(some, work=itemgetter(0), row=itemgetter(1))
        for some in (rows[:n_known], rows[n_known:])
    )
    without = with_name(translate(column.head), _("not stated"))
    return (
        *known,
        *(replace(each, title=join_facts((each.title, without)), note="") for each in unknown),
    )


def _has(row: Row, column: Column) -> bool:
    """Whether a row has a figure in a column."""
    (cell,) = cells_of(row, (column,))
    return not cell.is_missing


def workload_title_of(standing: Standing | ProviderStanding) -> str:
    """What the workload of a row calls itself."""
    best = standing.best if isinstance(standing, ProviderStanding) else standing
    return best.workload_title


def mixed_row(standing: Standing | ProviderStanding) -> Row:
    """One row among rows of other work, which draws how far such work lies apart on one disk."""
    comparable = comparable_class(standing.workload)
    if comparable == APART or standing.workload == HEADLINE_WORKLOAD:
        return row_of(standing)
    return row_of(standing, work_factor=class_factor(comparable))


def row_of(
    standing: Standing | ProviderStanding,
    *,
    is_drawn: bool = True,
    work_factor: float | None = None,
) -> Row:
    """One row of a board; an export needs no picture of it."""
    if isinstance(standing, ProviderStanding):
        return provider_row(standing, is_drawn=is_drawn, work_factor=work_factor)
    row = numbered_row(standing, is_drawn=is_drawn, work_factor=work_factor)
    n_others = getattr(standing, "n_others", 0)
    return replace(row, n_others=n_others)


def other_rows(standings: Iterable[Standing], columns: Iterable[Column]) -> tuple[Row, ...]:
    """The figures of a thing below its row on a board, each called by its work and region.

    Under that stands its class of comparable work.
    """
    return tuple(
        replace(
            row,
            name=row.workload,
            under=join_facts((class_title(row.facts), row.kind)),
            work="",
            cells=cells_of(row, columns),
        )
        for row in map(row_of_standing, standings)
    )


def class_title(facts: StandingFacts | None) -> str:
    """The class of comparable work of a row, as the groups of a board are headed."""
    return translate(COMPARABLE[facts.comparable_class][0]) if facts else ""


def with_lines(rows: Sequence[Row], query: BoardQuery, *, has_tiers: bool) -> tuple[Row, ...]:
    """Rows with what stands between them: tiers by rate, else where those without a rank begin.

    Rows without a rank are sorted after all others, in every order but that of names: an alphabet
    has no such line.
    """
    if query.column == Sort.RATE and has_tiers:
        return with_tier_lines(rows)
    return tuple(rows) if query.column == Sort.NAME else with_rank_line(rows)


def name_of(standing: Standing) -> str:
    """A plan with where it was measured, and that a stop empties its storage, in one line."""
    plan = standing.plan
    lost = _("data lost on stop") if plan is not None and plan.is_ephemeral else ""
    parts = (plan.name if plan else "", words.region(standing.region_group), lost)
    return DOT.join(part for part in parts if part)


def provider_row(
    standing: ProviderStanding, *, is_drawn: bool = True, work_factor: float | None = None
) -> Row:
    """A provider with its fastest plan, and the one whose commits cost least.

    Where these are two, each figure says whose it is.
    """
    best, cheapest = standing.best, standing.cheapest
    row = row_of_standing(best, is_drawn=is_drawn, work_factor=work_factor)
    facts = row.facts
    is_of_two = cheapest is not None and cheapest.plan_id != best.plan_id
    version = f"-v{standing.version}" if standing.version > 1 else ""
    return replace(
        row,
        key=f"{standing.provider_id}-{standing.workload}{version}-{standing.evidence}",
        name=standing.provider.name,
        region="",
        is_of_a_place=False,
        kind="",
        url=reverse("pages:provider", args=[standing.provider_id]),
        under=name_of(best),
        on_name=name_of(best),
        figures=replace(row.figures, whose=best.plan.name)
        if is_of_two and best.plan
        else row.figures,
        facts=facts and replace(facts, measured_on=getattr(best, "measured_on", None)),
        evidence=replace(
            row.evidence,
            n=words.count(standing.n_plans, "plan"),
            place="",
        ),
        cost=cost_of(cheapest, best) if cheapest else RowCost(volume=best.volume),
    )


def cost_of(cheapest: Standing, best: Standing) -> RowCost:
    """What commits cost on the cheapest plan of a provider, which it names.

    With the class of its work, where that is not the one of the best plan.
    """
    work = comparable_class(cheapest.workload)
    return RowCost(
        billion=cheapest.cost_per_billion,
        currency=cheapest.currency,
        price=cheapest.price,
        note=name_of(cheapest),
        whose=cheapest.plan.name if cheapest.plan and cheapest.plan_id != best.plan_id else "",
        work=class_mark(work) if work != comparable_class(best.workload) else "",
    )
