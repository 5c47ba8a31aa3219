"""Reads the command line that people paste above fio's output, and tells whether it is its own."""

from __future__ import annotations

import re
import shlex
from typing import TYPE_CHECKING, Final

from apps.intake.importers import units
from apps.intake.importers.fio.options import SYNCHRONOUS, Options
from apps.intake.importers.patterns import Pattern, PatternMatch
from apps.intake.importers.reading import name_of, own_name_of

if TYPE_CHECKING:
    from apps.intake.importers.reading import Job

COMMAND: Final = Pattern(r"(?:.*?[\s#$>/])?fio\s+(?P<arguments>-.+)", having="fio ")
_BLOCK: Final = re.compile(r"\((?P<side>[RWT])\) (?P<least>[^ ,-]+)-(?P<most>[^ ,-]+)")
# Of fio before 2.20, whose K is 1,024 whatever kb_base says: 4K-4K/4K-4K, 4096B-4096B,4096B-4096B
_BLOCK_OF_FIO_2: Final = re.compile(r"(?P<least>[^-/,]+)-(?P<most>[^-/,]+)")
_WHOLE_SIZE: Final = re.compile(r"(?P<count>[0-9]{1,9})(?P<unit>[KMGPE]?)")
_SIDES: Final = {"R": "read", "W": "write"}
# What fio takes where no engine is named: psync since 2.x, sync before, its own on Windows.
_DEFAULT_ENGINES: Final = frozenset({"psync", "sync", "windowsaio"})
_SAME_WORKLOADS: Final = {"readwrite": "rw"}  # what the header calls it
_SYNCS_TIMED: Final = "sync_mean_us"  # the figure that stands where fio timed a sync


def options_of_command(arguments: str) -> Options | None:
    """Return the options of a command of fio with one job; None for any other command."""
    try:
        words = shlex.split(arguments)
    except ValueError:  # a quote without its other half
        return None
    values: dict[str, str] = {}
    names = 0
    for word in words:
        key, _, value = word.lstrip("-").partition("=")
        if not word.startswith("-"):
            return None  # a job file, or a value after a blank: what it says is not here
        names += key == "name"
        values[key] = value
    return Options(values) if names <= 1 else None


def agrees(job: Job, options: Options, shape: PatternMatch, *, times_syncs: bool) -> bool:
    """Whether a command can be that of a job, by the job's header and by the syncs fio timed.

    Above an output stands what the screen showed: tries that failed, other jobs. A release that
    times syncs prints a section of them wherever there were any, and nothing where there were none.
    """
    workload = _SAME_WORKLOADS.get(options.workload, options.workload)
    job_names = (own_name_of(options.word("name") or ""), workload)
    if job_names != (job.name, name_of(shape["rw"])):
        return False
    if times_syncs and not _fits_syncs(job, options):
        return False
    if (options.engine or job.engine) != job.engine:
        return False
    if options.engine is None and job.engine not in _DEFAULT_ENGINES:
        return False
    depth = 1 if job.engine in SYNCHRONOUS else options.whole("iodepth", default=1)
    return depth == job.queue_depth and _fits_blocks(options, shape)


def block_sizes(shape: PatternMatch) -> dict[str, units.PrintedNumber]:
    """Return the sizes of a header by side, R, W or T, as far as each side has one size."""
    sizes: dict[str, units.PrintedNumber] = {}
    for match in _BLOCK.finditer(shape["bs"]):
        size = units.read_size(match["least"], line=0)
        if size is not None and match["least"] == match["most"]:
            sizes[match["side"]] = size
    return sizes or _block_sizes_of_fio_2(shape)


def _block_sizes_of_fio_2(shape: PatternMatch) -> dict[str, units.PrintedNumber]:
    sizes: dict[str, units.PrintedNumber] = {}
    for side, match in zip("RWT", _BLOCK_OF_FIO_2.finditer(shape["bs"]), strict=False):
        whole = _WHOLE_SIZE.fullmatch(match["least"])
        size = (
            units.kibibytes(whole["count"], whole["unit"])
            if whole
            else units.read_size(match["least"], line=0)
        )
        if size is not None and match["least"] == match["most"]:
            sizes[side] = size
    return sizes


def _fits_blocks(options: Options, shape: PatternMatch) -> bool:
    """Whether both sizes are those of the header, as exact as fio prints them."""
    sizes = block_sizes(shape)
    for place, side in _SIDES.items():
        block_bytes, size = options.block_bytes(side), sizes.get(place)
        if block_bytes is None or size is None or abs(size.value - block_bytes) > size.step:
            return False
    return not options.has_block_sizes


def _fits_syncs(job: Job, options: Options) -> bool:
    """Whether fio timed syncs where the command asks for them, of the call that it names."""
    calls = options.sync_calls
    if bool(calls) != (_SYNCS_TIMED in job.figures):
        return False
    is_told = calls and job.sync is not None  # by the count of fsyncs
    return not is_told or (job.sync == "fsync") == ("fsync" in calls)
