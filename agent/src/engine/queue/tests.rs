//! The bookkeeping of the ring: exact figures on a scripted device, and a model that does to it whatever a
//! kernel may do.

use std::collections::{HashMap, HashSet};
use std::sync::atomic::AtomicBool;

use super::*;
use crate::disk::FileUnderTest;
use crate::disk::fake::{FakeClock, FakeDisk, FakeQueue};
use crate::engine::histogram::Histogram;
use crate::engine::offsets::Area;
use crate::engine::rate_samples::RateSamples;
use crate::engine::recorder::Lane;
use crate::plan::pass_limits::PassLimits;
use crate::sys::io_request::RingMode;
use crate::wire::workload::EndReason;

const BLOCK: u64 = 4096;
const LIMITS: PassLimits = PassLimits {
    warm_up_ns: 1_000_000,
    warm_up_bytes_max: 1 << 30,
    pass_ns_min: 1_000_000_000,
    pass_operations_min: 1,
    pass_ns_max: 2_000_000_000,
    pass_bytes_max: 64 << 30,
};

fn job(work: QueueWork) -> QueueJob {
    QueueJob::new(work, Offsets::random(Area::whole(1 << 30), BLOCK, 1), BLOCK)
}

fn run<Q: Queue, C: Clock>(
    queue: Q,
    depth: usize,
    clock: &C,
    work: QueueWork,
    limits: &PassLimits,
) -> (PassOutcome, Lane) {
    let (stop, mut on_start) = (AtomicBool::new(false), || ());
    let gate = Gate::new(&stop, &mut on_start);
    let (lane, mut samples) = (Lane::default(), RateSamples::new(100_000_000));
    let context = LoopContext { clock, limits, lane: &lane, samples: &mut samples, gate: &gate };
    let pass = Loop { queue, depth, context }.run(&mut job(work));
    (pass, lane)
}

fn on_fake_disk(depth: usize, latencies_ns: &[u64], work: QueueWork) -> (PassOutcome, Lane) {
    let clock = FakeClock::default();
    let disk = FakeDisk::new(&clock, latencies_ns, [90_000]);
    let queue = disk.into_queue(depth, 4096, RingMode::Plain).unwrap();
    run(queue, depth, &clock, work, &LIMITS)
}

#[test]
fn a_steady_device_gives_depth_over_latency() {
    for depth in [1, 2, 7, 32, 64] {
        let (pass, lane) = on_fake_disk(depth, &[100_000], QueueWork::Read);
        assert_eq!(pass.ended_by, EndReason::Time);
        assert_eq!((pass.operations, pass.elapsed_ns), (10_000 * depth as u64, 1_000_000_000), "{depth}");
        let reads = lane.read.snapshot().unwrap();
        assert_eq!((reads.min_ns, reads.max_ns), (100_000, 100_000));
        // Little's law: the latencies fill the time as often as the queue is deep.
        assert_eq!(reads.sum_ns, depth as u64 * pass.elapsed_ns);
        assert_eq!(pass.rate_samples, vec![1_000 * depth as u64; 10]);
    }
}

#[test]
fn uneven_latencies_are_each_counted_and_keep_the_queue_full() {
    let (pass, lane) = on_fake_disk(8, &[50_000, 300_000, 70_000, 1_100_000], QueueWork::Write);
    let writes = lane.write.snapshot().unwrap();
    assert_eq!(writes.total(), pass.operations);
    assert_eq!((writes.min_ns, writes.max_ns), (50_000, 1_100_000));
    let depth = writes.sum_ns as f64 / pass.elapsed_ns as f64;
    assert!((7.9..=8.05).contains(&depth), "{depth}");
}

/// A fake queue that notes how many requests it is given at a time, and how full it is when it is looked at.
struct WatchedQueue<'a> {
    queue: FakeQueue,
    prepared: usize,
    in_flight: usize,
    chunks: &'a mut Vec<usize>,
    depths: &'a mut Vec<usize>,
    /// Whether it refuses the next request, which it does once.
    refuses: bool,
}

