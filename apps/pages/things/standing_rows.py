"""The standings of one plan or drive as rows, in groups of what they time."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, replace
from itertools import groupby
from typing import TYPE_CHECKING

from django.utils.translation import gettext_lazy as _

from apps.pages.show.table.groups import Group, groups_by_class, make_group
from apps.pages.show.table.row import Row
from apps.pages.show.table.rows import key_of, row_of_standing
from apps.rankings.choice import EVIDENCE_ORDER, evidence_place
from apps.rankings.models import Evidence
from apps.runs.published.comparable import APART, comparable_class

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from apps.rankings.models import Standing


def kind_of(standing: Standing, row: Row) -> int:
    """The group that a row of a thing stands in: the place of its title below."""
    if row.evidence.is_illustrative:
        return 3
    if row.figures.p99_limit_ns is not None:
        return 1
    is_comparable = comparable_class(standing.workload) != APART
    return 0 if standing.is_durable_single_writer and is_comparable else 2


KINDS = (
    _("Durable commits, one writer"),
    _("Useful IOPS"),
    _("Other work"),
    _("Samples in a text, no data"),
)


@dataclass(frozen=True, slots=True)
class Workloads:
    """The figures of one thing: each workload once, and its other regions and kinds of storage."""

    first: tuple[Group, ...]
    further: tuple[Group, ...]

    @property
    def count(self) -> int:
        """How many workloads there are."""
        return _count(self.first)

    @property
    def further_count(self) -> int:
        """How many rows there are of other regions and kinds."""
        return _count(self.further)


def _count(groups: Iterable[Group]) -> int:
    return sum(len(group.rows) for group in groups)


def workloads_of(standings: Iterable[Standing]) -> Workloads:
    """Group the standings of a thing, which are in the order of `choice_order` in each workload."""
    first: list[Standing] = []
    further: list[Standing] = []
    seen = set()
    for each in standings:
        workload = (each.evidence, each.workload, each.version)
        (further if workload in seen else first).append(each)
        seen.add(workload)
    return Workloads(by_workload(first), by_workload(further))


def by_workload(standings: Iterable[Standing]) -> tuple[Group, ...]:
    """The standings of one thing: its rows are workloads, in groups of what they time.

    The rows of one workload begin with the region that stands for the thing, and what was measured
    stands before what was published, and that before examples. What is no commit of one writer has
    no picture: the axis is that of a commit.
    """
    kinds: dict[tuple[int, int], list[Row]] = defaultdict(list)
    for standing in regions_together(standings):
        row = row_of_standing(standing)
        kinds[kind_of(standing, row), evidence_place(standing)].append(
            replace(
                row,
                name=row.workload,
                url=row.evidence.run_url,
                under=row.kind,
                work="",
                trace=row.trace if is_drawn(standing) else None,
            )
        )
    return tuple(
        make_group(
            workload="", title=str(KINDS[kind]), evidence=EVIDENCE_ORDER[evidence], rows=rows
        )
        for (kind, evidence), rows in sorted(kinds.items(), key=lambda each: each[0])
    )


def is_drawn(standing: Standing) -> bool:
    """Whether a row has a picture: its work is a commit of one writer, and somebody measured it."""
    return standing.is_durable_single_writer and not standing.is_illustrative


def plan_groups(standings: Sequence[Standing]) -> tuple[Group, ...]:
    """What represents each plan of a provider, in order: by class of work, examples after all."""
    groups: list[Group] = []
    for is_example, members in groupby(
        standings, key=lambda each: each.evidence == Evidence.EXAMPLE
    ):
        by_class = groups_by_class(members, work=lambda each: each.workload, row=row_of_standing)
        if is_example:
            by_class = tuple(
                replace(group, evidence=Evidence.EXAMPLE, note="") for group in by_class
            )
        groups += by_class
    return tuple(groups)


def regions_together(standings: Iterable[Standing]) -> list[Standing]:
    """Bring the rows of a region together within each workload, in the order of their first."""
    first: dict[tuple[object, ...], int] = {}
    placed = []
    for place, each in enumerate(standings):
        workload = (each.evidence, each.workload, each.version)
        region = (*workload, each.region_group)
        placed.append((first.setdefault(workload, place), first.setdefault(region, place), each))
    return [each for *_, each in sorted(placed, key=lambda one: one[:2])]


def best_of(groups: Sequence[Group], lead: Standing | None) -> Row | None:
    """The row that a page leads with: that of `lead`, else the first that there is."""
    rows = [row for group in groups for row in group.rows]
    key = key_of(lead) if lead else ""
    return next((row for row in rows if row.key == key), rows[0] if rows else None)
