//! An open loop: operations begin when they are due, whether or not those before them are finished.
//!
//! A closed loop waits for a slow operation and so asks for less just when the device is slow; its latencies
//! leave out the operations that would have arrived meanwhile (coordinated omission). Here the latency counts
//! from the moment when an operation was due, so the queue in front of a busy device is in it.

use super::offsets::SplitMix;
use super::pass::{LoopContext, PassOutcome, Progress};
use super::queue::{CHUNK, InFlight, Loop, QueueJob, Slots, close_if_done};
use crate::disk::Queue;
use crate::sys::clock::Clock;
use crate::sys::io_request::Request;
use crate::wire::histogram::Distribution;
use crate::wire::workload::{OpenLoop, Purpose};

/// The load that a pass in an open loop offers to the device.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OfferedLoad {
    /// Arrivals a second, on average.
    pub per_s: u64,
    /// Whether it is a trial of a search or shows latencies at a load.
    pub purpose: Purpose,
}

/// Poisson arrivals: the gaps between them are exponentially distributed, independent of each other.
#[derive(Debug, Clone)]
pub struct Arrivals {
    random: SplitMix,
    mean_ns: f64,
    due_ns: f64,
    passed: u64,
}

impl Arrivals {
    /// Arrivals at an average of `per_second`, from `now_ns` on.
    pub fn new(per_second: u64, now_ns: u64, seed: u64) -> Self {
        let mean_ns = 1e9 / per_second.max(1) as f64;
        let mut arrivals = Self { random: SplitMix::new(seed), mean_ns, due_ns: now_ns as f64, passed: 0 };
        arrivals.step();
        arrivals.passed = 0;
        arrivals
    }

    /// When the next arrival is due.
    #[inline]
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // nanoseconds of this century
    pub fn due_ns(&self) -> u64 {
        self.due_ns as u64
    }

    /// Moves on to the next arrival.
    #[inline]
    pub fn step(&mut self) {
        // 53 bits, and never zero: the logarithm of a uniformly random number in (0, 1].
        let uniform = ((self.random.next_u64() >> 11) + 1) as f64 / (1_u64 << 53) as f64;
        self.due_ns -= uniform.ln() * self.mean_ns;
        self.passed += 1;
    }

    /// How many arrivals are due until a moment, those that were begun already included.
    fn count_until(&self, moment_ns: u64) -> u64 {
        let mut ahead = self.clone();
        while ahead.due_ns() <= moment_ns {
            ahead.step();
        }
        ahead.passed
    }
}

fn per_second(count: u64, elapsed_ns: u64) -> u64 {
    let rate = u128::from(count) * 1_000_000_000 / u128::from(elapsed_ns.max(1));
    u64::try_from(rate).unwrap_or(u64::MAX)
}

impl<Q: Queue, C: Clock> Loop<'_, '_, Q, C> {
    /// Begins operations when they are due, through the warm-up and then counted, until a limit is reached,
    /// the gate closes or one of them fails. The lane's `lag` has how late each of them was begun. It leaves
    /// out those that became due while every slot was in flight: there the device was late, which the latency
    /// shows.
    pub fn run_open(mut self, job: &mut QueueJob, arrivals: &mut Arrivals, purpose: Purpose) -> PassOutcome {
        self.context.samples.clear();
        let LoopContext { clock, lane, gate, .. } = self.context;
        let (latencies, lag) = (lane.whole_operations(), lane.lag.snapshot());
        let mut due_before = None;
        let mut slots = Slots::new(self.depth);
        let mut now_ns = clock.now_ns();
        let mut progress = Progress::begin(*self.context.limits, now_ns);
        let mut full_until_ns = 0;
        while progress.goes_on(gate, clock, &mut now_ns) {
            if progress.counts() && due_before.is_none() {
                due_before = Some(arrivals.count_until(now_ns));
            }
            self.begin_due(job, arrivals, &mut slots, now_ns, full_until_ns, progress.counts());
            let is_full = slots.free.is_empty();
            let until_ns = if is_full { u64::MAX } else { arrivals.due_ns() };
            let reaped = self.queue.poll(until_ns).and_then(|()| {
                now_ns = clock.now_ns();
                if is_full {
                    full_until_ns = now_ns;
                }
                self.reap(job, &mut slots, &mut progress, usize::MAX, now_ns)
            });
            close_if_done(reaped, &mut progress, gate);
        }
        let due = arrivals.count_until(progress.last_ns());
        let mut pass = self.finish(&mut slots, progress);
        let since = |now: Option<Distribution>, before: Option<Distribution>| now?.since(before.as_ref());
        pass.open_loop = since(lane.whole_operations(), latencies).map(|latencies| OpenLoop {
            purpose,
            offered_per_s: per_second(due.saturating_sub(due_before.unwrap_or(due)), pass.elapsed_ns),
            p50_ns: latencies.percentile_ns(5_000),
            p99_ns: latencies.percentile_ns(9_900),
            lag_p99_ns: since(lane.lag.snapshot(), lag).map_or(0, |lag| lag.percentile_ns(9_900)),
        });
        pass
    }

