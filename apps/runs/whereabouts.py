"""How far an upload has come: in the queue, being processed, or shown."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from apps.drives.models import DriveFamily
from apps.plans.models import Plan
from apps.runs.models import ATTEMPTS_MAX, Label, Outcome, Run, Upload
from apps.runs.selectors import uuid_of

WAITING = (Upload.State.RECEIVED, Upload.State.LEASED, Upload.State.RETRY)


class Reprocessing(StrEnum):
    """Whether the upload of a shown run is being processed again."""

    NONE = ""
    UNDER_WAY = "under-way"
    FAILED = "failed"  # staff have to look; the old rows stay


class UploadStage(StrEnum):
    """The stage of an upload."""

    WAITING = "waiting"
    PROCESSING = "processing"
    RETRY = "retry"  # an attempt failed, another follows
    SET_ASIDE = "set-aside"
    REMADE = "remade"  # done, and its run is being made again
    SHOWN = "shown"
    QUARANTINE = "quarantine"


STAGES = {
    Upload.State.RECEIVED: UploadStage.WAITING,
    Upload.State.LEASED: UploadStage.PROCESSING,
    Upload.State.RETRY: UploadStage.RETRY,
    Upload.State.POISON: UploadStage.SET_ASIDE,
    Upload.State.DONE: UploadStage.REMADE,
}


# Staff, newer rules and newer drive names put done uploads back into the queue. The old run is
# replaced in one transaction and shown until then.
REPEATS = {Upload.State.DONE: Reprocessing.NONE, Upload.State.POISON: Reprocessing.FAILED}


@dataclass(frozen=True, slots=True)
class Whereabouts:
    """The state of one upload as its sender sees it."""

    run_id: str
    stage: UploadStage
    received_at: datetime | None
    attempt: int = 0
    attempts_max: int = ATTEMPTS_MAX
    place: int | None = None  # in the queue, from one
    repeat: Reprocessing = Reprocessing.NONE
    run: Run | None = None
    labels: tuple[Label, ...] = ()
    counted: tuple[Plan | DriveFamily, ...] = ()

    @property
    def is_waiting(self) -> bool:
        """Whether its stage will change soon."""
        return self.stage in (
            UploadStage.WAITING,
            UploadStage.PROCESSING,
            UploadStage.RETRY,
            UploadStage.REMADE,
        )

    @property
    def is_there(self) -> bool:
        """Whether its run has a page with figures."""
        return self.stage in (UploadStage.SHOWN, UploadStage.QUARANTINE)

    @property
    def keeping_out(self) -> tuple[Label, ...]:
        """The labels that keep it out of every standing."""
        return tuple(label for label in self.labels if label.keeps_run_out)

    @property
    def step(self) -> int:
        """How many of the four steps are done: received, waited, processed, shown."""
        steps = {
            UploadStage.WAITING: 1,
            UploadStage.PROCESSING: 2,
            UploadStage.RETRY: 2,
            UploadStage.SET_ASIDE: 2,
        }
        return steps.get(self.stage, 3 if self.stage == UploadStage.REMADE else 4)

    @property
    def fingerprint(self) -> str:
        """A text that changes whenever the page would change."""
        counts = len(self.counted), len(self.labels)
        stage = self.stage.value + self.repeat.value
        return "-".join(map(str, (stage, self.attempt, self.place or 0, *counts)))


def find_waiting(slug: str) -> Whereabouts | None:
    """Return the state of an upload without a run, by the slug that the agent prints: 2 queries."""
    run_id = uuid_of(slug)
    if run_id is None:
        return None
    upload = Upload.objects.defer("packed_payload").filter(run_id=run_id).first()
    return whereabouts_of(upload, place=place_of(upload)) if upload else None


def whereabouts_of(
    upload: Upload, *, place: int | None = None, counted: tuple[Plan | DriveFamily, ...] = ()
) -> Whereabouts:
    """Return the state of an upload, and its run where it has one."""
    run = getattr(upload, "run", None)
    state = Upload.State(upload.state)
    if run is not None:
        repeat = REPEATS.get(state, Reprocessing.UNDER_WAY)
        return whereabouts_of_run(
            run, received_at=upload.received_at, counted=counted, repeat=repeat
        )
    stage = STAGES[state]
    if stage is UploadStage.RETRY and not upload.attempts:
        stage = UploadStage.WAITING  # staff reset the attempts: none has failed since
    return Whereabouts(
        run_id=str(upload.run_id),
        stage=stage,
        received_at=upload.received_at,
        attempt=upload.attempts,
        place=place,
    )


def whereabouts_of_run(
    run: Run,
    *,
    received_at: datetime | None,
    counted: tuple[Plan | DriveFamily, ...],
    repeat: Reprocessing = Reprocessing.NONE,
) -> Whereabouts:
    """Return the state of an upload whose run has its page."""
    is_quarantined = run.outcome == Outcome.QUARANTINE
    return Whereabouts(
        run_id=run.slug,
        stage=UploadStage.QUARANTINE if is_quarantined else UploadStage.SHOWN,
        received_at=received_at,
        run=run,
        labels=tuple(run.labels.all()),
        counted=counted,
        repeat=repeat,
    )


def place_of(upload: Upload) -> int | None:
    """Return the place of an upload among those that wait, from 1, or None: one query."""
    if upload.state not in WAITING:
        return None
    before = Upload.objects.filter(state__in=WAITING, next_attempt_at__lt=upload.next_attempt_at)
    return before.count() + 1
