"""Labels the runs whose uploader lies far from the others of their plan."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.db.models import Q

from apps.rankings.models import Evidence, Standing, StandingRun
from apps.rankings.standings.cells import CellKey, CellSubject
from apps.rankings.standings.points import CELL_FIELDS, key_of
from apps.runs.services import label_peers
from apps.wire.suites import HEADLINE_WORKLOAD

if TYPE_CHECKING:
    from collections.abc import Sequence
    from uuid import UUID

    from apps.rankings.standings.drafts import Draft

# Standings whose runs are labelled as far from their peers. A run counts in at most one of them.
_LABELLING: Final = Q(
    standing__plan__isnull=False,
    standing__workload=HEADLINE_WORKLOAD,
    standing__evidence__in=[each for each in Evidence.values if Evidence.is_judged(each)],
)


def runs_labelled_so_far(keys: set[CellKey]) -> set[UUID]:
    """Return the runs that have counted so far in those of these cells that label their runs."""
    slugs = {key.slug for key in keys if _labels_peers(key)}
    rows = Standing.objects.filter(plan__in=slugs, workload=HEADLINE_WORKLOAD).only(*CELL_FIELDS)
    standing_runs = StandingRun.objects.filter(
        standing__in=[row for row in rows if key_of(row) in keys]
    )
    return set(standing_runs.values_list("run_id", flat=True))


def _labels_peers(key: CellKey) -> bool:
    is_headline = key.workload == HEADLINE_WORKLOAD and Evidence.is_judged(key.evidence)
    return key.subject is CellSubject.PLAN and is_headline


def label_far_runs(drafts: Sequence[Draft], counted_before: set[UUID]) -> None:
    """Label the runs whose uploader lies far from the others of the plan.

    A run that left its cell, for example with the window, and counts in no other loses the label.
    """
    for draft in drafts:
        if _labels_peers(draft.key):
            label_peers(draft.scores, uploaders=draft.standing.n_uploaders)
    left = counted_before.difference(*(draft.scores for draft in drafts))
    if left:
        elsewhere = StandingRun.objects.filter(_LABELLING, run_id__in=left)
        left = left.difference(elsewhere.values_list("run_id", flat=True))
        label_peers(dict.fromkeys(left, 0.0), uploaders=0)
