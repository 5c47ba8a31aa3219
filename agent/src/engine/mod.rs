//! The measuring part: the timed loops, and the counters that they fill. Each file answers one question.
//!
//! Four loops, each of one thread:
//!
//! - `psync`: how is one operation done after another?
//! - `queue`: how are many kept in flight?
//! - `open_loop`: how do operations begin when they are due, whether or not others are finished?
//! - `group_commit`: how do many writers commit to one log?
//!
//! What the loops share:
//!
//! - `pass`: when does a pass begin and end, and what was done in it?
//! - `offsets`: where does the next operation go?
//! - `recorder`, `histogram`, `rate_samples`: where is kept what was measured?
//!
//! What runs them:
//!
//! - `writer_tasks`: which loop does a workload need, with which work?
//! - `writer_threads`: how do many writers run side by side?
//! - `suite_run`: in which order is a whole suite measured, and what happens between two passes?
//! - `slo_search`: which rates does a search offer?
//!
//! Whether others disturbed a pass, so that it is run again, and whether a trial of a search was good, are
//! figures of `analysis`.

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
