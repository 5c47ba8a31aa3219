"""Writes standings: the cells that runs touch, or all of them, and the ranks of their boards.

An upload only marks the cells that it touches (`mark_cells`, in the transaction that stores its
run); whoever sweeps computes them (`refresh_marked`). One transaction a board. Two who refresh one
board at once take turns (advisory locks, in one order, held until COMMIT), and the later one sees
what the earlier one wrote, so the last word always rests on all committed runs.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Final

import structlog
from django.db import InterfaceError, OperationalError, transaction
from django.db.models import Min, Q

from apps.plans.models import Plan, Price
from apps.rankings.boards import RANKED, rank_board
from apps.rankings.cells import BoardKey, CellKey, CellSubject, split_by_kind
from apps.rankings.cost import cost_per_billion, pick_price, price_month_per_1000
from apps.rankings.curves import set_curves
from apps.rankings.drafts import Draft, draft_of, place_of_all
from apps.rankings.models import CellMark, Evidence, Standing, StandingRun
from apps.rankings.points import CELL_FIELDS, all_keys, key_of, keys_of_runs, points_of
from apps.rankings.providers import ProviderKey, refresh_providers
from apps.runs.locks import can_share, hold_alone, hold_shared
from apps.runs.services import label_peers
from apps.wire.suites import HEADLINE_WORKLOAD, p99_limit_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from uuid import UUID

_LOCK_SPACE: Final = "fsyncmark.rankings"
_BATCH: Final = 500  # rows a statement: 45 columns each stay below a megabyte of SQL
_ROW_FIELDS: Final = (*CELL_FIELDS, "variant")  # which row a standing is
# Ranks are written by the board, which sees all rows.
_UPDATED: Final = tuple(
    field.name
    for field in Standing._meta.concrete_fields
    if field.name not in ("id", *_ROW_FIELDS, *RANKED)
)
# Cells that say which of their runs lie far from the others: a run is in one of them at most.
_PEERS: Final = Q(
    standing__plan__isnull=False,
    standing__workload=HEADLINE_WORKLOAD,
    standing__evidence__in=[each for each in Evidence.values if Evidence.is_judged(each)],
)
Row = tuple[CellKey, int]  # a cell and the variant

log = structlog.get_logger(__name__)


def mark_cells(*, run_ids: Iterable[UUID]) -> None:
    """Note that the cells which these runs touch or left are to be computed again.

    To be called in the transaction that stores the runs: whoever sees the mark sees the runs.
    Waits for nobody.
    """
    CellMark.objects.bulk_create(
        CellMark(
            subject=key.subject,
            slug=key.slug,
            evidence=key.evidence,
            workload=key.workload,
            version=key.version,
            region_group=key.region_group,
        )
        for key in sorted(keys_of_runs(run_ids))
    )


def refresh_marked(*, stop: Callable[[], bool] = lambda: False) -> int:
    """Compute the cells that were marked, board by board, until all are done or `stop` says so.

    Returns how many cells were computed. A board that fails keeps its marks for the next time and
    does not hold up the others. Raises only when the database itself is away.
    """
    computed = 0
    for board in _marked_boards():
        try:
            computed += _refresh_marked_on(board)
        except (OperationalError, InterfaceError):
            raise
        except Exception:  # whatever is wrong with one board, the next gets its turn
            log.exception("board not refreshed", board=str(board))
        if stop():
            break
    return computed


@transaction.atomic
def refresh_cells(*, run_ids: Iterable[UUID]) -> None:
    """Compute at once the cells that these runs touch or left, with their boards and providers.

    Call it after the runs are committed: a rebuild holds the standings first and then the runs.
    """
    _refresh_alone(keys_of_runs(run_ids))


def _refresh_alone(keys: set[CellKey]) -> None:
    """Compute these cells while nobody else computes one of them."""
    if not keys:
        return
    _hold({key.board for key in keys})
    _refresh(keys)


@transaction.atomic
def refresh_plans(slugs: Iterable[str]) -> None:
    """Compute again every cell of these plans, as when their prices changed."""
    wanted = set(slugs)
    keys = {key for key in all_keys() if key.subject is CellSubject.PLAN and key.slug in wanted}
    _refresh_alone(keys)


@transaction.atomic
def refresh_all() -> None:
    """Compute every cell and every provider again, and drop the cells that have no run left."""
    hold_all_standings()
    marks = list(CellMark.objects.values_list("pk", flat=True))
    _refresh(all_keys(), is_all=True)
    CellMark.objects.filter(pk__in=marks).delete()


def _marked_boards() -> list[BoardKey]:
    """Return the boards with marked cells, the longest marked first."""
    boards = CellMark.objects.values_list("subject", "evidence", "workload", "version")
    oldest = boards.annotate(oldest=Min("pk")).order_by("oldest")
    return [BoardKey(CellSubject(subject), *rest) for subject, *rest, _ in oldest]


@transaction.atomic
def _refresh_marked_on(board: BoardKey) -> int:
    if standings_are_held():
        return 0  # a rebuild is on its way: no use in waiting
    _hold({board})
    marks = list(
        CellMark.objects.filter(
            subject=board.subject,
            evidence=board.evidence,
            workload=board.workload,
            version=board.version,
        )
    )
    keys = {
        CellKey(
            board.subject,
            mark.slug,
            board.evidence,
            board.workload,
            board.version,
            mark.region_group,
        )
        for mark in marks
    }
    _refresh(keys)
    CellMark.objects.filter(pk__in=[mark.pk for mark in marks]).delete()
    return len(keys)


def _hold(boards: set[BoardKey]) -> None:
    """Wait until nobody else refreshes these boards. Their providers are theirs alone as well."""
    hold_shared(_LOCK_SPACE)
    for board in sorted(boards):
        hold_alone(f"{_LOCK_SPACE}/{board}")


def hold_all_standings() -> None:
    """Keep every other refresh waiting until this transaction ends.

    To be called first of all where a transaction changes standings by other ways than a refresh:
    taken later, the lock could wait for a refresh that waits for this transaction's rows.
    """
    hold_alone(_LOCK_SPACE)


def standings_are_held() -> bool:
    """Whether a refresh would have to wait now, until a rebuild or a load of the catalogue ends."""
    return not can_share(_LOCK_SPACE)


def _refresh(keys: set[CellKey], *, is_all: bool = False) -> None:
    if not keys and not is_all:
        return
    points = points_of(keys)
    drafts = [draft_of(part) for key in sorted(points) for part in split_by_kind(key, points[key])]
    set_curves(drafts)
    prices = _prices(drafts)
    counted_before = _judged_by_peers(keys)
    for draft in drafts:
        if draft.key.subject is CellSubject.PLAN:
            _set_cost(draft, prices[draft.key.slug])
    _write(keys, drafts)
    _write_counted(drafts)
    _label_peers(drafts, counted_before)
    for board in sorted({key.board for key in keys}):
        rank_board(board)
    refresh_providers(None if is_all else _provider_keys(keys))


def _write(keys: set[CellKey], drafts: Sequence[Draft]) -> None:
    """Put the standings in place of those that the cells have; keep the rows of those that stay."""
    plans = {key.slug for key in keys if key.subject is CellSubject.PLAN}
    drives = {key.slug for key in keys if key.subject is CellSubject.DRIVE}
    rows = Standing.objects.filter(
        Q(plan_id__in=plans) | Q(drive_family_id__in=drives),
        workload__in={key.workload for key in keys},
    )
    present = {_row_of(row): row.pk for row in rows.only(*_ROW_FIELDS) if key_of(row) in keys}
    stay, come = [], []
    for draft in drafts:
        standing = draft.standing
        pk = present.pop(_row_of(standing), None)
        if pk is None:
            come.append(standing)
        else:
            standing.pk = pk
            stay.append(standing)
    Standing.objects.filter(pk__in=present.values()).delete()
    Standing.objects.bulk_create(come, batch_size=_BATCH)
    # an upsert by number: bulk_update compares every row with every other one
    Standing.objects.bulk_create(
        stay,
        batch_size=_BATCH,
        update_conflicts=True,
        unique_fields=("id",),
        update_fields=_UPDATED,
    )


def _row_of(standing: Standing) -> Row:
    return key_of(standing), standing.variant


def _write_counted(drafts: Sequence[Draft]) -> None:
    """Note which runs each standing rests on; what stays as it was is not written again."""
    noted = StandingRun.objects.filter(standing__in=[draft.standing for draft in drafts])
    present = {
        (standing, run_id, is_flagged): pk
        for standing, run_id, is_flagged, pk in noted.values_list(
            "standing_id", "run_id", "is_flagged", "pk"
        )
    }
    wanted = {
        (draft.standing.pk, point.run_id, point.run_id in draft.outliers)
        for draft in drafts
        for point in draft.points
    }
    gone = [pk for note, pk in present.items() if note not in wanted]
    StandingRun.objects.filter(pk__in=gone).delete()
    StandingRun.objects.bulk_create(
        (
            StandingRun(standing_id=standing, run_id=run_id, is_flagged=is_flagged)
            for standing, run_id, is_flagged in sorted(wanted - present.keys())
        ),
        batch_size=_BATCH,
    )


def _judged_by_peers(keys: set[CellKey]) -> set[UUID]:
    """Return the runs that count until now in those of these cells whose runs are labelled."""
    slugs = {key.slug for key in keys if _labels_peers(key)}
    rows = Standing.objects.filter(plan__in=slugs, workload=HEADLINE_WORKLOAD).only(*CELL_FIELDS)
    noted = StandingRun.objects.filter(standing__in=[row for row in rows if key_of(row) in keys])
    return set(noted.values_list("run_id", flat=True))


def _labels_peers(key: CellKey) -> bool:
    is_headline = key.workload == HEADLINE_WORKLOAD and Evidence.is_judged(key.evidence)
    return key.subject is CellSubject.PLAN and is_headline


def _label_peers(drafts: Sequence[Draft], counted_before: set[UUID]) -> None:
    """Say on the pages of runs whose uploader lies far from the others of the plan.

    What left its cell, as with the window, and counts in no other has no peers any more.
    """
    for draft in drafts:
        if _labels_peers(draft.key):
            label_peers(draft.scores, uploaders=draft.standing.n_uploaders)
    left = counted_before.difference(*(draft.scores for draft in drafts))
    if left:
        elsewhere = StandingRun.objects.filter(_PEERS, run_id__in=left)
        left = left.difference(elsewhere.values_list("run_id", flat=True))
        label_peers(dict.fromkeys(left, 0.0), uploaders=0)


def _prices(drafts: Sequence[Draft]) -> dict[str, list[Price]]:
    plans = {draft.key.slug for draft in drafts if draft.key.subject is CellSubject.PLAN}
    prices: dict[str, list[Price]] = defaultdict(list)
    for price in Price.objects.filter(plan_id__in=plans):
        prices[price.plan_id].append(price)
    return prices


def _set_cost(draft: Draft, prices: Sequence[Price]) -> None:
    """Set the price that counts and what durable commits of one writer, or useful IOPS, cost."""
    standing = draft.standing
    price = pick_price(prices, region=place_of_all(draft.points))
    if price is None:
        return
    standing.price, standing.currency = price, price.currency
    rate, is_useful = standing.rate_per_s, p99_limit_of(standing.workload, version=standing.version)
    if standing.is_durable_single_writer:
        standing.cost_per_billion = cost_per_billion(price, rate_per_s=rate)
    if standing.is_durable_single_writer or is_useful:
        standing.price_month_per_1000 = price_month_per_1000(price, rate_per_s=rate)


def _provider_keys(keys: set[CellKey]) -> set[ProviderKey]:
    plans = {key.slug for key in keys if key.subject is CellSubject.PLAN}
    provider_of = dict(Plan.objects.filter(pk__in=plans).values_list("pk", "provider_id"))
    return {
        ProviderKey(provider_of[key.slug], key.evidence, key.workload, key.version)
        for key in keys
        if key.subject is CellSubject.PLAN
    }
