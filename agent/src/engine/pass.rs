//! When a pass begins and ends, and what it did: the same for every engine.

use std::io;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

use crate::engine::samples::Samples;
use crate::plan::limits::PassLimits;
use crate::sys::clock::Clock;
use crate::wire::measurement::{EndReason, OpenLoop};

/// The result of one pass.
#[derive(Debug)]
pub struct PassOutcome {
    /// Operations finished.
    pub operations: u64,
    /// Bytes written, or read.
    pub bytes: u64,
    /// From the begin of the pass to the end of its last operation.
    pub elapsed_ns: u64,
    /// Why it ended.
    pub ended_by: EndReason,
    /// Operations finished in each whole interval.
    pub rate_samples: Vec<u64>,
    /// What it was offered; nothing in a closed loop, which offers what is taken.
    pub open_loop: Option<OpenLoop>,
    /// The failure that ended it, when `ended_by` is `Error`.
    pub error: Option<io::Error>,
}

impl PassOutcome {
    /// A pass that failed before its first operation.
    pub fn failed(error: io::Error) -> Self {
        Self {
            operations: 0,
            bytes: 0,
            elapsed_ns: 0,
            ended_by: EndReason::Error,
            rate_samples: Vec::new(),
            open_loop: None,
            error: Some(error),
        }
    }

    /// The pass of several writers that ran side by side: their operations together, in the time of the
    /// longest. The first to end ends all, so they have one reason; where an operation fails that was still in
    /// flight then, its error stands beside that reason.
    pub fn merge(passes: impl IntoIterator<Item = Self>) -> Option<Self> {
        passes.into_iter().reduce(|mut sum, one| {
            sum.operations += one.operations;
            sum.bytes += one.bytes;
            sum.elapsed_ns = sum.elapsed_ns.max(one.elapsed_ns);
            // The last whole interval of the longest may be one that the others did not reach.
            let intervals = sum.rate_samples.len().max(one.rate_samples.len());
            sum.rate_samples.resize(intervals, 0);
            for (count, more) in sum.rate_samples.iter_mut().zip(one.rate_samples) {
                *count += more;
            }
            sum.error = sum.error.or(one.error);
            sum
        })
    }
}

/// Every reason, in the order of their codes in the gate.
const REASONS: [EndReason; 5] =
    [EndReason::Time, EndReason::Bytes, EndReason::TimeLimit, EndReason::Interrupted, EndReason::Error];

/// What all writers of a pass share: they begin to count together, and the first to end ends all.
pub struct Gate<'a> {
    stop: &'a AtomicBool,
    started: AtomicBool,
    closed: AtomicU8,
    on_start: Mutex<&'a mut (dyn FnMut() + Send)>,
}

impl<'a> Gate<'a> {
    /// `stop` is set by Ctrl-C; `on_start` is called once, by the writer that is warm first, in the
    /// moment before operations begin to count.
    pub fn new(stop: &'a AtomicBool, on_start: &'a mut (dyn FnMut() + Send)) -> Self {
        Self {
            stop,
            started: AtomicBool::new(false),
            closed: AtomicU8::new(0),
            on_start: Mutex::new(on_start),
        }
    }

    /// Ends the warm-up of all writers.
    pub fn start(&self) {
        let mut on_start = self.on_start.lock().unwrap_or_else(PoisonError::into_inner);
        if !self.started.load(Relaxed) {
            on_start();
            self.started.store(true, Relaxed);
        }
    }

    /// Whether operations count now.
    #[inline]
    pub fn has_started(&self) -> bool {
        self.started.load(Relaxed)
    }

    /// Ends the pass of all writers; the first reason stays. Returns the one that does.
    pub fn close(&self, reason: EndReason) -> EndReason {
        let code = REASONS.iter().position(|other| *other == reason).unwrap_or(0);
        let code = u8::try_from(code).unwrap_or(0) + 1;
        match self.closed.compare_exchange(0, code, Relaxed, Relaxed) {
            Ok(_) => reason,
            Err(earlier) => REASONS[usize::from(earlier) - 1],
        }
    }

    /// Why the pass is over, if it is: somebody ended it, or Ctrl-C.
    #[inline]
    pub fn closed(&self) -> Option<EndReason> {
        if self.stop.load(Relaxed) {
            return Some(self.close(EndReason::Interrupted));
        }
        match self.closed.load(Relaxed) {
            0 => None,
            code => Some(REASONS[usize::from(code) - 1]),
        }
    }
}

/// Counts a writer's way through warm-up and pass, whatever its engine is.
#[derive(Debug)]
pub struct Progress {
    limits: PassLimits,
    began_ns: u64,
    warm_bytes: u64,
    /// Bytes of the warm-up beyond its limit: they are taken from the pass.
    excess_bytes: u64,
    counts: bool,
    operations: u64,
    bytes: u64,
    last_ns: u64,
}

impl Progress {
    /// The warm-up begins now.
    pub fn begin(limits: PassLimits, now_ns: u64) -> Self {
        Self {
            limits,
            began_ns: now_ns,
            warm_bytes: 0,
            excess_bytes: 0,
            counts: false,
            operations: 0,
            bytes: 0,
            last_ns: now_ns,
        }
    }

    /// Whether operations count now.
    #[inline]
    pub fn counts(&self) -> bool {
        self.counts
    }

