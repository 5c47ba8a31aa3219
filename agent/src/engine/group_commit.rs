//! Group commit: many committers, one log, as a database does it.
//!
//! Each committer appends one block and waits until it is durable. If no flush is running, it leads the next
//! one: it writes everything that was appended until then in one piece, makes it durable, and wakes the
//! others. So the slower the flush, the more commits share it.

use std::io;
use std::sync::PoisonError;
#[cfg(not(feature = "loom"))]
use std::sync::{Condvar, Mutex, MutexGuard};

// Loom's types take their place in one test, which tries every order in which threads may run.
#[cfg(feature = "loom")]
use loom::sync::{Condvar, Mutex, MutexGuard};

use crate::disk::FileUnderTest;
use crate::disk::blocks::Blocks;
use crate::engine::pass::{LoopContext, PassOutcome, Progress};
use crate::sys::clock::Clock;
use crate::sys::io_request::SyncCall;

/// Numbers of blocks, counted from the start of the pass.
#[derive(Debug, Default)]
struct GroupState {
    appended: u64,
    durable: u64,
    flushing: bool,
    /// Why a flush failed, which fails every commit after it.
    failure: Option<io::Error>,
}

/// The log that all committers share: a file that is overwritten, and overwritten again from its start.
#[derive(Debug)]
pub struct GroupLog {
    state: Mutex<GroupState>,
    turn: Condvar,
    committers: usize,
    file_blocks: u64,
    block_bytes: u64,
    call: SyncCall,
}

/// One committer, with its own buffers.
#[derive(Debug)]
pub struct Committer<'a> {
    log: &'a GroupLog,
    /// The blocks to write for the groups that this committer leads.
    blocks: Blocks,
}

/// How long the leader of a group took to write the blocks, and to make them durable.
#[derive(Debug, Clone, Copy)]
struct LeaderTimes {
    write_ns: u64,
    sync_ns: u64,
}

impl GroupLog {
    /// A log of `file_bytes` in blocks of `block_bytes`, for this many committers.
    pub fn new(committers: usize, file_bytes: u64, block_bytes: u64, call: SyncCall) -> Self {
        Self {
            state: Mutex::default(),
            turn: Condvar::new(),
            committers,
            file_blocks: file_bytes / block_bytes,
            block_bytes,
            call,
        }
    }

    /// A new committer of this log.
    pub fn committer(&self) -> Committer<'_> {
        let block_bytes = usize::try_from(self.block_bytes).expect("a block fits into memory");
        Committer { log: self, blocks: Blocks::for_runs(block_bytes, self.committers) }
    }

    fn state(&self) -> MutexGuard<'_, GroupState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A copy of the error of a flush, for one more member of its group: every member reports what the device
/// answered.
fn same_error(error: &io::Error) -> io::Error {
    match error.raw_os_error() {
        Some(code) => io::Error::from_raw_os_error(code),
        None => io::Error::new(error.kind(), error.to_string()),
    }
}

