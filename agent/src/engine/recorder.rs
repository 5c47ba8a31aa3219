//! What one workload has measured so far, filled by the timed loops and watched by the display.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use crate::engine::histogram::Histogram;
use crate::units::per_s;
use crate::wire::histogram::Distribution;
use crate::wire::workload::{LatencyKind, whole_operations, whole_operations_or_probe};

/// The histograms of one writer. Only that writer records; any thread may read them without a lock.
#[derive(Debug, Default)]
pub struct Lane {
    /// Of [`LatencyKind::Write`].
    pub write: Histogram,
    /// Of [`LatencyKind::Sync`].
    pub sync: Histogram,
    /// Of [`LatencyKind::Commit`].
    pub commit: Histogram,
    /// Of [`LatencyKind::Read`].
    pub read: Histogram,
    /// Of [`LatencyKind::Lag`].
    pub lag: Histogram,
    operations: AtomicU64,
    elapsed_ns: AtomicU64,
}

impl Lane {
    /// The histogram of one kind.
    pub fn histogram(&self, kind: LatencyKind) -> &Histogram {
        match kind {
            LatencyKind::Write => &self.write,
            LatencyKind::Sync => &self.sync,
            LatencyKind::Commit => &self.commit,
            LatencyKind::Read => &self.read,
            LatencyKind::Lag => &self.lag,
        }
    }

    /// The latencies of whole operations so far.
    pub fn whole_operations(&self) -> Option<Distribution> {
        whole_operations(|kind| self.histogram(kind).snapshot())
    }

    /// Counts one finished operation, `since_ns` after the one before it.
    #[inline]
    pub fn finish_operation(&self, since_ns: u64) {
        self.operations.store(self.operations.load(Relaxed) + 1, Relaxed);
        self.elapsed_ns.store(self.elapsed_ns.load(Relaxed) + since_ns, Relaxed);
    }
}

/// The lanes of all writers of a workload, over all its passes.
#[derive(Debug)]
pub struct Recorder {
    lanes: Vec<Lane>,
}

impl Default for Recorder {
    fn default() -> Self {
        Self::for_writers(1)
    }
}

/// How many operations have finished and how long they took, in all passes so far and in the one that runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Totals {
    /// Operations finished.
    pub operations: u64,
    /// Nanoseconds from the start of each pass to its last operation, added up.
    pub elapsed_ns: u64,
}

impl Totals {
    /// Operations a second; `None` before the first one has finished.
    pub fn per_second(self) -> Option<f64> {
        (self.elapsed_ns > 0 && self.operations > 0).then(|| per_s(self.operations, self.elapsed_ns))
    }
}

impl Recorder {
    /// One lane for each writer.
    pub fn for_writers(writers: usize) -> Self {
        Self { lanes: (0..writers).map(|_| Lane::default()).collect() }
    }

    /// A copy of what it holds now.
    #[must_use]
    pub fn copy(&self) -> Self {
        let copy = Self::for_writers(self.lanes.len());
        copy.set_to(self);
        copy
    }

    /// Goes back to a copy that was made earlier, so that the pass after it counts for nothing. No writer may
    /// run meanwhile.
    pub fn set_to(&self, before: &Self) {
        for (to, from) in self.lanes.iter().zip(&before.lanes) {
            for kind in LatencyKind::ALL {
                to.histogram(kind).set_to(from.histogram(kind));
            }
            to.operations.store(from.operations.load(Relaxed), Relaxed);
            to.elapsed_ns.store(from.elapsed_ns.load(Relaxed), Relaxed);
        }
    }

    /// The lane of one writer.
    pub fn lane(&self, writer: usize) -> &Lane {
        &self.lanes[writer]
    }

    /// Operations of all writers so far, and the time of the longest.
    pub fn totals(&self) -> Totals {
        Totals {
            operations: self.lanes.iter().map(|lane| lane.operations.load(Relaxed)).sum(),
            elapsed_ns: self.lanes.iter().map(|lane| lane.elapsed_ns.load(Relaxed)).max().unwrap_or(0),
        }
    }

    /// The latencies of one kind, of all writers together.
    pub fn merge(&self, kind: LatencyKind) -> Option<Distribution> {
        self.lanes.iter().filter_map(|lane| lane.histogram(kind).snapshot()).reduce(|sum, one| sum.plus(&one))
    }

    /// The latencies of whole operations so far; for a probe that has none, the latencies that it has.
    pub fn whole_operations(&self) -> Option<Distribution> {
        whole_operations_or_probe(|kind| self.merge(kind))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lanes_are_merged_without_loss() {
        let recorder = Recorder::for_writers(3);
        for (writer, latencies) in [(0, [10, 20]), (2, [20, 5_000])] {
            for latency in latencies {
                recorder.lane(writer).commit.record(latency);
                recorder.lane(writer).finish_operation(latency);
            }
        }
        let all = recorder.merge(LatencyKind::Commit).unwrap();
        assert_eq!((all.total(), all.sum_ns, all.min_ns, all.max_ns), (4, 5_050, 10, 5_000));
        assert_eq!(all.fault(), None);
        assert_eq!(all.counts[1], (20, 2));
        assert_eq!(recorder.totals(), Totals { operations: 4, elapsed_ns: 5_020 });
        assert_eq!(recorder.merge(LatencyKind::Read), None);
    }

    #[test]
    fn a_pass_can_be_forgotten() {
        let recorder = Recorder::for_writers(2);
        let measure = |latency_ns| {
            recorder.lane(1).commit.record(latency_ns);
            recorder.lane(1).finish_operation(latency_ns);
        };
        measure(500);
        let before = recorder.copy();
        let (distribution, totals) = (recorder.merge(LatencyKind::Commit), recorder.totals());
        measure(7);
        measure(9_000);
        recorder.set_to(&before);
        assert_eq!((recorder.merge(LatencyKind::Commit), recorder.totals()), (distribution, totals));
        measure(500);
        assert_eq!(recorder.totals(), Totals { operations: 2, elapsed_ns: 1_000 });
    }

    #[test]
    fn an_operation_of_a_mix_is_a_read_or_a_write() {
        let recorder = Recorder::for_writers(2);
        recorder.lane(0).read.record(100);
        recorder.lane(0).write.record(9_000);
        recorder.lane(1).write.record(9_000);
        let whole = recorder.whole_operations().unwrap();
        assert_eq!((whole.total(), whole.min_ns, whole.max_ns), (3, 100, 9_000));
        recorder.lane(0).commit.record(20_000);
        recorder.lane(1).commit.record(20_000);
        let whole = recorder.whole_operations().unwrap();
        assert_eq!((whole.total(), whole.min_ns), (2, 20_000), "where there are commits, they alone");
    }
}
