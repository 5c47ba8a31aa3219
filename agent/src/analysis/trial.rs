//! Whether a device kept up with a rate at which operations arrived by themselves. The search for the highest
//! such rate asks for it while it runs, and whoever reads the result asks again.

use crate::wire::judgement::useful_rate;
use crate::wire::workload::OpenLoop;

/// A good trial achieved more than this percentage of what it offered.
const ACHIEVED_PERCENT: u128 = useful_rate::ACHIEVED_PERCENT_ABOVE as u128;
/// In a good generator, p99 of its lag stays below this part of p99 of the latencies.
const LAG_PARTS: u128 = useful_rate::LATE_LAG_PARTS as u128;

/// What happened in a trial.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Trial {
    /// Arrivals a second.
    pub offered_per_s: u64,
    /// Operations finished.
    pub operations: u64,
    /// The time that they took.
    pub elapsed_ns: u64,
    /// Latency from the intended arrival.
    pub p99_ns: u64,
    /// How late the generator began operations.
    pub lag_p99_ns: u64,
}

impl Trial {
    /// The trial that finished `operations` in `elapsed_ns`.
    pub fn new(open: &OpenLoop, operations: u64, elapsed_ns: u64) -> Self {
        let OpenLoop { offered_per_s, p99_ns, lag_p99_ns, .. } = *open;
        Self { offered_per_s, operations, elapsed_ns, p99_ns, lag_p99_ns }
    }

    /// Whether the device kept up: p99 below the limit, and more than 99 % of the offered operations
    /// finished. By Little's law `offered x limit` operations may still be in flight at the end of a good
    /// trial. A late generator does no harm here: its lag is part of the latencies, which only makes the
    /// trial harder.
    pub fn is_good(&self, p99_ns_max: u64) -> bool {
        let offered = u128::from(self.offered_per_s);
        let in_flight = offered * u128::from(p99_ns_max);
        let accounted = (u128::from(self.operations) * 1_000_000_000).saturating_add(in_flight);
        let expected = (offered * u128::from(self.elapsed_ns)).saturating_mul(ACHIEVED_PERCENT);
        self.p99_ns < p99_ns_max && accounted.saturating_mul(100) > expected
    }

    /// Whether the generator was late: p99 of its lag is at least a fifth of p99 of the latencies. If such a
    /// trial was not good, that says nothing against the device: the CPUs were busy.
    pub fn is_late(&self) -> bool {
        u128::from(self.lag_p99_ns) * LAG_PARTS >= u128::from(self.p99_ns)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MILLISECOND: u64 = 1_000_000;
    const GOOD: Trial = Trial {
        offered_per_s: 1_000,
        operations: 2_000,
        elapsed_ns: 2_000 * MILLISECOND,
        p99_ns: 4 * MILLISECOND,
        lag_p99_ns: 0,
    };

    #[test]
    fn a_trial_is_good_when_it_was_answered_in_time() {
        let limit = 5 * MILLISECOND;
        assert!(GOOD.is_good(limit));
        assert!(!Trial { p99_ns: limit, ..GOOD }.is_good(limit), "not below the limit");
        let late = Trial { lag_p99_ns: GOOD.p99_ns / 5, ..GOOD };
        assert!(late.is_late() && late.is_good(limit), "its lag is in the latencies");
        assert!(!GOOD.is_late());
        // A hundredth is forgiven, and the five that arrive in 5 ms.
        assert!(Trial { operations: 1_976, ..GOOD }.is_good(limit));
        assert!(!Trial { operations: 1_975, ..GOOD }.is_good(limit));
    }

    #[test]
    fn figures_that_no_trial_can_have_are_judged_too() {
        let endless = Trial { offered_per_s: u64::MAX, operations: u64::MAX, elapsed_ns: u64::MAX, ..GOOD };
        assert!(!endless.is_good(u64::MAX), "neither side fits, so nothing is shown");
        assert!(Trial { lag_p99_ns: u64::MAX, ..GOOD }.is_late());
    }
}