impl Queue for WatchedQueue<'_> {
    fn stamp(&mut self, slot: usize) {
        self.queue.stamp(slot);
    }

    fn prepare(&mut self, slot: usize, request: Request) {
        self.prepared += 1;
        self.in_flight += 1;
        self.queue.prepare(slot, request);
    }

    fn submit(&mut self, wait_for: usize) -> io::Result<()> {
        self.chunks.push(std::mem::take(&mut self.prepared));
        self.depths.push(self.in_flight);
        if std::mem::take(&mut self.refuses) {
            return Err(io::ErrorKind::OutOfMemory.into());
        }
        self.queue.submit(wait_for)
    }

    fn poll(&mut self, until_ns: u64) -> io::Result<()> {
        self.queue.poll(until_ns)
    }

    fn completion(&mut self) -> Option<(usize, io::Result<usize>)> {
        let finished = self.queue.completion();
        self.in_flight -= usize::from(finished.is_some());
        finished
    }
}

#[test]
fn a_few_are_taken_and_begun_at_a_time_and_the_queue_is_full_whenever_it_is_looked_at() {
    let (clock, mut chunks, mut depths) = (FakeClock::default(), Vec::new(), Vec::new());
    let queue =
        FakeDisk::new(&clock, [100_000, 100_000, 90_000], [0]).into_queue(20, 4096, RingMode::Plain).unwrap();
    let watched = WatchedQueue {
        queue,
        prepared: 0,
        in_flight: 0,
        chunks: &mut chunks,
        depths: &mut depths,
        refuses: false,
    };
    run(watched, 20, &clock, QueueWork::Read, &LIMITS);
    // The first of all, and what was finished of it at once.
    assert_eq!(chunks[0], 20);
    assert!(chunks[2..].iter().all(|chunk| *chunk <= CHUNK));
    let steady = &depths[..depths.len() - 20]; // at the end the queue is drained
    assert!(steady.len() > 1_000 && steady.iter().all(|depth| *depth == 20));
}

#[test]
fn a_kernel_that_refuses_ends_the_pass_with_nothing_left_in_flight() {
    let (clock, mut chunks, mut depths) = (FakeClock::default(), Vec::new(), Vec::new());
    let queue = FakeDisk::new(&clock, [100_000], [0]).into_queue(20, 4096, RingMode::Plain).unwrap();
    let (chunks, depths) = (&mut chunks, &mut depths);
    let watched = WatchedQueue { queue, prepared: 0, in_flight: 0, chunks, depths, refuses: true };
    let (pass, _) = run(watched, 20, &clock, QueueWork::Read, &LIMITS);
    assert_eq!((pass.operations, pass.ended_by), (0, EndReason::Error));
}

#[test]
fn a_commit_is_its_write_and_then_its_sync() {
    let (pass, lane) = on_fake_disk(4, &[10_000], QueueWork::WriteThenSync(SyncCall::Fdatasync));
    assert_eq!(pass.operations, 40_000);
    let of = |histogram: &Histogram| histogram.snapshot().unwrap();
    assert_eq!(of(&lane.write).max_ns, 10_000);
    assert_eq!(of(&lane.sync).max_ns, 90_000);
    assert_eq!((of(&lane.commit).min_ns, of(&lane.commit).total()), (100_000, 40_000));
}

#[test]
fn a_failure_ends_the_pass_with_nothing_left_in_flight() {
    let clock = FakeClock::default();
    let mut disk = FakeDisk::new(&clock, [100_000], [0]);
    disk.fail_write = Some((5_000, 28));
    let queue = disk.into_queue(16, 4096, RingMode::Plain).unwrap();
    let (pass, _) = run(queue, 16, &clock, QueueWork::Write, &LIMITS);
    assert_eq!(pass.ended_by, EndReason::Error);
    assert_eq!(pass.error.unwrap().kind(), io::ErrorKind::StorageFull);
    assert!((4_700..5_000).contains(&pass.operations), "{}", pass.operations);
}

/// The pass of a disk whose write with this number fails.
fn with_failing_write(number: u64) -> PassOutcome {
    let clock = FakeClock::default();
    let mut disk = FakeDisk::new(&clock, [100_000, 130_000], [0]);
    disk.fail_write = Some((number, 5));
    let queue = disk.into_queue(4, 4096, RingMode::Plain).unwrap();
    run(queue, 4, &clock, QueueWork::Write, &LIMITS).0
}

