"""Stalls: a few long operations that percentiles hide, although a user waits for them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from apps.stats.histogram import bucket_low_ns, bucket_width_ns
from apps.wire.judgement import thresholds

if TYPE_CHECKING:
    from apps.stats.histogram import Histogram

STALL_MEDIANS: Final = (
    thresholds().stalls.above_medians.value
)  # an operation that takes longer than this many medians is a stall


def stall_share_milli(latencies: Histogram) -> int:
    """Return the thousandths of the time of all operations that stalled ones took.

    With one operation in flight that is a share of the wall time. A latency counts as the middle
    of its bucket, within 0.4 %.
    """
    threshold_ns = STALL_MEDIANS * latencies.percentile_ns(0.5)
    stalled_ns = 0
    for bucket, count in zip(reversed(latencies.buckets), reversed(latencies.counts), strict=True):
        middle_ns = bucket_low_ns(bucket) + (bucket_width_ns(bucket) - 1) // 2
        if middle_ns <= threshold_ns:
            break  # as all that are below
        stalled_ns += middle_ns * count
    return min(stalled_ns * 1000 // max(latencies.sum_ns, 1), 1000)
