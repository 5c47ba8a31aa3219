//! What is measured: the table of workloads and the suites made of them.
//!
//! A name and its version are forever: whoever changes what a row does gives it a new version. `definition` says what
//! a row is made of, `operation` what one of its operations is, `json` how a row is written down; the rows lie in the
//! files of their families: `headline`, `published_commits`, `writers`, `media`, `read_floor`, `slo`, `probes`, `endurance`.
//! `families` lists all of them, `suite` what is measured in one run. How to add a workload is a recipe of the README.

mod definition;
mod endurance;
mod families;
mod headline;
mod json;
mod media;
mod operation;
mod probes;
mod published_commits;
mod read_floor;
pub mod slo;
mod suite;
mod writers;

pub use definition::{
    Access, Contents, Durability, FileSpec, FileState, PageCache, Sharing, Slo, Stage, WorkloadDefinition,
    files_of,
};
pub use families::WORKLOADS;
pub use operation::{Operation, OperationFacts, Subject, Tally, Transfer};
pub use suite::{HEADLINE, SUITES, Suite};

#[cfg(test)]
mod tests;
