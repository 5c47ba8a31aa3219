//! A histogram while it is being filled.
//!
//! Recording is done by one thread and costs a shift, an add and a store; any other thread may look
//! at the same time, which is how the live display gets its p99 without the timed loop's help.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use crate::wire::histogram::{BUCKETS, Distribution, bucket_of};

/// Counts by bucket. They are atomic, so that one thread records through a shared reference while others take
/// snapshots.
#[derive(Debug)]
pub struct Histogram {
    counts: Box<[AtomicU64]>,
    sum_ns: AtomicU64,
    min_ns: AtomicU64,
    max_ns: AtomicU64,
}

impl Default for Histogram {
    fn default() -> Self {
        Self {
            counts: (0..BUCKETS).map(|_| AtomicU64::new(0)).collect(),
            sum_ns: AtomicU64::new(0),
            min_ns: AtomicU64::new(u64::MAX),
            max_ns: AtomicU64::new(0),
        }
    }
}

impl Histogram {
    /// Counts one latency. Only one thread may call this: a load and a store instead of an atomic
    /// addition keep it at about 2 ns.
    #[inline]
    pub fn record(&self, value_ns: u64) {
        let count = &self.counts[bucket_of(value_ns)];
        count.store(count.load(Relaxed) + 1, Relaxed);
        self.sum_ns.store(self.sum_ns.load(Relaxed) + value_ns, Relaxed);
        if value_ns < self.min_ns.load(Relaxed) {
            self.min_ns.store(value_ns, Relaxed);
        }
        if value_ns > self.max_ns.load(Relaxed) {
            self.max_ns.store(value_ns, Relaxed);
        }
    }

    /// Takes over what another histogram holds, in place of what was recorded. No thread may record
    /// meanwhile.
    pub fn set_to(&self, other: &Self) {
        let copy = |to: &AtomicU64, from: &AtomicU64| to.store(from.load(Relaxed), Relaxed);
        self.counts.iter().zip(&other.counts).for_each(|(to, from)| copy(to, from));
        copy(&self.sum_ns, &other.sum_ns);
        copy(&self.min_ns, &other.min_ns);
        copy(&self.max_ns, &other.max_ns);
    }

    /// What was recorded until now; `None` when that is nothing.
    pub fn snapshot(&self) -> Option<Distribution> {
        let counts: Vec<(usize, u64)> = self
            .counts
            .iter()
            .enumerate()
            .map(|(bucket, count)| (bucket, count.load(Relaxed)))
            .filter(|&(_, count)| count > 0)
            .collect();
        if counts.is_empty() {
            return None;
        }
        Some(Distribution {
            counts,
            sum_ns: self.sum_ns.load(Relaxed),
            min_ns: self.min_ns.load(Relaxed),
            max_ns: self.max_ns.load(Relaxed),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_snapshot_is_what_was_recorded() {
        let histogram = Histogram::default();
        for value in [300, 90_000, 300, u64::MAX / 4] {
            histogram.record(value);
            assert_eq!(histogram.snapshot().unwrap().fault(), None, "{value}");
        }
        let Distribution { counts, sum_ns, min_ns, max_ns } = histogram.snapshot().unwrap();
        assert_eq!(counts, [(bucket_of(300), 2), (bucket_of(90_000), 1), (BUCKETS - 1, 1)]);
        assert_eq!((sum_ns, min_ns, max_ns), (90_600 + u64::MAX / 4, 300, u64::MAX / 4));
    }

    #[test]
    fn an_empty_histogram_has_no_distribution() {
        assert_eq!(Histogram::default().snapshot(), None);
    }
}
