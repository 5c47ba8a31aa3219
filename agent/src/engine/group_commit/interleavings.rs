//! Every order in which the threads of a group commit may run, as loom finds them: no commit returns before
//! its block is durable, no two flushes overlap, nobody sleeps forever, and a flush that fails ends
//! everybody.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::SeqCst};

use super::*;
use crate::disk::fake::{FakeClock, FakeQueue};
use crate::sys::io_request::RingMode;

const BLOCK_BYTES: u64 = 512;
/// Blocks of the log: so few that it wraps around.
const FILE_BLOCKS: u64 = 2;
/// Threads may be interrupted so often where they need not be; three find nearly every mistake there is
/// (Musuvathi and Qadeer, PLDI 2007), and more take hours.
const PREEMPTIONS_MAX: usize = 3;

/// The disk below all committers. Its own state is not tracked by loom: whoever flushes is alone.
#[derive(Debug, Default)]
struct DiskState {
    is_flushing: AtomicBool,
    written: AtomicU64,
    durable: AtomicU64,
    /// Commits that have returned.
    acknowledged: AtomicU64,
    syncs: AtomicU64,
    /// The sync with this number (from 1) fails.
    fails_sync: u64,
}

/// One committer's open file.
#[derive(Debug)]
struct SharedDisk(Arc<DiskState>);

impl FileUnderTest for SharedDisk {
    type Queue = FakeQueue;

    fn into_queue(self, _slots: usize, _block_bytes: usize, _ring_mode: RingMode) -> io::Result<FakeQueue> {
        unreachable!("a commit is one thing at a time")
    }

    fn write_at(&mut self, offset: u64, block: &[u8]) -> io::Result<()> {
        let was_flushing = self.0.is_flushing.swap(true, SeqCst);
        let blocks = block.len() as u64 / BLOCK_BYTES;
        let next = self.0.written.fetch_add(blocks, SeqCst);
        // The second piece of a group that begins the log again is written by the same leader.
        assert!(!was_flushing || offset == 0, "two flushes at once");
        assert_eq!(offset / BLOCK_BYTES, next % FILE_BLOCKS, "a block is left out or written twice");
        Ok(())
    }

    fn read_at(&mut self, _offset: u64, _block: &mut [u8]) -> io::Result<()> {
        unreachable!("a log is only written")
    }

    fn sync(&mut self, _call: SyncCall) -> io::Result<()> {
        // Others may append meanwhile: that is what a group is.
        loom::thread::yield_now();
        let number = self.0.syncs.fetch_add(1, SeqCst) + 1;
        assert!(self.0.is_flushing.swap(false, SeqCst), "a sync without a write");
        if number == self.0.fails_sync {
            return Err(io::Error::other("the device failed"));
        }
        self.0.durable.store(self.0.written.load(SeqCst), SeqCst);
        Ok(())
    }
}

/// Commits so often, or until it fails; returns whether it did not.
fn commit_all(log: &GroupLog, below: &Arc<DiskState>, blocks: Blocks, commits: usize) -> bool {
    let mut disk = SharedDisk(Arc::clone(below));
    let mut committer = Committer { log, blocks };
    (0..commits).all(|_| {
        let is_durable = committer.commit(&mut disk, &FakeClock::default()).is_ok();
        if is_durable {
            let acknowledged = below.acknowledged.fetch_add(1, SeqCst) + 1;
            assert!(acknowledged <= below.durable.load(SeqCst), "told to be durable and is not");
        }
        is_durable
    })
}

/// `committers` threads that commit `commits` times each, or until it fails, in every order.
fn in_every_order(committers: usize, commits: usize, fails_sync: u64) {
    let blocks = Blocks::for_runs(usize::try_from(BLOCK_BYTES).expect("small"), committers);
    let mut model = loom::model::Builder::new();
    model.preemption_bound = Some(PREEMPTIONS_MAX);
    model.check(move || {
        let log =
            Arc::new(GroupLog::new(committers, FILE_BLOCKS * BLOCK_BYTES, BLOCK_BYTES, SyncCall::Fdatasync));
        let below = Arc::new(DiskState { fails_sync, ..DiskState::default() });
        let threads: Vec<_> = (1..committers)
            .map(|_| {
                let (log, below, blocks) = (Arc::clone(&log), Arc::clone(&below), blocks.clone());
                loom::thread::spawn(move || commit_all(&log, &below, blocks, commits))
            })
            .collect();
        let mut all_done = commit_all(&log, &below, blocks.clone(), commits);
        for thread in threads {
            all_done &= thread.join().expect("no committer panics");
        }
        let (acknowledged, syncs) = (below.acknowledged.load(SeqCst), below.syncs.load(SeqCst));
        if all_done {
            assert_eq!(acknowledged, (committers * commits) as u64);
        } else {
            assert!(fails_sync > 0 && syncs == fails_sync, "nobody flushes after a failure");
        }
    });
}

#[test]
fn two_committers_are_durable_in_every_order() {
    in_every_order(2, 2, 0);
}

#[test]
fn three_committers_are_durable_in_every_order() {
    in_every_order(3, 1, 0);
}

#[test]
fn a_flush_that_fails_ends_everybody_in_every_order() {
    in_every_order(3, 1, 1);
    in_every_order(2, 2, 2);
}
