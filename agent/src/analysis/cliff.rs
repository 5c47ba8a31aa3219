//! Where a sustained rate breaks down for good: the end of an SLC cache, or of burst credits.
//!
//! Binary segmentation on the logarithm of the rate in each interval. A series is split where the difference
//! of the means on both sides, in units of its standard error, is largest (the likelihood ratio for one
//! change in the mean of normal noise, Sen and Srivastava 1975), if that exceeds sqrt(2 ln(n / 0.01)). By the
//! bound P(|Z| > t) <= exp(-t^2 / 2), mere noise exceeds it at any of n places in one of 100 series at most.
//! Both parts are then split in the same way. The noise is estimated from the median of the absolute
//! differences of neighbours, which a few steps do not move. Significance is not enough: noise of a real disk
//! has a memory. A cliff is a drop of the median by a fifth or more that lasts, to the end and in three
//! quarters of what lies behind it.

use super::median;
use crate::wire::judgement::cliff;
use crate::wire::workload::Workload;

/// After a cliff, at most this share of the rate is left.
pub const CLIFF_RATIO: f64 = cliff::RATE_SHARE_MAX;
/// The fewest intervals on either side of a cliff: two seconds of 100 ms are a state, not a stall.
pub const SIDE_MIN: usize = cliff::SIDE_INTERVALS_MIN;
/// At most this share of series of pure noise is split although nothing changes.
const FALSE_SPLITS: f64 = cliff::FALSE_SPLITS_SHARE;
/// The share of the intervals after a cliff that must stay low: a drive may recover for moments.
const LASTING_SHARE: f64 = cliff::LASTING_SHARE_MIN;
/// An interval may differ from the median of its neighbours by this many standard deviations. One that
/// differs more, such as an interval in which nothing finished, is clipped to that.
const CLIP_DEVIATIONS: f64 = cliff::CLIP_DEVIATIONS;
/// Intervals on each side that count as neighbours.
const NEIGHBOURS: usize = cliff::NEIGHBOUR_INTERVALS;
/// The least noise that is assumed: a throttle may hold a rate to 0.2 %, and clocks differ more.
const DEVIATION_MIN: f64 = cliff::DEVIATION_MIN;
/// Standard deviation of normal noise over its median absolute value.
const DEVIATIONS_PER_MEDIAN: f64 = 1.4826;

/// A lasting drop.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Cliff {
    /// The first interval after it.
    pub sample: usize,
    /// Operations before it.
    pub operations: u64,
    /// Median of an interval before it.
    pub before: f64,
    /// Median of an interval after it.
    pub after: f64,
}

/// What a sustained write showed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Endurance {
    /// The rate dropped for good.
    Cliff {
        /// Bytes written before the drop.
        bytes: u64,
        /// Nanoseconds before the drop.
        elapsed_ns: u64,
        /// Bytes a second before the drop.
        before_per_s: f64,
        /// Bytes a second after it.
        after_per_s: f64,
    },
    /// The rate did not drop.
    None {
        /// Bytes written in all.
        bytes: u64,
        /// Nanoseconds in all.
        elapsed_ns: u64,
    },
}

