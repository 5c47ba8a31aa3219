//! The timed loop of one thread that keeps many operations in flight.
//!
//! A few completions are taken, then as many operations begun, while the device works on all others. If all
//! completions were taken and begun again in one batch, the number in flight would rise and fall, which costs
//! a tenth of the rate and a fifth of the median latency. Nothing is taken before every slot is in flight, so
//! the queue is as deep as the workload says. The clock is read once for each group of completions.
//! Operations that were begun during the warm-up and end in the pass count, those in flight at the end do
//! not: the pass counts the completions of its own time.

use std::io;

use crate::disk::Queue;
use crate::engine::offsets::{Offsets, SplitMix};
use crate::engine::pass::{Gate, LoopContext, PassOutcome, Progress};
use crate::sys::clock::Clock;
use crate::sys::io_request::{Request, SyncCall};

/// How many operations are taken and begun together while the device works on others. With 8, random reads
/// are up to a tenth slower than with 4 (`./run bench engine --only randread-4k-qd32`); with 1, each needs a
/// system call.
pub const CHUNK: usize = 4;

/// The kind of operation that the loop repeats.
#[derive(Debug, Clone)]
pub enum QueueWork {
    /// Read a block.
    Read,
    /// Write a block.
    Write,
    /// Read a block or write one, each half of the time.
    Mix(SplitMix),
    /// Write a block; when it is written, make it durable.
    WriteThenSync(SyncCall),
}

/// What one thread repeats.
#[derive(Debug, Clone)]
pub struct QueueJob {
    work: QueueWork,
    offsets: Offsets,
    block_bytes: usize,
}

/// An operation in flight.
#[derive(Debug, Clone, Copy)]
pub(super) struct InFlight {
    pub started_ns: u64,
    /// When its write finished and its sync began.
    pub written_ns: u64,
    pub request: Request,
}

/// What happens to an operation when one of its requests is finished.
enum AfterRequest {
    /// The operation needs another request: the rest of a short transfer, or the sync.
    Continue(Request),
    Finished,
}

impl QueueJob {
    /// Repeats `work` in blocks of `block_bytes` at `offsets`.
    pub fn new(work: QueueWork, offsets: Offsets, block_bytes: u64) -> Self {
        Self { work, offsets, block_bytes: usize::try_from(block_bytes).expect("a block fits into memory") }
    }

    #[inline]
    pub(super) fn next_request(&mut self) -> Request {
        let offset = self.offsets.next_offset();
        let reads = match &mut self.work {
            QueueWork::Read => true,
            QueueWork::Write | QueueWork::WriteThenSync(_) => false,
            QueueWork::Mix(random) => random.next_u64() & 1 == 0,
        };
        if reads { Request::Read(offset, 0) } else { Request::Write(offset, 0) }
    }

    /// What follows a request that ended with this result. A transfer may be short, and a signal may end one
    /// before its first byte; one that makes no progress at all is an error, because it would never end.
    #[inline]
    fn after(&self, request: Request, result: io::Result<usize>) -> io::Result<AfterRequest> {
        let rest = |done: usize, from: usize| {
            if done == 0 {
                return Err(io::Error::from(io::ErrorKind::UnexpectedEof));
            }
            Ok(Some(from + done).filter(|all| *all < self.block_bytes))
        };
        let done = match result {
            Ok(done) => done,
            Err(error) if is_passing(&error) => return Ok(AfterRequest::Continue(request)),
            Err(error) => return Err(error),
        };
        Ok(match request {
            Request::Read(offset, from) => match rest(done, from)? {
                Some(from) => AfterRequest::Continue(Request::Read(offset, from)),
                None => AfterRequest::Finished,
            },
            Request::Write(offset, from) => match rest(done, from)? {
                Some(from) => AfterRequest::Continue(Request::Write(offset, from)),
                None => match self.work {
                    QueueWork::WriteThenSync(call) => AfterRequest::Continue(Request::Sync(call)),
                    _ => AfterRequest::Finished,
                },
            },
            Request::Sync(_) => AfterRequest::Finished,
        })
    }
}

/// Whether the same request should be tried again: after a signal, or while the kernel is short of memory.
fn is_passing(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::Interrupted | io::ErrorKind::WouldBlock)
}

/// The slots: which of them are free, and what the others do. Allocated once.
#[derive(Debug)]
pub(super) struct Slots {
    pub free: Vec<usize>,
    operations: Vec<Option<InFlight>>,
}

impl Slots {
    pub(super) fn new(count: usize) -> Self {
        Self { free: (0..count).rev().collect(), operations: vec![None; count] }
    }

    /// # Panics
    /// When the slot is in use already: the kernel would write into the block of another operation.
    #[inline]
    pub(super) fn occupy(&mut self, slot: usize, operation: InFlight) {
        assert!(self.operations[slot].replace(operation).is_none(), "slot {slot} is used twice");
    }

    #[inline]
    fn release(&mut self, slot: usize) {
        self.operations[slot] = None;
        self.free.push(slot);
    }

    fn in_flight(&self) -> usize {
        self.operations.len() - self.free.len()
    }
}

