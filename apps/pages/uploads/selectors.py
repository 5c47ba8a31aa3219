"""Where an upload is: in the queue, being processed, shown, and what it counts in."""

import re
import uuid
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from django.db.models import Prefetch, QuerySet
from django.urls import reverse
from django.utils import timezone

from apps.accounts.models import KEYID_CHARACTERS, AgentKey
from apps.pages.show.rows import run_name
from apps.rankings.models import Standing, StandingRun
from apps.runs.models import ATTEMPTS_MAX, Label, Level, Outcome, Run, Upload

UPLOADS_OF_KEY = 20  # the newest; who sent more looks for a run by its id
RUN_ID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}", re.IGNORECASE)
KEY_ID = re.compile(rf"(?<![0-9a-f])[0-9a-f]{{{KEYID_CHARACTERS}}}(?![0-9a-f])", re.IGNORECASE)
SHORT_KEY = re.compile(r"[0-9a-f]{6}\W[0-9a-f]{6}", re.IGNORECASE)  # as pages print a key
RUN_PAGE = re.compile(r"/runs/([A-Za-z0-9][A-Za-z0-9_-]{0,79})(?:[/?#]|$)")
RUN_NAME = re.compile(r"(?=[^-]+-)[A-Za-z0-9_-]{1,80}")  # of published ones: words with dashes
WAITING = (Upload.State.RECEIVED, Upload.State.LEASED, Upload.State.RETRY)


class Repeat(StrEnum):
    """What becomes of a run that is shown, while its upload is worked on again."""

    NONE = ""
    UNDER_WAY = "under-way"
    FAILED = "failed"  # a person has to look; the rows of before stay


class Stage(StrEnum):
    """How far an upload has come."""

    WAITING = "waiting"
    PROCESSING = "processing"
    RETRY = "retry"  # an attempt failed, another follows
    SET_ASIDE = "set-aside"
    REMADE = "remade"  # done, and its run is being made again
    SHOWN = "shown"
    QUARANTINE = "quarantine"


STAGES = {
    Upload.State.RECEIVED: Stage.WAITING,
    Upload.State.LEASED: Stage.PROCESSING,
    Upload.State.RETRY: Stage.RETRY,
    Upload.State.POISON: Stage.SET_ASIDE,
    Upload.State.DONE: Stage.REMADE,
}
# Staff, newer rules and newer names of drives put done uploads back with no attempt made. The run
# that was made of it before is replaced in one transaction, so until then it is shown as it was.
REPEATS = {Upload.State.DONE: Repeat.NONE, Upload.State.POISON: Repeat.FAILED}


@dataclass(frozen=True, slots=True)
class Counted:
    """A plan or a drive in whose standing a run counts."""

    name: str
    url: str


@dataclass(frozen=True, slots=True)
class Whereabouts:
    """One upload, as its sender wants to know it."""

    run_id: str
    stage: Stage
    received_at: datetime | None
    attempt: int = 0
    attempts_max: int = ATTEMPTS_MAX
    place: int | None = None  # in the queue, from one
    next_attempt_at: datetime | None = None  # None: as soon as its turn comes
    repeat: Repeat = Repeat.NONE
    run: Run | None = None
    name: str = ""
    labels: tuple[Label, ...] = ()
    counted: tuple[Counted, ...] = ()

    @property
    def is_waiting(self) -> bool:
        """Whether it will be another in a moment."""
        return self.stage in (Stage.WAITING, Stage.PROCESSING, Stage.RETRY, Stage.REMADE)

    @property
    def is_there(self) -> bool:
        """Whether it has a page with figures."""
        return self.stage in (Stage.SHOWN, Stage.QUARANTINE)

    @property
    def keeping_out(self) -> tuple[Label, ...]:
        """The labels that keep it out of every standing."""
        return tuple(label for label in self.labels if label.keeps_run_out)

    @property
    def is_witnessed(self) -> bool:
        return self.run is not None and self.run.level == Level.WITNESSED

    @property
    def step(self) -> int:
        """How many of the four steps it has behind it: received, waited, processed, shown."""
        steps = {Stage.WAITING: 1, Stage.PROCESSING: 2, Stage.RETRY: 2, Stage.SET_ASIDE: 2}
        return steps.get(self.stage, 3 if self.stage == Stage.REMADE else 4)

    @property
    def seen(self) -> str:
        """A word that changes when what is shown does."""
        counts = len(self.counted), len(self.labels)
        stage = self.stage.value + self.repeat.value
        return "-".join(map(str, (stage, self.attempt, self.place or 0, *counts)))


@dataclass(frozen=True, slots=True)
class Wanted:
    """What somebody looks for: a run, the runs of a key, or nothing that we understand."""

    run: str = ""
    keyid: str = ""
    is_short_key: bool = False
    is_guess: bool = False  # a word that can be the name of a published run, or anything else

    @classmethod
    def read(cls, text: str) -> "Wanted":
        """Read a run id, the address or file name of a run, or a key id, wherever in the text."""
        if found := KEY_ID.search(text):
            return cls(keyid=found[0].lower())
        if found := RUN_ID.search(text):
            return cls(run=found[0].lower())
        if found := RUN_PAGE.search(text):
            return cls(run=found[1])
        if SHORT_KEY.search(text):
            return cls(is_short_key=True)
        found = RUN_NAME.fullmatch(text.strip())
        return cls(run=found[0], is_guess=True) if found else cls()


