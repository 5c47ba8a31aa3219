//! The format that agent and server share: the result field by field (`payload`, `workload` for each workload
//! in it, `interference` for what else went on in each pass), the buckets of its latencies (`histogram`), the
//! signed `envelope` around it, and the figures by which both judge it (`judgement`).

pub mod envelope;
pub mod histogram;
pub mod interference;
pub mod judgement;
pub mod payload;
pub mod workload;

/// What this program calls itself in every request.
pub const USER_AGENT: &str = concat!("fsyncmark/", env!("CARGO_PKG_VERSION"));
