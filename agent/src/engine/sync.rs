//! The timed loop: one thread, one operation at a time, one clock reading per system call.
//!
//! The end of an operation is the begin of the next, so nothing between two operations is lost and
//! the latencies of a pass add up to its elapsed time. The loop does I/O, clock and histogram, and
//! allocates nothing; whoever wants to watch reads the recorder from another thread.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use crate::disk::{Disk, SyncCall};
use crate::engine::buffer::{AlignedBuffer, Blocks};
use crate::engine::clock::Clock;
use crate::engine::recorder::Recorder;
use crate::engine::samples::Samples;

/// When a pass and the warm-up before it end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// The warm-up ends after this time …
    pub warm_up_ns: u64,
    /// … or after this many bytes, whichever is first.
    pub warm_up_bytes_max: u64,
    /// A pass ends after this time if it also has …
    pub pass_ns_min: u64,
    /// … this many operations.
    pub pass_operations_min: u64,
    /// A pass ends after this time, however few operations it has.
    pub pass_ns_max: u64,
    /// A pass ends after this many bytes.
    pub pass_bytes_max: u64,
}

/// Why a pass ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EndedBy {
    /// Long enough, with enough operations.
    Time,
    /// Its bytes were used up.
    Bytes,
    /// Too slow for the wanted number of operations.
    TimeLimit,
    /// Ctrl-C.
    Interrupted,
    /// The device or filesystem failed.
    Error,
}

impl Limits {
    /// The reason to end a pass that has come this far, if there is one.
    #[inline]
    fn reached(&self, operations: u64, bytes: u64, elapsed_ns: u64) -> Option<EndedBy> {
        if elapsed_ns >= self.pass_ns_min && operations >= self.pass_operations_min {
            Some(EndedBy::Time)
        } else if bytes >= self.pass_bytes_max {
            Some(EndedBy::Bytes)
        } else if elapsed_ns >= self.pass_ns_max {
            Some(EndedBy::TimeLimit)
        } else {
            None
        }
    }
}

/// What one pass did.
#[derive(Debug)]
pub struct Pass {
    /// Operations finished.
    pub operations: u64,
    /// Bytes written, or read.
    pub bytes: u64,
    /// From the begin of the first operation to the end of the last.
    pub elapsed_ns: u64,
    /// Why it ended.
    pub ended_by: EndedBy,
    /// Operations finished in each whole interval.
    pub rate_samples: Vec<u64>,
    /// The failure that ended it, when `ended_by` is `Error`.
    pub error: Option<io::Error>,
}

/// The kind of operation that a loop repeats. Each knows its blocks and its offsets.
#[derive(Debug)]
pub enum Job {
    /// Write a block, then make it durable by a call of its own.
    WriteThenSync(SequentialWrites, SyncCall),
    /// Write a block to a file whose writes are durable when they return.
    DurableWrite(SequentialWrites),
    /// Read a block at a random place.
    Read(RandomReads),
}

/// Blocks written one after another through a file, again from its start at the end.
#[derive(Debug)]
pub struct SequentialWrites {
    blocks: Blocks,
    block_bytes: u64,
    file_bytes: u64,
    offset: u64,
}

impl SequentialWrites {
    /// Begins at the start of a file of `file_bytes`, a multiple of `block_bytes`.
    pub fn new(file_bytes: u64, block_bytes: u64) -> Self {
        let blocks = Blocks::new(usize::try_from(block_bytes).expect("a block fits into memory"));
        Self { blocks, block_bytes, file_bytes, offset: 0 }
    }

    #[inline]
    fn write<D: Disk>(&mut self, disk: &mut D) -> io::Result<()> {
        disk.write_at(self.offset, self.blocks.next_stamped())?;
        self.offset += self.block_bytes;
        if self.offset == self.file_bytes {
            self.offset = 0;
        }
        Ok(())
    }
}

/// Blocks read at uniformly random, block-aligned places.
#[derive(Debug)]
pub struct RandomReads {
    buffer: AlignedBuffer,
    block_bytes: u64,
    file_blocks: u64,
    random: u64,
}

impl RandomReads {
    /// Reads within a file of `file_bytes`, a multiple of `block_bytes`.
    pub fn new(file_bytes: u64, block_bytes: u64, seed: u64) -> Self {
        let buffer = AlignedBuffer::zeroed(usize::try_from(block_bytes).expect("a block fits into memory"));
        Self { buffer, block_bytes, file_blocks: file_bytes / block_bytes, random: seed }
    }

