//! Latency histograms of the kind `log128`: log-linear, 128 sub-buckets an octave, error under 0.8 %.

/// Buckets of a histogram; the last one takes everything from 273 s on.
pub const BUCKETS: usize = 4096;
/// Sub-buckets of one octave.
const SUB_BUCKETS: u64 = 128;

/// The bucket of a value in nanoseconds.
#[inline]
#[allow(clippy::cast_possible_truncation)] // capped at 4,095 before it is narrowed
pub const fn bucket_of(value_ns: u64) -> usize {
    if value_ns < SUB_BUCKETS {
        return value_ns as usize;
    }
    let shift = value_ns.ilog2() as u64 - 7;
    let bucket = SUB_BUCKETS * (shift + 1) + ((value_ns >> shift) - SUB_BUCKETS);
    if bucket < BUCKETS as u64 { bucket as usize } else { BUCKETS - 1 }
}

/// The smallest value in nanoseconds that falls into a bucket.
pub const fn lower_bound_ns(bucket: usize) -> u64 {
    let bucket = bucket as u64;
    if bucket < SUB_BUCKETS {
        return bucket;
    }
    (SUB_BUCKETS + bucket % SUB_BUCKETS) << (bucket / SUB_BUCKETS - 1)
}

/// How many nanoseconds a bucket spans.
pub const fn width_ns(bucket: usize) -> u64 {
    let bucket = bucket as u64;
    if bucket < SUB_BUCKETS { 1 } else { 1 << (bucket / SUB_BUCKETS - 1) }
}

/// A histogram that is complete: sparse, with exact sum, minimum and maximum. Never empty.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Distribution {
    /// Bucket and count, buckets ascending, counts positive.
    pub counts: Vec<(usize, u64)>,
    /// Exact sum of all values.
    pub sum_ns: u64,
    /// Exact smallest value.
    pub min_ns: u64,
    /// Exact largest value.
    pub max_ns: u64,
}

impl Distribution {
    /// How many values were recorded.
    pub fn total(&self) -> u64 {
        self.counts.iter().fold(0, |sum, &(_, count)| sum.saturating_add(count))
    }

    /// Both merged, as if all values had been recorded in one.
    #[must_use]
    pub fn plus(&self, other: &Self) -> Self {
        let mut counts = std::collections::BTreeMap::new();
        for &(bucket, count) in self.counts.iter().chain(&other.counts) {
            let sum: &mut u64 = counts.entry(bucket).or_insert(0);
            *sum = sum.saturating_add(count);
        }
        Self {
            counts: counts.into_iter().collect(),
            sum_ns: self.sum_ns.saturating_add(other.sum_ns),
            min_ns: self.min_ns.min(other.min_ns),
            max_ns: self.max_ns.max(other.max_ns),
        }
    }

    /// What was recorded after `earlier`, a snapshot of the same histogram; `None` when nothing was. Its
    /// minimum and maximum are exact only to a bucket.
    pub fn since(&self, earlier: Option<&Self>) -> Option<Self> {
        let Some(earlier) = earlier else { return Some(self.clone()) };
        let mut before = earlier.counts.iter().copied().peekable();
        let mut counts = self.counts.clone();
        for (bucket, count) in &mut counts {
            if let Some((_, recorded)) = before.next_if(|(other, _)| other == bucket) {
                *count -= recorded;
            }
        }
        counts.retain(|&(_, count)| count > 0);
        let (&(first, _), &(last, _)) = (counts.first()?, counts.last()?);
        Some(Self {
            sum_ns: self.sum_ns - earlier.sum_ns,
            min_ns: lower_bound_ns(first).max(self.min_ns),
            max_ns: (lower_bound_ns(last) + width_ns(last) - 1).min(self.max_ns),
            counts,
        })
    }

