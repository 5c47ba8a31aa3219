//! The passes of a search for the highest rate that is answered in time: what rate each of them offers.

use crate::analysis::trial::Trial;
use crate::engine::open_loop::OfferedLoad;
use crate::engine::pass::PassOutcome;
use crate::plan::workload::Slo;
use crate::plan::workload::slo::{LOAD_PERCENTS, SEARCH_PASSES, SEARCHES, TRIALS};
use crate::wire::workload::Purpose;

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