    /// SplitMix64: one addition and two multiplications, and every start is a good one.
    #[inline]
    fn next_offset(&mut self) -> u64 {
        self.random = self.random.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.random;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^= mixed >> 31;
        // The high half of a 128-bit product maps to 0..file_blocks without a division.
        let block = (u128::from(mixed) * u128::from(self.file_blocks)) >> 64;
        u64::try_from(block).expect("below file_blocks") * self.block_bytes
    }
}

/// The clock readings of one operation.
struct Readings {
    /// When the write had returned; equal to `finished_ns` where there is no sync of its own.
    written_ns: u64,
    finished_ns: u64,
}

impl Job {
    fn block_bytes(&self) -> u64 {
        match self {
            Self::WriteThenSync(writes, _) | Self::DurableWrite(writes) => writes.block_bytes,
            Self::Read(reads) => reads.block_bytes,
        }
    }

    #[inline]
    fn perform<D: Disk, C: Clock>(&mut self, disk: &mut D, clock: &C) -> io::Result<Readings> {
        match self {
            Self::WriteThenSync(writes, call) => {
                writes.write(disk)?;
                let written_ns = clock.now_ns();
                disk.sync(*call)?;
                Ok(Readings { written_ns, finished_ns: clock.now_ns() })
            }
            Self::DurableWrite(writes) => {
                writes.write(disk)?;
                let finished_ns = clock.now_ns();
                Ok(Readings { written_ns: finished_ns, finished_ns })
            }
            Self::Read(reads) => {
                let offset = reads.next_offset();
                disk.read_at(offset, reads.buffer.as_mut())?;
                let finished_ns = clock.now_ns();
                Ok(Readings { written_ns: finished_ns, finished_ns })
            }
        }
    }

    #[inline]
    fn record(&self, recorder: &Recorder, started_ns: u64, readings: &Readings) {
        let took_ns = readings.finished_ns - started_ns;
        match self {
            Self::WriteThenSync(..) => {
                recorder.write.record(readings.written_ns - started_ns);
                recorder.sync.record(readings.finished_ns - readings.written_ns);
                recorder.commit.record(took_ns);
            }
            Self::DurableWrite(_) => recorder.commit.record(took_ns),
            Self::Read(_) => recorder.read.record(took_ns),
        }
        recorder.finish_operation(took_ns);
    }
}

/// Performs operations that nobody counts, until the warm-up's time or bytes are used up.
pub fn warm_up<D: Disk, C: Clock>(
    job: &mut Job,
    disk: &mut D,
    clock: &C,
    limits: &Limits,
    stop: &AtomicBool,
) -> io::Result<()> {
    let started_ns = clock.now_ns();
    let mut bytes = 0;
    while bytes < limits.warm_up_bytes_max && !stop.load(Relaxed) {
        let readings = job.perform(disk, clock)?;
        bytes += job.block_bytes();
        if readings.finished_ns - started_ns >= limits.warm_up_ns {
            break;
        }
    }
    Ok(())
}

/// Performs and records operations until a limit is reached, `stop` is set or the disk fails.
pub fn run_pass<D: Disk, C: Clock>(
    job: &mut Job,
    disk: &mut D,
    clock: &C,
    limits: &Limits,
    recorder: &Recorder,
    samples: &mut Samples,
    stop: &AtomicBool,
) -> Pass {
    samples.clear();
    let (mut operations, mut bytes) = (0_u64, 0_u64);
    let began_ns = clock.now_ns();
    let mut started_ns = began_ns;
    let (ended_by, error) = loop {
        if stop.load(Relaxed) {
            break (EndedBy::Interrupted, None);
        }
        let readings = match job.perform(disk, clock) {
            Ok(readings) => readings,
            Err(error) => break (EndedBy::Error, Some(error)),
        };
        job.record(recorder, started_ns, &readings);
        started_ns = readings.finished_ns;
        operations += 1;
        bytes += job.block_bytes();
        let elapsed_ns = started_ns - began_ns;
        samples.record(elapsed_ns);
        if let Some(reason) = limits.reached(operations, bytes, elapsed_ns) {
            break (reason, None);
        }
    };
    let elapsed_ns = started_ns - began_ns;
    Pass { operations, bytes, elapsed_ns, ended_by, rate_samples: samples.whole(elapsed_ns), error }
}
