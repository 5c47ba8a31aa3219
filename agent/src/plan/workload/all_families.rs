//! The rows of all families in one table. A new row goes into the file of its family; only a new family is
//! added here.

use super::definition::WorkloadDefinition;
use super::{commits, endurance, headline, media, probes, read_floor, slo, writers};

/// Every workload there is.
pub const WORKLOADS: &[WorkloadDefinition] = &{
    const FAMILIES: [&[WorkloadDefinition]; 8] = [
        headline::ROWS,
        read_floor::ROWS,
        commits::ROWS,
        writers::ROWS,
        media::ROWS,
        probes::ROWS,
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
    let mut all = [headline::COMMIT_8K; COUNT];
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
    pub fn with_id(id: &str) -> Option<&'static Self> {
        WORKLOADS.iter().find(|workload| workload.id == id)
    }

    /// The definition of this name and version. The table has only the newest version of each, so an older
    /// one is `None`.
    pub fn of_version(id: &str, version: u16) -> Option<&'static Self> {
        Self::with_id(id).filter(|workload| workload.version == version)
    }

    /// Whether a result uses a name of the table for another version of the workload.
    pub fn is_another_version(id: &str, version: u16) -> bool {
        Self::with_id(id).is_some_and(|workload| workload.version != version)
    }

    /// Whether it only shows how a device works and gives no figure to compare devices by.
    pub fn is_probe(&self) -> bool {
        probes::ROWS.iter().any(|row| row.id == self.id)
    }
}