/// Ends the pass if the operations that were just taken reached a limit or failed.
#[inline]
pub(super) fn close_if_done(reaped: io::Result<()>, progress: &mut Progress, gate: &Gate<'_>) {
    match reaped {
        Ok(()) => progress.close_at_limit(gate),
        Err(error) => progress.fail(error, gate),
    }
}

/// The loop, on a queue that is ready.
pub struct Loop<'a, 'g, Q, C> {
    /// What performs the requests.
    pub queue: Q,
    /// How many may be in flight.
    pub depth: usize,
    /// What every loop is given.
    pub context: LoopContext<'a, 'g, C>,
}

impl<Q: Queue, C: Clock> Loop<'_, '_, Q, C> {
    /// Keeps `depth` operations in flight: through the warm-up, then counted until a limit is reached,
    /// the gate closes or one of them fails. When it returns, none is in flight.
    pub fn run(mut self, job: &mut QueueJob) -> PassOutcome {
        self.context.samples.clear();
        let (clock, gate) = (self.context.clock, self.context.gate);
        let mut slots = Slots::new(self.depth);
        let mut now_ns = clock.now_ns();
        let mut progress = Progress::begin(*self.context.limits, now_ns);
        let mut most = self.depth;
        while progress.goes_on(gate, clock, &mut now_ns) {
            self.prepare_all(job, &mut slots, now_ns);
            let reaped = self.queue.submit(1).and_then(|()| {
                now_ns = clock.now_ns();
                self.reap(job, &mut slots, &mut progress, most, now_ns)
            });
            close_if_done(reaped, &mut progress, gate);
            // Operations that finish as soon as they are begun, as from the page cache, leave no queue to
            // keep full. It shows when nothing is in flight any more: then all slots are taken and begun at
            // once.
            most = if slots.in_flight() == 0 { self.depth } else { CHUNK };
        }
        self.finish(&mut slots, progress)
    }

    /// Fills every free slot. All of them begin now.
    #[inline]
    fn prepare_all(&mut self, job: &mut QueueJob, slots: &mut Slots, now_ns: u64) {
        while let Some(slot) = slots.free.pop() {
            let request = job.next_request();
            if matches!(request, Request::Write(..)) {
                self.queue.stamp(slot);
            }
            slots.occupy(slot, InFlight { started_ns: now_ns, written_ns: now_ns, request });
            self.queue.prepare(slot, request);
        }
    }

    /// Records finished operations, at most this many. The others stay in the queue and count as in flight.
    #[inline]
    pub(super) fn reap(
        &mut self,
        job: &QueueJob,
        slots: &mut Slots,
        progress: &mut Progress,
        most: usize,
        now_ns: u64,
    ) -> io::Result<()> {
        for _ in 0..most {
            let Some((slot, result)) = self.queue.completion() else { break };
            let mut operation = slots.operations[slot].expect("only what is in flight can finish");
            let next = match job.after(operation.request, result) {
                Ok(next) => next,
                Err(error) => {
                    slots.release(slot);
                    return Err(error);
                }
            };
            match next {
                AfterRequest::Continue(request) => {
                    if matches!(request, Request::Sync(_)) && !matches!(operation.request, Request::Sync(_)) {
                        operation.written_ns = now_ns;
                    }
                    operation.request = request;
                    slots.operations[slot] = Some(operation);
                    self.queue.prepare(slot, request);
                }
                AfterRequest::Finished => {
                    slots.release(slot);
                    self.count(job, &operation, progress, now_ns);
                }
            }
        }
        Ok(())
    }

    #[inline]
    fn count(&mut self, job: &QueueJob, operation: &InFlight, progress: &mut Progress, now_ns: u64) {
        let bytes = job.block_bytes as u64;
        if !progress.counts() {
            progress.warm(bytes);
            return;
        }
        let lane = self.context.lane;
        let took_ns = now_ns - operation.started_ns;
        match operation.request {
            Request::Read(..) => lane.read.record(took_ns),
            Request::Write(..) => lane.write.record(took_ns),
            Request::Sync(_) => {
                lane.write.record(operation.written_ns - operation.started_ns);
                lane.sync.record(now_ns - operation.written_ns);
                lane.commit.record(took_ns);
            }
        }
        lane.finish_operation(progress.finish(bytes, now_ns, self.context.samples));
    }

    /// The result of the pass, once nothing is in flight any more.
    pub(super) fn finish(mut self, slots: &mut Slots, mut progress: Progress) -> PassOutcome {
        let gate = self.context.gate;
        if let Err(error) = self.drain(slots) {
            progress.fail(error, gate);
        }
        progress.into_pass(gate, self.context.samples)
    }

    /// Waits for everything in flight, whatever its result; returns the first failure. None of these
    /// operations is counted, nor is one that had finished and was not taken yet. The pass counted as many
    /// that the warm-up had begun: to count these too would add a queue's depth of operations and no time.
    fn drain(&mut self, slots: &mut Slots) -> io::Result<()> {
        let mut failure = None;
        while slots.in_flight() > 0 {
            self.queue.submit(1)?;
            while let Some((slot, result)) = self.queue.completion() {
                slots.release(slot);
                failure = failure.or(result.err().filter(|error| !is_passing(error)));
            }
        }
        failure.map_or(Ok(()), Err)
    }
}

#[cfg(test)]
mod tests;
