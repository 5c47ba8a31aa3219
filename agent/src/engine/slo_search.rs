//! The passes of a search for the highest rate that is answered in time: what rate each of them offers.

use crate::engine::open_loop::OfferedLoad;
use crate::engine::pass::PassOutcome;
use crate::plan::workload::Slo;
use crate::plan::workload::slo::{LOAD_PERCENTS, SEARCH_PASSES, SEARCHES, TRIALS};
use crate::wire::judgement::useful_rate;
use crate::wire::workload::{OpenLoop, Purpose};

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

/// The rate of the next trial of a search; `None` when the search is done. `were_good` tells of each trial so
/// far whether it was good.
pub fn next_rate(capacity_per_s: u64, were_good: &[bool]) -> Option<u64> {
    if were_good.len() >= TRIALS {
        return None;
    }
    let (mut low, mut high) = (0, capacity_per_s);
    for good in were_good {
        let middle = u64::midpoint(low, high);
        if *good { low = middle } else { high = middle }
    }
    Some(u64::midpoint(low, high).max(1))
}

/// A search for the highest rate that is answered in time, and the results of its passes so far.
#[derive(Debug, Clone)]
pub struct Search {
    slo: Slo,
    capacities_per_s: Vec<u64>,
    were_good: Vec<bool>,
}

impl Search {
    /// A search before its first pass.
    pub fn new(slo: Slo) -> Self {
        Self { slo, capacities_per_s: Vec::with_capacity(SEARCHES), were_good: Vec::with_capacity(TRIALS) }
    }

    /// The load that pass number `pass` offers; `None` for the closed loop that finds the capacity.
    pub fn offer(&self, pass: u16) -> Option<OfferedLoad> {
        let pass = usize::from(pass);
        if let Some(load) = pass.checked_sub(SEARCHES * SEARCH_PASSES) {
            let percent = LOAD_PERCENTS.get(load).copied().unwrap_or(100);
            let per_s = (self.capacity_per_s() * percent / 100).max(1);
            return Some(OfferedLoad { per_s, purpose: Purpose::Load });
        }
        if pass.is_multiple_of(SEARCH_PASSES) {
            return None;
        }
        let capacity_per_s = self.capacities_per_s.last().copied().unwrap_or(0);
        next_rate(capacity_per_s, &self.were_good)
            .map(|per_s| OfferedLoad { per_s, purpose: Purpose::Search })
    }

    /// Notes the result of a pass, and the load that it offered.
    pub fn record_pass(&mut self, offer: Option<OfferedLoad>, pass: &PassOutcome) {
        match offer.map(|offer| offer.purpose) {
            None => {
                let per_s = u128::from(pass.operations) * 1_000_000_000 / u128::from(pass.elapsed_ns.max(1));
                self.capacities_per_s.push(u64::try_from(per_s).unwrap_or(u64::MAX));
                self.were_good.clear();
            }
            Some(Purpose::Search) => {
                let trial = pass.open_loop.map(|open| Trial::new(&open, pass.operations, pass.elapsed_ns));
                // A trial in which nothing finished was not good.
                self.were_good.push(trial.is_some_and(|trial| trial.is_good(self.slo.p99_ns_max)));
            }
            Some(Purpose::Load) => {}
        }
    }

    /// The median of the capacities found so far.
    fn capacity_per_s(&self) -> u64 {
        let mut ordered = self.capacities_per_s.clone();
        ordered.sort_unstable();
        ordered.get(ordered.len() / 2).copied().unwrap_or(0)
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

    #[test]
    fn the_range_is_halved_until_the_trials_are_used_up() {
        let (capacity, limit) = (100_000, 73_219);
        let mut were_good = Vec::new();
        let mut best = 0;
        while let Some(rate) = next_rate(capacity, &were_good) {
            were_good.push(rate < limit);
            best = if rate < limit { best.max(rate) } else { best };
        }
        assert_eq!(were_good.len(), TRIALS);
        assert!(best < limit && limit - best <= capacity / 256 + 1, "{best}");
        assert_eq!(next_rate(1, &[false, false]), Some(1), "never nothing");
    }
}
