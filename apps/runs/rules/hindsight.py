"""What the history of stored runs says, which may be more than when they were judged.

Two workers finish in another order than the uploads came in, and of two runs that are judged at
the same time neither sees the other.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.db import connection

from apps.runs.models import Label
from apps.runs.rules.behaviour import many_keys, near_copy, new_keys_on_plan
from apps.runs.rules.consistency.run import copied_figures
from apps.runs.rules.history import ComparedRun, histogram_of, histories_of, rates_of
from apps.wire.suites import HEADLINE_WORKLOAD

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from uuid import UUID

    from apps.runs.figures import Figures
    from apps.runs.rules.history import History

_RULES: Final = {
    module.RULE.id: module.find_in
    for module in (copied_figures, near_copy, many_keys, new_keys_on_plan)
}
_COLUMNS: Final = (  # of the rows of _STORED after the histogram
    "run_id", "received_at", "key", "key_first_seen", "network", "machine", "plan",
    "figures_sha256", "challenges_issued", "challenges_abandoned",
)  # fmt: skip
_STORED: Final = """
    SELECT latency.histogram, one.passes, latency.sum_ns, latency.min_ns, latency.max_ns,
        run.id, upload.received_at, upload.key_id, key.first_seen, upload.network, run.machine,
        run.plan_id, run.figures_sha256, upload.challenges_issued, upload.challenges_abandoned
    FROM runs_run run
        JOIN runs_upload upload ON upload.run_id = run.upload_id
        JOIN accounts_agentkey key ON key.keyid = upload.key_id
        LEFT JOIN runs_measurement one ON one.run_id = run.id
            AND one.workload = %(headline)s
        LEFT JOIN runs_latency latency ON latency.measurement_id = one.id
            AND latency.side = 'commit'
    WHERE run.id = ANY(%(ids)s)
"""


def findings(history: History) -> dict[str, Figures]:
    """Return what the rules find in what came before a run, by their ids."""
    found = {rule: find_in(history) for rule, find_in in _RULES.items()}
    return {rule: figures for rule, figures in found.items() if figures is not None}


def stored_runs(run_ids: Sequence[UUID]) -> list[ComparedRun]:
    """Return what is compared of these runs, as it is stored: 1 query."""
    with connection.cursor() as cursor:
        cursor.execute(_STORED, {"headline": HEADLINE_WORKLOAD, "ids": list(run_ids)})
        rows = cursor.fetchall()
    return [
        ComparedRun(
            **dict(zip(_COLUMNS, columns, strict=True)),
            commits=None if counts is None else histogram_of(counts, *exact),
            rates=[] if passes is None else rates_of(passes),
        )
        for counts, passes, *rest in rows
        for exact, columns in [(rest[:3], rest[3:])]
    ]


def judged_too_early(run_ids: Sequence[UUID]) -> list[UUID]:
    """Return those of these runs whose labels are not what their history says now: 4 queries."""
    histories = histories_of(stored_runs(run_ids))
    labels = _labels_of(run_ids)
    return [
        run_id
        for run_id in run_ids
        if run_id in histories and findings(histories[run_id]) != labels.get(run_id, {})
    ]


def _labels_of(run_ids: Sequence[UUID]) -> Mapping[UUID, Mapping[str, Figures]]:
    labels: dict[UUID, dict[str, Figures]] = {}
    rows = Label.objects.filter(run__in=run_ids, rule__in=_RULES)
    for run_id, rule, figures in rows.values_list("run_id", "rule", "figures"):
        labels.setdefault(run_id, {})[rule] = figures or {}
    return labels
