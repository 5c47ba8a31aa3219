//! When a pass begins, when and why it ends, and what was done in it. Every timed loop asks this module, so
//! that all of them begin and end by the same rules.

use std::io;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

use crate::engine::rate_samples::RateSamples;
use crate::engine::recorder::Lane;
use crate::plan::pass_limits::PassLimits;
use crate::probe::machine::cpu_time::ThreadTime;
use crate::sys::clock::Clock;
use crate::wire::interference::Interference;
use crate::wire::workload::{EndReason, OpenLoop};

/// The result of one pass.
#[derive(Debug)]
pub struct PassOutcome {
    /// Operations finished.
    pub operations: u64,
    /// Bytes written and read.
    pub bytes: u64,
    /// From the start of the pass to the end of its last operation.
    pub elapsed_ns: u64,
    /// Why it ended.
    pub ended_by: EndReason,
    /// Operations finished in each whole interval.
    pub rate_samples: Vec<u64>,
    /// What it was offered; `None` for a closed loop, whose next operation waits for the one before.
    pub open_loop: Option<OpenLoop>,
    /// The first failure. It ended the pass, or came later from an operation that was still in flight.
    pub error: Option<io::Error>,
    /// Which call of `io_uring` the kernel refused to the queue, and its answer.
    pub fallback: Option<String>,
    /// How long its threads waited for a CPU, all of them together.
    pub threads: ThreadTime,
    /// What else went on meanwhile; `None` where nothing can be seen.
    pub interference: Option<Interference>,
}

impl PassOutcome {
    /// Whether it ended by its own limits, and not by an error or by Ctrl-C.
    pub fn is_whole(&self) -> bool {
        self.error.is_none() && !matches!(self.ended_by, EndReason::Interrupted | EndReason::Error)
    }

    /// A pass that failed before its first operation, which ends it for all writers.
    pub fn failed(error: io::Error, gate: &Gate<'_>) -> Self {
        gate.close(EndReason::Error);
        Self {
            operations: 0,
            bytes: 0,
            elapsed_ns: 0,
            ended_by: gate.closed_by(),
            rate_samples: Vec::new(),
            open_loop: None,
            error: Some(error),
            fallback: None,
            threads: ThreadTime::default(),
            interference: None,
        }
    }

    /// The pass of several writers that ran in parallel: the sum of their operations, in the time of the
    /// longest. The first writer to end ends all of them, so they share one reason.
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
            sum.fallback = sum.fallback.or(one.fallback);
            sum.threads = sum.threads.with(one.threads);
            sum
        })
    }
}

/// Every reason, in the order of their codes in the gate.
const REASONS: [EndReason; 5] =
    [EndReason::Time, EndReason::Bytes, EndReason::TimeLimit, EndReason::Interrupted, EndReason::Error];

/// What all writers of a pass share: they start counting together, and the first to end ends all of them.
pub struct Gate<'a> {
    stop: &'a AtomicBool,
    started: AtomicBool,
    /// The code of the reason; 0 while the pass goes on.
    reason_code: AtomicU8,
    on_start: Mutex<&'a mut (dyn FnMut() + Send)>,
}

impl<'a> Gate<'a> {
    /// `stop` is set by Ctrl-C. `on_start` is called once, by the first writer that is warm, right before
    /// operations start to count.
    pub fn new(stop: &'a AtomicBool, on_start: &'a mut (dyn FnMut() + Send)) -> Self {
        Self {
            stop,
            started: AtomicBool::new(false),
            reason_code: AtomicU8::new(0),
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

    /// Ends the pass of all writers. The first reason is kept.
    pub fn close(&self, reason: EndReason) {
        let code = REASONS.iter().position(|other| *other == reason).unwrap_or(0);
        let code = u8::try_from(code).unwrap_or(0) + 1;
        let _ = self.reason_code.compare_exchange(0, code, Relaxed, Relaxed);
    }

    /// Whether the pass is over: a writer ended it, or Ctrl-C does now.
    #[inline]
    pub fn is_closed(&self) -> bool {
        if self.stop.load(Relaxed) {
            self.close(EndReason::Interrupted);
        }
        self.reason_code.load(Relaxed) != 0
    }

    /// Why the pass is over. Every writer of every loop asks here, so that there is one reason.
    ///
    /// # Panics
    ///
    /// While the pass goes on.
    pub fn closed_by(&self) -> EndReason {
        let code = self.reason_code.load(Relaxed);
        REASONS[usize::from(code).checked_sub(1).expect("a pass ends with its gate closed")]
    }
}

/// What each timed loop is given for a pass, beside its own work.
pub struct LoopContext<'a, 'g, C> {
    /// Tells the time.
    pub clock: &'a C,
    /// When the warm-up and the pass of this writer end.
    pub limits: &'a PassLimits,
    /// Where latencies go.
    pub lane: &'a Lane,
    /// Where rates go.
    pub samples: &'a mut RateSamples,
    /// Begins and ends the pass of all writers.
    pub gate: &'a Gate<'g>,
}

/// Follows a writer through warm-up and pass, whichever engine it uses.
#[derive(Debug)]
pub struct Progress {
    limits: PassLimits,
    began_ns: u64,
    warm_bytes: u64,
    /// Bytes of the warm-up beyond its limit, which are subtracted from the pass.
    excess_bytes: u64,
    counts: bool,
    operations: u64,
    bytes: u64,
    last_ns: u64,
    failure: Option<io::Error>,
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
            failure: None,
        }
    }

