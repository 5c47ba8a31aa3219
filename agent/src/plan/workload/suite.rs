//! Named sets of workloads. Agent and server share one definition of each suite; a test compares it with the
//! table.

use super::all_families::WORKLOADS;
use super::definition::WorkloadDefinition;

/// The workload whose rate is the headline figure.
pub const HEADLINE: &str = "commit-8k";
/// What the headline figure counts, as reports name it.
pub const HEADLINE_COUNTS: &str = "durable commits a second";

/// A named set of workloads, with the bytes of its definition.
#[derive(Debug)]
pub struct Suite {
    /// Its name.
    pub id: &'static str,
    /// Grows when its definition changes.
    pub version: u16,
    /// One line for people.
    pub title: &'static str,
    /// What it writes at most, its files included.
    pub bytes_written_max: u64,
    /// Ids of its workloads; the first is the headline.
    pub workload_ids: &'static [&'static str],
    /// SHA-256 of the definition that agent and server share; it is in every result.
    pub definition_sha256: &'static str,
}

/// Every suite there is.
pub const SUITES: &[Suite] = &[
    Suite {
        id: "quick",
        version: 1,
        title: "Quick: what one writer commits, in about a minute",
        bytes_written_max: 5 << 30,
        workload_ids: &["commit-8k", "commit-8k-fsync", "commit-8k-dsync", "read-4k-floor"],
        definition_sha256: env!("FSYNCMARK_SUITE_QUICK_V1"),
    },
    Suite {
        id: "standard",
        version: 1,
        title: "Standard: every shape the field compares, in about six minutes",
        bytes_written_max: 64 << 30,
        workload_ids: STANDARD,
        definition_sha256: env!("FSYNCMARK_SUITE_STANDARD_V1"),
    },
    Suite {
        id: "deep",
        version: 1,
        title: "Deep: every workload, preconditioned, in half an hour and more",
        bytes_written_max: 640 << 30,
        workload_ids: DEEP,
        definition_sha256: env!("FSYNCMARK_SUITE_DEEP_V1"),
    },
];

const STANDARD: &[&str] = &[
    "commit-8k",
    "commit-8k-fsync",
    "commit-8k-dsync",
    "commit-8k-rwf-dsync",
    "read-4k-floor",
    "fallocated-8k-fsync",
    "fallocated-2300-fdatasync",
    "append-8k-fdatasync",
    "direct-16k-nosync",
    "direct-16k-fsync",
    "direct-16k-fdatasync",
    "direct-2m-nosync",
    "direct-2m-fsync",
    "direct-2m-fdatasync",
    "randwrite-4k-fsync",
    "randwrite-8k-fsync-qd32x4",
    "doublewrite-16k-batch",
    "commit-8k-writers-2",
    "commit-8k-writers-4",
    "commit-8k-writers-8",
    "commit-8k-writers-16",
    "commit-8k-writers-32",
    "commit-8k-files-2",
    "commit-8k-files-4",
    "commit-8k-files-8",
    "commit-8k-files-16",
    "commit-8k-files-32",
    "group-commit-8k-2",
    "group-commit-8k-4",
    "group-commit-8k-8",
    "group-commit-8k-16",
    "group-commit-8k-32",
    "randread-4k-qd32",
    "randwrite-4k-qd32",
    "seqread-256k-qd8",
    "seqwrite-256k-qd8",
    "randread-8k-qd32x4",
    "randread-4k-qd1",
    "mix-4k",
    "mix-64k",
    "mix-512k",
    "mix-1m",
    "hiccup",
    "empty-flush",
    "drain-4k",
    "drain-64k",
    "drain-1m",
    "drain-16m",
    "drain-64m",
    "read-4k-area-64k",
    "read-4k-area-1m",
    "read-4k-area-16m",
    "read-4k-area-256m",
    "read-4k-area-4g",
    "write-64k-zeros",
    "write-64k-random",
    "slo-randread-4k-10ms",
];

/// All workloads, in the order of the table.
const DEEP: &[&str] = &{
    let (mut ids, mut row) = ([""; WORKLOADS.len()], 0);
    while row < WORKLOADS.len() {
        ids[row] = WORKLOADS[row].id;
        row += 1;
    }
    ids
};

impl Suite {
    /// The suite of this name.
    pub fn with_id(id: &str) -> Option<&'static Self> {
        SUITES.iter().find(|suite| suite.id == id)
    }

    /// Its workloads, the headline first.
    pub fn workloads(&self) -> Vec<&'static WorkloadDefinition> {
        self.workload_ids.iter().filter_map(|id| WorkloadDefinition::with_id(id)).collect()
    }
}
