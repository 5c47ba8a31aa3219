//! What a result shows, an answer a file:
//!
//! - `ladder`: which class of storage is as fast?
//! - `flushes`: had each commit a flush of its own?
//! - `flush_verdict`: who answers a sync, such as a volatile cache or nobody? With `evidence`, all that speaks for it.
//! - `notes`: what to know before one believes it, such as warnings about the filesystem or the clock?
//! - `meaning`: what does it mean for PostgreSQL, etcd and other software?
//! - `advice`: what can be tried?
//! - `comparison`: how do two results compare?

pub mod advice;
pub mod comparison;
pub mod evidence;
pub mod flush_verdict;
pub mod flushes;
pub mod ladder;
pub mod meaning;
pub mod notes;

#[cfg(test)]
mod vectors;