    /// What is impossible in a histogram that was read from a file; `None` where nothing is.
    pub fn fault(&self) -> Option<&'static str> {
        let (Some(&(first, _)), Some(&(last, _))) = (self.counts.first(), self.counts.last()) else {
            return Some("is empty");
        };
        let sum_over = |edge: fn(usize) -> u64| -> u128 {
            self.counts.iter().map(|&(bucket, count)| u128::from(edge(bucket)) * u128::from(count)).sum()
        };
        if last >= BUCKETS || !self.counts.is_sorted_by_key(|&(bucket, _)| bucket) {
            Some("has buckets out of order")
        } else if self.counts.windows(2).any(|pair| pair[0].0 == pair[1].0) {
            Some("has a bucket twice")
        } else if self.counts.iter().any(|&(_, count)| count == 0) {
            Some("has an empty bucket")
        } else if self.min_ns > self.max_ns
            || (bucket_of(self.min_ns), bucket_of(self.max_ns)) != (first, last)
        {
            Some("has a smallest or largest value outside its buckets")
        } else if u128::from(self.sum_ns) < sum_over(lower_bound_ns) {
            Some("has a sum below that of its buckets")
        } else if last < BUCKETS - 1
            && u128::from(self.sum_ns) > sum_over(|bucket| lower_bound_ns(bucket) + width_ns(bucket) - 1)
        {
            Some("has a sum above that of its buckets")
        } else {
            None
        }
    }

    /// Arithmetic mean, rounded down.
    pub fn mean_ns(&self) -> u64 {
        self.sum_ns / self.total().max(1)
    }

    /// The percentile by nearest rank: the middle of the bucket that holds rank ceil(q·n), never
    /// outside the exact minimum and maximum. `per_ten_thousand` is q: 9,990 is p99.9.
    pub fn percentile_ns(&self, per_ten_thousand: u64) -> u64 {
        let total = u128::from(self.total());
        let rank = (total * u128::from(per_ten_thousand)).div_ceil(10_000).max(1);
        let mut rank_so_far = 0_u128;
        for &(bucket, count) in &self.counts {
            rank_so_far += u128::from(count);
            if rank_so_far >= rank {
                let middle = lower_bound_ns(bucket) + (width_ns(bucket) - 1) / 2;
                return middle.clamp(self.min_ns, self.max_ns);
            }
        }
        self.max_ns
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The histogram of these values.
    fn recorded(values: &[u64]) -> Distribution {
        let mut counts = std::collections::BTreeMap::new();
        for &value in values {
            *counts.entry(bucket_of(value)).or_insert(0) += 1;
        }
        let (min_ns, max_ns) = (*values.iter().min().unwrap(), *values.iter().max().unwrap());
        let sum_ns = values.iter().sum();
        Distribution { counts: counts.into_iter().collect(), sum_ns, min_ns, max_ns }
    }

    #[test]
    fn every_bucket_begins_where_the_one_before_ends() {
        for bucket in 0..BUCKETS - 1 {
            assert_eq!(lower_bound_ns(bucket) + width_ns(bucket), lower_bound_ns(bucket + 1), "{bucket}");
            assert_eq!(bucket_of(lower_bound_ns(bucket)), bucket);
            assert_eq!(bucket_of(lower_bound_ns(bucket) + width_ns(bucket) - 1), bucket);
        }
        assert_eq!(bucket_of(u64::MAX), BUCKETS - 1);
    }

    #[test]
    fn a_bucket_is_never_wider_than_a_hundred_and_twenty_eighth_of_its_value() {
        for bucket in 128..BUCKETS {
            assert!(width_ns(bucket) * 128 <= lower_bound_ns(bucket), "{bucket}");
        }
    }

    #[test]
    fn percentiles_are_nearest_rank_and_stay_between_the_extremes() {
        let distribution = recorded(&(1..=100).collect::<Vec<_>>());
        assert_eq!(distribution.percentile_ns(5_000), 50);
        assert_eq!(distribution.percentile_ns(9_900), 99);
        assert_eq!(distribution.percentile_ns(9_901), 100);
        assert_eq!((distribution.total(), distribution.sum_ns, distribution.mean_ns()), (100, 5_050, 50));
        assert_eq!(recorded(&[1_000_003]).percentile_ns(5_000), 1_000_003);
    }

    #[test]
    fn what_cannot_be_true_is_found_and_what_was_recorded_is_true() {
        let values = [1, 127, 128, 90_000, 90_001, 5_000_000_000, u64::MAX / 4];
        for count in 1..=values.len() {
            assert_eq!(recorded(&values[..count]).fault(), None, "{count}");
        }
        let fault = |change: fn(&mut Distribution)| {
            let mut distribution = recorded(&[100, 200, 300]);
            change(&mut distribution);
            distribution.fault().unwrap_or_default()
        };
        assert_eq!(fault(|d| d.counts.clear()), "is empty");
        assert_eq!(fault(|d| d.counts.swap(0, 1)), "has buckets out of order");
        assert_eq!(fault(|d| d.counts[2].0 = usize::MAX), "has buckets out of order");
        assert_eq!(fault(|d| d.counts[1].0 = d.counts[0].0), "has a bucket twice");
        assert_eq!(fault(|d| d.counts[1].1 = 0), "has an empty bucket");
        assert_eq!(fault(|d| d.min_ns = 400), "has a smallest or largest value outside its buckets");
        assert_eq!(fault(|d| d.max_ns = 310), "has a smallest or largest value outside its buckets");
        assert_eq!(fault(|d| d.sum_ns = 590), "has a sum below that of its buckets");
        assert_eq!(fault(|d| d.sum_ns = 610), "has a sum above that of its buckets");
    }

    #[test]
    fn the_mean_is_the_sum_over_the_count_rounded_down() {
        assert_eq!(recorded(&[100, 200, 302]).mean_ns(), 200);
        assert_eq!(recorded(&[7]).mean_ns(), 7);
        let empty = Distribution { counts: Vec::new(), sum_ns: 0, min_ns: 0, max_ns: 0 };
        assert_eq!(empty.mean_ns(), 0);
    }

    #[test]
    fn what_came_later_is_the_difference_of_two_snapshots() {
        let earlier = recorded(&[1, 100_000, 300]);
        assert_eq!(earlier.since(Some(&earlier)), None);
        assert_eq!(earlier.since(None), Some(earlier.clone()));
        let all = recorded(&[1, 100_000, 300, 300, 50_000, 50_000]);
        let later = all.since(Some(&earlier)).unwrap();
        assert_eq!(later.counts, [(bucket_of(300), 1), (bucket_of(50_000), 2)]);
        assert_eq!((later.sum_ns, later.fault()), (100_300, None));
    }

    #[test]
    fn the_extremes_of_what_came_later_are_known_to_a_bucket_and_lie_within_those_of_all() {
        // The smallest and largest of all are in other buckets: those of the later ones bound it.
        let all = recorded(&[1, 1_000_003, 2_000_003, 9_000_000]);
        let later = all.since(Some(&recorded(&[1, 9_000_000]))).unwrap();
        let (first, last) = (bucket_of(1_000_003), bucket_of(2_000_003));
        assert_eq!(later.min_ns, lower_bound_ns(first));
        assert_eq!(later.max_ns, lower_bound_ns(last) + width_ns(last) - 1);
        // They are in the same buckets: nothing later can lie beyond them.
        let all = recorded(&[1_000_003, 1_000_004, 2_000_003, 2_000_004]);
        let later = all.since(Some(&recorded(&[1_000_003, 2_000_004]))).unwrap();
        assert_eq!((later.min_ns, later.max_ns), (1_000_003, 2_000_004));
    }
}