    /// What every loop asks before it begins an operation: why the pass is over, if it is. Where the
    /// warm-up has ended meanwhile, operations count from now on, which `now_ns` then tells.
    #[inline]
    pub fn closed_by<C: Clock>(&mut self, gate: &Gate<'_>, clock: &C, now_ns: &mut u64) -> Option<EndReason> {
        let closed = gate.closed();
        if closed.is_none() && !self.counts && self.is_warm(gate, *now_ns) {
            *now_ns = clock.now_ns();
            self.start_counting(*now_ns);
        }
        closed
    }

    /// What every loop asks when an operation has ended: why the pass is over, if a limit is reached. Ends
    /// it for all writers.
    #[inline]
    pub fn ended_by(&self, gate: &Gate<'_>) -> Option<EndReason> {
        let limit_reached = if self.counts { self.limit_reached() } else { None };
        limit_reached.map(|reason| gate.close(reason))
    }

    /// Whether the warm-up of this writer, or of any other, is over; if so, the pass may begin.
    #[inline]
    fn is_warm(&self, gate: &Gate<'_>, now_ns: u64) -> bool {
        if self.limits.is_warm(self.warm_bytes, now_ns - self.began_ns) {
            gate.start();
        }
        gate.has_started()
    }

    /// From now on operations count.
    fn start_counting(&mut self, now_ns: u64) {
        self.excess_bytes = self.warm_bytes.saturating_sub(self.limits.warm_up_bytes_max);
        self.counts = true;
        self.began_ns = now_ns;
        self.last_ns = now_ns;
    }

    /// When the last operation that counts ended.
    pub fn last_ns(&self) -> u64 {
        self.last_ns
    }

    /// An operation of the warm-up ended.
    #[inline]
    pub fn warm(&mut self, bytes: u64) {
        self.warm_bytes += bytes;
    }

    /// An operation that counts ended: returns the time since the one before it.
    #[inline]
    pub fn finish(&mut self, bytes: u64, now_ns: u64, samples: &mut Samples) -> u64 {
        self.operations += 1;
        self.bytes += bytes;
        samples.record(now_ns - self.began_ns);
        let since_ns = now_ns - self.last_ns;
        self.last_ns = now_ns;
        since_ns
    }

    /// The reason to end the pass now, if there is one.
    #[inline]
    fn limit_reached(&self) -> Option<EndReason> {
        let elapsed_ns = self.last_ns - self.began_ns;
        self.limits.limit_reached(self.operations, self.bytes + self.excess_bytes, elapsed_ns)
    }

    /// The pass as it ended.
    pub fn into_pass(self, ended_by: EndReason, error: Option<io::Error>, samples: &Samples) -> PassOutcome {
        let elapsed_ns = if self.counts { self.last_ns - self.began_ns } else { 0 };
        PassOutcome {
            operations: self.operations,
            bytes: self.bytes,
            elapsed_ns,
            ended_by,
            rate_samples: samples.whole(elapsed_ns),
            open_loop: None,
            error,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pass(operations: u64, elapsed_ns: u64, rate_samples: &[u64]) -> PassOutcome {
        PassOutcome {
            operations,
            bytes: operations * 10,
            elapsed_ns,
            ended_by: EndReason::Time,
            rate_samples: rate_samples.to_vec(),
            open_loop: None,
            error: None,
        }
    }

    #[test]
    fn writers_side_by_side_add_up_in_the_time_of_the_longest() {
        let merged = PassOutcome::merge([pass(30, 250, &[10, 12]), pass(40, 310, &[12, 13, 14])]).unwrap();
        assert_eq!((merged.operations, merged.bytes, merged.elapsed_ns), (70, 700, 310));
        assert_eq!(merged.rate_samples, [22, 25, 14]);
        assert!(PassOutcome::merge([]).is_none());
    }

    #[test]
    fn the_first_to_end_ends_all_and_its_reason_stays() {
        let (stop, mut calls) = (AtomicBool::new(false), 0);
        let mut on_start = || calls += 1;
        let gate = Gate::new(&stop, &mut on_start);
        assert_eq!((gate.closed(), gate.has_started()), (None, false));
        gate.start();
        gate.start();
        assert!(gate.has_started());
        for (reason, stays) in [(EndReason::Bytes, EndReason::Bytes), (EndReason::Error, EndReason::Bytes)] {
            assert_eq!(gate.close(reason), stays);
        }
        stop.store(true, Relaxed);
        assert_eq!(gate.closed(), Some(EndReason::Bytes), "it was over before Ctrl-C");
        assert_eq!(calls, 1);
    }

    #[test]
    fn bytes_beyond_the_warm_up_are_taken_from_the_pass() {
        let limits = PassLimits {
            warm_up_ns: u64::MAX,
            warm_up_bytes_max: 100,
            pass_ns_min: u64::MAX,
            pass_operations_min: 0,
            pass_ns_max: u64::MAX,
            pass_bytes_max: 1_000,
        };
        let mut progress = Progress::begin(limits, 0);
        progress.warm(160);
        progress.start_counting(10);
        let mut samples = Samples::new(1_000);
        progress.finish(930, 20, &mut samples);
        assert_eq!(progress.limit_reached(), None);
        progress.finish(10, 30, &mut samples);
        assert_eq!(progress.limit_reached(), Some(EndReason::Bytes));
    }
}
