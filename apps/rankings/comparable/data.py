"""Reads and writes `data/comparable_work.json`: what was measured, and the distances found in it.

`./run manage comparable_work --write` writes it: `measured` is what `./run bench classes` left,
`distances` follow from that and from the published results. Pages and the method print this file
and compute nothing.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal

import msgspec

from apps.rankings.comparable.published import published_rates
from apps.runs.published.comparable import (
    APART,
    OVERWRITE,
    comparable_class,
)
from apps.stats.analysis.comparable import (
    Rates,
    RatioSpread,
    distance_between,
    distance_within,
    rates_by_disk,
    ratio_of,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

DATA_FILE: Final = Path(__file__).parents[1] / "data" / "comparable_work.json"
DIGITS: Final = 3
# Pairs that say why the classes are cut as they are: the call, and the metadata.
PAIRS: Final = (
    ("pg-8k-fdatasync", "pg-8k-open-datasync"),
    ("fio-4k-direct-fdatasync-overwrite", "fio-4k-direct-odsync-overwrite"),
    ("pg-8k-fdatasync", "pg-8k-fsync"),
)

Source = Literal["measured", "published"]


class WorkloadOnDisk(msgspec.Struct, frozen=True):
    """One workload on a measured disk; `ratio` is its rate over the headline's in each round."""

    rate_per_s: float
    ratio: float
    ratio_mad: float
    flushes: float | None = None  # for each operation; None where a program ran several


class MeasuredDisk(msgspec.Struct, frozen=True):
    """A file system on a disk whose flush takes `flush_ms`, None: the machine's own disk."""

    disk: str
    filesystem: str
    workloads: dict[str, WorkloadOnDisk]
    flush_ms: float | None = None


class Measured(msgspec.Struct, frozen=True):
    """What `./run bench classes` found, on what, when and how often."""

    measured_on: str
    machine: str
    fio: str
    rounds: int
    seconds: float
    load_before: float  # processes that ran or waited for a CPU: others' work makes ratios scatter
    disks: list[MeasuredDisk]


class Distances(msgspec.Struct, frozen=True):
    """How far apart work is: inside the two classes, from one to the other, and of single pairs."""

    within: dict[str, RatioSpread | None]  # "1", "2"
    between: RatioSpread | None  # how many times class 2 class 1 is
    pairs: dict[str, RatioSpread | None]  # "first/second": how many times the second the first is


class ComparableWork(msgspec.Struct, frozen=True):
    """The file."""

    measured: Measured
    distances: dict[Source, Distances]


@cache
def comparable_work() -> ComparableWork:
    """Return the file, read once in a process."""
    return msgspec.json.decode(DATA_FILE.read_bytes(), type=ComparableWork)


def class_factor(number: Literal[1, 2]) -> float:
    """Return the factor within which 90 % of pairs of a class are on one disk.

    The larger one of what was measured and what was published: the uncertainty that a row has when
    it stands beside other work of its class.
    """
    found = [each.within[str(number)] for each in comparable_work().distances.values()]
    return max(spread.high for spread in found if spread is not None)


def work_factor(one: str, other: str) -> float | None:
    """Return how many times two workloads lie apart on one disk by the work alone, at most.

    1 for the same work; inside a class its factor; between the classes the high end of what was
    found. None where one of them is compared with no other work.
    """
    if one == other:
        return 1.0
    first, second = comparable_class(one), comparable_class(other)
    if APART in (first, second):
        return None
    if first == second:
        return class_factor(1 if first == OVERWRITE else 2)
    found = [each.between for each in comparable_work().distances.values()]
    return max(spread.high for spread in found if spread is not None)


def found_in(measured: Measured) -> ComparableWork:
    """Return these measurements with their distances and those of the published results."""
    found: dict[Source, Distances] = {
        "measured": distances_of(measured_rates(measured)),
        "published": distances_of(rates_by_disk(published_rates())),
    }
    return ComparableWork(measured=measured, distances=found)


def written(work: ComparableWork) -> str:
    """Return the text of the file."""
    return json.dumps(rounded(msgspec.to_builtins(work)), indent=1) + "\n"


def measured_rates(measured: Measured) -> dict[str, Rates]:
    """Return medians by workload of each disk and file system."""
    return {
        f"{one.disk}|{one.filesystem}": {
            workload: figures.rate_per_s for workload, figures in one.workloads.items()
        }
        for one in measured.disks
    }


def distances_of(disks: Mapping[str, Rates]) -> Distances:
    """Return all distances that the method prints."""
    workloads = {workload for rates in disks.values() for workload in rates}
    first, second = (
        {workload for workload in workloads if comparable_class(workload) == number}
        for number in (1, 2)
    )
    return Distances(
        within={"1": distance_within(disks, first), "2": distance_within(disks, second)},
        between=distance_between(disks, first, second),
        pairs={f"{one}/{other}": ratio_of(disks, one, other) for one, other in PAIRS},
    )


def rounded(value: Any) -> Any:
    """Return nested figures with three decimals."""
    if isinstance(value, dict):
        return {key: rounded(each) for key, each in value.items()}
    return round(value, DIGITS) if isinstance(value, float) else value