/// The largest drop of these counts that lasts to their end; `None` where there is none.
pub fn find(counts: &[u64]) -> Option<Cliff> {
    let logs: Vec<f64> = counts.iter().map(|&count| (count as f64).max(0.5).ln()).collect();
    let deviation = deviation(&logs, counts);
    let clipped = clip(&logs, CLIP_DEVIATIONS * deviation);
    let threshold = deviation * (2.0 * (counts.len().max(2) as f64 / FALSE_SPLITS).ln()).sqrt();
    let mut edges = vec![0, counts.len()];
    split(&clipped, 0, threshold, &mut edges);
    edges.sort_unstable();
    let rates: Vec<f64> = counts.iter().map(|&count| count as f64).collect();
    let level = |from: usize, to: usize| median(&rates[from..to]).unwrap_or(0.0);
    let parts: Vec<(usize, usize, f64)> =
        edges.windows(2).map(|edge| (edge[0], edge[1], level(edge[0], edge[1]))).collect();
    let mut steepest: Option<(f64, Cliff)> = None;
    for (index, pair) in parts.windows(2).enumerate() {
        let (sample, drop) = (pair[1].0, pair[1].2 / pair[0].2);
        let (before, after) = (level(0, sample), level(sample, counts.len()));
        let is_low = |part: &&(usize, usize, f64)| part.2 <= CLIFF_RATIO * before;
        let behind = &parts[index + 1..];
        let low: usize = behind.iter().filter(is_low).map(|part| part.1 - part.0).sum();
        let lasts = low as f64 >= LASTING_SHARE * (counts.len() - sample) as f64
            && behind.last().as_ref().is_some_and(is_low)
            && after <= CLIFF_RATIO * before;
        // A drop from zero to zero has no ratio, and is no drop.
        if lasts && drop <= CLIFF_RATIO && steepest.is_none_or(|(largest, _)| drop < largest) {
            let operations = counts[..sample].iter().fold(0, |sum: u64, count| sum.saturating_add(*count));
            steepest = Some((drop, Cliff { sample, operations, before, after }));
        }
    }
    steepest.map(|(_, cliff)| cliff)
}

/// The endurance that a workload of one pass shows; `None` where it was too short to tell.
pub fn endurance(workload: &Workload) -> Option<Endurance> {
    let pass = workload.passes.first().filter(|pass| pass.operations > 0)?;
    if pass.rate_samples.len() < 2 * SIDE_MIN {
        return None;
    }
    let operation_bytes = pass.bytes / pass.operations;
    let per_s = |count: f64| count * operation_bytes as f64 * 1e9 / workload.sample_ns as f64;
    Some(match find(&pass.rate_samples) {
        Some(cliff) => Endurance::Cliff {
            bytes: cliff.operations.saturating_mul(operation_bytes),
            elapsed_ns: cliff.sample as u64 * workload.sample_ns,
            before_per_s: per_s(cliff.before),
            after_per_s: per_s(cliff.after),
        },
        None => Endurance::None { bytes: pass.bytes, elapsed_ns: pass.elapsed_ns },
    })
}

/// The standard deviation of the noise, at least what a whole number of operations can express.
fn deviation(logs: &[f64], counts: &[u64]) -> f64 {
    let differences: Vec<f64> = logs.windows(2).map(|pair| (pair[1] - pair[0]).abs()).collect();
    let noise = median(&differences).unwrap_or(0.0) * DEVIATIONS_PER_MEDIAN / 2.0_f64.sqrt();
    let middle = median(&counts.iter().map(|&count| count as f64).collect::<Vec<_>>()).unwrap_or(0.0);
    noise.max(1.0 / (middle + 1.0)).max(DEVIATION_MIN)
}

/// The values, each clipped to within `most` of the median of itself and its neighbours.
fn clip(values: &[f64], most: f64) -> Vec<f64> {
    let local = |index: usize| {
        let end = (index + NEIGHBOURS + 1).min(values.len());
        median(&values[index.saturating_sub(NEIGHBOURS)..end]).unwrap_or(0.0)
    };
    let near = |(index, value): (usize, &f64)| value.clamp(local(index) - most, local(index) + most);
    values.iter().enumerate().map(near).collect()
}

