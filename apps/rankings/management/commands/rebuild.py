"""manage.py rebuild: drops all derived rows and makes them again from the stored bytes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from django.core.management.base import BaseCommand
from django.db import transaction
from django.db.models import Q

from apps.plans.models import Plan
from apps.rankings.digest import standings_digest
from apps.rankings.models import ProviderStanding, Standing, StandingRun
from apps.rankings.services import hold_all_standings, refresh_all
from apps.runs.imported.services import record_imported
from apps.runs.models import Citation, Label, Latency, Measurement, Run, Upload
from apps.runs.published.services import load_published, read_published
from apps.runs.services import hold_all_runs, record_run

if TYPE_CHECKING:
    from uuid import UUID

DERIVED: Final = (
    ProviderStanding, StandingRun, Standing, Label, Latency, Citation, Measurement, Run,
)  # fmt: skip
PROGRESS_EVERY: Final = 500  # uploads: a line every few seconds


class Command(BaseCommand):
    """Works in one transaction: readers see the old rows until the new ones are complete."""

    help = "Drop runs, measurements, labels, standings and unlisted plans, and make them again."

    def handle(self, *_args: Any, **_options: Any) -> None:
        """Rebuild and say how much there was."""
        with transaction.atomic():
            hold_all_standings()
            hold_all_runs()  # a run recorded between the list and the drop would be lost
            uploads = uploads_with_results()
            drop_derived()
            published = load_published(read_published())
            for place, run_id in enumerate(uploads, start=1):
                record_run(upload=Upload.objects.get(pk=run_id))
                if place % PROGRESS_EVERY == 0:
                    self.stdout.write(f"{place} of {len(uploads)} uploads")
            imported = record_imported()
            refresh_all()
        self.stdout.write(
            f"Made again: {len(uploads)} uploaded and {published} published runs, {imported} "
            f"imported ones, {Standing.objects.count()} standings, SHA-256 {standings_digest()}."
        )


def uploads_with_results() -> list[UUID]:
    """Return the uploads that must have a run afterwards, in the order of their arrival.

    They include uploads that a worker has normalised and not yet set to done: it would set them to
    done without a run. Poison is left out, because it has no result that counts.
    """
    return list(
        Upload.objects.filter(Q(state=Upload.State.DONE) | Q(run__isnull=False))
        .exclude(state=Upload.State.POISON)
        .order_by("received_at", "run_id")
        .values_list("run_id", flat=True)
    )


def drop_derived() -> None:
    """Delete every derived row, those that others refer to last."""
    for model in DERIVED:
        model.objects.only("pk").delete()  # else whole rows would be read first
    Plan.objects.filter(is_listed=False, runs__isnull=True).delete()
