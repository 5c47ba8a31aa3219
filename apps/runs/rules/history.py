"""What was stored before a run: equal figures of other machines, and how its sender behaves.

Only uploads that came earlier by the server's clock count, so that a rebuild finds the same.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Final

from django.db.models import Q

from apps.runs.models import Run

if TYPE_CHECKING:
    from django.db.models import QuerySet

    from apps.runs.models import Upload
    from apps.runs.rules.workloads import MeasuredWorkload

COPY_COMMITS_MIN: Final = 100  # with fewer, two honest runs may agree on a coarse clock
MACHINE_PERIOD: Final = timedelta(days=30)  # in which the keys of a machine are counted
BURST_PERIOD: Final = timedelta(days=1)  # in which the new keys of a plan are counted

CHALLENGES_PERIOD: Final = timedelta(days=30)  # in which the challenges of a key are counted


@dataclass(frozen=True, slots=True)
class History:
    """What was stored before a run, as rules need it."""

    copied_from: str | None = None  # slug of the first run of another key or machine that is equal
    keys_of_machine: int = 1  # keys that sent runs of this machine from this network, with this one
    new_keys_on_plan: int = 0  # keys first seen within a day, with this one; 0 if it is not new
    challenges_issued: int | None = None  # None: not counted
    challenges_abandoned: int | None = None


def figures_sha256(headline: MeasuredWorkload | None) -> str:
    """Return the SHA-256 of the headline's commit histogram: buckets, counts, sum, min and max.

    Empty for fewer than COPY_COMMITS_MIN commits.
    """
    commits = headline.histograms.get("commit") if headline else None
    if commits is None or commits.count < COPY_COMMITS_MIN:
        return ""
    exact = [commits.buckets, commits.counts, commits.sum_ns, commits.min_ns, commits.max_ns]
    return hashlib.sha256(json.dumps(exact).encode()).hexdigest()


def history_of(run: Run, upload: Upload) -> History:
    """Return the history before this run, which may be unsaved: 3 queries."""
    return History(
        copied_from=_copied_from(run, upload),
        keys_of_machine=1 + _other_keys_of_machine(run, upload),
        new_keys_on_plan=_new_keys_on_plan(run, upload),
        challenges_issued=upload.challenges_issued,
        challenges_abandoned=upload.challenges_abandoned,
    )


def _earlier(upload: Upload) -> QuerySet[Run]:
    """Return the runs that were sent before; at the same instant the smaller id is first."""
    was_before = Q(upload__received_at__lt=upload.received_at) | Q(
        upload__received_at=upload.received_at, pk__lt=upload.run_id
    )
    return Run.objects.filter(was_before)


def _earlier_of_others(upload: Upload) -> QuerySet[Run]:
    """Return the runs that other keys sent before."""
    return _earlier(upload).exclude(upload__key=upload.key_id)


def _copied_from(run: Run, upload: Upload) -> str | None:
    if not run.figures_sha256:
        return None
    same = _earlier(upload).filter(figures_sha256=run.figures_sha256)
    same = same.exclude(upload__key=upload.key_id, machine=run.machine)
    return same.order_by("upload__received_at", "pk").values_list("slug", flat=True).first()


def _other_keys_of_machine(run: Run, upload: Upload) -> int:
    same = _earlier_of_others(upload).filter(
        machine=run.machine,
        uploader=run.uploader,
        upload__received_at__gt=upload.received_at - MACHINE_PERIOD,
    )
    return same.values("upload__key").distinct().count()


def _new_keys_on_plan(run: Run, upload: Upload) -> int:
    since = upload.received_at - BURST_PERIOD
    if upload.key.first_seen <= since:
        return 0
    new = _earlier_of_others(upload).filter(
        plan=run.plan_id, upload__received_at__gt=since, upload__key__first_seen__gt=since
    )
    return 1 + new.values("upload__key").distinct().count()
