"""The suites that this server knows: their workloads, and what each of them does."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Literal

from msgspec import convert

SUITES_DIRECTORY = Path(__file__).with_name("suites")
HEADLINE_WORKLOAD = "commit-8k"  # decides ranks and the class on the ladder
SMALL_BLOCK_BYTES_MAX = 16_384  # larger writes are limited by bandwidth
DATA_SYNCS = frozenset({"fdatasync", "o_dsync", "rwf_dsync"})  # leave the times of the file alone

ComparableClass = Literal[1, 2, 3]


@dataclass(frozen=True, slots=True)
class WorkloadDefinition:
    """One workload of a suite: what is written, how, and for how long. Times in nanoseconds."""

    id: str
    version: int
    title: str
    operation: str  # commit, group-commit, doublewrite, batch, write, read, mix, clock-gap
    sync: str  # fdatasync, fsync, o_dsync, rwf_dsync, none
    block_bytes: int
    file_state: str  # overwritten, growing, fallocated
    file_bytes: int  # of each file
    area_bytes: int  # that is used, from the beginning of the file
    access: str  # sequential, random
    page_cache: bool
    writers: int
    queue_depth: int  # of each writer
    passes: int
    warm_up_ns: int
    warm_up_bytes_max: int  # where this comes before that time
    pass_ns_min: int  # a pass ends here, if it has
    pass_operations_min: int  # as many operations;
    pass_ns_max: int  # or here with however few;
    pass_bytes_max: int  # or with so many bytes
    histograms: tuple[str, ...]
    p99_ns_max: int | None = None  # of a search for the highest rate: the limit of p99
    stage: str = ""  # together: passes take turns with those of others; last: after all others
    files: str = "shared"  # own: a file for each writer
    contents: str = "random"  # zeros

    @property
    def is_durable_single_writer(self) -> bool:
        """Whether one writer waits for each write to be durable, so that its rate is of commits."""
        return (
            self.operation == "commit"
            and self.sync != "none"
            and self.writers * self.queue_depth == 1
        )

    @property
    def comparable_class(self) -> ComparableClass:
        """Which durable work of others it may be laid beside; docs/methodology.md has the reasons.

        1: small overwrites by one writer, the data made durable. 2: the same with metadata of the
        file system in each sync. 3: all else, comparable with itself only.
        """
        if not self.is_durable_single_writer or self.block_bytes > SMALL_BLOCK_BYTES_MAX:
            return 3
        is_overwrite = self.file_state == "overwritten"
        return 1 if is_overwrite and self.sync in DATA_SYNCS else 2


@dataclass(frozen=True, slots=True)
class Suite:
    """A version of a suite, whose bytes never change."""

    id: str
    version: int
    title: str
    sha256: str  # of the definition's bytes
    workloads: tuple[WorkloadDefinition, ...]

    @property
    def duration_ns_max(self) -> int:
        """How long the timed part takes on the slowest drive, in nanoseconds."""
        return sum(
            workload.passes * (workload.warm_up_ns + workload.pass_ns_max)
            for workload in self.workloads
        )

    def workload(self, workload_id: str, *, version: int) -> WorkloadDefinition | None:
        """Return one workload of the suite, or None."""
        for workload in self.workloads:
            if (workload.id, workload.version) == (workload_id, version):
                return workload
        return None


@cache
def suites() -> dict[tuple[str, int], Suite]:
    """Return every suite by (id, version), read once in a process."""
    definitions = [
        read_suite(path.read_bytes()) for path in sorted(SUITES_DIRECTORY.glob("*.json"))
    ]
    return {(suite.id, suite.version): suite for suite in definitions}


def find_suite(suite_id: str, *, version: int) -> Suite | None:
    """Return a suite that this server knows, or None."""
    return suites().get((suite_id, version))


def find_workload(workload_id: str, *, version: int) -> WorkloadDefinition | None:
    """Return a workload of any suite: a workload means the same in all of them."""
    for suite in suites().values():
        if definition := suite.workload(workload_id, version=version):
            return definition
    return None


def p99_limit_of(workload_id: str, *, version: int) -> int | None:
    """Return the limit of p99 in nanoseconds of a workload that searches for its highest rate.

    That rate is its useful IOPS. None for other workloads.
    """
    definition = find_workload(workload_id, version=version)
    return definition.p99_ns_max if definition else None


def is_read(workload_id: str, *, version: int) -> bool:
    """Return whether a workload of our suites reads, and so commits nothing."""
    definition = find_workload(workload_id, version=version)
    return definition is not None and definition.operation == "read"


@cache
def sessions_of_group_commits(*, block_bytes: int) -> dict[str, int]:
    """Return the number of sessions by workload, for group commits of this block size."""
    return {
        workload.id: workload.writers
        for suite in suites().values()
        for workload in suite.workloads
        if workload.operation == "group-commit" and workload.block_bytes == block_bytes
    }


def read_suite(definition: bytes) -> Suite:
    """Return the suite that a definition file describes."""
    document = json.loads(definition)
    return Suite(
        id=document["id"],
        version=document["version"],
        title=document["title"],
        sha256=hashlib.sha256(definition).hexdigest(),
        workloads=tuple(_workload(item) for item in document["workloads"]),
    )


def _workload(item: dict[str, Any]) -> WorkloadDefinition:
    file = item["file"]
    members = {
        "area_bytes": file["size_bytes"],
        **item,
        "file_state": file["state"],
        "file_bytes": file["size_bytes"],
        "p99_ns_max": item.get("search", {}).get("p99_ns_max"),
    }
    return convert(members, WorkloadDefinition)
