//! The measuring part: the timed loops, and the counters that they fill.
//!
//! Four loops, each of one thread: `psync` does one operation at a time, `queue` keeps many in flight,
//! `open_loop` begins them when they are due, `group_commit` commits with others to one log. `writer_tasks`
//! says which of them a workload needs, `writer_threads` runs any of them side by side, and `suite_run` takes
//! a whole suite through them.
//!
//! What the loops share: `pass` says when one begins and ends, `offsets` where the next operation goes,
//! `recorder` keeps what was measured, in a `histogram` and in `rate_samples`. `slo_search` chooses the rates
//! that an open loop offers. `disturbance` judges whether others disturbed a pass, which `suite_run` then
//! runs again.

pub mod disturbance;
pub mod group_commit;
pub mod histogram;
pub mod offsets;
pub mod open_loop;
pub mod pass;
pub mod psync;
pub mod queue;
pub mod rate_samples;
pub mod recorder;
pub mod slo_search;
pub mod suite_run;
pub mod writer_tasks;
pub mod writer_threads;
