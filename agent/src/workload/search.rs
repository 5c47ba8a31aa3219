//! The passes of a search for the highest rate that is answered in time: what each of them is offered.

use super::Slo;
use crate::analysis::slo::{LOAD_PERCENTS, SEARCHES, TRIALS, Trial, next_rate};
use crate::engine::pass::Pass;
use crate::engine::queue::{Offer, Purpose};

/// A search is one pass in a closed loop and its trials.
const SEARCH_PASSES: usize = 1 + TRIALS;
/// All passes of such a workload.
#[allow(clippy::cast_possible_truncation)] // 30
pub const PASSES: u16 = (SEARCHES * SEARCH_PASSES + LOAD_PERCENTS.len()) as u16;

/// What the passes so far have shown.
#[derive(Debug, Clone)]
pub struct Search {
    slo: Slo,
    capacities_per_s: Vec<u64>,
    were_good: Vec<bool>,
}

impl Search {
    /// Nothing is known yet.
    pub fn new(slo: Slo) -> Self {
        Self { slo, capacities_per_s: Vec::with_capacity(SEARCHES), were_good: Vec::with_capacity(TRIALS) }
    }

    /// What pass number `pass` is offered; nothing where it is the closed loop that finds the capacity.
    pub fn offer(&self, pass: u16) -> Option<Offer> {
        let pass = usize::from(pass);
        if let Some(load) = pass.checked_sub(SEARCHES * SEARCH_PASSES) {
            let percent = LOAD_PERCENTS.get(load).copied().unwrap_or(100);
            let per_s = (self.capacity_per_s() * percent / 100).max(1);
            return Some(Offer { per_s, purpose: Purpose::Load });
        }
        if pass.is_multiple_of(SEARCH_PASSES) {
            return None;
        }
        let capacity_per_s = self.capacities_per_s.last().copied().unwrap_or(0);
        next_rate(capacity_per_s, &self.were_good).map(|per_s| Offer { per_s, purpose: Purpose::Search })
    }

    /// A pass that was offered this has ended.
    pub fn learn(&mut self, offer: Option<Offer>, pass: &Pass) {
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