    /// Whether operations count now.
    #[inline]
    pub fn counts(&self) -> bool {
        self.counts
    }

    /// Whether the pass goes on: every loop asks this before it begins an operation. If the warm-up has just
    /// ended, `now_ns` is set to the moment from which operations count.
    #[inline]
    pub fn goes_on<C: Clock>(&mut self, gate: &Gate<'_>, clock: &C, now_ns: &mut u64) -> bool {
        let is_over = gate.is_closed();
        if !is_over && !self.counts && self.is_warm(gate, *now_ns) {
            *now_ns = clock.now_ns();
            self.start_counting(*now_ns);
        }
        !is_over
    }

    /// Ends the pass for all writers where a limit is reached: every loop calls this after operations have
    /// ended.
    #[inline]
    pub fn close_at_limit(&self, gate: &Gate<'_>) {
        if self.counts
            && let Some(reason) = self.limit_reached()
        {
            gate.close(reason);
        }
    }

    /// Ends the pass for all writers because an operation has failed. The first of several failures is kept.
    pub fn fail(&mut self, error: io::Error, gate: &Gate<'_>) {
        gate.close(EndReason::Error);
        self.failure.get_or_insert(error);
    }

    /// Whether operations of this writer may count: the warm-up ends for all writers when it ends for the
    /// first.
    #[inline]
    fn is_warm(&self, gate: &Gate<'_>, now_ns: u64) -> bool {
        if self.limits.is_warm(self.warm_bytes, now_ns - self.began_ns) {
            gate.start();
        }
        gate.has_started()
    }

    /// Starts counting operations.
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

    /// Notes an operation that ended during the warm-up.
    #[inline]
    pub fn warm(&mut self, bytes: u64) {
        self.warm_bytes += bytes;
    }

    /// Notes an operation that counts: returns the time since the one before it.
    #[inline]
    pub fn finish(&mut self, bytes: u64, now_ns: u64, samples: &mut RateSamples) -> u64 {
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

    /// The pass as it ended, when its gate is closed.
    pub fn into_pass(self, gate: &Gate<'_>, samples: &RateSamples) -> PassOutcome {
        let elapsed_ns = if self.counts { self.last_ns - self.began_ns } else { 0 };
        PassOutcome {
            operations: self.operations,
            bytes: self.bytes,
            elapsed_ns,
            ended_by: gate.closed_by(),
            rate_samples: samples.whole(elapsed_ns),
            open_loop: None,
            error: self.failure,
            fallback: None,
            threads: ThreadTime::default(),
            interference: None,
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
            fallback: None,
            threads: ThreadTime { run_queue_ns: Some(operations), cpu_mhz: None },
            interference: None,
        }
    }

    #[test]
    fn writers_side_by_side_add_up_in_the_time_of_the_longest() {
        let merged = PassOutcome::merge([pass(30, 250, &[10, 12]), pass(40, 310, &[12, 13, 14])]).unwrap();
        assert_eq!((merged.operations, merged.bytes, merged.elapsed_ns), (70, 700, 310));
        assert_eq!(merged.rate_samples, [22, 25, 14]);
        assert_eq!(merged.threads.run_queue_ns, Some(70));
        assert!(PassOutcome::merge([]).is_none());
    }

    #[test]
    fn the_first_to_end_ends_all_and_its_reason_stays() {
        let (stop, mut calls) = (AtomicBool::new(false), 0);
        let mut on_start = || calls += 1;
        let gate = Gate::new(&stop, &mut on_start);
        assert_eq!((gate.is_closed(), gate.has_started()), (false, false));
        gate.start();
        gate.start();
        assert!(gate.has_started());
        for reason in [EndReason::Bytes, EndReason::Error] {
            gate.close(reason);
            assert_eq!((gate.is_closed(), gate.closed_by()), (true, EndReason::Bytes));
        }
        stop.store(true, Relaxed);
        assert_eq!(
            (gate.is_closed(), gate.closed_by()),
            (true, EndReason::Bytes),
            "it was over before Ctrl-C"
        );
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
        let mut samples = RateSamples::new(1_000);
        progress.finish(930, 20, &mut samples);
        assert_eq!(progress.limit_reached(), None);
        progress.finish(10, 30, &mut samples);
        assert_eq!(progress.limit_reached(), Some(EndReason::Bytes));
    }
}
