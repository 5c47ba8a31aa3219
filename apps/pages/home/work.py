"""Which work may be compared on the ladder: a data sync, one with file-system metadata, others.

Figures are joined, and somebody's output is likened to a figure, within one class only.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.db.models import Case, IntegerField, Value, When

if TYPE_CHECKING:
    from apps.runs.models import Measurement

DATA, METADATA, OTHER = 1, 2, 3
BLOCK_BYTES_MAX: Final = 16 * 1024  # larger writes take the time of their bytes
DATA_SYNCS: Final = frozenset({"fdatasync", "o_dsync"})
# Its file is written before it is timed; that of fio is only allocated, unless told otherwise.
OVERWRITES: Final = frozenset({"pg_test_fsync"})
_CLASSES: Final = {
    "commit-8k": DATA,
    "commit-8k-dsync": DATA,
    "commit-8k-rwf-dsync": DATA,
    "direct-16k-fdatasync": DATA,
    "commit-8k-fsync": METADATA,
    "fallocated-8k-fsync": METADATA,
    "fallocated-2300-fdatasync": METADATA,
    "append-8k-fdatasync": METADATA,
    "direct-16k-fsync": METADATA,
    "randwrite-4k-fsync": METADATA,
}


def comparable_class(workload: str) -> int:
    """Return the class of a workload: DATA, METADATA or OTHER."""
    return _CLASSES.get(workload, OTHER)


def class_of_output(measurement: Measurement) -> int:
    """Return the class of a job that somebody gave in, from what its tool says of it."""
    size = measurement.block_bytes
    if not measurement.is_durable_single_writer or size is None or size > BLOCK_BYTES_MAX:
        return OTHER
    is_data = measurement.tool in OVERWRITES and measurement.sync in DATA_SYNCS
    return DATA if is_data else METADATA


def class_place() -> Case:
    """Return the class of a standing's workload, for the order of a query."""
    named = {
        each: [name for name, its in _CLASSES.items() if its == each] for each in (DATA, METADATA)
    }
    return Case(
        *(When(workload__in=names, then=Value(each)) for each, names in named.items()),
        default=Value(OTHER),
        output_field=IntegerField(),
    )
