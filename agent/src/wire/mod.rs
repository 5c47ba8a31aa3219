//! The format that agent and server share: the result field by field, the buckets of its histograms, and the signed
//! envelope around it.

pub mod envelope;
pub mod histogram;
pub mod judgement;
pub mod payload;
pub mod workload;

/// What this program calls itself in every request.
pub const USER_AGENT: &str = concat!("fsyncmark/", env!("CARGO_PKG_VERSION"));