#[test]
fn a_failure_of_what_was_in_flight_at_the_end_is_kept() {
    let (mut last, mut never) = (1_u64, 1 << 40);
    while never - last > 1 {
        let number = last.midpoint(never);
        if with_failing_write(number).error.is_some() { last = number } else { never = number }
    }
    let pass = with_failing_write(last);
    assert_eq!(pass.ended_by, EndReason::Time, "the last write that fails is one that was waited for");
    assert_eq!(pass.error.unwrap().raw_os_error(), Some(5));
}

/// A fake queue that refuses to wait where nothing new was prepared: when it is drained.
struct UndrainableQueue {
    queue: FakeQueue,
    prepared: usize,
}

impl Queue for UndrainableQueue {
    fn stamp(&mut self, slot: usize) {
        self.queue.stamp(slot);
    }

    fn prepare(&mut self, slot: usize, request: Request) {
        self.prepared += 1;
        self.queue.prepare(slot, request);
    }

    fn submit(&mut self, wait_for: usize) -> io::Result<()> {
        if std::mem::take(&mut self.prepared) == 0 {
            return Err(io::ErrorKind::OutOfMemory.into());
        }
        self.queue.submit(wait_for)
    }

    fn poll(&mut self, until_ns: u64) -> io::Result<()> {
        self.queue.poll(until_ns)
    }

    fn completion(&mut self) -> Option<(usize, io::Result<usize>)> {
        self.queue.completion()
    }
}

#[test]
fn a_failure_after_the_end_stands_beside_the_reason_and_does_not_replace_it() {
    let clock = FakeClock::default();
    let queue = FakeDisk::new(&clock, [100_000, 130_000], [0]).into_queue(4, 4096, RingMode::Plain).unwrap();
    let (pass, _) = run(UndrainableQueue { queue, prepared: 0 }, 4, &clock, QueueWork::Read, &LIMITS);
    assert_eq!(pass.ended_by, EndReason::Time);
    assert_eq!(pass.error.unwrap().kind(), io::ErrorKind::OutOfMemory);
}

/// A kernel that does everything a kernel may: it finishes requests in any order and late, transfers
/// less than was asked for, answers with a signal, returns before enough is finished. It keeps its own
/// books and finds every request that no correct caller makes.
struct Model {
    random: SplitMix,
    clock: FakeClock,
    in_flight: HashMap<usize, Request>,
    finished: Vec<(usize, io::Result<usize>)>,
    /// What the transfer in a slot must go on with.
    expected: HashMap<usize, Request>,
    stamped: HashSet<usize>,
    books: Books,
}

#[derive(Debug, Default, Clone)]
struct Books {
    whole_transfers: u64,
    syncs: u64,
    short: u64,
    signals: u64,
    deepest: usize,
}

impl Model {
    fn new(seed: u64, clock: &FakeClock) -> Self {
        Self {
            random: SplitMix::new(seed),
            clock: clock.clone(),
            in_flight: HashMap::new(),
            finished: Vec::new(),
            expected: HashMap::new(),
            stamped: HashSet::new(),
            books: Books::default(),
        }
    }

    fn below(&mut self, bound: usize) -> usize {
        usize::try_from(self.random.below(bound as u64)).unwrap()
    }

    fn finish(&mut self, slot: usize) {
        let request = self.in_flight.remove(&slot).unwrap();
        if self.below(10) == 0 {
            self.books.signals += 1;
            self.expected.insert(slot, request);
            let error = [io::ErrorKind::Interrupted, io::ErrorKind::WouldBlock][self.below(2)];
            self.finished.push((slot, Err(error.into())));
            return;
        }
        let (from, rest): (usize, fn(u64, usize) -> Request) = match request {
            Request::Sync(_) => {
                self.books.syncs += 1;
                self.finished.push((slot, Ok(0)));
                return;
            }
            Request::Read(_, from) => (from, Request::Read),
            Request::Write(_, from) => (from, Request::Write),
        };
        let (Request::Read(offset, _) | Request::Write(offset, _)) = request else { unreachable!() };
        let left = 4096 - from;
        let done = if self.below(5) == 0 { 1 + self.below(left) } else { left };
        if done < left {
            self.books.short += 1;
            self.expected.insert(slot, rest(offset, from + done));
        } else {
            self.books.whole_transfers += 1;
        }
        self.finished.push((slot, Ok(done)));
    }
}

