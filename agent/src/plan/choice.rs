//! What a person chooses of a suite, and the plan that this makes if it may run.

use std::path::Path;

use super::file_naming::FileNaming;
use super::planned_run::Plan;
use super::refusal::refuse;
use super::workload::{Suite, WorkloadDefinition};
use crate::error::{Error, ErrorKind, Result};
use crate::probe::Facts;

/// Which workloads of a suite a person wants.
#[derive(Debug, Clone, Default)]
pub struct Choice {
    /// Only these, if any are named.
    pub only: Vec<String>,
    /// Not these.
    pub skip: Vec<String>,
}

impl Choice {
    fn takes(&self, workload: &WorkloadDefinition) -> bool {
        let is_among = |ids: &[String]| ids.iter().any(|id| id == workload.id);
        (self.only.is_empty() || is_among(&self.only)) && !is_among(&self.skip)
    }
}

/// The plan of the whole `suite`, if it may run in `dir`.
pub fn whole_suite(dir: &Path, suite: &'static Suite, facts: &Facts) -> Result<Plan> {
    chosen(dir, suite, &Choice::default(), facts)
}

/// The plan of what `choice` leaves of `suite`, if it may run in `dir`.
pub fn chosen(dir: &Path, suite: &'static Suite, choice: &Choice, facts: &Facts) -> Result<Plan> {
    let plan = unchecked(dir, suite, choice)?;
    refuse(&plan, facts)?;
    Ok(Plan { naming: FileNaming::for_filesystem(&facts.filesystem.name), ..plan })
}

/// The plan for this choice, whether or not `dir` can hold its files.
pub fn unchecked(dir: &Path, suite: &'static Suite, choice: &Choice) -> Result<Plan> {
    let all = suite.workloads();
    let workloads: Vec<_> = all.iter().copied().filter(|workload| choice.takes(workload)).collect();
    let named = choice.only.iter().map(|id| (id, "The suite deep has every workload: --suite deep"));
    let named = named.chain(choice.skip.iter().map(|id| (id, "It is not measured there: --skip without it")));
    for (id, advice) in named {
        if suite.workload_ids.iter().all(|of_suite| of_suite != id) {
            let what = format!("{id} is not in the suite {}", suite.id);
            return Err(Error::new(ErrorKind::Usage, what).advise(advice));
        }
    }
    if workloads.is_empty() {
        return Err(Error::new(ErrorKind::Usage, "nothing is left to measure"));
    }
    Ok(Plan::of(dir, suite, workloads))
}
