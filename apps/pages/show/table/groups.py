"""Groups of rows that may be compared: one workload, one kind of evidence."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import TypeVar

from django.db.models import QuerySet

from apps.pages.show.phrases import translate
from apps.pages.show.table.row import Row
from apps.pages.show.table.rows import row_of_standing
from apps.rankings.models import ProviderStanding, Standing
from apps.runs.published.comparable import OVERWRITE, comparable_class
from apps.words.workloads import ANY_COMPARABLE, COMPARABLE, workload_note, workload_title

AnyStanding = TypeVar("AnyStanding", bound=Standing | ProviderStanding)
Listed = TypeVar("Listed")  # whatever a row is made of


@dataclass(frozen=True, slots=True)
class Group:
    """Rows that may be compared: one workload with one kind of evidence, or one class of work."""

    workload: str
    title: str
    note: str
    evidence: str
    rows: tuple[Row, ...]


def make_group(*, workload: str, title: str, evidence: str, rows: Sequence[Row]) -> Group:
    """A group of rows, headed by its workload."""
    return Group(
        workload=workload,
        title=workload_title(workload, title),
        note=workload_note(workload),
        evidence=evidence,
        rows=tuple(rows),
    )


def holds_useful(groups: Sequence[Group]) -> bool:
    """Whether a rate in these groups is one of useful IOPS, which cost by the month."""
    return any(row.figures.p99_limit_ns is not None for group in groups for row in group.rows)


def groups_of_standings(standings: QuerySet[Standing] | Sequence[Standing]) -> tuple[Group, ...]:
    """Standings in order, as groups of rows."""
    return groups_of(standings, title=lambda each: each.workload_title, row=numbered_row)


def groups_of(
    ordered: Iterable[AnyStanding],
    *,
    title: Callable[[AnyStanding], str],
    row: Callable[[AnyStanding], Row],
) -> tuple[Group, ...]:
    """What is in order, as groups of rows of one evidence and one version of a workload."""
    groups = []
    for (evidence, workload, _), members in groupby(
        ordered, key=lambda each: (each.evidence, each.workload, each.version)
    ):
        block = list(members)
        rows = [row(each) for each in block]
        groups.append(
            make_group(workload=workload, title=title(block[0]), evidence=evidence, rows=rows)
        )
    return tuple(groups)


def groups_by_class(
    ordered: Iterable[Listed],
    *,
    work: Callable[[Listed], str],
    row: Callable[[Listed], Row],
) -> tuple[Group, ...]:
    """What represents things, in order, as one group for each class of comparable work.

    What a later class is beside the rows above is not said of one that has none above it.
    """
    groups = tuple(
        _named_group(*COMPARABLE[comparable], rows=[row(each) for each in members])
        for comparable, members in groupby(ordered, key=lambda each: comparable_class(work(each)))
    )
    is_alone = bool(groups) and groups[0].title != translate(COMPARABLE[OVERWRITE][0])
    return (replace(groups[0], note=""), *groups[1:]) if is_alone else groups


def group_of_all(rows: Sequence[Row]) -> tuple[Group, ...]:
    """Rows of both classes of comparable work by money; none where there are none."""
    return (_named_group(*ANY_COMPARABLE, rows=rows),) if rows else ()


def _named_group(title: str, note: str, *, rows: Sequence[Row]) -> Group:
    return Group("", translate(title), translate(note), evidence="", rows=tuple(rows))


def numbered_row(
    standing: Standing, *, is_drawn: bool = True, work_factor: float | None = None
) -> Row:
    """A row with its position where it ranks: published figures and too few runs do not."""
    row = row_of_standing(standing, is_drawn=is_drawn, work_factor=work_factor)
    is_ranked = standing.tier is not None
    return replace(row, number=getattr(standing, "number", None)) if is_ranked else row
