"""Drops all runs and standings, and makes those of uploads and imported files of their bytes."""

from __future__ import annotations

from typing import Final

from django.db.models import Q

from apps.rankings.models import ProviderStanding, Standing, StandingRun
from apps.rankings.services import refresh_all
from apps.runs.imported.services import record_imported
from apps.runs.models import Run, Upload
from apps.runs.services import record_run

DERIVED: Final = (ProviderStanding, StandingRun, Standing, Run)


def make_all_again() -> None:
    """Do without the catalogue's published runs what `manage.py rebuild` does."""
    has_run = Q(state=Upload.State.DONE) | Q(run__isnull=False)
    uploads = list(Upload.objects.filter(has_run).order_by("received_at", "run_id"))
    for model in DERIVED:
        model.objects.all().delete()
    for upload in uploads:
        record_run(upload=upload)
    record_imported()
    refresh_all()
