//! Figures that are derived from a result, one question a file:
//!
//! - `figures`: how quick was a workload, at each percentile?
//! - `repeats`: how far do its passes lie apart?
//! - `stall`: how much of the time went by in operations that took far longer than others?
//! - `cliff`: where did its rate fall for good?
//! - `steady`: from which round on was it steady?
//! - `slo`: which rate keeps a limit of latency?
//! - `cache`: does a flush cost more the more there is to flush, and are small areas read faster?
//! - `consistency`: do its figures add up?
//! - `disturbed_workloads`: which workloads did other programs disturb?
//!
//! Pure functions of the payload. The server derives the same figures in `apps/stats`, and the tests of
//! both read `tests/wire/v1/vectors/analysis.json`.

pub mod cache;
pub mod cliff;
pub mod consistency;
pub mod disturbed_workloads;
pub mod figures;
pub mod repeats;
pub mod slo;
pub mod stall;
pub mod steady;

use crate::units::per_s;
use crate::wire::workload::Pass;

/// The median: the middle value, or the mean of the two middle ones; `None` for no values.
pub fn median(values: &[f64]) -> Option<f64> {
    let mut ordered = values.to_vec();
    ordered.sort_unstable_by(f64::total_cmp);
    let (low, high) = (ordered.get(ordered.len().wrapping_sub(1) / 2)?, ordered.get(ordered.len() / 2)?);
    Some(f64::midpoint(*low, *high))
}

/// Operations a second of a pass; `None` where none finished.
pub fn rate_per_s(pass: &Pass) -> Option<f64> {
    (pass.operations > 0 && pass.elapsed_ns > 0).then(|| per_s(pass.operations, pass.elapsed_ns))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_of_none_is_nothing_and_of_two_their_mean() {
        assert_eq!(median(&[]), None);
        assert_eq!(median(&[3.0]), Some(3.0));
        assert_eq!(median(&[4.0, 1.0]), Some(2.5));
        assert_eq!(median(&[9.0, 1.0, 4.0]), Some(4.0));
    }
}
