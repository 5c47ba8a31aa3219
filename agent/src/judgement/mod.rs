//! What a result shows, an answer a file:
//!
//! - `ladder`: which class of storage is as fast?
//! - `commit_flushes`: did each commit cause a flush?
//! - `flush_verdict`: what acknowledges a sync, such as a volatile cache or memory?
//! - `verdict_evidence`: which observations support that verdict?
//! - `run_notes`: what else should a reader know of the run, such as about its filesystem or clock?
//! - `workload_notes`: what should a reader know of one workload, such as where its rate fell?
//! - `software_impact`: what does it mean for PostgreSQL, etcd and other software?
//! - `suggestions`: what can be tried?
//! - `comparison`: how do two results compare?
//! - `slowdown`: is one slower than the other by more than is allowed?

pub mod commit_flushes;
pub mod comparison;
pub mod flush_verdict;
pub mod ladder;
pub mod run_notes;
pub mod slowdown;
pub mod software_impact;
pub mod suggestions;
pub mod verdict_evidence;
pub mod workload_notes;

#[cfg(test)]
mod vectors;
