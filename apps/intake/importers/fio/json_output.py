"""Reads fio's JSON and JSON+: --output-format=json of fio 2.0 and newer.

What is durable stands in sync.lat_ns after fsync and fdatasync, and in write.clat_ns under O_SYNC
and O_DSYNC; never in the other one.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from apps.intake.importers.fio import options as fio_options
from apps.intake.importers.fio.options import DURABLE_CALLS, DURABLE_FLAGS, SYNCHRONOUS, Options
from apps.intake.importers.limits import DISKS_MAX, JOBS_MAX, PERCENTILES_MAX
from apps.intake.importers.numbered_json import Document, Json, Number, items, number, part, word
from apps.intake.importers.reading import (
    ImportReading,
    Job,
    UnreadableError,
    check_figures,
    name_of,
    own_name_of,
)
from apps.intake.importers.samples import leave_out_percentiles_of_few
from apps.runs.imported.measures import (
    FioStage,
    Side,
    Statistic,
    Timing,
    bandwidth,
    iops,
    latency,
    operations,
    percentile,
    runtime,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from apps.runs.imported.measures import ImportMeasure

Version = tuple[int, int]

VERSION: Final = re.compile(
    r"(?:fio-)?(?P<major>[0-9]{1,3})\.(?P<minor>[0-9]{1,4})(?P<rest>[^\s]{0,40})"
)
SIDES: Final = (Side.READ, Side.WRITE, Side.TRIM, Side.MIXED)
BYTES_COUNTED_SINCE: Final = (2, 21)  # io_bytes had KiB before (fio's commit c12d597a)
SYNCS_TIMED_SINCE: Final = (3, 4)
UNIFIED_SYNCS_RIGHT_SINCE: Final = (3, 29)  # wrong sums before (e86afa53)
ASYNC_FLUSHES_RIGHT_SINCE: Final = (3, 38)  # more flushes than writes before (673159e6)
US_PER_NS: Final = 0.001
NS_PER_MS: Final = 1_000_000
KIBIBYTE: Final = 1024
# By how much the time of one job may exceed that of its operations: it lays out its file and ends.
GROUP_SLACK: Final = 0.02
GROUP_SLACK_MS: Final = 10
PER_CENT: Final = 100
WITHOUT_OPTIONS: Final = (
    "This output does not say what fio was told, which fio before 2.3 never prints: what the job "
    "did, its sync, its depth and how many jobs it was are unknown."
)
_RANK: Final = re.compile(r"[0-9]{1,3}(\.[0-9]{1,9})?")
_LATENCIES: Final = (FioStage.SUBMISSION, FioStage.COMPLETION, FioStage.BOTH)
_STATISTICS: Final = (Statistic.MIN, Statistic.MEAN, Statistic.MAX, Statistic.STDDEV)
SYNCS: Final = Timing(Side.SYNC)
WRITES_COMPLETED: Final = Timing(Side.WRITE, FioStage.COMPLETION)


@dataclass(frozen=True, slots=True)
class FioJsonJob:
    """One job of one document, on its way to figures."""

    document: Document
    version: Version
    values: Json  # of the job, as fio wrote it
    options: Options
    job: Job
    beside: int  # jobs of its group in the output, itself among them

    @property
    def states_options(self) -> bool:
        """Whether the output says what fio was told; fio before 2.3 never does."""
        return bool(self.options.values)

    def take(self, measure: ImportMeasure, value: Number | None, *, times: float = 1) -> None:
        """Keep a number as a figure, where there is one."""
        if value is not None:
            self.job.keep(measure, self.document.figure(value, times=times))

    def value(self, source: Json, name: str) -> float:
        """Return a number of an object; 0 where there is none."""
        printed = number(source, name)
        return 0 if printed is None else self.document.value(printed)


def read_fio_json(documents: Sequence[Document]) -> ImportReading:
    """Return what one or more outputs of fio say. Raises UnreadableError."""
    roots = [document.root for document in documents]
    versions = {word(root, "fio version") for root in roots}
    reading = ImportReading(kind="fio-json", tool="fio", tool_version=None)
    for run, document in enumerate(documents, start=1):
        _check_mode(document.root)
        version = version_of(word(document.root, "fio version"))
        jobs = items(document.root, "jobs")
        if len(reading.jobs) + len(jobs) > JOBS_MAX:
            raise UnreadableError(f"more than {JOBS_MAX} jobs: send fewer, or group_reporting")
        if not all(isinstance(values, dict) for values in jobs):
            raise UnreadableError("a job of this output is no object: it is not fio's")
        groups = [_group(document, values) for values in jobs]
        sizes = Counter(groups)
        for values, group in zip(jobs, groups, strict=True):
            job = Job(name=own_name_of(word(values, "jobname")), run=run)
            reading.jobs.append(job)
            options = Options.of(part(document.root, "global options"), part(values, "job options"))
            reading.paths |= options.paths
            _read_job(FioJsonJob(document, version, values, options, job, sizes[group]))
            check_figures(reading.jobs)
    if len(versions) == 1:
        reading.tool_version = name_of(versions.pop().removeprefix("fio-"))
    if _has_bins(roots):
        reading.kind = "fio-json+"
    reading.facts = _facts(roots)
    if len(documents) > 1:
        reading.note(
            f"{len(documents)} outputs in one file; each is shown, in their order. Nothing says "
            "which of them was a warm-up or an interim status."
        )
    return reading


def version_of(text: str) -> Version:
    """Return major and minor of fio's version. Raises UnreadableError."""
    match = VERSION.match(text)
    if match is None:
        raise UnreadableError(
            f"no version of fio ({name_of(text)!r}), and what its figures mean depends on it"
        )
    return int(match["major"]), int(match["minor"])


