//! What is measured: the table of workloads and the suites made of them.
//!
//! A name and its version mean the same forever: a row that does something else gets a new version. `definition` says
//! what a row is made of, `operation` what one of its operations is, `json` how a row is written down; the rows lie in the
//! files of their families: `headline`, `published_commits`, `writers`, `media`, `read_floor`, `slo`, `probes`, `endurance`.
//! `table` joins them, `suite` says what is measured in one run. How to add a workload is a recipe of the README; what
//! `fsyncmark explain` says of it stands in `data/explain/workloads.txt`.

mod definition;
mod endurance;
mod headline;
mod json;
mod media;
mod operation;
mod probes;
mod published_commits;
mod read_floor;
pub mod slo;
mod suite;
mod table;
mod writers;

pub use definition::{
    Access, Contents, Durability, FileSpec, FileState, PageCache, Sharing, Slo, Stage, WorkloadDefinition,
    files_of,
};
pub use operation::{Operation, OperationFacts, Subject, Tally, Transfer};
pub use suite::{HEADLINE, SUITES, Suite};
pub use table::WORKLOADS;

#[cfg(test)]
mod tests;