impl Queue for &mut Model {
    fn stamp(&mut self, slot: usize) {
        assert!(!self.in_flight.contains_key(&slot), "stamped while the kernel owns it");
        assert!(self.stamped.insert(slot), "stamped twice");
    }

    fn prepare(&mut self, slot: usize, request: Request) {
        if let Some(expected) = self.expected.remove(&slot) {
            assert_eq!(request, expected, "the rest of a transfer, or the same again");
        } else if let Request::Write(_, 0) = request {
            assert!(self.stamped.remove(&slot), "written without a new stamp");
        }
        assert!(self.in_flight.insert(slot, request).is_none(), "slot {slot} is in flight already");
        assert!(self.finished.iter().all(|(other, _)| *other != slot), "nobody has seen its end");
        self.books.deepest = self.books.deepest.max(self.in_flight.len());
    }

    fn submit(&mut self, wait_for: usize) -> io::Result<()> {
        assert!(wait_for <= self.in_flight.len() + self.finished.len(), "it would wait for ever");
        self.clock.advance(1_000 + self.random.below(50_000));
        // A signal may come before anything is finished.
        let enough = if self.below(20) == 0 { 0 } else { wait_for.saturating_sub(self.finished.len()) };
        let more = self.below(self.in_flight.len() + 1);
        for _ in 0..enough.max(more) {
            let index = self.below(self.in_flight.len());
            let mut slots: Vec<usize> = self.in_flight.keys().copied().collect();
            slots.sort_unstable();
            self.finish(slots[index]);
        }
        Ok(())
    }

    fn poll(&mut self, _until_ns: u64) -> io::Result<()> {
        self.submit(0)
    }

    fn completion(&mut self) -> Option<(usize, io::Result<usize>)> {
        let index = self.below(self.finished.len().max(1));
        (!self.finished.is_empty()).then(|| self.finished.swap_remove(index))
    }
}

#[test]
fn whatever_the_kernel_does_every_operation_is_counted_once() {
    for (seed, depth) in (0..300).zip((1..=40).cycle()) {
        let clock = FakeClock::default();
        let mut model = Model::new(seed, &clock);
        let work = match seed % 4 {
            0 => QueueWork::Read,
            1 => QueueWork::Write,
            2 => QueueWork::Mix(SplitMix::new(seed)),
            _ => QueueWork::WriteThenSync(SyncCall::Fsync),
        };
        let syncs = matches!(work, QueueWork::WriteThenSync(_));
        let limits = PassLimits { warm_up_ns: 0, warm_up_bytes_max: 0, pass_ns_min: 5_000_000, ..LIMITS };
        let (pass, lane) = run(&mut model, depth, &clock, work, &limits);
        assert_eq!((pass.ended_by, pass.error.is_none()), (EndReason::Time, true), "seed {seed}");
        assert!(
            model.in_flight.is_empty() && model.finished.is_empty(),
            "seed {seed}: something is in flight"
        );
        assert!(model.books.deepest <= depth, "seed {seed}: {:?}", model.books);
        // What was in flight at the end is finished and not counted.
        let done = if syncs { model.books.syncs } else { model.books.whole_transfers };
        assert!(done >= pass.operations && done <= pass.operations + depth as u64, "seed {seed}: {done}");
        let counted: u64 = [&lane.read, if syncs { &lane.commit } else { &lane.write }]
            .into_iter()
            .filter_map(Histogram::snapshot)
            .map(|histogram| histogram.total())
            .sum();
        assert_eq!(counted, pass.operations, "seed {seed}");
    }
}

#[test]
fn a_transfer_that_makes_no_progress_is_an_error() {
    let read = job(QueueWork::Read);
    for request in [Request::Read(0, 0), Request::Read(0, 512), Request::Write(0, 0)] {
        assert!(read.after(request, Ok(0)).is_err(), "{request:?}");
    }
    assert!(matches!(read.after(Request::Read(0, 512), Ok(3_584)), Ok(AfterRequest::Finished)));
    assert!(matches!(
        read.after(Request::Read(8192, 512), Ok(512)),
        Ok(AfterRequest::Continue(Request::Read(8192, 1_024)))
    ));
    assert!(read.after(Request::Read(0, 0), Err(io::Error::from_raw_os_error(5))).is_err());
}
