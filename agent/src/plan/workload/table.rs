//! The rows of all families in one table.

use super::definition::WorkloadDefinition;
use super::{commit, durable, endurance, media, read, slo, truth, writers};

/// Every workload there is.
pub const WORKLOADS: &[WorkloadDefinition] = &{
    const FAMILIES: [&[WorkloadDefinition]; 8] = [
        commit::ROWS,
        read::ROWS,
        durable::ROWS,
        writers::ROWS,
        media::ROWS,
        truth::ROWS,
        slo::ROWS,
        endurance::ROWS,
    ];
    const COUNT: usize = {
        let (mut sum, mut family) = (0, 0);
        while family < FAMILIES.len() {
            sum += FAMILIES[family].len();
            family += 1;
        }
        sum
    };
    let mut all = [commit::COMMIT_8K; COUNT];
    let (mut next, mut family) = (0, 0);
    while family < FAMILIES.len() {
        let mut row = 0;
        while row < FAMILIES[family].len() {
            all[next] = FAMILIES[family][row];
            next += 1;
            row += 1;
        }
        family += 1;
    }
    all
};

impl WorkloadDefinition {
    /// The row of this name.
    pub fn named(id: &str) -> Option<&'static Self> {
        WORKLOADS.iter().find(|workload| workload.id == id)
    }
}
