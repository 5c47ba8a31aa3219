"""The runs of a person, what was decided about each, and their own notes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from apps.accounts.models import RunNote
from apps.pages.show.table.paging import Pages, paging
from apps.runs.models import Measurement, Run, RunRuling, Upload
from apps.runs.trust.ownership import run_ids_of_account
from apps.wire.suites import HEADLINE_WORKLOAD

if TYPE_CHECKING:
    from collections.abc import Iterable
    from uuid import UUID

    from django.contrib.auth.models import User
    from django.db.models import QuerySet

RUNS_A_PAGE = 30


@dataclass(frozen=True, slots=True)
class PersonRun:
    """A run as its owner sees it; `run` is None until its upload was normalised."""

    upload: Upload
    run: Run | None
    rate_per_s: float | None
    rulings: tuple[RunRuling, ...]
    note: str

    @property
    def withdrawn(self) -> RunRuling | None:
        return self._ruling(RunRuling.Kind.WITHDRAWN)

    @property
    def hidden(self) -> RunRuling | None:
        return self._ruling(RunRuling.Kind.HIDDEN)

    @property
    def excluded(self) -> RunRuling | None:
        """By a moderator: its owner cannot take that back."""
        return self._ruling(RunRuling.Kind.EXCLUDED)

    def _ruling(self, kind: str) -> RunRuling | None:
        return next((each for each in self.rulings if each.kind == kind), None)


@dataclass(frozen=True, slots=True)
class OwnRuns:
    """One page of somebody's runs, newest first."""

    runs: tuple[PersonRun, ...]
    pages: Pages


def runs_of(user: User, page: int) -> OwnRuns:
    """Return a page of somebody's runs: six queries at most."""
    uploads = uploads_of(user)
    pages, rows = paging(total=uploads.count(), page=page, size=RUNS_A_PAGE)
    return OwnRuns(_own(user, uploads[rows]), pages)


def run_of(user: User, run_id: UUID) -> PersonRun | None:
    """Return one run, or None for one that is not theirs: five queries at most."""
    return next(iter(_own(user, uploads_of(user).filter(run_id=run_id))), None)


def run_ids_of(user: User) -> list[UUID]:
    """Return the ids of all runs that are somebody's."""
    return list(uploads_of(user).values_list("run_id", flat=True))


def uploads_of(user: User) -> QuerySet[Upload]:
    """Return what somebody's keys signed, and what was measured by their tickets."""
    return (
        Upload.objects.filter(pk__in=run_ids_of_account(user.pk))
        .defer("packed_payload")
        .select_related("key")
        .order_by("-received_at", "-run_id")
    )


def _own(user: User, uploads: Iterable[Upload]) -> tuple[PersonRun, ...]:
    found = list(uploads)
    ids = [upload.run_id for upload in found]
    runs = Run.objects.filter(pk__in=ids).select_related("plan", "provider").defer("environment")
    by_id = {run.pk: run for run in runs}
    headlines = Measurement.objects.filter(run__in=ids, workload=HEADLINE_WORKLOAD)
    rates = dict(headlines.values_list("run", "rate_per_s"))
    notes = dict(RunNote.objects.filter(user=user, run_id__in=ids).values_list("run_id", "text"))
    rulings: dict[UUID, list[RunRuling]] = {}
    for ruling in RunRuling.objects.filter(run_id__in=ids).order_by("at"):
        rulings.setdefault(ruling.run_id, []).append(ruling)
    return tuple(
        PersonRun(
            upload=each,
            run=by_id.get(each.run_id),
            rate_per_s=rates.get(each.run_id),
            rulings=tuple(rulings.get(each.run_id, ())),
            note=notes.get(each.run_id, ""),
        )
        for each in found
    )
