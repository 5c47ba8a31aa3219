//! Stalls: percentiles count operations and so hide a few long ones, but a user waits through them.

use crate::wire::histogram::{Distribution, lower_bound_ns, width_ns};

/// An operation that takes longer than this many medians is a stall.
pub const STALL_MEDIANS: u64 = crate::wire::judgement::stalls::ABOVE_MEDIANS as u64;

/// The share, in thousandths, of all time spent in operations that went into those longer than
/// [`STALL_MEDIANS`] times p50. With one operation in flight that is the share of the wall time. A latency
/// counts as the middle of its bucket, within 0.4 %.
pub fn share_milli(latencies: &Distribution) -> u64 {
    let threshold_ns = latencies.percentile_ns(5_000).saturating_mul(STALL_MEDIANS);
    let stalled: u128 = latencies
        .counts
        .iter()
        .map(|&(bucket, count)| (lower_bound_ns(bucket) + (width_ns(bucket) - 1) / 2, count))
        .filter(|&(middle_ns, _)| middle_ns > threshold_ns)
        .map(|(middle_ns, count)| u128::from(middle_ns) * u128::from(count))
        .sum();
    let share = stalled * 1_000 / u128::from(latencies.sum_ns.max(1));
    u64::try_from(share).unwrap_or(1_000).min(1_000)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::histogram::Histogram;

    #[test]
    fn few_long_stalls_are_a_large_share_of_the_time() {
        let histogram = Histogram::default();
        for _ in 0..1_600 {
            histogram.record(62_500);
        }
        assert_eq!(share_milli(&histogram.snapshot().unwrap()), 0);
        histogram.record(100_000_000);
        let throttled = histogram.snapshot().unwrap();
        assert_eq!(throttled.percentile_ns(9_990), 62_591, "a percentile does not see it");
        assert!((495..505).contains(&share_milli(&throttled)), "{}", share_milli(&throttled));
    }
}
