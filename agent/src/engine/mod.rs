//! What measures: the timed loops, and the counters they fill.
//!
//! Four loops, each of one thread: `sync` does one operation at a time, `queue` keeps many in flight, `open_loop` begins
//! them when they are due, `group` commits with others to one log. `task` says which of them a workload needs, `crew`
//! runs any of them side by side, and `measure` takes a whole suite through them.

pub mod crew;
pub mod group;
pub mod histogram;
pub mod measure;
pub mod offsets;
pub mod open_loop;
pub mod pass;
pub mod queue;
pub mod recorder;
pub mod samples;
pub mod search;
pub mod sync;
pub mod task;
