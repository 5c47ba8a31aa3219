//! The clock of the timed loop, and what one reading of it costs.

use rustix::time::{ClockId, Timespec, clock_gettime};

/// A reading above this means that the kernel is asked for the time by a real system call (no
/// vDSO, or a paravirtual clock source without one): measured 24 ns with the vDSO, 250 ns without.
pub const READ_COST_NS_MAX: u64 = 100;

/// Whether a reading is as fast as one without a system call.
pub fn is_quick(read_cost_ns: u64) -> bool {
    read_cost_ns <= READ_COST_NS_MAX
}

/// Readings taken to learn their cost: 40 batches of 25.
const COST_BATCHES: usize = 40;
const COST_BATCH_READS: u32 = 25;

/// A clock that never goes back.
pub trait Clock {
    /// Nanoseconds since an arbitrary start.
    fn now_ns(&self) -> u64;
}

/// `CLOCK_MONOTONIC`: slewed by NTP, never stepped, stands still while the machine sleeps.
#[derive(Debug, Clone, Copy, Default)]
pub struct Monotonic;

impl Clock for Monotonic {
    #[inline]
    fn now_ns(&self) -> u64 {
        nanoseconds(clock_gettime(ClockId::Monotonic))
    }
}

/// Nanoseconds since boot, including the time for which the machine slept. The monotonic clock leaves that
/// time out, so their difference shows a suspend.
pub fn boottime_ns() -> u64 {
    #[cfg(target_os = "linux")]
    return nanoseconds(clock_gettime(ClockId::Boottime));
    #[cfg(not(target_os = "linux"))]
    return Monotonic.now_ns();
}

/// CPU time of the whole process so far, in nanoseconds: all threads, in user space and in the kernel.
/// Kernel workers that act for it are not in it.
pub fn process_cpu_ns() -> u64 {
    nanoseconds(clock_gettime(ClockId::ProcessCPUTime))
}

/// Microseconds since 1970 by the wall clock, which may be wrong and is never trusted. Not nanoseconds:
/// they exceed 2^53, beyond which not every JSON reader is exact.
pub fn wall_unix_us() -> u64 {
    nanoseconds(clock_gettime(ClockId::Realtime)) / 1_000
}

/// The median cost in nanoseconds of one reading, over batches.
pub fn read_cost_ns(clock: &impl Clock) -> u64 {
    let mut batches = [0_u64; COST_BATCHES];
    for batch in &mut batches {
        let start = clock.now_ns();
        let mut end = start;
        for _ in 0..COST_BATCH_READS {
            end = clock.now_ns();
        }
        *batch = (end - start) / u64::from(COST_BATCH_READS);
    }
    batches.sort_unstable();
    batches[COST_BATCHES / 2]
}

fn nanoseconds(time: Timespec) -> u64 {
    // Both fields are non-negative for these clocks on a machine whose date is after 1970.
    u64::try_from(time.tv_sec).unwrap_or(0) * 1_000_000_000 + u64::try_from(time.tv_nsec).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_monotonic_clock_does_not_go_back() {
        let first = Monotonic.now_ns();
        assert!(Monotonic.now_ns() >= first);
    }

    #[test]
    fn a_reading_costs_something_and_less_than_a_millisecond() {
        let cost = read_cost_ns(&Monotonic);
        assert!((1..1_000_000).contains(&cost), "{cost} ns");
    }
}
