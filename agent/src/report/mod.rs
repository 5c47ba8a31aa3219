//! What is made of the figures: `assembly` makes the payload that is signed, from facts and figures; people see it
//! in the `terminal`, tables first, and on the page of `html`. Both have the `groups` of workloads and the
//! `workload_remarks` from here.

pub mod assembly;
pub mod groups;
pub mod html;
pub mod terminal;
pub mod workload_remarks;
