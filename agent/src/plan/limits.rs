//! When a pass ends: after a time, a number of operations or of bytes.

use crate::wire::measurement::EndedBy;

/// When a pass and the warm-up before it end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// The warm-up ends after this time …
    pub warm_up_ns: u64,
    /// … or after this many bytes, whichever is first.
    pub warm_up_bytes_max: u64,
    /// A pass ends after this time if it also has …
    pub pass_ns_min: u64,
    /// … this many operations.
    pub pass_operations_min: u64,
    /// A pass ends after this time, however few operations it has.
    pub pass_ns_max: u64,
    /// A pass ends after this many bytes.
    pub pass_bytes_max: u64,
}

impl Limits {
    /// The share of one of `writers` that run at the same time: bytes and operations are divided,
    /// times are not.
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

    /// The same pass without a warm-up.
    #[must_use]
    pub fn without_warm_up(&self) -> Self {
        Self { warm_up_ns: 0, warm_up_bytes_max: 0, ..*self }
    }

    /// Whether a warm-up that has come this far is over.
    #[inline]
    pub fn is_warm(&self, bytes: u64, elapsed_ns: u64) -> bool {
        bytes >= self.warm_up_bytes_max || elapsed_ns >= self.warm_up_ns
    }

    /// The reason to end a pass that has come this far, if there is one.
    #[inline]
    pub fn reached(&self, operations: u64, bytes: u64, elapsed_ns: u64) -> Option<EndedBy> {
        if elapsed_ns >= self.pass_ns_min && operations >= self.pass_operations_min {
            Some(EndedBy::Time)
        } else if bytes >= self.pass_bytes_max {
            Some(EndedBy::Bytes)
        } else if elapsed_ns >= self.pass_ns_max {
            Some(EndedBy::TimeLimit)
        } else {
            None
        }
    }
}
