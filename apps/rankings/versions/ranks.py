"""Notes which standings came into another tier since the day before."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from apps.rankings.models import RankChange, Standing

if TYPE_CHECKING:
    from datetime import date

_CELL: Final = (
    "evidence", "plan_id", "drive_family_id", "workload", "version", "region_group", "variant",
)  # fmt: skip
_BATCH: Final = 1_000


def note_rank_changes(today: date) -> int:
    """Store each standing whose tier is not the one that was noted last; return how many.

    It compares with what was noted and not with standings, which a rebuild makes anew. Where
    nothing was noted yet, the tiers that are found are where it begins, and came from no other.
    """
    noted = dict(_tiers_noted())
    ranked = Standing.objects.filter(tier__isnull=False).order_by("pk")
    now = {row[:-1]: row[-1] for row in ranked.values_list(*_CELL, "tier")}
    before = noted or now
    changes = [
        RankChange(
            day=today,
            **dict(zip(_CELL, cell, strict=True)),
            tier_before=before.get(cell),
            tier=now.get(cell),
        )
        for cell in {**now, **noted}
        if noted.get(cell) != now.get(cell)
    ]
    RankChange.objects.bulk_create(changes, batch_size=_BATCH)
    return len(changes)


def _tiers_noted() -> list[tuple[tuple[object, ...], int | None]]:
    newest = RankChange.objects.order_by(*_CELL, "-pk").distinct(*_CELL)
    return [(row[:-1], row[-1]) for row in newest.values_list(*_CELL, "tier")]
