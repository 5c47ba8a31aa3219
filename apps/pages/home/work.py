"""The class of comparable work of an output that somebody pasted."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from apps.runs.published.comparable import APART, OVERWRITE, WITH_METADATA
from apps.wire.suites import DATA_SYNCS, SMALL_BLOCK_BYTES_MAX

if TYPE_CHECKING:
    from apps.runs.models import Measurement
    from apps.wire.suites import ComparableClass

# Its file is written before it is timed; that of fio is only allocated, unless overwrite=1.
OVERWRITES: Final = frozenset({"pg_test_fsync"})


def class_of_output(measurement: Measurement) -> ComparableClass:
    """Return the class of a job that somebody gave in, from what its tool says of it."""
    size = measurement.block_bytes
    if not measurement.is_durable_single_writer or size is None or size > SMALL_BLOCK_BYTES_MAX:
        return APART
    is_overwrite = measurement.tool in OVERWRITES or measurement.extra.get("overwrites", False)
    is_data = is_overwrite and measurement.sync in DATA_SYNCS
    return OVERWRITE if is_data else WITH_METADATA
