"""Reports by their private address, and whether what they are about exists."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from apps.accounts.models import token_sha256
from apps.drives.models import DriveFamily
from apps.moderation.models import Report, Subject
from apps.plans.models import Plan, Provider
from apps.runs.models import Run

if TYPE_CHECKING:
    from django.db.models import Model

# What a reader can report, and the table with its address.
REPORTABLE: Final[dict[Subject, type[Model]]] = {
    Subject.RUN: Run,
    Subject.PLAN: Plan,
    Subject.DRIVE: DriveFamily,
    Subject.PROVIDER: Provider,
}
# What a provider can reply about.
ANSWERABLE: Final = (Subject.PLAN, Subject.PROVIDER)


def find_reported(subject: Subject, slug: str) -> Model | None:
    """Return the thing that a report is about, or None."""
    rows = REPORTABLE[subject]._default_manager.filter(slug=slug)
    if subject is Subject.RUN:
        rows = rows.select_related("plan__provider", "citation", "drive_family")
    return rows.first()


def find_report(token: str) -> Report | None:
    """Return the report of a private address, or None."""
    return Report.objects.filter(status_sha256=token_sha256(token)).first()
