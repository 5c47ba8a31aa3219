//! What measures: the clock, the timed loops, and the counters they fill.
//!
//! Three loops, each of one thread: `sync` does one operation at a time, `queue` keeps many in flight,
//! `group` commits with others to one log. `crew` runs any of them side by side.

pub mod buffer;
pub mod clock;
pub mod contents;
pub mod crew;
pub mod group;
pub mod histogram;
pub mod offsets;
pub mod pass;
pub mod queue;
pub mod recorder;
pub mod samples;
pub mod sync;
pub mod uring;
