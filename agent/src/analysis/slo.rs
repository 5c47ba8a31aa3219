//! Useful IOPS: the highest rate at which operations that arrive by themselves are answered in time.
//!
//! A workload of this kind is searched three times: a pass in a closed loop finds the capacity, then
//! trials with Poisson arrivals halve the range in which the highest good rate lies. At last, passes at shares
//! of the capacity show how p99 grows. Latencies count from the intended arrival.

use super::rate_per_s;
use crate::engine::queue::{OpenLoop, Purpose};
use crate::payload::{Pass, Workload};
use crate::workload;

/// Times that the whole search is done: p99 of two seconds moves from one to the next.
pub const SEARCHES: usize = 3;
/// Trials of a search: they find the rate to 1/256 of the capacity.
pub const TRIALS: usize = 8;
/// Where p99 is measured at last, in hundredths of the capacity.
pub const LOAD_PERCENTS: [u64; 3] = [50, 80, 90];

/// What a trial was like.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Trial {
    /// Arrivals in its time, a second.
    pub offered_per_s: u64,
    /// Operations finished …
    pub operations: u64,
    /// … in this time.
    pub elapsed_ns: u64,
    /// Latency from the intended arrival.
    pub p99_ns: u64,
    /// How late the generator began operations.
    pub lag_p99_ns: u64,
}

impl Trial {
    /// The trial that did so much in this time.
    pub fn new(open: &OpenLoop, operations: u64, elapsed_ns: u64) -> Self {
        let OpenLoop { offered_per_s, p99_ns, lag_p99_ns, .. } = *open;
        Self { offered_per_s, operations, elapsed_ns, p99_ns, lag_p99_ns }
    }

    /// Whether the device kept up: p99 below the limit, and more than 99 % of what was offered achieved. By
    /// Little's law `offered x limit` operations may still be on their way at the end of a trial that is
    /// good. A generator that was late spoils nothing: its lag is in the latencies, which only makes the
    /// trial harder.
    pub fn is_good(&self, p99_ns_max: u64) -> bool {
        let offered = u128::from(self.offered_per_s);
        let accounted = u128::from(self.operations) * 1_000_000_000 + offered * u128::from(p99_ns_max);
        self.p99_ns < p99_ns_max && accounted * 100 > offered * u128::from(self.elapsed_ns) * 99
    }

    /// Whether the generator was late: its p99 is a fifth of that of the latencies or more. Where such a
    /// trial was not good, that says nothing against the device: the processors were busy.
    pub fn is_late(&self) -> bool {
        u128::from(self.lag_p99_ns) * 5 >= u128::from(self.p99_ns)
    }
}

/// p99 at a share of the capacity.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Load {
    /// Of the capacity.
    pub percent: u64,
    /// What was offered.
    pub offered_per_s: u64,
    /// Latency from the intended arrival.
    pub p99_ns: u64,
}

/// What a finished search says.
#[derive(Debug, Clone, PartialEq)]
pub struct Useful {
    /// The median of the three searches: 0 where no rate was good.
    pub per_s: u64,
    /// The highest good rate of each search.
    pub searches_per_s: Vec<u64>,
    /// The median of the three capacities in a closed loop.
    pub capacity_per_s: f64,
    /// Trials of the searches that were not good and in which the generator was late: with many of them, the
    /// rate is the machine's and not the device's.
    pub late_trials: usize,
    /// As far as they were measured.
    pub loads: Vec<Load>,
}

/// The rate of the next trial of a search; nothing when it is done. `were_good` are the trials before it.
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

/// The useful rate under this limit; nothing where fewer than three searches came to their end.
pub fn useful(passes: &[Pass], p99_ns_max: u64) -> Option<Useful> {
    let mut searches: Vec<(f64, Vec<Trial>)> = Vec::new();
    let mut loads = Vec::new();
    for pass in passes.iter().filter(|pass| pass.is_whole()) {
        let Some(open) = &pass.open_loop else {
            searches.push((rate_per_s(pass)?, Vec::new()));
            continue;
        };
        match open.purpose {
            Purpose::Search => {
                let trial = Trial::new(open, pass.operations, pass.elapsed_ns);
                searches.last_mut()?.1.push(trial);
            }
            Purpose::Load => loads.push((open.offered_per_s, open.p99_ns)),
        }
    }
    if searches.len() != SEARCHES || searches.iter().any(|(_, trials)| trials.len() != TRIALS) {
        return None;
    }
    let best = |trials: &[Trial]| {
        let good = trials.iter().filter(|trial| trial.is_good(p99_ns_max));
        good.map(|trial| trial.offered_per_s).max().unwrap_or(0)
    };
    let searches_per_s: Vec<u64> = searches.iter().map(|(_, trials)| best(trials)).collect();
    let mut ordered = searches_per_s.clone();
    ordered.sort_unstable();
    let capacities: Vec<f64> = searches.iter().map(|(capacity, _)| *capacity).collect();
    Some(Useful {
        per_s: ordered[SEARCHES / 2],
        searches_per_s,
        capacity_per_s: super::median(&capacities)?,
        late_trials: searches
            .iter()
            .flat_map(|(_, trials)| trials)
            .filter(|trial| trial.is_late() && !trial.is_good(p99_ns_max))
            .count(),
        loads: LOAD_PERCENTS
            .into_iter()
            .zip(loads)
            .map(|(percent, (offered_per_s, p99_ns))| Load { percent, offered_per_s, p99_ns })
            .collect(),
    })
}

/// The useful rate of a workload that is such a search.
pub fn of(workload: &Workload) -> Option<Useful> {
    let slo = workload::Workload::named(&workload.id)?.slo?;
    useful(&workload.passes, slo.p99_ns_max)
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
