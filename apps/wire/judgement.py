"""The figures by which agent and server judge a run, as judgement.v1.json states them.

Thresholds, the classes of the fsync ladder and the floors of what a class can do stand once, in
that file, each with its reason. The agent's build reads it too (agent/build.rs). Reading is
strict: a member that is missing, surplus or of another type is a mistake of ours.
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
    """An object of the file: it has the members that its class states, and no others."""


class Threshold(Member, Generic[T], frozen=True):
    """One figure, and where it comes from."""

    value: T
    reason: Words


class Flushes(Member, frozen=True):
    """Flushes that the device finished for each commit of one writer."""

    missing_per_commit_below: Threshold[float]
    counted_per_commit_min: Threshold[float]


class DrainThresholds(Member, frozen=True):
    """The flush after the most bytes over the flush after nothing."""

    flat_ratio_below: Threshold[float]
    volatile_ratio_above: Threshold[float]
    flushes_min: Threshold[int]


class WorkingSet(Member, frozen=True):
    """The read over an area, over that of the next smaller one."""

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
    """Operations that a user waits through."""

    above_medians: Threshold[int]


class UsefulSearch(Member, frozen=True):
    """The search for the highest rate that is answered in time."""

    searches: Threshold[int]
    trials: Threshold[int]
    load_percents: Threshold[tuple[int, ...]]
    achieved_percent_above: Threshold[int]
    late_lag_parts: Threshold[int]


class Others(Member, frozen=True):
    """What others did with the device meanwhile."""

    share_milli_max: Threshold[int]


class Filesystem(Member, frozen=True):
    """The room that a filesystem has left."""

    free_share_min: Threshold[float]


class Latencies(Member, frozen=True):
    """Latencies against the time that went by."""

    sum_tolerance: Threshold[float]


class ControlGroupThresholds(Member, frozen=True):
    """What a control group leaves to the agent."""

    cpu_milli_min: Threshold[int]


class Etcd(Member, frozen=True):
    """What etcd's documentation asks of a disk."""

    sync_p99_ns_below: Threshold[int]


class KernelWords(Member, frozen=True):
    """Words of the kernel that decide something."""

    mount_flags_without_flushes: Threshold[tuple[Words, ...]]
    memory_layers: Threshold[tuple[Words, ...]]
    steady_clock_sources: Threshold[tuple[Words, ...]]
    clock_sources_without_system_call: Threshold[tuple[Words, ...]]


class Thresholds(Member, frozen=True):
    """Every threshold, by what it is about."""

    flushes: Flushes
    drain: DrainThresholds
    working_set: WorkingSet
    repeats: Repeats
    cliff: CliffThresholds
    steady: SteadyThresholds
    stalls: Stalls
    useful_rate: UsefulSearch
    others: Others
    filesystem: Filesystem
    latencies: Latencies
    limits: ControlGroupThresholds
    etcd: Etcd
    surroundings: KernelWords


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
    claimed: Range | None  # what its sources or makers say, where that is all or is something else
    syncs_per_s_typical: int
    source_title: Words
    reason: Words

    @property
    def typical(self) -> Range:
        """The range by which a latency is judged: what was measured, else what is claimed."""
        found = self.measured or self.claimed
        if found is None:
            raise ValueError(f"{self.slug} has neither a measured nor a claimed range")
        return found


class Floor(Member, frozen=True):
    """The quickest that a class can be. Latencies in nanoseconds."""

    id: Words  # of a class of the ladder, or of a place that has none
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
    classes: tuple[StorageClass, ...]  # by the lower end of the range, then by the upper one
    floors: tuple[Floor, ...]


@cache
def judgement() -> JudgementTable:
    """Return what the file states, read once in a process."""
    return read_judgement(JUDGEMENT_FILE.read_bytes())


def thresholds() -> Thresholds:
    """Return every threshold."""
    return judgement().thresholds


def read_judgement(text: bytes) -> JudgementTable:
    """Return what a file of this form states.

    Raises:
        msgspec.ValidationError: it is of another form.

    """
    return decode(text, type=JudgementTable)
