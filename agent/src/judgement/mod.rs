//! What a result shows, an answer a file:
//!
//! - `ladder`: which class of storage is as fast?
//! - `commit_flushes`: had each commit a flush of its own?
//! - `flush_verdict`: who answers a sync, such as a volatile cache or nobody?
//! - `verdict_evidence`: what speaks for that verdict?
//! - `run_notes`: what is said beside it, to be known before one believes a run, such as of its filesystem or clock?
//! - `workload_notes`: what is said below one workload, such as where its rate fell?
//! - `software_impact`: what does it mean for PostgreSQL, etcd and other software?
//! - `suggestions`: what can be tried?
//! - `comparison`: how do two results compare?

pub mod commit_flushes;
pub mod comparison;
pub mod flush_verdict;
pub mod ladder;
pub mod run_notes;
pub mod software_impact;
pub mod suggestions;
pub mod verdict_evidence;
pub mod workload_notes;

#[cfg(test)]
mod vectors;
