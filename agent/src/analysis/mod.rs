//! Figures that are derived from a result, one question a file:
//!
//! - `figures`: how quick was a workload, at each percentile?
//! - `repeats`: how quick was each of its passes, and how far do they lie apart?
//! - `stall`: how much of the time went by in operations that took far longer than others?
//! - `cliff`: where did its rate fall for good?
//! - `steady`: from which round on was it steady?
//! - `slo`: which rate keeps a limit of latency?
//! - `trial`: did the device keep up with one rate of that search?
//! - `cache`: does a flush cost more the more there is to flush, and are small areas read faster?
//! - `consistency`: do its figures add up?
//! - `middle`: what is the median of some values?
//! - `disturbance`: what did other programs have of a pass, and is that enough to disturb it?
//! - `disturbed_workloads`: which workloads did they disturb?
//!
//! Pure functions of what was measured. The engine asks two of them between passes, `disturbance` for passes
//! to run again and `trial` for the next rate of a search; all others read the payload. The server derives
//! the same figures in `apps/stats`, and the tests of both read `tests/wire/v1/vectors/analysis.json`.

pub mod cache;
pub mod cliff;
pub mod consistency;
pub mod disturbance;
pub mod disturbed_workloads;
pub mod figures;
mod middle;
pub mod repeats;
pub mod slo;
pub mod stall;
pub mod steady;
pub mod trial;

pub use self::middle::median;
pub use self::repeats::rate_per_s;
