"""Rules about whether the figures of a run fit each other and our clock: quarantine."""

from typing import Final

from apps.wire.judgement import thresholds

# What clock reads and scheduling may cost between two operations.
TOLERANCE: Final = thresholds().latencies.sum_tolerance.value
CLOCK_TOLERANCE: Final = 1.02  # a clock that runs 2 % fast is broken, one that runs 1 % fast is not

ARITHMETIC: Final = "Arithmetic: an honest agent counts each operation once, so nothing may differ."
MEASURE_AGAIN: Final = (
    "Measure again with a current agent. If it happens again, it is a fault of the agent: please "
    "report it with the run's address."
)
