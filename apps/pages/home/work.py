"""Which work may be compared on the ladder: a data sync, one with file-system metadata, others.

Figures are joined, and somebody's output is likened to a figure, within one class only.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from apps.runs.models import Measurement

OVERWRITE, WITH_METADATA, ALL_ELSE = 1, 2, 3
BLOCK_BYTES_MAX: Final = 16 * 1024  # larger writes take the time of their bytes
DATA_SYNCS: Final = frozenset({"fdatasync", "o_dsync"})
# Its file is written before it is timed; that of fio is only allocated, unless told otherwise.
OVERWRITES: Final = frozenset({"pg_test_fsync"})
_CLASSES: Final = {
    "commit-8k": OVERWRITE,
    "commit-8k-dsync": OVERWRITE,
    "commit-8k-rwf-dsync": OVERWRITE,
    "direct-16k-fdatasync": OVERWRITE,
    "commit-8k-fsync": WITH_METADATA,
    "fallocated-8k-fsync": WITH_METADATA,
    "fallocated-2300-fdatasync": WITH_METADATA,
    "append-8k-fdatasync": WITH_METADATA,
    "direct-16k-fsync": WITH_METADATA,
    "randwrite-4k-fsync": WITH_METADATA,
}


def comparable_class(workload: str) -> int:
    """Return the class of a workload: OVERWRITE, WITH_METADATA or ALL_ELSE."""
    return _CLASSES.get(workload, ALL_ELSE)


def workloads_of(comparable: int) -> frozenset[str]:
    """Return the workloads of a class."""
    return frozenset(name for name, of in _CLASSES.items() if of == comparable)


def class_of_output(measurement: Measurement) -> int:
    """Return the class of a job that somebody gave in, from what its tool says of it."""
    size = measurement.block_bytes
    if not measurement.is_durable_single_writer or size is None or size > BLOCK_BYTES_MAX:
        return ALL_ELSE
    is_data = measurement.tool in OVERWRITES and measurement.sync in DATA_SYNCS
    return OVERWRITE if is_data else WITH_METADATA
