//! When a warm-up and a pass end: after a time, a number of operations or of bytes.

use crate::wire::workload::EndReason;

/// How long most workloads warm up: until queues are full and a device that slept is awake. It is part of
/// what a workload is: changing it means a new version of each.
pub const WARM_UP_NS: u64 = 500_000_000;
/// The warm-up of workloads that are repeated for many sizes, one right after another.
pub const WARM_UP_OF_MANY_NS: u64 = 100_000_000;

/// When a pass and the warm-up before it end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PassLimits {
    /// The warm-up ends after this time …
    pub warm_up_ns: u64,
    /// … or after this many bytes, whichever is first.
    pub warm_up_bytes_max: u64,
    /// A pass ends after this time if it also has …
    pub pass_ns_min: u64,
    /// … this many operations.
    pub pass_operations_min: u64,
    /// A pass ends after this time with however few operations. It is looked at after each of them, so one
    /// that hangs is waited for.
    pub pass_ns_max: u64,
    /// A pass ends after this many bytes. They are looked at after each operation too, so the last ones may
    /// exceed them by what was in flight; `bytes_written_max` of a workload includes that.
    pub pass_bytes_max: u64,
}

impl PassLimits {
    /// The limits for one of `writers` that run in parallel: bytes and operations are divided, times are not.
    #[must_use]
    pub fn shared_by(&self, writers: usize) -> Self {
        let writers = writers as u64;
        Self {
            warm_up_bytes_max: self.warm_up_bytes_max / writers,
            pass_operations_min: self.pass_operations_min.div_ceil(writers),
            pass_bytes_max: self.pass_bytes_max / writers,
            ..*self
        }
    }

    /// These limits without a warm-up.
    #[must_use]
    pub fn without_warm_up(&self) -> Self {
        Self { warm_up_ns: 0, warm_up_bytes_max: 0, ..*self }
    }

    /// Whether a warm-up that has come this far is over.
    #[inline]
    pub fn is_warm(&self, bytes: u64, elapsed_ns: u64) -> bool {
        bytes >= self.warm_up_bytes_max || elapsed_ns >= self.warm_up_ns
    }

    /// The reason to end a pass that has come this far; `None` while it goes on.
    #[inline]
    pub fn limit_reached(&self, operations: u64, bytes: u64, elapsed_ns: u64) -> Option<EndReason> {
        if elapsed_ns >= self.pass_ns_min && operations >= self.pass_operations_min {
            Some(EndReason::Time)
        } else if bytes >= self.pass_bytes_max {
            Some(EndReason::Bytes)
        } else if elapsed_ns >= self.pass_ns_max {
            Some(EndReason::TimeLimit)
        } else {
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMITS: PassLimits = PassLimits {
        warm_up_ns: 5,
        warm_up_bytes_max: 100,
        pass_ns_min: 7,
        pass_operations_min: 10,
        pass_ns_max: 9,
        pass_bytes_max: 1_000,
    };

    #[test]
    fn shares_never_add_up_to_more_than_the_whole() {
        let share = LIMITS.shared_by(3);
        assert_eq!((share.warm_up_bytes_max, share.pass_bytes_max, share.pass_operations_min), (33, 333, 4));
        assert_eq!((share.warm_up_ns, share.pass_ns_min, share.pass_ns_max), (5, 7, 9));
    }

    #[test]
    fn a_warm_up_is_over_after_its_bytes_or_its_time() {
        for (bytes, elapsed_ns, is_over) in [(99, 4, false), (100, 0, true), (0, 5, true), (5, 4, false)] {
            assert_eq!(LIMITS.is_warm(bytes, elapsed_ns), is_over, "{bytes} bytes, {elapsed_ns} ns");
        }
        assert!(LIMITS.without_warm_up().is_warm(0, 0));
    }

    #[test]
    fn a_pass_ends_for_the_first_limit_that_it_reaches() {
        for (operations, bytes, elapsed_ns, reason) in [
            (9, 999, 8, None),
            (10, 999, 6, None),
            (10, 0, 7, Some(EndReason::Time)),
            (9, 1_000, 0, Some(EndReason::Bytes)),
            (9, 999, 9, Some(EndReason::TimeLimit)),
            // Of two at once, enough operations come before bytes, and bytes before the time limit.
            (10, 1_000, 9, Some(EndReason::Time)),
            (9, 1_000, 9, Some(EndReason::Bytes)),
            // Bytes are no time, and time is no bytes.
            (9, 9, 8, None),
            (9, 8, 1_000, Some(EndReason::TimeLimit)),
        ] {
            let limit_reached = LIMITS.limit_reached(operations, bytes, elapsed_ns);
            assert_eq!(limit_reached, reason, "{operations} operations, {bytes} bytes, {elapsed_ns} ns");
        }
    }
}
