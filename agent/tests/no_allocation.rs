//! The timed loop allocates nothing: counted by an allocator that counts.
#![allow(unsafe_code)] // an allocator cannot be written without

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

use fsyncmark::disk::SyncCall;
use fsyncmark::disk::fake::{FakeClock, FakeDisk};
use fsyncmark::engine::recorder::Recorder;
use fsyncmark::engine::samples::Samples;
use fsyncmark::engine::sync::{Job, RandomReads, SequentialWrites, run_pass, warm_up};
use fsyncmark::workload::WORKLOADS;

struct Counting;

static ALLOCATIONS: AtomicU64 = AtomicU64::new(0);

// SAFETY: every call goes to the system's allocator unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.fetch_add(1, Relaxed);
        // SAFETY: the caller's promises are the system allocator's.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        ALLOCATIONS.fetch_add(1, Relaxed);
        // SAFETY: as above.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

#[test]
fn nothing_is_allocated_or_freed_while_operations_are_timed() {
    let limits = WORKLOADS[0].limits;
    let stop = AtomicBool::new(false);
    for mut job in [
        Job::WriteThenSync(SequentialWrites::new(64 << 20, 8192), SyncCall::Fdatasync),
        Job::DurableWrite(SequentialWrites::new(64 << 20, 8192)),
        Job::Read(RandomReads::new(1 << 30, 4096, 1)),
    ] {
        let clock = FakeClock::default();
        let mut disk = FakeDisk::new(&clock, [20_000], [80_000, 3_000_000]);
        let recorder = Recorder::default();
        let mut samples = Samples::new(500_000_000);
        warm_up(&mut job, &mut disk, &clock, &limits, &stop).unwrap();
        let before = ALLOCATIONS.load(Relaxed);
        let pass = run_pass(&mut job, &mut disk, &clock, &limits, &recorder, &mut samples, &stop);
        let during = ALLOCATIONS.load(Relaxed) - before;
        assert!(pass.operations > 2_000);
        // One: the rates of the pass, copied out after its last operation.
        assert_eq!(during, 1, "{job:?}");
    }
}
