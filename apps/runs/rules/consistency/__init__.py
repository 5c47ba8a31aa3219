"""Rules about whether the figures of a run fit each other and the server's clock: quarantine."""

from typing import Final

from apps.wire.judgement import thresholds

# The share of time that reading the clock and scheduling may take between two operations.
TOLERANCE: Final = thresholds().latencies.sum_tolerance.value
CLOCK_TOLERANCE: Final = 1.02  # an honest clock is not 2 % fast

ARITHMETIC: Final = "Arithmetic: an honest agent counts each operation once, so nothing may differ."
MEASURE_AGAIN: Final = (
    "Measure again with a current agent. If it happens again, it is a fault of the agent: please "
    "report it with the run's address."
)
