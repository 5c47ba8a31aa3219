//! What is measured: the table of workloads and the suites made of them.
//!
//! A name and its version are for ever: whoever changes what a row does gives it a new version. `row` says what a
//! row is made of, `operation` what one of its operations is; the rows lie in the files of their families: `commit`,
//! `durable`, `endurance`, `media`, `read`, `slo`, `truth`, `writers`. How to add one is a recipe of the README.

mod commit;
mod definition;
mod durable;
mod endurance;
mod media;
mod operation;
mod read;
mod row;
pub mod slo;
mod suite;
mod table;
mod truth;
mod writers;

pub use operation::{Operation, OperationFacts, Subject, Tally, Transfer};
pub use row::{
    Access, Contents, Durability, FileSpec, FileState, PageCache, Sharing, Slo, Stage, WorkloadDefinition,
    files_of,
};
pub use suite::{HEADLINE, SUITES, Suite};
pub use table::WORKLOADS;

#[cfg(test)]
mod tests;
