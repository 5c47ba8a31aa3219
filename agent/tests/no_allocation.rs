//! The timed loop allocates nothing: an allocator that counts proves it.
#![allow(unsafe_code)] // an allocator cannot be written without

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::sync::atomic::AtomicBool;

use fsyncmark::disk::FileUnderTest;
use fsyncmark::disk::fake::{FakeClock, FakeDisk};
use fsyncmark::engine::group_commit::GroupLog;
use fsyncmark::engine::offsets::{Area, Offsets, SplitMix};
use fsyncmark::engine::open_loop::Arrivals;
use fsyncmark::engine::pass::{Gate, LoopContext, PassOutcome};
use fsyncmark::engine::psync::{Doublewrite, PsyncJob, PsyncWork, run};
use fsyncmark::engine::queue;
use fsyncmark::engine::rate_samples::RateSamples;
use fsyncmark::engine::recorder::Lane;
use fsyncmark::plan::pass_limits::PassLimits;
use fsyncmark::plan::workload::WORKLOADS;
use fsyncmark::sys::io_request::{RingMode, SyncCall};
use fsyncmark::wire::workload::Purpose;

struct CountingAllocator;

thread_local! {
    /// Of this thread alone: what runs tests has threads of its own, which allocate when they like.
    static ALLOCATIONS: Cell<u64> = const { Cell::new(0) };
}

fn count() {
    ALLOCATIONS.with(|allocations| allocations.set(allocations.get() + 1));
}

// SAFETY: every call goes to the system's allocator unchanged.
unsafe impl GlobalAlloc for CountingAllocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count();
        // SAFETY: the caller's promises are the system allocator's.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        count();
        // SAFETY: as above.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;

/// Counts what a pass allocates once operations count.
fn allocations_of(pass: impl FnOnce(&Gate<'_>) -> PassOutcome) -> (PassOutcome, u64) {
    let stop = AtomicBool::new(false);
    let mut before = 0;
    let mut on_start = || before = ALLOCATIONS.get();
    let gate = Gate::new(&stop, &mut on_start);
    let pass = pass(&gate);
    (pass, ALLOCATIONS.get() - before)
}

const LIMITS: PassLimits = WORKLOADS[0].limits;
const AREA: Area = Area::whole(64 << 20);

// Each loop runs on the thread of its test.

#[test]
fn nothing_is_allocated_or_freed_while_operations_are_timed_one_by_one() {
    for work in [
        PsyncWork::WriteThenSync(SyncCall::Fdatasync),
        PsyncWork::DurableWrite,
        PsyncWork::Write,
        PsyncWork::Read,
        PsyncWork::Mix(SplitMix::new(1)),
        PsyncWork::Batch(4, SyncCall::Fdatasync),
        PsyncWork::Doublewrite(Doublewrite::new(AREA, 64, 8192, SyncCall::Fsync)),
    ] {
        let what = format!("{work:?}").chars().take(20).collect::<String>();
        let mut job = PsyncJob::new(work, Offsets::sequential(AREA, 8192), 8192);
        let clock = FakeClock::default();
        let mut disk = FakeDisk::new(&clock, [20_000], [80_000, 3_000_000]);
        let (lane, mut samples) = (Lane::default(), RateSamples::new(100_000_000));
        let (pass, during) = allocations_of(|gate| {
            let context =
                LoopContext { clock: &clock, limits: &LIMITS, lane: &lane, samples: &mut samples, gate };
            run(&mut job, &mut disk, context)
        });
        assert!(pass.operations > 200, "{what}: {pass:?}");
        // One: the rates of the pass, copied out after its last operation.
        assert_eq!(during, 1, "{what}");
    }
}

#[test]
fn nor_while_many_are_in_flight() {
    for work in
        [queue::QueueWork::Read, queue::QueueWork::Write, queue::QueueWork::WriteThenSync(SyncCall::Fsync)]
    {
        let what = format!("{work:?}");
        let mut job = queue::QueueJob::new(work, Offsets::random(AREA, 8192, 1), 8192);
        let clock = FakeClock::default();
        let disk = FakeDisk::new(&clock, [200_000, 900_000], [800_000]);
        let (lane, mut samples) = (Lane::default(), RateSamples::new(100_000_000));
        let queue = disk.into_queue(32, 8192, RingMode::Plain).unwrap();
        let (pass, during) = allocations_of(|gate| {
            let context =
                LoopContext { clock: &clock, limits: &LIMITS, lane: &lane, samples: &mut samples, gate };
            queue::Loop { queue, depth: 32, context }.run(&mut job)
        });
        assert!(pass.operations > 2_000, "{what}: {pass:?}");
        // The rates, and five freed at the end: the slots and the queue with what it flew.
        assert!(during <= 8, "{what}: {during}");
    }
}

#[test]
fn nor_while_committers_share_a_flush() {
    let clock = FakeClock::default();
    let log = GroupLog::new(8, 64 << 20, 8192, SyncCall::Fdatasync);
    let (mut committer, mut disk) = (log.committer(), FakeDisk::new(&clock, [20_000], [80_000, 3_000_000]));
    let (lane, mut samples) = (Lane::default(), RateSamples::new(100_000_000));
    let (pass, during) = allocations_of(|gate| {
        let context =
            LoopContext { clock: &clock, limits: &LIMITS, lane: &lane, samples: &mut samples, gate };
        committer.run(&mut disk, context)
    });
    assert!(pass.operations > 200, "group commit: {pass:?}");
    assert_eq!(during, 1, "group commit");
}

#[test]
fn nor_while_operations_begin_when_they_are_due() {
    let mut job = queue::QueueJob::new(queue::QueueWork::Read, Offsets::random(AREA, 8192, 1), 8192);
    let clock = FakeClock::default();
    let queue =
        FakeDisk::new(&clock, [200_000, 900_000], [800_000]).into_queue(32, 8192, RingMode::Plain).unwrap();
    let (lane, mut samples) = (Lane::default(), RateSamples::new(100_000_000));
    let mut arrivals = Arrivals::new(5_000, 0, 1);
    let (pass, during) = allocations_of(|gate| {
        let context =
            LoopContext { clock: &clock, limits: &LIMITS, lane: &lane, samples: &mut samples, gate };
        queue::Loop { queue, depth: 32, context }.run_open(&mut job, &mut arrivals, Purpose::Search)
    });
    assert!(pass.operations > 2_000, "open loop: {pass:?}");
    // As above, and the percentiles that the pass is told with, which are worked out after its last
    // operation.
    assert!(during <= 40, "open loop: {during}");
}
