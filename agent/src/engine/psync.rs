//! The timed loop of one thread: one operation at a time, one clock reading per system call.
//!
//! The end of an operation is the start of the next, so nothing between two operations is lost and
//! the latencies of a pass add up to its elapsed time. The loop does I/O, clock and histogram, and
//! allocates nothing; the live display reads the recorder from another thread.

use std::io;

use crate::disk::FileUnderTest;
use crate::disk::blocks::Blocks;
use crate::engine::offsets::{Area, Offsets, SplitMix};
use crate::engine::pass::{LoopContext, PassOutcome, Progress};
use crate::engine::recorder::Lane;
use crate::sys::clock::Clock;
use crate::sys::io_request::SyncCall;
use crate::sys::memory::AlignedBuffer;

/// The kind of operation that a loop repeats.
#[derive(Debug, Clone)]
pub enum PsyncWork {
    /// Write a block, then make it durable by a call of its own.
    WriteThenSync(SyncCall),
    /// Write a block to a file whose writes are durable when they return.
    DurableWrite,
    /// Write a block and never ask whether it is durable.
    Write,
    /// Read a block.
    Read,
    /// Read a block or write one, each half of the time.
    Mix(SplitMix),
    /// Write this many blocks, then one sync.
    Batch(u32, SyncCall),
    /// A sync when nothing was written.
    EmptySync(SyncCall),
    /// What InnoDB does with a batch of pages: all of them into one place in one write, a sync, each to
    /// its own place, a sync.
    Doublewrite(Doublewrite),
    /// Read the clock and nothing else: the gaps show how long nothing could run on the machine.
    ClockGap,
}

/// The first half of a doublewrite: where the batch is written, and its contents.
#[derive(Debug, Clone)]
pub struct Doublewrite {
    batch: Offsets,
    blocks: Blocks,
    pages: u32,
    call: SyncCall,
}

impl Doublewrite {
    /// Batches of `pages` pages of `page_bytes` go one after another into `area`.
    pub fn new(area: Area, pages: u32, page_bytes: u64, call: SyncCall) -> Self {
        let batch_bytes = u64::from(pages) * page_bytes;
        Self { batch: Offsets::sequential(area, batch_bytes), blocks: blocks_of(batch_bytes), pages, call }
    }
}

/// What one writer repeats, with its buffers ready.
#[derive(Debug, Clone)]
pub struct PsyncJob {
    work: PsyncWork,
    offsets: Offsets,
    block_bytes: u64,
    blocks: Blocks,
    buffer: AlignedBuffer,
}

fn blocks_of(block_bytes: u64) -> Blocks {
    Blocks::new(usize::try_from(block_bytes).expect("a block fits into memory"))
}

/// What one operation did, and how long its parts took. The time of a write or a sync that an operation does
/// not have is 0.
struct Readings {
    /// Bytes written or read.
    bytes: u64,
    write_ns: u64,
    sync_ns: u64,
    was_read: bool,
    finished_ns: u64,
}

impl PsyncJob {
    /// Repeats `work` in blocks of `block_bytes` at `offsets`, with data that nothing can compress.
    pub fn new(work: PsyncWork, offsets: Offsets, block_bytes: u64) -> Self {
        let buffer = AlignedBuffer::zeroed(usize::try_from(block_bytes).expect("a block fits into memory"));
        Self { work, offsets, block_bytes, blocks: blocks_of(block_bytes), buffer }
    }

    /// A job that writes nothing but zeros, as a probe for layers that compress or detect them.
    #[must_use]
    pub fn with_zeros(mut self) -> Self {
        let block_bytes = usize::try_from(self.block_bytes).expect("a block fits into memory");
        self.blocks = Blocks::zeros(block_bytes);
        self
    }

    #[inline]
    fn write<D: FileUnderTest>(&mut self, disk: &mut D) -> io::Result<u64> {
        disk.write_at(self.offsets.next_offset(), self.blocks.next_stamped())?;
        Ok(self.block_bytes)
    }

    #[inline]
    fn read<D: FileUnderTest>(&mut self, disk: &mut D) -> io::Result<u64> {
        disk.read_at(self.offsets.next_offset(), self.buffer.as_mut())?;
        Ok(self.block_bytes)
    }