impl Committer<'_> {
    /// Appends a block; returns when it is durable.
    fn commit<D: FileUnderTest, C: Clock>(
        &mut self,
        disk: &mut D,
        clock: &C,
    ) -> io::Result<Option<LeaderTimes>> {
        let log = self.log;
        let mut state = log.state();
        state.appended += 1;
        let mine = state.appended;
        let mut times = None;
        while state.durable < mine {
            if let Some(error) = &state.failure {
                return Err(same_error(error));
            }
            if state.flushing {
                state = log.turn.wait(state).unwrap_or_else(PoisonError::into_inner);
                continue;
            }
            state.flushing = true;
            let (first, end) = (state.durable, state.appended);
            drop(state);
            let flushed = self.flush(first, end, disk, clock);
            state = log.state();
            state.flushing = false;
            match flushed {
                Ok(of_flush) => {
                    state.durable = end;
                    times = Some(of_flush);
                }
                Err(error) => state.failure = Some(error),
            }
            log.turn.notify_all();
        }
        Ok(times)
    }

    /// Writes the blocks from `first` to before `end`, in two pieces where the log begins again.
    fn flush<D: FileUnderTest, C: Clock>(
        &mut self,
        first: u64,
        end: u64,
        disk: &mut D,
        clock: &C,
    ) -> io::Result<LeaderTimes> {
        let started_ns = clock.now_ns();
        let mut next = first;
        while next < end {
            let place = next % self.log.file_blocks;
            let count = (end - next).min(self.log.file_blocks - place);
            let run = self.blocks.next_run(usize::try_from(count).expect("at most one per committer"));
            disk.write_at(place * self.log.block_bytes, run)?;
            next += count;
        }
        let written_ns = clock.now_ns();
        disk.sync(self.log.call)?;
        Ok(LeaderTimes { write_ns: written_ns - started_ns, sync_ns: clock.now_ns() - written_ns })
    }

    /// Commits until a limit is reached, the gate closes or a flush fails. `commit` has one latency per
    /// commit; `write` and `sync` have one per group, in the lane of its leader.
    pub fn run<D: FileUnderTest, C: Clock>(
        &mut self,
        disk: &mut D,
        context: LoopContext<'_, '_, C>,
    ) -> PassOutcome {
        let LoopContext { clock, limits, lane, samples, gate } = context;
        samples.clear();
        let bytes = self.log.block_bytes;
        let mut started_ns = clock.now_ns();
        let mut progress = Progress::begin(*limits, started_ns);
        while progress.goes_on(gate, clock, &mut started_ns) {
            let times = match self.commit(disk, clock) {
                Ok(times) => times,
                Err(error) => {
                    progress.fail(error, gate);
                    break;
                }
            };
            let finished_ns = clock.now_ns();
            let began_ns = std::mem::replace(&mut started_ns, finished_ns);
            if !progress.counts() {
                progress.warm(bytes);
                continue;
            }
            lane.commit.record(finished_ns - began_ns);
            if let Some(times) = times {
                lane.write.record(times.write_ns);
                lane.sync.record(times.sync_ns);
            }
            lane.finish_operation(progress.finish(bytes, finished_ns, samples));
            progress.close_at_limit(gate);
        }
        progress.into_pass(gate, samples)
    }
}

#[cfg(all(test, feature = "loom"))]
mod interleavings;

#[cfg(all(test, not(feature = "loom")))]
mod tests {
    use super::*;
    use crate::disk::fake::{FakeClock, FakeDisk};

    #[test]
    fn the_log_is_written_in_order_and_begins_again_at_its_end() {
        let clock = FakeClock::default();
        let mut disk = FakeDisk::new(&clock, [1_000], [1_000]);
        let log = GroupLog::new(1, 3 * 512, 512, SyncCall::Fdatasync);
        let mut committer = log.committer();
        let places = [0; 5].map(|_: u8| {
            committer.commit(&mut disk, &clock).unwrap();
            disk.calls.last_offset / 512
        });
        assert_eq!(places, [0, 1, 2, 0, 1]);
    }

    #[test]
    fn a_flush_that_failed_fails_all_who_wait_with_the_answer_of_the_device() {
        const NO_SPACE: i32 = 28;
        let clock = FakeClock::default();
        let log = GroupLog::new(2, 3 * 512, 512, SyncCall::Fdatasync);
        let mut disk = FakeDisk::new(&clock, [1], [1]);
        disk.fail_write = Some((1, NO_SPACE));
        for committer in ["the leader", "another, on a disk that works"] {
            let error = log.committer().commit(&mut disk, &clock).unwrap_err();
            assert_eq!(error.raw_os_error(), Some(NO_SPACE), "{committer}");
        }
        assert_eq!(disk.calls.writes, 1, "nobody flushes after a failure");
    }
}
