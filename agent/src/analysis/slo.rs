//! Useful IOPS: the highest rate at which operations that arrive by themselves are answered in time.
//!
//! A workload of this kind is searched three times: a pass in a closed loop finds the capacity, then trials
//! with Poisson arrivals halve the range in which the highest good rate lies. At last, passes at shares of
//! the capacity show how p99 grows. Latencies count from the intended arrival.

use super::rate_per_s;
use super::trial::Trial;
use crate::plan::workload;
use crate::plan::workload::slo::{LOAD_PERCENTS, SEARCHES, TRIALS};
use crate::wire::workload::{Pass, Purpose, Workload};

/// p99 at a share of the capacity.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Load {
    /// The share, in hundredths of the capacity.
    pub percent: u64,
    /// Arrivals a second that were offered.
    pub offered_per_s: u64,
    /// Latency from the intended arrival.
    pub p99_ns: u64,
}

/// The result of a finished search.
#[derive(Debug, Clone, PartialEq)]
pub struct UsefulRate {
    /// The median of the three searches: 0 where no rate was good.
    pub per_s: u64,
    /// The highest good rate of each search.
    pub searches_per_s: Vec<u64>,
    /// The median of the three capacities in a closed loop.
    pub capacity_per_s: f64,
    /// Trials that were not good and in which the generator was late. With many of them, the rate is the
    /// machine's limit and not the device's.
    pub late_trials: usize,
    /// The passes at shares of the capacity, as far as they were measured.
    pub loads: Vec<Load>,
}

/// The useful rate under this limit; `None` where fewer than three searches finished.
pub fn useful(passes: &[Pass], p99_ns_max: u64) -> Option<UsefulRate> {
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
    Some(UsefulRate {
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

/// The useful rate of a workload that searches for one.
pub fn useful_rate(workload: &Workload) -> Option<UsefulRate> {
    let slo = workload::WorkloadDefinition::of_version(&workload.id, workload.version)?.slo?;
    useful(&workload.passes, slo.p99_ns_max)
}