    fn begin_due(
        &mut self,
        job: &mut QueueJob,
        arrivals: &mut Arrivals,
        slots: &mut Slots,
        now_ns: u64,
        full_until_ns: u64,
        counts: bool,
    ) {
        for _ in 0..CHUNK {
            let due_ns = arrivals.due_ns();
            if due_ns > now_ns {
                return;
            }
            let Some(slot) = slots.free.pop() else { return };
            arrivals.step();
            if counts && due_ns >= full_until_ns {
                self.context.lane.lag.record(now_ns - due_ns);
            }
            let request = job.next_request();
            if matches!(request, Request::Write(..)) {
                self.queue.stamp(slot);
            }
            slots.occupy(slot, InFlight { started_ns: due_ns, written_ns: due_ns, request });
            self.queue.prepare(slot, request);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use super::*;
    use crate::disk::FileUnderTest;
    use crate::disk::fake::{FakeClock, FakeDisk};
    use crate::engine::offsets::{Area, Offsets};
    use crate::engine::pass::Gate;
    use crate::engine::queue::QueueWork;
    use crate::engine::rate_samples::RateSamples;
    use crate::engine::recorder::Lane;
    use crate::plan::pass_limits::PassLimits;
    use crate::sys::io_request::RingMode;

    const SECONDS: u64 = 60;
    const LIMITS: PassLimits = PassLimits {
        warm_up_ns: 100_000_000,
        warm_up_bytes_max: 1 << 40,
        pass_ns_min: SECONDS * 1_000_000_000,
        pass_operations_min: 1,
        pass_ns_max: SECONDS * 1_000_000_000,
        pass_bytes_max: 1 << 50,
    };

    /// `servers` operations side by side, each of 100 us, at this rate of arrivals.
    fn run(servers: usize, per_second: u64) -> (PassOutcome, Distribution, Option<Distribution>) {
        let clock = FakeClock::default();
        let disk = FakeDisk::new(&clock, [100_000], [0]);
        let queue = disk.into_queue(servers, 4096, RingMode::Plain).unwrap();
        let (stop, mut on_start) = (AtomicBool::new(false), || ());
        let gate = Gate::new(&stop, &mut on_start);
        let (lane, mut samples) = (Lane::default(), RateSamples::new(100_000_000));
        let mut job = QueueJob::new(QueueWork::Read, Offsets::random(Area::whole(1 << 30), 4096, 1), 4096);
        let context =
            LoopContext { clock: &clock, limits: &LIMITS, lane: &lane, samples: &mut samples, gate: &gate };
        let timed = Loop { queue, depth: servers, context };
        let pass = timed.run_open(&mut job, &mut Arrivals::new(per_second, 0, 42), Purpose::Load);
        (pass, lane.read.snapshot().unwrap(), lane.lag.snapshot())
    }

    #[test]
    fn a_device_that_never_queues_answers_in_its_own_time_at_the_rate_asked_for() {
        let (pass, reads, lag) = run(1_000, 20_000);
        assert_eq!((reads.min_ns, reads.max_ns), (100_000, 100_000));
        let rate = pass.operations as f64 / SECONDS as f64;
        assert!((rate - 20_000.0).abs() < 100.0, "{rate}");
        assert_eq!(lag.unwrap().max_ns, 0, "a generator on a scripted clock is never late");
    }

    #[test]
    fn arrivals_that_were_due_while_every_slot_was_in_flight_are_the_device_s_fault() {
        // More finish at once than are begun at a time, and there is always somebody waiting.
        let (_, _, lag) = run(3 * CHUNK, 300_000);
        assert_eq!(lag.map_or(0, |lag| lag.max_ns), 0);
    }

    #[test]
    fn one_server_queues_as_the_theory_of_queues_says() {
        // M/D/1: the mean wait is load / (2 (1 - load)) of the service time (Pollaczek and Khinchine).
        for (per_second, load) in [(5_000, 0.5), (8_000, 0.8), (9_000, 0.9)] {
            let (_, reads, _) = run(1, per_second);
            let expected_ns = 100_000.0 * (1.0 + load / (2.0 * (1.0 - load)));
            let mean_ns = reads.sum_ns as f64 / reads.total() as f64;
            assert!((mean_ns / expected_ns - 1.0).abs() < 0.05, "{load}: {mean_ns} for {expected_ns}");
        }
    }

    #[test]
    fn beyond_capacity_the_queue_shows_where_a_closed_loop_would_hide_it() {
        let (pass, reads, _) = run(1, 11_000);
        let rate = pass.operations / SECONDS;
        assert!((9_990..=10_000).contains(&rate), "{rate}");
        let offered = pass.open_loop.unwrap().offered_per_s;
        assert!((10_900..=11_100).contains(&offered), "{offered}");
        // A tenth too much for a minute: at its end the queue is six seconds long, on average three.
        let p50_s = reads.percentile_ns(5_000) as f64 / 1e9;
        assert!((2.4..3.2).contains(&p50_s), "{p50_s}");
    }
}
