"""Leaves out percentiles that too few operations cannot show, and that tools print all the same."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from apps.runs.imported.measures import Side, Timing, iops, operations, runtime

if TYPE_CHECKING:
    from apps.intake.importers.reading import Job
    from apps.runs.imported.measures import ImportMeasure

# At least one operation lies above a percentile, as in the agent's reports: below a hundred, fio's
# p99 is the slowest operation, which is printed as the maximum.
ABOVE_MIN: Final = 1
PER_CENT: Final = 100
MS_PER_S: Final = 1000


def leave_out_percentiles_of_few(job: Job) -> None:
    """Take back percentiles above which no operation can lie, and say so."""
    timings = [Timing(each.side, each.stage) for each in job.measures.values() if each.percentile]
    for timing in dict.fromkeys(timings):
        count = _operations(job, timing.side)
        if count is None:
            continue
        above = [each for each in job.percentiles(timing) if not _is_shown_by(count, each)]
        for measure in above:
            job.leave_out(measure)
        if above:
            job.note(
                f"Percentiles of {timing.name} above which no operation lies are left out: there "
                f"were {count:,.0f} at most; p99 takes 100, and p99.9 takes 1,000."
            )


def _is_shown_by(count: float, measure: ImportMeasure) -> bool:
    rank = measure.percentile or 0
    return count * (PER_CENT - rank) >= ABOVE_MIN * PER_CENT


def _operations(job: Job, side: Side) -> float | None:
    """Return how many operations of a side there were at most; None where nothing tells."""
    if job.has(operations(side)):
        return job.figures[operations(side).name].value
    if side is Side.SYNC:  # at most one after each so many writes
        writes = _operations(job, Side.WRITE)
        return writes / (job.sync_every or 1) if writes is not None else None
    if job.has(iops(side)) and job.has(runtime(side)):
        rate, ms = job.figures[iops(side).name].value, job.figures[runtime(side).name].value
        return round(rate * ms / MS_PER_S)
    return None
