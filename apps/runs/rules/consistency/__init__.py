"""Rules about whether the figures of a run fit each other and the server's clock: quarantine."""

from typing import Final

from apps.wire.judgement import thresholds

# The share of time that reading the clock and scheduling may take between two operations.
TOLERANCE: Final = thresholds().latencies.sum_tolerance.value
CLOCK_TOLERANCE: Final = 1.02  # an honest clock is not 2 % fast