    #[inline]
    fn perform<D: FileUnderTest, C: Clock>(
        &mut self,
        disk: &mut D,
        clock: &C,
        started_ns: u64,
    ) -> io::Result<Readings> {
        let mut was_read = false;
        let bytes = match &mut self.work {
            PsyncWork::WriteThenSync(call) => {
                let call = *call;
                let bytes = self.write(disk)?;
                return sync(disk, clock, call, started_ns, bytes);
            }
            PsyncWork::Batch(blocks, call) => {
                let (blocks, call) = (*blocks, *call);
                let mut bytes = 0;
                for _ in 0..blocks {
                    bytes += self.write(disk)?;
                }
                return sync(disk, clock, call, started_ns, bytes);
            }
            PsyncWork::EmptySync(call) => return sync_alone(disk, clock, *call, started_ns),
            PsyncWork::Doublewrite(_) => return self.doublewrite(disk, clock, started_ns),
            PsyncWork::DurableWrite | PsyncWork::Write => self.write(disk)?,
            PsyncWork::Read => {
                was_read = true;
                self.read(disk)?
            }
            PsyncWork::Mix(random) => {
                was_read = random.next_u64() & 1 == 0;
                if was_read { self.read(disk)? } else { self.write(disk)? }
            }
            PsyncWork::ClockGap => 0,
        };
        let finished_ns = clock.now_ns();
        Ok(Readings { bytes, write_ns: finished_ns - started_ns, sync_ns: 0, was_read, finished_ns })
    }

    fn doublewrite<D: FileUnderTest, C: Clock>(
        &mut self,
        disk: &mut D,
        clock: &C,
        started_ns: u64,
    ) -> io::Result<Readings> {
        let PsyncWork::Doublewrite(double) = &mut self.work else { unreachable!("called for nothing else") };
        let (pages, call) = (double.pages, double.call);
        let batch = double.blocks.next_stamped();
        let batch_bytes = batch.len() as u64;
        disk.write_at(double.batch.next_offset(), batch)?;
        let first = sync(disk, clock, call, started_ns, batch_bytes)?;
        let mut pages_bytes = 0;
        for _ in 0..pages {
            pages_bytes += self.write(disk)?;
        }
        let second = sync(disk, clock, call, first.finished_ns, pages_bytes)?;
        Ok(Readings {
            bytes: first.bytes + second.bytes,
            write_ns: first.write_ns + second.write_ns,
            sync_ns: first.sync_ns + second.sync_ns,
            ..second
        })
    }

    #[inline]
    fn record(&self, lane: &Lane, started_ns: u64, readings: &Readings) {
        let took_ns = readings.finished_ns - started_ns;
        match &self.work {
            PsyncWork::EmptySync(_) => lane.sync.record(readings.sync_ns),
            PsyncWork::WriteThenSync(_) | PsyncWork::Batch(..) | PsyncWork::Doublewrite(_) => {
                lane.write.record(readings.write_ns);
                lane.sync.record(readings.sync_ns);
                lane.commit.record(took_ns);
            }
            PsyncWork::DurableWrite => lane.commit.record(took_ns),
            PsyncWork::ClockGap => lane.lag.record(took_ns),
            PsyncWork::Write | PsyncWork::Read | PsyncWork::Mix(_) if readings.was_read => {
                lane.read.record(took_ns);
            }
            PsyncWork::Write | PsyncWork::Read | PsyncWork::Mix(_) => lane.write.record(took_ns),
        }
    }
}

/// Makes the bytes that were written since `started_ns` durable.
#[inline]
fn sync<D: FileUnderTest, C: Clock>(
    disk: &mut D,
    clock: &C,
    call: SyncCall,
    started_ns: u64,
    bytes: u64,
) -> io::Result<Readings> {
    let written_ns = clock.now_ns();
    disk.sync(call)?;
    let finished_ns = clock.now_ns();
    Ok(Readings {
        bytes,
        write_ns: written_ns - started_ns,
        sync_ns: finished_ns - written_ns,
        was_read: false,
        finished_ns,
    })
}

#[inline]
fn sync_alone<D: FileUnderTest, C: Clock>(
    disk: &mut D,
    clock: &C,
    call: SyncCall,
    started_ns: u64,
) -> io::Result<Readings> {
    disk.sync(call)?;
    let finished_ns = clock.now_ns();
    Ok(Readings { bytes: 0, write_ns: 0, sync_ns: finished_ns - started_ns, was_read: false, finished_ns })
}

/// Performs operations without recording them until the warm-up is over. Then performs and records them until
/// a limit is reached, the gate closes or the disk fails.
pub fn run<D: FileUnderTest, C: Clock>(
    job: &mut PsyncJob,
    disk: &mut D,
    context: LoopContext<'_, '_, C>,
) -> PassOutcome {
    let LoopContext { clock, limits, lane, samples, gate } = context;
    samples.clear();
    let mut started_ns = clock.now_ns();
    let mut progress = Progress::begin(*limits, started_ns);
    while progress.goes_on(gate, clock, &mut started_ns) {
        let readings = match job.perform(disk, clock, started_ns) {
            Ok(readings) => readings,
            Err(error) => {
                progress.fail(error, gate);
                break;
            }
        };
        let begun_ns = std::mem::replace(&mut started_ns, readings.finished_ns);
        if !progress.counts() {
            progress.warm(readings.bytes);
            continue;
        }
        job.record(lane, begun_ns, &readings);
        lane.finish_operation(progress.finish(readings.bytes, started_ns, samples));
        progress.close_at_limit(gate);
    }
    progress.into_pass(gate, samples)
}
