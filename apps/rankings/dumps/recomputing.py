"""Computes the standings of a dump again, of its files alone, by the code that writes standings."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from apps.rankings.digest import drafts_digest, providers_digest
from apps.rankings.models import Evidence
from apps.rankings.standings.boards import in_order, set_ranks
from apps.rankings.standings.cells import BoardKey, CellSubject, split_by_kind
from apps.rankings.standings.costs import set_cost
from apps.rankings.standings.curves import set_curves
from apps.rankings.standings.drafts import drafts_of
from apps.rankings.standings.providers import provider_standings

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import date

    from apps.rankings.dumps.reading import DumpedWorkload, DumpFolder, Row
    from apps.rankings.models import Standing
    from apps.rankings.standings.cells import CellKey, CellPoint
    from apps.rankings.standings.drafts import Draft


@dataclass(frozen=True, slots=True)
class Recomputed:
    """A board, or all providers, as computed again, beside what the dump says of it."""

    name: str
    n_standings: int
    sha256: str
    stated: str | None  # None: its standings were not up to date when the dump was taken

    @property
    def is_other(self) -> bool:
        """Whether the dump states other standings."""
        return self.stated is not None and self.stated != self.sha256


def recompute(dump: DumpFolder, *, day: date) -> Iterator[Recomputed]:
    """Yield every board of a dump, computed again, and at last the providers."""
    behind = set(dump.package["standings"]["behind"])
    stated: dict[str, str] = dump.package["standings"]["boards"]
    without_any = drafts_digest([])
    of_plans: list[Standing] = []
    seen = set()
    for workload, version in dump.workloads():
        measured, cells = dump.measured(workload, version), dump.cells(workload, version)
        boards: dict[BoardKey, dict[CellKey, list[Row]]] = defaultdict(dict)
        for key, rows in cells.items():
            boards[key.board][key] = rows
        for board in sorted(boards):
            drafts = _drafts(dump, boards[board], measured, day=day)
            standings = in_order(draft.standing for draft in drafts)
            if Evidence.is_judged(board.evidence):
                set_ranks(board, standings)
            name = str(board)
            seen.add(name)
            said = None if name in behind else stated.get(name, without_any)
            yield Recomputed(name, len(drafts), drafts_digest(drafts), said)
            if board.subject is CellSubject.PLAN:
                of_plans += standings
    for name in sorted(stated.keys() - seen):
        yield Recomputed(name, 0, without_any, stated[name])
    providers = provider_standings(of_plans, dump.rates)
    stated_providers = dump.package["standings"]["providers"]
    yield Recomputed("providers", len(providers), providers_digest(providers), stated_providers)


def _drafts(
    dump: DumpFolder, cells: dict[CellKey, list[Row]], measured: DumpedWorkload, *, day: date
) -> list[Draft]:
    drafts = [
        draft
        for key in sorted(cells)
        for draft in drafts_of(split_by_kind(key, _points(cells[key], measured), day=day))
    ]
    set_curves(drafts, measured)
    for draft in drafts:
        if draft.key.subject is CellSubject.PLAN:
            draft.standing.plan = dump.plans[draft.key.slug]
            set_cost(draft, dump.prices.get(draft.key.slug, []))
    return drafts


def _points(rows: list[Row], measured: DumpedWorkload) -> list[CellPoint]:
    return sorted((measured.point(row) for row in rows), key=lambda point: point.age_key)
