//! The format that agent and server share. Each file answers one question:
//!
//! - `payload`: which fields has a result?
//! - `workload`: which figures has each workload in it?
//! - `interference`: what else went on during a pass, as a result stores it?
//! - `histogram`: into which buckets do latencies fall?
//! - `envelope`: how is a result signed?
//! - `judgement`: by which thresholds, classes and floors do both judge it?

pub mod envelope;
pub mod histogram;
pub mod interference;
pub mod judgement;
pub mod payload;
pub mod workload;

/// What this program calls itself in every request.
pub const USER_AGENT: &str = concat!("fsyncmark/", env!("CARGO_PKG_VERSION"));
