"""Sentences that several rules say: why, what was found, and what to do about it."""

from __future__ import annotations

from typing import Final

NO_CHALLENGE: Final = (
    "The run names no challenge that this server knows, so nothing shows when it was made or "
    "how many others were left out."
)
COUNTED_ONCE: Final = (
    "Each operation is counted once: one operation, byte or nanosecond too many is too much."
)
P50_BELOW_FLOOR: Final = "p50 is {p50_ns:us} µs; the floor is {floor_ns:us} µs."
P50_BELOW_ITS_FLOOR: Final = (
    "{workload}: p50 is {p50_ns:us} µs; the floor is {floor_ns:us} µs ({class:class})."
)
SO_MANY_KEYS: Final = "There were {keys} keys."
THEIR_SHARE: Final = "Their share was {share_permille:percent} %."
FILESYSTEM_IS: Final = "The filesystem is {filesystem}."

MEASURE_AGAIN: Final = "Measure again. If it stays, send us the run's address."
MEASURE_WITH_SERVER: Final = "Measure again with `--server`, and upload right after the run."
MEASURE_OUTSIDE: Final = "Measure on the host, outside of container, sandbox and layer."
AT_OTHER_HOURS: Final = "Measure several times, at other hours."
USE_RELEASED: Final = "Measure again with the newest released agent."
STOP_OTHERS: Final = "Stop the other programs and measure again."
SET_WRITE_BACK: Final = "Set queue/write_cache to write back and measure again."
MEASURE_ON_IT: Final = "Measure on the machine itself. If both keys are yours, use one."
CHECK_CLOCK: Final = (
    "Check /sys/devices/system/clocksource, and whether the virtual machine was paused."
)
LOOK_BELOW: Final = (
    "Look for a mount option, a layer or a hypervisor's cache mode that drops flushes (QEMU: use "
    "cache=none)."
)
NAME_A_FOLDER: Final = "Name a folder on the disk that you want to measure."
TELL_PLAN: Final = "Name provider and plan as the invoice does. If the catalogue is wrong, tell us."
TELL_DRIVE: Final = "Tell us which drive it is, and where its data sheet stands."
TELL_MACHINE: Final = "If your machine really is like that, tell us."
NOTHING_TO_DO: Final = "Nothing."

# The findings of decisions about a run; the reason is a person's own words.
RULING_CASES: Final = {
    "reason": "Since {day}: {reason:reason}.",
    "no-reason": "Since {day}, without a reason.",
}
