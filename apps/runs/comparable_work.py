"""Which workloads may stand in one list: their class of comparable work, 1 to 3.

1. A written file is overwritten, one writer, at most 16 KiB, synced as data: what a log does.
2. The same with the filesystem's metadata in each sync: fsync, a file that grows or was only
   allocated.
3. All else: larger blocks, several in flight, no sync. Never a durable figure of a plan.

Ours follow from their definitions; those of articles are written down, as their sources say what
was done. docs/methodology.md has how far members of a class lie apart.
"""

from __future__ import annotations

import json
from functools import cache
from typing import TYPE_CHECKING, Final

from apps.runs.published.services import WORKLOADS_FILE
from apps.wire.suites import suites

if TYPE_CHECKING:
    from apps.wire.suites import WorkloadDefinition

OVERWRITE: Final = 1
WITH_METADATA: Final = 2
ALL_ELSE: Final = 3
BLOCK_BYTES_MAX: Final = 16 << 10  # a page of InnoDB: larger writes wait for the bandwidth too
DATA_SYNCS: Final = frozenset({"fdatasync", "o_dsync", "rwf_dsync"})


def comparable_class(workload: str) -> int:
    """Return the class of a workload of ours or of an article; what nobody classed is 3."""
    return _classes().get(workload, ALL_ELSE)


def workloads_of(comparable: int) -> frozenset[str]:
    """Return the workloads of a class."""
    return frozenset(name for name, of in _classes().items() if of == comparable)


@cache
def _classes() -> dict[str, int]:
    published = json.loads(WORKLOADS_FILE.read_text(encoding="utf-8"))
    written = {
        name: each["comparable_class"]
        for name, each in published.items()
        if "comparable_class" in each
    }
    ours = {
        each.id: _class_of(each) for suite in suites().values() for each in suite.workloads
    }
    return written | ours


def _class_of(workload: WorkloadDefinition) -> int:
    if not workload.is_durable_single_writer or workload.block_bytes > BLOCK_BYTES_MAX:
        return ALL_ELSE
    is_overwrite = workload.file_state == "overwritten" and workload.sync in DATA_SYNCS
    return OVERWRITE if is_overwrite else WITH_METADATA
