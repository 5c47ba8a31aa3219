"""The end of a rebuild: what changed meanwhile is made again, and the tables change places."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.db import OperationalError, transaction

from apps.runs.imported.services import record_imported
from apps.runs.published.services import load_published, read_published
from apps.runs.rebuilding.batches import BATCH, failures, make_again, missing
from apps.runs.rebuilding.tables import ask, in_shadow, lock_all, run, swap
from apps.runs.rules.peers.far_from_peers import RULE as FAR_FROM_PEERS
from apps.runs.services import hold_all_runs

if TYPE_CHECKING:
    from uuid import UUID

FEW: Final = 50  # runs: half a second of work while nobody may read
_TAKE_TOUCHED: Final = """
    WITH taken AS (SELECT DISTINCT run_id FROM rebuild.touched LIMIT %s)
    DELETE FROM rebuild.touched USING taken WHERE touched.run_id = taken.run_id
    RETURNING touched.run_id
"""
_IS_OF_NO_UPLOAD: Final = """
    SELECT EXISTS (SELECT FROM public.runs_run WHERE id = ANY(%(ids)s) AND upload_id IS NULL)
        OR EXISTS (SELECT FROM rebuild.runs_run WHERE id = ANY(%(ids)s) AND upload_id IS NULL)
"""
# Standings set them, which are computed again after the tables have changed places.
_KEEP_PEERS: Final = f"""
    INSERT INTO rebuild.runs_label
        (run_id, rule, rule_version, outcome, keeps_out, figures, is_released)
    SELECT run_id, rule, rule_version, outcome, keeps_out, figures, is_released
    FROM public.runs_label label
    WHERE rule = '{FAR_FROM_PEERS.id}' AND rule_version = {FAR_FROM_PEERS.version}
        AND EXISTS (SELECT FROM rebuild.runs_run run WHERE run.id = label.run_id)
    ON CONFLICT DO NOTHING;
    UPDATE rebuild.runs_run run SET outcome = label.outcome FROM rebuild.runs_label label
    WHERE label.run_id = run.id AND rule = '{FAR_FROM_PEERS.id}' AND run.outcome = 'pass'
        AND label.outcome <> 'pass'
"""  # noqa: S608  of constants


class UploadsFailedError(Exception):
    """Uploads could not be made again; the old tables stay."""


def load_others() -> int:
    """Make the runs that are of no upload: published and imported ones. Returns how many."""
    with in_shadow():
        return load_published(read_published()) + record_imported()


def catch_up() -> None:
    """Make again what changed meanwhile, and what failed, until little is left."""
    with in_shadow():
        make_again(list(failures()))
    while _make_touched() > FEW:
        pass


def take_places() -> list[UUID]:
    """Make the rest again and put the new tables in the place of the old ones.

    Call it in a transaction that holds nothing but the standings. Returns the runs of the rest.
    Raises UploadsFailedError where a run would be lost, and OperationalError where somebody holds a
    table, or too much changed meanwhile: try again.
    """
    hold_all_runs()
    lock_all()
    rest = [run_id for (run_id,) in ask("SELECT DISTINCT run_id FROM rebuild.touched", [])]
    if len(rest) > FEW or _is_of_no_upload(rest):
        raise OperationalError("too much has changed to be made again while nobody may read")
    _make_touched()
    lost = failures() or dict.fromkeys(missing(), "not made")
    if lost:
        raise UploadsFailedError(
            "Nothing was replaced, because uploads could not be made again: "
            + "; ".join(f"{run_id}: {error}" for run_id, error in list(lost.items())[:5])
        )
    with in_shadow():
        run(_KEEP_PEERS)
    swap()
    return rest


@transaction.atomic
def _make_touched() -> int:
    """Make some of the runs again that changed meanwhile; return how many."""
    run_ids = list({run_id for (run_id,) in ask(_TAKE_TOUCHED, [BATCH])})
    if not run_ids:
        return 0
    others = _is_of_no_upload(run_ids)
    with in_shadow():
        make_again(run_ids)
    if others:
        load_others()
    return len(run_ids)


def _is_of_no_upload(run_ids: list[UUID]) -> bool:
    return bool(ask(_IS_OF_NO_UPLOAD, {"ids": run_ids})[0][0])
