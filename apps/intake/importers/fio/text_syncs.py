"""Which sync a job made, by fio's text and by the command above it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from apps.intake.importers.fio.command import agrees
from apps.intake.importers.fio.json_output import SYNCS
from apps.runs.imported.measures import Side, Statistic, latency, operations

if TYPE_CHECKING:
    from collections.abc import Sequence

    from apps.intake.importers.fio.options import Options
    from apps.intake.importers.fio.text_job import FioTextJob

# Releases in which the fourth count is of fsync alone, 0 after fdatasync (until af511749).
FSYNCS_COUNTED_UNTIL: Final = (3, 42)
COUNTS: Final = 4  # of reads, writes, trims and fsyncs, in releases that time syncs
SYNC_MEAN: Final = latency(SYNCS, Statistic.MEAN)

# Why a text leaves open how durable its writes were; its JSON would say it.
NO_SYNC_TIMED: Final = (
    "fio before 3.4 times no sync, and its text names none: how durable writes were is unknown."
)
NO_OPEN_FLAGS: Final = (
    "fio's text does not show O_SYNC or O_DSYNC: how durable writes were is unknown."
)
NO_CALL: Final = "fio's text does not say which call synced."
NO_FSYNC_COUNTED: Final = (
    "fio counts no fsync here, so the syncs were fdatasync or sync_file_range."
)
SYNC_DOUBTS: Final = frozenset({NO_SYNC_TIMED, NO_OPEN_FLAGS, NO_CALL, NO_FSYNC_COUNTED})


def command_of(
    part: FioTextJob, commands: Sequence[Options], *, times_syncs: bool
) -> Options | None:
    """Return the one command above an output that can be its own; says so where none is."""
    fitting = [
        each
        for each in commands
        if part.shape and agrees(part.job, each, part.shape, times_syncs=times_syncs)
    ]
    if commands and not fitting:
        part.job.note("The command line above the output is not that of this job: left out.")
    if any(each != fitting[0] for each in fitting):
        part.job.note("Several command lines above the output differ: all are left out.")
        return None
    return fitting[0] if fitting else None


def name_sync_of_text(
    part: FioTextJob, version: tuple[int, int] | None, *, times_syncs: bool
) -> None:
    """Tell the sync call from how many fio counts: it counts fsync, and fdatasync not."""
    job = part.job
    if not times_syncs:
        job.note(NO_SYNC_TIMED)
        return
    if not job.has(SYNC_MEAN):
        job.note(NO_OPEN_FLAGS)
        return
    can_tell = version is not None and version <= FSYNCS_COUNTED_UNTIL
    if not can_tell or len(part.issued) != COUNTS:
        job.note(NO_CALL)
        return
    _, writes, _, syncs = part.issued
    if not syncs.value:
        job.sync = "fdatasync or sync_file_range"
        job.note(NO_FSYNC_COUNTED)
        return
    job.sync = "fsync"
    job.keep(operations(Side.SYNC), syncs)
    is_each = part.jobs == 1 and 0 <= writes.value - syncs.value <= 1
    job.sync_every = 1 if is_each else None
