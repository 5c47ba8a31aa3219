//! What measures: the clock, the timed loop, and the counters it fills.

pub mod buffer;
pub mod clock;
pub mod contents;
pub mod histogram;
pub mod recorder;
pub mod samples;
pub mod sync;
