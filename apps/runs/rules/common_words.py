"""Sentences that several rules say: what was found, and what to do about it."""

from __future__ import annotations

from typing import Final

P50_BELOW_FLOOR: Final = "p50 is {p50_ns:us} µs; the floor is {floor_ns:us} µs."
P50_BELOW_ITS_FLOOR: Final = (
    "{workload}: p50 is {p50_ns:us} µs; the floor is {floor_ns:us} µs ({class:class})."
)
FILESYSTEM_IS: Final = "The filesystem is {filesystem}."

MEASURE_AGAIN: Final = (
    "Measure again. If it stays, the agent is at fault: report the run's address."
)
MEASURE_WITH_SERVER: Final = "Measure again with `--server`, and upload right after the run."
MEASURE_OUTSIDE: Final = "Measure on the host, outside of the container."
AT_OTHER_HOURS: Final = "Measure several times, at other hours."
USE_RELEASED: Final = "Measure again with the newest released agent."
STOP_OTHERS: Final = "Stop the other programs and measure again."
SET_WRITE_BACK: Final = "Set queue/write_cache to write back and measure again."
NAME_A_FOLDER: Final = "Name a folder on the disk that you want to measure."
TELL_PLAN: Final = "Name provider and plan as the invoice does. If the catalogue is wrong, tell us."
TELL_DRIVE: Final = "If the drive is not the one that we recognised, tell us."
TELL_MACHINE: Final = "If your machine really is like that, tell us."
NOTHING_TO_DO: Final = "Nothing."
