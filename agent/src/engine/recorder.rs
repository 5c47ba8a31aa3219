//! What one workload has measured so far, filled by the timed loop and watched by the display.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use crate::engine::histogram::{Distribution, Histogram};

/// Histograms and running totals over all passes of a workload. One thread records; any thread may
/// look, without a lock.
#[derive(Debug, Default)]
pub struct Recorder {
    /// Latency of the write alone.
    pub write: Histogram,
    /// Latency of the sync alone.
    pub sync: Histogram,
    /// Latency of the whole commit: write and sync.
    pub commit: Histogram,
    /// Latency of a read.
    pub read: Histogram,
    operations: AtomicU64,
    elapsed_ns: AtomicU64,
}

/// Operations and the time they took, in passes that ended and in the one that runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Totals {
    /// Operations finished.
    pub operations: u64,
    /// Nanoseconds from the begin of each pass to its last operation, added up.
    pub elapsed_ns: u64,
}

impl Totals {
    /// Operations a second; `None` before the first one has finished.
    pub fn per_second(self) -> Option<f64> {
        (self.elapsed_ns > 0 && self.operations > 0)
            .then(|| self.operations as f64 * 1e9 / self.elapsed_ns as f64)
    }
}

impl Recorder {
    /// Counts one finished operation that took `took_ns` from the end of the one before.
    #[inline]
    pub fn finish_operation(&self, took_ns: u64) {
        self.operations.store(self.operations.load(Relaxed) + 1, Relaxed);
        self.elapsed_ns.store(self.elapsed_ns.load(Relaxed) + took_ns, Relaxed);
    }

    /// Operations and elapsed time so far.
    pub fn totals(&self) -> Totals {
        Totals { operations: self.operations.load(Relaxed), elapsed_ns: self.elapsed_ns.load(Relaxed) }
    }

    /// The latencies of whole operations so far: commits, or reads where nothing is committed.
    pub fn whole_operations(&self) -> Option<Distribution> {
        self.commit.snapshot().or_else(|| self.read.snapshot())
    }
}
