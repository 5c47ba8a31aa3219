"""Runs that count in standings, for tests of the pages of what they were measured on."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from apps.rankings.services import refresh_cells
from tests import make

if TYPE_CHECKING:
    from collections.abc import Iterable

    from apps.runs.models import Run


def counted(rate: float, *, uploader: int, machine: int = 1, days: int = 0, **changes: Any) -> Run:
    """Return a run with a commit measurement of this rate, so many days before NOON."""
    at: datetime = make.NOON - timedelta(days=days)
    run = make.run(
        **{
            "uploader": f"network:{uploader:032x}",
            "machine": f"{uploader:016x}{machine:016x}",
            "measured_at": at,
            **changes,
        }
    )
    make.latency(measurement=make.measurement(run=run, rate_per_s=rate))
    return run


def stand(runs: Iterable[Run]) -> None:
    """Compute the standings of these runs as the worker does."""
    refresh_cells(run_ids=[run.id for run in runs])
