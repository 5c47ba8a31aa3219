//! How many operations finished in each interval of a pass.

/// The most intervals of a pass: the wire format takes no more. At 100 ms that is 7 minutes.
pub const SAMPLES_MAX: usize = 4096;

/// Counts per interval, allocated before the pass begins.
#[derive(Debug)]
pub struct RateSamples {
    counts: Vec<u64>,
    interval_ns: u64,
}

impl RateSamples {
    /// Room for `SAMPLES_MAX` intervals of `interval_ns`. The memory is touched, so that the timed loop meets
    /// no page fault.
    pub fn new(interval_ns: u64) -> Self {
        Self { counts: vec![0; SAMPLES_MAX], interval_ns }
    }

    /// Sets all counts to 0, for the next pass.
    pub fn clear(&mut self) {
        self.counts.fill(0);
    }

    /// Counts an operation that finished `elapsed_ns` after the pass began. An operation that
    /// finishes exactly at the end of an interval belongs to it.
    #[inline]
    pub fn record(&mut self, elapsed_ns: u64) {
        let interval = elapsed_ns.saturating_sub(1) / self.interval_ns;
        if let Some(count) = usize::try_from(interval).ok().and_then(|index| self.counts.get_mut(index)) {
            *count += 1;
        }
    }

    /// The counts of the whole intervals of a pass of this length, without the last, partial one.
    pub fn whole(&self, elapsed_ns: u64) -> Vec<u64> {
        let whole = usize::try_from(elapsed_ns / self.interval_ns).unwrap_or(SAMPLES_MAX).min(SAMPLES_MAX);
        self.counts[..whole].to_vec()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_operation_at_the_edge_belongs_to_the_interval_that_ends_there() {
        let mut samples = RateSamples::new(100);
        for elapsed in [50, 100, 101, 250] {
            samples.record(elapsed);
        }
        assert_eq!(samples.whole(250), [2, 1]);
        assert_eq!(samples.whole(300), [2, 1, 1]);
    }

    #[test]
    fn a_pass_longer_than_all_intervals_does_not_overflow() {
        let mut samples = RateSamples::new(1);
        samples.record(u64::MAX);
        assert_eq!(samples.whole(u64::MAX).len(), SAMPLES_MAX);
    }

    #[test]
    fn clearing_forgets_the_pass_before() {
        let mut samples = RateSamples::new(10);
        samples.record(5);
        samples.clear();
        assert_eq!(samples.whole(10), [0]);
    }
}