@dataclass(frozen=True, slots=True)
class KeyUploads:
    """The newest uploads of a key."""

    keyid: str
    is_known: bool
    uploads: tuple[Whereabouts, ...]

    @property
    def is_waiting(self) -> bool:
        return any(each.is_waiting for each in self.uploads)

    @property
    def seen(self) -> str:
        return "_".join(each.seen for each in self.uploads) or "none"


def uploads_with_runs() -> QuerySet[Upload]:
    """Uploads without their bytes, with the run that was made of each and its labels."""
    runs = Run.objects.select_related("plan__provider", "provider", "drive_family", "citation")
    labelled = runs.defer("environment").prefetch_related("labels")
    return Upload.objects.defer("envelope", "payload").prefetch_related(Prefetch("run", labelled))


def find_whereabouts(slug: str) -> Whereabouts | None:
    """Where one run is: 5 queries at most."""
    run_id = uuid_of(slug)
    upload = uploads_with_runs().filter(run_id=run_id).first() if run_id else None
    if upload is not None:
        return whereabouts_of(upload, place=place_of(upload), counted=counted_of(upload.run_id))
    run = (
        Run.objects.filter(slug=slug)
        .select_related("plan__provider", "provider", "drive_family", "citation", "imported_file")
        .defer("environment", "imported_file__content")
        .prefetch_related("labels")
        .first()
    )
    if run is None:
        return None
    received_at = run.imported_file.received_at if run.imported_file else None
    return shown(run, received_at=received_at, counted=counted_of(run.id))


def find_named(slug: str) -> Run | None:
    """A run by the name that its address has: one query."""
    found = Run.objects.filter(slug=slug).select_related("plan", "drive_family", "citation")
    return found.defer("environment").first()


def find_waiting(slug: str) -> Whereabouts | None:
    """Where an upload is that has no run yet: 2 queries. Only the address that we print is one."""
    run_id = uuid_of(slug)
    if run_id is None or str(run_id) != slug:
        return None
    upload = Upload.objects.defer("envelope", "payload").filter(run_id=run_id).first()
    return whereabouts_of(upload, place=place_of(upload)) if upload else None


def uuid_of(slug: str) -> uuid.UUID | None:
    """The id that a slug is, if it is one."""
    try:
        return uuid.UUID(slug)
    except ValueError:
        return None


def whereabouts_of(
    upload: Upload, *, place: int | None = None, counted: tuple[Counted, ...] = ()
) -> Whereabouts:
    """One upload with what became of it: first of all its run, where it has one."""
    run = getattr(upload, "run", None)
    state = Upload.State(upload.state)
    if run is not None:
        repeat = REPEATS.get(state, Repeat.UNDER_WAY)
        return shown(run, received_at=upload.received_at, counted=counted, repeat=repeat)
    stage = STAGES[state]
    if stage is Stage.RETRY and not upload.attempts:
        stage = Stage.WAITING  # staff count from zero: no attempt failed
    follows = upload.next_attempt_at
    return Whereabouts(
        run_id=str(upload.run_id),
        stage=stage,
        received_at=upload.received_at,
        attempt=upload.attempts,
        place=place,
        next_attempt_at=follows if follows > timezone.now() else None,
    )


def shown(
    run: Run,
    *,
    received_at: datetime | None,
    counted: tuple[Counted, ...],
    repeat: Repeat = Repeat.NONE,
) -> Whereabouts:
    """A run that has its page."""
    is_kept = run.outcome == Outcome.QUARANTINE
    return Whereabouts(
        run_id=run.slug,
        stage=Stage.QUARANTINE if is_kept else Stage.SHOWN,
        received_at=received_at,
        run=run,
        name=run_name(run),
        labels=tuple(run.labels.all()),
        counted=counted,
        repeat=repeat,
    )


def place_of(upload: Upload) -> int | None:
    """The place of an upload among those that wait, from one: one query."""
    if upload.state not in WAITING:
        return None
    before = Upload.objects.filter(state__in=WAITING, next_attempt_at__lt=upload.next_attempt_at)
    return before.count() + 1


def counted_of(run_id: uuid.UUID) -> tuple[Counted, ...]:
    """The plans and drives in whose standings a run counts, each once: one query."""
    ids = StandingRun.objects.filter(run_id=run_id, is_flagged=False).values("standing")
    standings = Standing.objects.filter(pk__in=ids).select_related("plan", "drive_family")
    return tuple(dict.fromkeys(things_of(standings.defer("curve").order_by("pk"))))


def things_of(standings: Iterable[Standing]) -> Iterable[Counted]:
    """What standings are of."""
    for standing in standings:
        if standing.plan is not None:
            yield Counted(standing.plan.name, reverse("pages:plan", args=[standing.plan_id]))
        elif standing.drive_family is not None:
            url = reverse("pages:drive", args=[standing.drive_family_id])
            yield Counted(standing.drive_family.name, url)


def find_key(keyid: str) -> KeyUploads:
    """The newest uploads of a key, with their states alone: 4 queries at most.

    Nothing is told of a run but what its own page tells everybody.
    """
    uploads = uploads_with_runs().filter(key=keyid).order_by("-received_at", "-pk")
    found = tuple(whereabouts_of(each) for each in uploads[:UPLOADS_OF_KEY])
    is_known = bool(found) or AgentKey.objects.filter(keyid=keyid).exists()
    return KeyUploads(keyid, is_known, found)
