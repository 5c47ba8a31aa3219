"""Which row stands for a plan or a drive that has several of one workload and one evidence.

A plan has a row in each group of regions, and in each for every kind of storage. Where there is
room for one (a badge, the head of a page, a comparison), it is this one, everywhere: the slowest
kind of storage, for nobody chooses which kind one gets; of the regions, which one does choose, that
with the most uploaders, all kinds together; then the row with the most runs; then where the region
is not known; then by name.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db.models import Case, F, IntegerField, Value, When

if TYPE_CHECKING:
    from collections.abc import Iterable

    from django.db.models import Expression

    from apps.rankings.models import Standing


def choice_key(row: Standing) -> tuple[bool, int, int, str, int]:
    """Sort the row that stands for the others first."""
    is_slowest = row.variant in (0, row.n_variants)
    return not is_slowest, -row.n_cell_uploaders, -row.n_runs, row.region_group, row.variant


def choice_order() -> tuple[Expression, ...]:
    """Return the same order for the database."""
    is_faster = Case(
        When(variant=0, then=Value(0)),
        When(variant=F("n_variants"), then=Value(0)),
        default=Value(1),
        output_field=IntegerField(),
    )
    most = (F("n_cell_uploaders").desc(), F("n_runs").desc())
    return is_faster.asc(), *most, F("region_group").asc(), F("variant").asc()


def chosen(rows: Iterable[Standing]) -> Standing | None:
    """Return the row that stands for these, or None where there is none."""
    return min(rows, key=choice_key, default=None)
