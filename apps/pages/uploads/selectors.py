"""Where an upload is: in the queue, being processed, shown, and what it counts in."""

import uuid
from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import Prefetch, QuerySet

from apps.drives.models import DriveFamily
from apps.plans.models import Plan
from apps.rankings.models import Standing, StandingRun
from apps.runs.models import Run, Upload
from apps.runs.selectors import uuid_of
from apps.runs.whereabouts import Whereabouts, place_of, whereabouts_of, whereabouts_of_run

UPLOADS_OF_KEY = 20  # the newest; who sent more looks for a run by its id


@dataclass(frozen=True, slots=True)
class KeyUploads:
    """The newest uploads of a key."""

    keyid: str
    uploads: tuple[Whereabouts, ...]

    @property
    def is_waiting(self) -> bool:
        return any(each.is_waiting for each in self.uploads)

    @property
    def fingerprint(self) -> str:
        return "_".join(each.fingerprint for each in self.uploads) or "none"


def uploads_with_runs() -> QuerySet[Upload]:
    """Uploads without their bytes, with the run that was made of each and its labels."""
    runs = Run.objects.select_related("plan__provider", "provider", "drive_family", "citation")
    labelled = runs.defer("environment").prefetch_related("labels")
    return Upload.objects.defer("packed_payload").prefetch_related(Prefetch("run", labelled))


def find_whereabouts(slug: str) -> Whereabouts | None:
    """Where one run is: 5 queries at most."""
    run_id = uuid_of(slug.lower())
    upload = uploads_with_runs().filter(run_id=run_id).first() if run_id else None
    if upload is not None:
        return whereabouts_of(upload, place=place_of(upload), counted=subjects_of(upload.run_id))
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
    return whereabouts_of_run(run, received_at=received_at, counted=subjects_of(run.id))


def subjects_of(run_id: uuid.UUID) -> tuple[Plan | DriveFamily, ...]:
    """The plans and drives in whose standings a run counts, each once: one query."""
    ids = StandingRun.objects.filter(run_id=run_id, is_flagged=False).values("standing")
    standings = Standing.objects.filter(pk__in=ids).select_related("plan", "drive_family")
    return tuple(dict.fromkeys(things_of(standings.defer("curve").order_by("pk"))))


def things_of(standings: Iterable[Standing]) -> Iterable[Plan | DriveFamily]:
    """What standings are of."""
    for standing in standings:
        thing = standing.plan or standing.drive_family
        if thing is not None:
            yield thing


def find_key(keyid: str) -> KeyUploads:
    """The newest uploads of a key, with their states alone: 3 queries at most.

    It shows nothing of a run that its own page does not show to everybody.
    """
    uploads = uploads_with_runs().filter(key=keyid).order_by("-received_at", "-pk")
    return KeyUploads(keyid, tuple(whereabouts_of(each) for each in uploads[:UPLOADS_OF_KEY]))