/// Adds the places, counted from `first`, where the mean of `values` changes.
fn split(values: &[f64], first: usize, threshold: f64, edges: &mut Vec<usize>) {
    let count = values.len() as f64;
    let total: f64 = values.iter().sum();
    let (mut sum, mut best) = (0.0, (0.0, 0));
    for (index, value) in values.iter().enumerate() {
        let (left, right) = (index as f64, count - index as f64);
        if index >= SIDE_MIN && index + SIDE_MIN <= values.len() {
            let excess = (sum - total * left / count).abs() / (left * right / count).sqrt();
            if excess > best.0 {
                best = (excess, index);
            }
        }
        sum += value;
    }
    let (excess, index) = best;
    if excess > threshold {
        edges.push(first + index);
        split(&values[..index], first, threshold, edges);
        split(&values[index..], first + index, threshold, edges);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::offsets::SplitMix;

    /// Counts around these levels, each for this many intervals, with normal noise of this coefficient of
    /// variation.
    fn noisy(levels: &[(usize, f64)], variation: f64, seed: u64) -> Vec<u64> {
        let mut random = SplitMix::new(seed);
        let mut uniform = || (random.next_u64() >> 11) as f64 / (1_u64 << 53) as f64;
        let mut normal = || (0..12).map(|_| uniform()).sum::<f64>() - 6.0;
        let counts = levels.iter().flat_map(|&(length, level)| std::iter::repeat_n(level, length));
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // counts of thousands, cut at zero
        counts.map(|level| (level * (1.0 + variation * normal())).max(0.0).round() as u64).collect()
    }

    #[test]
    fn noise_without_a_change_has_no_cliff() {
        for length in [40, 80, 300, 3_000] {
            let cliffs = (0..1_000 / (length as u64 / 40))
                .filter(|seed| find(&noisy(&[(length, 3_000.0)], 0.2, *seed)).is_some())
                .count();
            assert_eq!(cliffs, 0, "of {length} intervals");
        }
    }

    #[test]
    fn a_drop_by_three_tenths_is_found_where_it_is() {
        for seed in 0..200 {
            let cliff = find(&noisy(&[(150, 3_000.0), (150, 2_100.0)], 0.2, seed)).unwrap();
            assert!(cliff.sample.abs_diff(150) <= 12, "{seed}: {cliff:?}");
            assert!((cliff.after / cliff.before - 0.7).abs() < 0.08, "{seed}: {cliff:?}");
        }
    }

    #[test]
    fn of_several_drops_the_largest_lasting_one_is_told() {
        let stairs = noisy(&[(100, 4_000.0), (100, 3_000.0), (100, 800.0)], 0.1, 1);
        let cliff = find(&stairs).unwrap();
        assert!(cliff.sample.abs_diff(200) <= 2, "{cliff:?}");
        assert_eq!(cliff.operations, stairs[..cliff.sample].iter().sum::<u64>());
        let dip = noisy(&[(100, 4_000.0), (60, 400.0), (140, 4_000.0)], 0.1, 2);
        assert_eq!(find(&dip), None, "what recovers was no cliff");
        let dip_and_cliff = noisy(&[(100, 4_000.0), (40, 200.0), (80, 4_000.0), (100, 1_000.0)], 0.1, 3);
        assert!(find(&dip_and_cliff).unwrap().sample.abs_diff(220) <= 2);
    }

    #[test]
    fn stalls_of_single_intervals_are_no_change() {
        let mut counts = noisy(&[(300, 3_000.0)], 0.1, 4);
        for stalled in [17, 90, 91, 250, 251, 252, 280, 299] {
            counts[stalled] = 0;
        }
        assert_eq!(find(&counts), None);
    }

    #[test]
    fn a_provisioned_rate_and_few_operations_an_interval_are_flat() {
        assert_eq!(find(&[194; 100]), None);
        let slow: Vec<u64> = (0..200).map(|interval| 4 + interval % 3).collect();
        assert_eq!(find(&slow), None);
        let credits: Vec<u64> = [[300; 100], [30; 100]].concat();
        assert_eq!(
            find(&credits).unwrap(),
            Cliff { sample: 100, operations: 30_000, before: 300.0, after: 30.0 }
        );
    }

    #[test]
    fn what_is_too_short_or_empty_has_no_cliff() {
        assert_eq!(find(&[]), None);
        assert_eq!(find(&[0; 60]), None);
        assert_eq!(find(&[5_000, 1]), None);
    }
}
