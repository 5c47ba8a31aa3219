//! What is measured: the table of workloads and the suites made of them.
//!
//! A name and its version mean the same forever: a row that does something else gets a new version.
//! `definition` says what a row is made of, `operation` what one of its operations is, `json` how a row is
//! written down. Each row lies in the file of its family:
//!
//! - `headline`: the commit of the headline, and the same by each other call that makes it durable
//! - `commits`: every other commit of one write, and the same writes without a sync
//! - `writers`: the headline's commit by many writers, group commit, InnoDB's doublewrite
//! - `media`: reads and writes without a sync, many in flight
//! - `read_floor`: one read at a time
//! - `slo`: the highest rate that keeps a limit of latency
//! - `probes`: what tells who answers: flushes after drains, areas, zeros, gaps of the clock
//! - `endurance`: long writing
//!
//! `all_families` joins them into one table, `suite` says what is measured in one run. What `fsyncmark
//! explain` says of a workload stands in `data/explain/workloads.txt`; the recipe in the README has every
//! step.

mod all_families;
mod commits;
mod definition;
mod endurance;
mod headline;
mod json;
mod media;
mod operation;
mod probes;
mod read_floor;
pub mod slo;
mod suite;
mod writers;

pub use all_families::WORKLOADS;
pub use definition::{
    Access, Contents, Durability, FileSpec, FileState, PageCache, Sharing, Slo, Stage, WorkloadDefinition,
    files_of,
};
pub use operation::{Operation, OperationFacts, Subject, Tally, Transfer};
pub use suite::{HEADLINE, HEADLINE_COUNTS, SUITES, Suite};

#[cfg(test)]
mod tests;
