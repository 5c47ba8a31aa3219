//! What each writer of a workload has to do, made from the workload's row of the table.

use crate::disk::ring_queue::RingSupport;
use crate::engine::group_commit::GroupLog;
use crate::engine::offsets::{Area, Offsets, SplitMix};
use crate::engine::open_loop::OfferedLoad;
use crate::engine::writer_threads::Task;
use crate::engine::{psync, queue};
use crate::plan::workload::{Access, Contents, Durability, Operation, Sharing, WorkloadDefinition};
use crate::sys::io_request::{RingMode, SyncCall};

/// Where there is no `io_uring`, threads keep operations in flight instead. This is the most of them: with
/// more, the scheduler would be measured.
const THREADS_MAX: u16 = 64;
/// The area of InnoDB's doublewrite buffer: two batches of 1 MiB at the start of the file.
const DOUBLEWRITE_AREA_BYTES: u64 = 2 << 20;

/// The engine that measures.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EngineKind {
    /// Threads that do one operation at a time with plain system calls.
    Psync,
    /// `io_uring` whose completions are processed only when they are asked for.
    Uring,
    /// `io_uring` as every kernel has it.
    UringPlain,
}

impl EngineKind {
    /// Its name on the wire.
    pub const fn wire_name(self) -> &'static str {
        match self {
            Self::Psync => "psync",
            Self::Uring => "uring",
            Self::UringPlain => "uring-plain",
        }
    }
}

/// How a workload is measured on this system.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EngineChoice {
    /// The engine.
    pub engine: EngineKind,
    /// How many threads.
    pub writers: usize,
    /// How many operations each thread keeps in flight.
    pub queue_depth: usize,
    /// Why it is not the engine that the workload asks for, or which call the kernel refused to that engine.
    pub reason: Option<String>,
}

fn call_of(durability: Durability) -> SyncCall {
    match durability {
        Durability::Call(call) => call,
        Durability::ODsync | Durability::RwfDsync | Durability::None => SyncCall::Fdatasync,
    }
}

fn seed() -> u64 {
    u64::from_le_bytes(crate::sys::random())
}

/// How this workload is measured on a system that offers `ring`.
pub fn engine_choice(workload: &WorkloadDefinition, ring: &RingSupport) -> EngineChoice {
    let (writers, queue_depth) = (usize::from(workload.writers), usize::from(workload.queue_depth));
    if queue_depth == 1 {
        return EngineChoice { engine: EngineKind::Psync, writers, queue_depth, reason: None };
    }
    let reason = ring.reason.clone();
    match ring.ring_mode {
        Some(RingMode::Deferred) => EngineChoice { engine: EngineKind::Uring, writers, queue_depth, reason },
        Some(RingMode::Plain) => {
            EngineChoice { engine: EngineKind::UringPlain, writers, queue_depth, reason }
        }
        None => {
            let threads = workload.writers.saturating_mul(workload.queue_depth).min(THREADS_MAX).into();
            EngineChoice { engine: EngineKind::Psync, writers: threads, queue_depth: 1, reason }
        }
    }
}

/// The log that the committers share; `None` where each has its own.
pub fn group_log(workload: &WorkloadDefinition) -> Option<GroupLog> {
    (workload.operation == Operation::GroupCommit).then(|| {
        GroupLog::new(
            workload.writers.into(),
            workload.area_bytes,
            workload.block_bytes,
            call_of(workload.durability),
        )
    })
}

