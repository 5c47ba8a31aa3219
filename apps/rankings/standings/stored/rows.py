"""Stores the standings of cells, and which runs each rests on."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Final

from django.db.models import Q

from apps.drives.models import DriveFamily
from apps.plans.models import Plan
from apps.rankings.models import Standing, StandingRun
from apps.rankings.standings.boards import RANKED, RANKED_BY
from apps.rankings.standings.cells import BoardKey, CellKey, CellSubject
from apps.rankings.standings.points import CELL_FIELDS, key_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from apps.rankings.standings.drafts import Draft

_BATCH: Final = 500  # rows a statement: 45 columns each stay below a megabyte of SQL
_KEY_FIELDS: Final = (*CELL_FIELDS, "variant")  # the columns of a StandingKey
# Without the ranks, which `rank_board` writes.
_UPDATED: Final = tuple(
    field.name
    for field in Standing._meta.concrete_fields
    if field.name not in ("id", *_KEY_FIELDS, *RANKED)
)
# The number of runs decides between published rows alone, which have no rank.
_COMPARED: Final = tuple(name for name in RANKED_BY if name != "n_runs")
StandingKey = tuple[CellKey, int]  # a cell and the variant


def write_standings(keys: set[CellKey], drafts: Sequence[Draft]) -> set[BoardKey]:
    """Replace the standings of these cells; a standing with the same key keeps its row.

    Returns the boards whose ranks may be others now.
    """
    before = _stored(keys)
    stored = {_standing_key(row): row.pk for row in before}
    updated, created = [], []
    for draft in drafts:
        standing = draft.standing
        pk = stored.pop(_standing_key(standing), None)
        if pk is None:
            created.append(standing)
        else:
            standing.pk = pk
            updated.append(standing)
    Standing.objects.filter(pk__in=stored.values()).delete()
    Standing.objects.bulk_create(created, batch_size=_BATCH)
    # an upsert by id, because the time of bulk_update grows with the square of the rows
    Standing.objects.bulk_create(
        updated,
        batch_size=_BATCH,
        update_conflicts=True,
        unique_fields=("id",),
        update_fields=_UPDATED,
    )
    return _boards_changed(keys, _by_cell(before), _by_cell(draft.standing for draft in drafts))


def _stored(keys: set[CellKey]) -> list[Standing]:
    plans = {key.slug for key in keys if key.subject is CellSubject.PLAN}
    drives = {key.slug for key in keys if key.subject is CellSubject.DRIVE}
    rows = Standing.objects.filter(
        Q(plan_id__in=plans) | Q(drive_family_id__in=drives),
        workload__in={key.workload for key in keys},
    )
    return [row for row in rows.only(*_KEY_FIELDS, *RANKED_BY) if key_of(row) in keys]


def _by_cell(rows: Iterable[Standing]) -> dict[CellKey, list[Standing]]:
    by_cell: dict[CellKey, list[Standing]] = defaultdict(list)
    for row in rows:
        by_cell[key_of(row)].append(row)
    return by_cell


def _boards_changed(
    keys: set[CellKey],
    before: Mapping[CellKey, Sequence[Standing]],
    after: Mapping[CellKey, Sequence[Standing]],
) -> set[BoardKey]:
    """Return the boards with a cell that is new, or is ranked by other values than before.

    Or with one of a plan or drive that was removed: its row, if it had one, went with it.
    """
    new = after.keys() - before.keys()
    changed = {key for key in before if _ranked_by(before[key]) != _ranked_by(after.get(key, ()))}
    removed = _without_subject(keys - before.keys() - after.keys())
    return {key.board for key in (*new, *changed, *removed)}


def _without_subject(keys: set[CellKey]) -> set[CellKey]:
    """Return those of these cells whose plan or drive family is not there any more."""
    if not keys:
        return set()
    slugs = {key.slug for key in keys}
    plans = set(Plan.objects.filter(pk__in=slugs).values_list("pk", flat=True))
    drives = set(DriveFamily.objects.filter(pk__in=slugs).values_list("pk", flat=True))
    there = {CellSubject.PLAN: plans, CellSubject.DRIVE: drives}
    return {key for key in keys if key.slug not in there[key.subject]}


def _ranked_by(kinds: Sequence[Standing]) -> set[tuple[object, ...]]:
    """Return what ranking reads of a cell: nothing while too few measured it."""
    if all(row.needs_runs for row in kinds):
        return set()
    return {tuple(getattr(row, name) for name in _COMPARED) for row in kinds}


def _standing_key(standing: Standing) -> StandingKey:
    return key_of(standing), standing.variant


def write_standing_runs(drafts: Sequence[Draft]) -> None:
    """Store which runs each standing rests on; unchanged rows are not written again."""
    rows = StandingRun.objects.filter(standing__in=[draft.standing for draft in drafts])
    stored = {
        (standing, run_id, is_flagged): pk
        for standing, run_id, is_flagged, pk in rows.values_list(
            "standing_id", "run_id", "is_flagged", "pk"
        )
    }
    current = {
        (draft.standing.pk, point.run_id, point.run_id in draft.outliers)
        for draft in drafts
        for point in draft.points
    }
    removed = [pk for row, pk in stored.items() if row not in current]
    StandingRun.objects.filter(pk__in=removed).delete()
    StandingRun.objects.bulk_create(
        (
            StandingRun(standing_id=standing, run_id=run_id, is_flagged=is_flagged)
            for standing, run_id, is_flagged in sorted(current - stored.keys())
        ),
        batch_size=_BATCH,
    )
