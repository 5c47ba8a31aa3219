//! What is measured: the table of workloads and the suites made of them.
//!
//! A name and its version are for ever: whoever changes what a row does gives it a new version. To add a
//! workload, add a row to its family's file, its digest to `digests.txt`, its id to a suite, and the same row to
//! the suite's definition in `apps/wire/suites`, which a test compares with this table.

mod commit;
mod definition;
mod durable;
mod endurance;
mod media;
mod read;
mod row;
pub mod slo;
mod suite;
mod table;
mod truth;
mod writers;

pub use row::{
    Access, Contents, Durability, FileSpec, FileState, Operation, PageCache, Sharing, Slo, Stage,
    WorkloadDefinition, files_of,
};
pub use suite::{HEADLINE, SUITES, Suite};
pub use table::WORKLOADS;

#[cfg(test)]
mod tests;