/// The task of writer number `index`, with its buffers allocated; with an `offer`, an open loop.
pub fn task<'a>(
    workload: &WorkloadDefinition,
    choice: &EngineChoice,
    index: usize,
    log: Option<&'a GroupLog>,
    offer: Option<OfferedLoad>,
) -> Task<'a> {
    if let Some(log) = log {
        return Task::Commit(log.committer());
    }
    let ring_mode = match choice.engine {
        EngineKind::Psync => return Task::Psync(psync_job(workload, choice, index)),
        EngineKind::Uring => RingMode::Deferred,
        EngineKind::UringPlain => RingMode::Plain,
    };
    let offsets = offsets(workload, choice, index);
    Task::Queue {
        job: queue::QueueJob::new(queue_work(workload), offsets, workload.block_bytes),
        depth: choice.queue_depth,
        block_bytes: usize::try_from(workload.block_bytes).expect("a block fits into memory"),
        ring_mode,
        offer,
    }
}

/// The area of the file that the operations use: after the doublewrite buffer, where there is one.
fn area(workload: &WorkloadDefinition) -> Area {
    match workload.operation {
        Operation::Doublewrite(_) => {
            Area { first: DOUBLEWRITE_AREA_BYTES, bytes: workload.area_bytes - DOUBLEWRITE_AREA_BYTES }
        }
        Operation::Commit
        | Operation::Write
        | Operation::Read
        | Operation::Mix
        | Operation::Batch(_)
        | Operation::EmptySync
        | Operation::GroupCommit
        | Operation::ClockGap => Area::whole(workload.area_bytes),
    }
}

fn offsets(workload: &WorkloadDefinition, choice: &EngineChoice, index: usize) -> Offsets {
    let (area, block) = (area(workload), workload.block_bytes);
    let writers = usize::from(workload.writers);
    match workload.access {
        Access::Random => Offsets::random(area, block, seed()),
        Access::Sequential if workload.sharing == Sharing::OwnFiles => Offsets::sequential(area, block),
        // Where threads take the place of a queue, they go through the file together: each takes every n-th
        // block.
        Access::Sequential if choice.writers > writers => {
            Offsets::strided(area, block, index, choice.writers)
        }
        Access::Sequential => Offsets::sequential(area.part(index, writers, block), block),
    }
}

fn psync_job(workload: &WorkloadDefinition, choice: &EngineChoice, index: usize) -> psync::PsyncJob {
    let call = call_of(workload.durability);
    let work = match (workload.operation, workload.durability) {
        (Operation::Commit, Durability::ODsync | Durability::RwfDsync) => psync::PsyncWork::DurableWrite,
        (Operation::Commit | Operation::GroupCommit, _) => psync::PsyncWork::WriteThenSync(call),
        (Operation::Write, _) => psync::PsyncWork::Write,
        (Operation::Read, _) => psync::PsyncWork::Read,
        (Operation::Mix, _) => psync::PsyncWork::Mix(SplitMix::new(seed())),
        (Operation::Batch(blocks), _) => psync::PsyncWork::Batch(blocks, call),
        (Operation::EmptySync, _) => psync::PsyncWork::EmptySync(call),
        (Operation::Doublewrite(pages), _) => {
            let buffer = Area::whole(DOUBLEWRITE_AREA_BYTES);
            let double = psync::Doublewrite::new(buffer, pages, workload.block_bytes, call);
            psync::PsyncWork::Doublewrite(double)
        }
        (Operation::ClockGap, _) => psync::PsyncWork::ClockGap,
    };
    let job = psync::PsyncJob::new(work, offsets(workload, choice, index), workload.block_bytes);
    match workload.contents {
        Contents::Unique => job,
        Contents::Zeros => job.with_zeros(),
    }
}

fn queue_work(workload: &WorkloadDefinition) -> queue::QueueWork {
    match workload.operation {
        Operation::Read => queue::QueueWork::Read,
        Operation::Mix => queue::QueueWork::Mix(SplitMix::new(seed())),
        Operation::Write => queue::QueueWork::Write,
        Operation::Commit => queue::QueueWork::WriteThenSync(call_of(workload.durability)),
        Operation::Batch(_)
        | Operation::EmptySync
        | Operation::Doublewrite(_)
        | Operation::GroupCommit
        | Operation::ClockGap => unreachable!("a test lets no such row have a queue"),
    }
}
