"""The class of a latency on the fsync ladder that is in the database."""

from __future__ import annotations

from apps.drives.models import LadderClass
from apps.memory import remembered
from apps.stats.ladder import Rung, rung_of


def class_of(commit_ns: int | None) -> str | None:
    """Return the slug of the class that a commit of so many nanoseconds looks like, or None."""
    if commit_ns is None:
        return None
    rung = rung_of(commit_ns, _rungs())
    return rung.slug if rung else None


@remembered
def _rungs() -> list[Rung]:
    return [
        Rung(slug=row.slug, low_ns=row.low_ns, high_ns=row.high_ns)
        for row in LadderClass.objects.all()
    ]
