"""The figures by which agent and server judge a run, as judgement.v1.json states them.

Thresholds, the classes of the fsync ladder and the floors of what a class can do stand once, in
that file, each with its reason. The agent's build reads it too (agent/build.rs). Reading is
strict: a member that is missing, surplus or of another type is a mistake of ours.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final, TypeVar, get_args, get_origin, get_type_hints

JUDGEMENT_FILE: Final = Path(__file__).with_name("judgement.v1.json")
VERSION: Final = 1


class BadJudgementError(ValueError):
    """The file is not what this module reads."""


@dataclass(frozen=True, slots=True)
class Flushes:
    """Flushes that the device finished for each commit of one writer."""

    missing_per_commit_below: float
    counted_per_commit_min: float


@dataclass(frozen=True, slots=True)
class Drain:
    """The flush after the most bytes over the flush after nothing."""

    flat_ratio_below: float
    volatile_ratio_above: float
    flushes_min: int


@dataclass(frozen=True, slots=True)
class WorkingSet:
    """The read over an area, over that of the next smaller one."""

    step_ratio_min: float


@dataclass(frozen=True, slots=True)
class Repeats:
    """How far the passes of one workload lie apart."""

    unsteady_spread_above: float


@dataclass(frozen=True, slots=True)
class Cliff:
    """A rate that breaks down for good."""

    rate_share_max: float
    side_intervals_min: int
    false_splits_share: float
    lasting_share_min: float
    clip_deviations: float
    neighbour_intervals: int
    deviation_min: float


@dataclass(frozen=True, slots=True)
class Steady:
    """SNIA's steady state."""

    window_rounds: int
    range_share_max: float
    excursion_share_max: float


@dataclass(frozen=True, slots=True)
class Stalls:
    """Operations that a user waits through."""

    above_medians: int


@dataclass(frozen=True, slots=True)
class UsefulRate:
    """The search for the highest rate that is answered in time."""

    searches: int
    trials: int
    load_percents: tuple[int, ...]
    achieved_percent_above: int
    late_lag_parts: int


@dataclass(frozen=True, slots=True)
class Others:
    """What others did with the device meanwhile."""

    share_milli_max: int


@dataclass(frozen=True, slots=True)
class Filesystem:
    """The room that a filesystem has left."""

    free_share_min: float


@dataclass(frozen=True, slots=True)
class Latencies:
    """Latencies against the time that went by."""

    sum_tolerance: float


@dataclass(frozen=True, slots=True)
class Limits:
    """What a control group leaves to the agent."""

    cpu_milli_min: int


@dataclass(frozen=True, slots=True)
class Etcd:
    """What etcd's documentation asks of a disk."""

    sync_p99_ns_below: int


@dataclass(frozen=True, slots=True)
class Surroundings:
    """Words of the kernel that decide something."""

    mount_flags_without_flushes: tuple[str, ...]
    memory_layers: tuple[str, ...]
    steady_clock_sources: tuple[str, ...]
    clock_sources_without_system_call: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Thresholds:
    """Every border, by what it is about."""

    flushes: Flushes
    drain: Drain
    working_set: WorkingSet
    repeats: Repeats
    cliff: Cliff
    steady: Steady
    stalls: Stalls
    useful_rate: UsefulRate
    others: Others
    filesystem: Filesystem
    latencies: Latencies
    limits: Limits
    etcd: Etcd
    surroundings: Surroundings


@dataclass(frozen=True, slots=True)
class Range:
    """Sync latencies from the fastest to the slowest that are typical, in nanoseconds."""

    low_ns: int
    high_ns: int


@dataclass(frozen=True, slots=True)
class StorageClass:
    """A rung of the fsync ladder."""

    slug: str
    name: str
    short_name: str  # where there is little room, as in a terminal
    measured: Range | None
    claimed: Range | None  # what its sources or makers say, where that is all or is something else
    syncs_per_s_typical: int
    source_title: str
    reason: str

    @property
    def typical(self) -> Range:
        """The range by which a latency is judged: what was measured, else what is claimed."""
        found = self.measured or self.claimed
        if found is None:
            raise BadJudgementError(f"{self.slug} has neither a measured nor a claimed range")
        return found


@dataclass(frozen=True, slots=True)
class Floor:
    """The quickest that a class can be. Latencies in nanoseconds."""

    id: str  # of a class of the ladder, or of a place that has none
    name: str
    floor_ns: int  # of the median commit
    reason: str
    lowest_published_ns: int | None  # 1 / rate: no source prints the median of a whole commit
    lowest_published_run: str | None  # its slug
    read_floor_ns: int | None  # of the median read of 4 KiB; None: reads go through no device


@dataclass(frozen=True, slots=True)
class Judgement:
    """The whole file."""

    thresholds: Thresholds
    classes: tuple[StorageClass, ...]  # by the lower end of the range, then by the upper one
    floors: tuple[Floor, ...]


T = TypeVar("T")


@cache
def judgement() -> Judgement:
    """Return what the file states, read once in a process."""
    return read_judgement(JUDGEMENT_FILE.read_text(encoding="utf-8"))


def thresholds() -> Thresholds:
    """Return every border."""
    return judgement().thresholds


def read_judgement(text: str) -> Judgement:
    """Return what a file of this form states; BadJudgementError where it is of another."""
    document = _members(json.loads(text), {"version", "about", "thresholds", "classes", "floors"})
    if document["version"] != VERSION:
        raise BadJudgementError(f"version {document['version']} is not {VERSION}")
    return Judgement(
        thresholds=_thresholds(document["thresholds"]),
        classes=tuple(_row(StorageClass, row) for row in document["classes"]),
        floors=tuple(_row(Floor, row) for row in document["floors"]),
    )


def _thresholds(found: Any) -> Thresholds:
    groups = get_type_hints(Thresholds)
    rows = _members(found, set(groups))
    return Thresholds(**{name: _group(kind, rows[name]) for name, kind in groups.items()})


def _group(kind: type[T], found: Any) -> T:
    """Return a group of borders, each of which has a value and a reason."""
    rows = _members(found, set(get_type_hints(kind)))
    values = {}
    for name, row in rows.items():
        entry = _members(row, {"value", "reason"})
        if not _is(str, entry["reason"]):
            raise BadJudgementError(f"{name} has no reason")
        values[name] = entry["value"]
    return _row(kind, values)


def _row(kind: type[T], found: Any) -> T:
    """Return the members of a dataclass, each of the type that it states."""
    types = get_type_hints(kind)
    row = _members(found, set(types))
    return kind(**{name: _value(name, types[name], row[name]) for name in types})


def _value(name: str, kind: Any, found: Any) -> Any:
    if kind == Range | None and found is not None:
        return _row(Range, found)
    if isinstance(found, list):
        found = tuple(found)
    if not _is(kind, found):
        raise BadJudgementError(f"{name} is {found!r}, which is no {kind}")
    return found


def _is(kind: Any, value: object) -> bool:
    """Whether a value is of that type exactly: 3 is no 3.0, true is no 1, and no text is empty."""
    if get_origin(kind) is tuple:
        return type(value) is tuple and all(_is(get_args(kind)[0], each) for each in value)
    return type(value) in (get_args(kind) or (kind,)) and value != ""


def _members(found: Any, names: set[str]) -> dict[str, Any]:
    """Return an object that has these members and no other."""
    if not isinstance(found, dict) or found.keys() != names:
        what = sorted(found) if isinstance(found, dict) else found
        raise BadJudgementError(f"{what} where {sorted(names)} should be")
    return found