def _check_mode(root: Json) -> None:
    if "client_stats" in root:
        raise UnreadableError(
            "fio's client and server mode mixes the jobs of several machines: send the output of "
            "fio on each of them"
        )
    if not items(root, "jobs"):
        raise UnreadableError("no job in this output of fio: it ended before the first one began")


def _facts(roots: Sequence[Json]) -> dict[str, str]:
    facts = {"time": name_of(word(roots[-1], "time"))}
    disks = [name_of(word(disk, "name")) for disk in items(roots[-1], "disk_util")[:DISKS_MAX]]
    facts["disks"] = ", ".join(disk for disk in disks if disk)
    return {name: text for name, text in facts.items() if text}


def _has_bins(roots: Sequence[Json]) -> bool:
    return any(
        "bins" in part(part(job, side), latency)
        for root in roots
        for job in items(root, "jobs")
        for side in (*SIDES, "sync")
        for latency in ("clat_ns", "lat_ns", "clat", "lat")
    )


def _read_job(source: FioJsonJob) -> None:
    job, options = source.job, source.options
    if source.states_options:
        fio_options.describe(job, options)
        job.writers = _writers(source)
    else:
        job.note(WITHOUT_OPTIONS)
        job.writers = _writers_beside(source)
    if not fio_options.moves_data(job):
        return
    if source.value(source.values, "error"):
        job.note("fio says that this job failed: its figures are left out.")
        return
    for side in SIDES:
        _read_side(source, side)
    if not job.figures:
        job.note("Nothing was read or written.")
        return
    job.rename_lone_bandwidth()
    _read_syncs(source)
    leave_out_percentiles_of_few(job)
    job.block_bytes = _block_bytes(source)
    job.is_durable_single_writer = fio_options.is_durable_single_writer(job, options)


def _writers(source: FioJsonJob) -> int | None:
    """Return how many jobs ran side by side; those of one group do."""
    job, several = source.job, source.options.whole("numjobs", default=1)
    if (beside := _writers_beside(source)) is not None:
        return beside
    if several == 1 and _is_one_job(source):
        return 1
    job.note(
        "group_reporting: the figures are those of all jobs of the group together, the options "
        "those of its first."
    )
    return several if several != 1 else None


def _writers_beside(source: FioJsonJob) -> int | None:
    """Return how many jobs of its group stand in the output, where there are several."""
    if source.beside == 1:
        return None
    source.job.note(
        f"{source.beside} jobs ran side by side; these are the figures of one. Percentiles of "
        "several jobs cannot be added up."
    )
    return source.beside


def _is_one_job(source: FioJsonJob) -> bool:
    """Whether the time spent is that of one job: fio adds up the times of a group.

    The option itself is not in the output where it was given without a value. Before 3.8 there is
    no time of the job, but one that waits for each operation cannot have waited longer than it ran.
    """
    sides = [part(source.values, side) for side in SIDES]
    ran_ms = max(source.value(side, "runtime") for side in sides)
    if "job_runtime" in source.values:
        spent_ms = source.value(source.values, "job_runtime")
    else:
        waits = [(side, source.value(side, "total_ios"), "lat_ns") for side in sides]
        writes = source.value(part(source.values, "write"), "total_ios")
        every = source.job.sync_every or 1
        waits.append((part(source.values, "sync"), writes / every, "lat_ns"))
        depth = source.job.queue_depth or 1
        spent_ms = sum(n * source.value(part(each, name), "mean") for each, n, name in waits)
        spent_ms /= NS_PER_MS * depth
    return spent_ms <= ran_ms * (1 + GROUP_SLACK) + GROUP_SLACK_MS


def _group(document: Document, values: Json) -> float | None:
    group_id = number(values, "groupid")
    return None if group_id is None else document.value(group_id)


def _read_side(source: FioJsonJob, side: Side) -> None:
    values, job = part(source.values, side), source.job
    if not source.value(values, "io_bytes"):
        return
    source.take(iops(side), number(values, "iops"))
    source.take(operations(side), number(values, "total_ios"))
    source.take(runtime(side), number(values, "runtime"))
    if "bw_bytes" in values:
        source.take(bandwidth(side), number(values, "bw_bytes"))
    elif "bw" in values:
        source.take(bandwidth(side), number(values, "bw"), times=KIBIBYTE)
        job.note("Bandwidth is from whole KiB/s, which this version of fio prints.")
    for stage in _LATENCIES:
        for name, times in ((f"{stage}_ns", US_PER_NS), (str(stage), 1.0)):
            if isinstance(values.get(name), dict):
                _read_latency(source, Timing(side, stage), part(values, name), times=times)
    # Of reads, fio counts every fdatasync as a short one.
    is_counted = side != "read" or not source.options.sync_calls
    if source.value(values, "drop_ios") or (is_counted and source.value(values, "short_ios")):
        job.note(f"Some {side}s were short or dropped.")


