"""The figures of judgement.v1.json, by which agent and server judge a run.

Thresholds, the classes of the fsync ladder and their floors are in that file only, each with its
reason; the build of the agent reads it too (agent/build.rs). Reading is strict: a member that is
missing, unknown or of another type is a bug.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Annotated, Final, Generic, Literal, TypeVar

from msgspec import Meta, Struct
from msgspec.json import decode

JUDGEMENT_FILE: Final = Path(__file__).with_name("judgement.v1.json")

Words = Annotated[str, Meta(min_length=1)]
T = TypeVar("T")


class Member(Struct, frozen=True, forbid_unknown_fields=True):
    """An object of the file with exactly the members of its class."""


class Threshold(Member, Generic[T], frozen=True):
    """One threshold, and where it comes from."""

    value: T
    reason: Words


class Flushes(Member, frozen=True):
    """Flushes that the device finished for each commit of one writer."""

    missing_per_commit_below: Threshold[float]
    counted_per_commit_min: Threshold[float]


class DrainThresholds(Member, frozen=True):
    """The time of the flush after the most bytes over that after nothing."""

    flat_ratio_below: Threshold[float]
    volatile_ratio_above: Threshold[float]
    flushes_min: Threshold[int]


class WorkingSet(Member, frozen=True):
    """The time of a read of an area over that of the next smaller one."""

    step_ratio_min: Threshold[float]


class Repeats(Member, frozen=True):
    """How far the passes of one workload lie apart."""

    unsteady_spread_above: Threshold[float]


class CliffThresholds(Member, frozen=True):
    """A rate that breaks down for good."""

    rate_share_max: Threshold[float]
    side_intervals_min: Threshold[int]
    false_splits_share: Threshold[float]
    lasting_share_min: Threshold[float]
    clip_deviations: Threshold[float]
    neighbour_intervals: Threshold[int]
    deviation_min: Threshold[float]


class SteadyThresholds(Member, frozen=True):
    """SNIA's steady state."""

    window_rounds: Threshold[int]
    range_share_max: Threshold[float]
    excursion_share_max: Threshold[float]


class Stalls(Member, frozen=True):
    """Operations that take many times the median."""

    above_medians: Threshold[int]


class UsefulSearch(Member, frozen=True):
    """The search for the highest rate that is answered in time."""

    searches: Threshold[int]
    trials: Threshold[int]
    load_percents: Threshold[tuple[int, ...]]
    achieved_percent_above: Threshold[int]
    late_lag_parts: Threshold[int]


class InterferenceThresholds(Member, frozen=True):
    """What other programs may have of a pass."""

    device_share_milli_max: Threshold[int]
    device_bytes_per_s_max: Threshold[int]
    timestamps_per_s_max: Threshold[int]
    cpu_share_milli_max: Threshold[int]
    other_cpu_ns_min: Threshold[int]
    pass_through_layers: Threshold[tuple[Words, ...]]


class Filesystem(Member, frozen=True):
    """The free space of a filesystem."""

    free_share_min: Threshold[float]


class Latencies(Member, frozen=True):
    """The sum of latencies against the elapsed time."""

    sum_tolerance: Threshold[float]


class ControlGroupThresholds(Member, frozen=True):
    """What a control group leaves to the agent."""

    cpu_milli_min: Threshold[int]


class Etcd(Member, frozen=True):
    """The requirements of etcd's documentation for disks."""

    sync_p99_ns_below: Threshold[int]


class KernelWords(Member, frozen=True):
    """Names that the kernel reports and that decide something."""

    mount_flags_without_flushes: Threshold[tuple[Words, ...]]
    memory_layers: Threshold[tuple[Words, ...]]
    steady_clock_sources: Threshold[tuple[Words, ...]]
    clock_sources_without_system_call: Threshold[tuple[Words, ...]]


class Thresholds(Member, frozen=True):
    """All thresholds, by what they are about."""

    flushes: Flushes
    drain: DrainThresholds
    working_set: WorkingSet
    repeats: Repeats
    cliff: CliffThresholds
    steady: SteadyThresholds
    stalls: Stalls
    useful_rate: UsefulSearch
    interference: InterferenceThresholds
    filesystem: Filesystem
    latencies: Latencies
    limits: ControlGroupThresholds
    etcd: Etcd
    surroundings: KernelWords


class FilesystemTraffic(Member, frozen=True):
    """The bytes that a filesystem writes at most for one operation beside its data."""

    filesystem: Words  # the kernel's name
    timestamp_bytes: int  # where a write in place moved the file's time of change
    fsync_bytes: int  # the same, synced by fsync, which commits that time
    new_block_bytes: int  # into a block that is new to the file
    concurrent_bytes: int  # beside others in flight through the page cache
    reason: Words


class Range(Member, frozen=True):
    """Sync latencies from the fastest to the slowest that are typical, in nanoseconds."""

    low_ns: int
    high_ns: int


class StorageClass(Member, frozen=True):
    """A rung of the fsync ladder."""

    slug: Words
    name: Words
    short_name: Words  # where there is little room, as in a terminal
    measured: Range | None
    claimed: Range | None  # by its sources or makers, if nothing or something else was measured
    syncs_per_s_typical: int
    source_title: Words
    reason: Words

    @property
    def typical(self) -> Range:
        """The range by which a latency is judged: the measured one, else the claimed one."""
        typical = self.measured or self.claimed
        if typical is None:
            raise ValueError(f"{self.slug} has neither a measured nor a claimed range")
        return typical


class Floor(Member, frozen=True):
    """The shortest latencies that a class can have, in nanoseconds."""

    id: Words  # of a class of the ladder, or `any` or `cloud-local`
    name: Words
    floor_ns: int  # of the median commit
    reason: Words
    lowest_published_ns: int | None  # 1 / rate: no source prints the median of a whole commit
    lowest_published_run: str | None  # its slug
    read_floor_ns: int | None  # of the median read of 4 KiB; None: reads go through no device


class JudgementTable(Member, frozen=True):
    """The whole file."""

    version: Literal[1]
    about: Words
    thresholds: Thresholds
    own_traffic: tuple[FilesystemTraffic, ...]
    classes: tuple[StorageClass, ...]  # by the lower end of the range, then by the upper one
    floors: tuple[Floor, ...]


@cache
def judgement() -> JudgementTable:
    """Return the contents of the file, which is read once in a process."""
    return read_judgement(JUDGEMENT_FILE.read_bytes())


def thresholds() -> Thresholds:
    """Return all thresholds."""
    return judgement().thresholds


def read_judgement(text: bytes) -> JudgementTable:
    """Return the contents of a file of this form.

    Raises:
        msgspec.ValidationError: the file has another form.

    """
    return decode(text, type=JudgementTable)