def _read_latency(source: FioJsonJob, timing: Timing, values: Json, *, times: float) -> None:
    """Keep statistics and percentiles that were really taken: none are of zero samples."""
    if not source.value(values, "mean") and not source.value(values, "max"):
        return
    for statistic in _STATISTICS:
        source.take(latency(timing, statistic), number(values, statistic), times=times)
    percentiles = {
        name: value
        for name, value in part(values, "percentile").items()
        if isinstance(value, Number) and _is_rank(name)
    }
    if len(percentiles) > PERCENTILES_MAX:
        source.job.leave_out_percentiles(timing)
        return
    ranked = sorted(percentiles, key=float)
    latencies = [source.document.value(percentiles[name]) for name in ranked]
    if latencies != sorted(latencies):
        source.job.note(f"The percentiles of {timing.name} do not rise: they are left out.")
        return
    for name in ranked:
        source.take(percentile(timing, name), percentiles[name], times=times)


def _is_rank(name: str) -> bool:
    """Whether it is a percentile; fio 2 fills up with 0.00."""
    return _RANK.fullmatch(name) is not None and 0 < float(name) <= PER_CENT


def _block_bytes(source: FioJsonJob) -> int | None:
    """Return the block size of the one thing that a job did.

    Counted from the bytes that it moved, which is safer than what 4k means; an option that says
    otherwise makes it uncertain.
    """
    sides = [side for side in SIDES if source.value(part(source.values, side), "io_bytes")]
    if len(sides) != 1 or sides[0] is Side.MIXED:
        return None
    (side,) = sides
    of_options = source.options.block_bytes(side) if source.states_options else None
    values = part(source.values, side)
    operations = source.value(values, "total_ios")
    if source.options.has_block_sizes:
        return None
    if source.version < BYTES_COUNTED_SINCE or not operations:
        return of_options
    moved = source.value(values, "io_bytes") / operations
    if (of_options is not None and of_options != moved) or moved != int(moved):
        source.job.note(f"Operations of {moved:,.0f} bytes on average do not fit bs: left out.")
        return None
    return int(moved)


def _read_syncs(source: FioJsonJob) -> None:
    job, options, values = source.job, source.options, part(part(source.values, "sync"), "lat_ns")
    if job.sync in DURABLE_FLAGS and not options.sync_calls and job.has(iops(Side.WRITE)):
        is_timed = job.has(latency(WRITES_COMPLETED, Statistic.MEAN))
        job.durable_latency = WRITES_COMPLETED if is_timed else None
    if not options.sync_calls and not source.value(values, "N"):
        return
    if (reason := _why_no_sync(source, values)) is not None:
        if options.sync_calls:
            job.note(reason)
        return
    _read_latency(source, SYNCS, values, times=US_PER_NS)
    _count_syncs(source, values)
    if set(options.sync_calls) & DURABLE_CALLS:
        job.durable_latency = SYNCS


def _why_no_sync(source: FioJsonJob, values: Json) -> str | None:
    """Return why there is no sync latency in an output, or None where there is one."""
    if source.version < SYNCS_TIMED_SINCE:
        return "fio before 3.4 does not time syncs: how long a commit took is not in this file."
    if source.options.unified == "mixed":
        return "unified_rw_reporting=mixed leaves the syncs out of fio's output."
    if source.options.unified != "none" and source.version < UNIFIED_SYNCS_RIGHT_SINCE:
        return "fio before 3.29 adds up syncs wrongly with unified_rw_reporting: left out."
    if "N" in values and not source.value(values, "N"):
        return "fio timed no sync here (gtod_reduce, or a run that ended before the first)."
    if not source.value(values, "mean"):
        return "fio timed no sync here."
    return None


def _count_syncs(source: FioJsonJob, values: Json) -> None:
    """Count from N; before 3.18 from total_ios, which counts fsync and never fdatasync."""
    job, options = source.job, source.options
    n_syncs = number(values, "N")
    if n_syncs is None and options.sync_calls == ("fsync",):
        n_syncs = number(part(source.values, "sync"), "total_ios")
    if n_syncs is None or not source.document.value(n_syncs):
        job.note("How many syncs there were is not in the output of this version of fio.")
        return
    source.take(operations(Side.SYNC), n_syncs)
    writes = source.value(part(source.values, "write"), "total_ios")
    is_async = job.engine is not None and job.engine not in SYNCHRONOUS
    is_early = source.version < ASYNC_FLUSHES_RIGHT_SINCE
    if is_async and is_early and source.document.value(n_syncs) > writes > 0:
        job.note("More syncs than writes, which fio before 3.38 did with asynchronous engines.")
