//! What a row of the table states: which operation, on which file, how it becomes durable, by how many
//! writers, and when a pass ends.

use super::operation::{Operation, Transfer};
use crate::plan::pass_limits::PassLimits;
use crate::sys::io_request::SyncCall;
use crate::wire::workload::LatencyKind;

/// The state of the file's blocks when a pass begins. It moves the result by a factor of two, so it is
/// part of a workload and never chosen silently.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum FileState {
    /// Every block was written and made durable before.
    Overwritten,
    /// Empty: each write extends it.
    Growing,
    /// Of its size, by `fallocate`: its extents are marked as unwritten, as fio makes them.
    Fallocated,
}

/// The order of the offsets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// One after another, again from the start at the end.
    Sequential,
    /// Uniformly random, block-aligned.
    Random,
}

/// Whether the kernel's page cache takes part.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum PageCache {
    /// Through the page cache.
    Through,
    /// Past it, by `O_DIRECT`.
    Past,
}

/// How a write becomes durable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Durability {
    /// A call after each write.
    Call(SyncCall),
    /// The file is opened with `O_DSYNC`.
    ODsync,
    /// Each write carries `RWF_DSYNC`.
    RwfDsync,
    /// Nothing is made durable: reads, and writes that the device may keep in its cache.
    None,
}

/// What writers that run side by side write to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sharing {
    /// All to one file; sequential ones each to a part of their own.
    OneFile,
    /// Each to a file of its own.
    OwnFiles,
}

/// The bytes that a workload writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Contents {
    /// Random bytes, each block unlike any other.
    Unique,
    /// Zeros, as a probe.
    Zeros,
}

/// When a workload runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Stage {
    /// Interleaved with the others, so that a slow minute does not fall on one alone.
    Interleaved,
    /// After those, its passes in a row: each depends on the ones before it, or they must not share their
    /// file with other workloads.
    Together,
    /// After all others, its passes in a row: it leaves the device in another state.
    Last,
}

/// A test file; workloads that ask for the same one share it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct FileSpec {
    /// Its size; of one that grows, the largest.
    pub bytes: u64,
    /// State of its blocks before a pass.
    pub state: FileState,
    /// Whether it is used through the page cache.
    pub page_cache: PageCache,
    /// Number of the writer that it belongs to, where each has one of its own; else 0.
    pub number: u16,
}

/// One row of the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WorkloadDefinition {
    /// Its name, forever.
    pub id: &'static str,
    /// Grows when what it does changes.
    pub version: u16,
    /// One line for people.
    pub title: &'static str,
    /// Whose figures it can be compared with, and how far.
    pub comparable_with: &'static str,
    /// What one operation is.
    pub operation: Operation,
    /// Size of its file; workloads of the same size, state and page-cache use share one.
    pub file_bytes: u64,
    /// The part of the file, from its start, that is used.
    pub area_bytes: u64,
    /// State of the file's blocks.
    pub file_state: FileState,
    /// Order of the offsets.
    pub access: Access,
    /// Bytes of one write or read.
    pub block_bytes: u64,
    /// What is written.
    pub contents: Contents,
    /// Whether the page cache takes part.
    pub page_cache: PageCache,
    /// How a write becomes durable.
    pub durability: Durability,
    /// Threads that run side by side.
    pub writers: u16,
    /// What they write to.
    pub sharing: Sharing,
    /// Operations that each of them keeps in flight.
    pub queue_depth: u16,
    /// When it runs.
    pub stage: Stage,
    /// Times it is measured.
    pub passes: u16,
    /// The limit under which the highest rate is searched for; `None` where nothing is searched for.
    pub slo: Option<Slo>,
    /// When a pass ends.
    pub limits: PassLimits,
}

/// What counts as an answer in time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Slo {
    /// The 99th percentile of the latency from the intended arrival lies below this.
    pub p99_ns_max: u64,
}

impl WorkloadDefinition {
    /// The files it needs: one, or one for each writer.
    pub fn files(&self) -> Vec<FileSpec> {
        match self.sharing {
            Sharing::OneFile => vec![self.file_of(0)],
            Sharing::OwnFiles => (0..self.writers).map(|writer| self.file_of(writer.into())).collect(),
        }
    }

    /// The file of one writer.
    pub fn file_of(&self, writer: usize) -> FileSpec {
        let number = match self.sharing {
            Sharing::OneFile => 0,
            Sharing::OwnFiles => u16::try_from(writer).unwrap_or(u16::MAX),
        };
        FileSpec { bytes: self.file_bytes, state: self.file_state, page_cache: self.page_cache, number }
    }

    /// Bytes that one operation writes or reads.
    pub fn operation_bytes(&self) -> u64 {
        self.operation.facts().blocks * self.block_bytes
    }

    /// Which latencies are counted, each in a histogram of its own.
    pub fn latencies(&self) -> &'static [LatencyKind] {
        match (self.operation, self.durability) {
            // One call is both write and sync.
            (Operation::Commit, Durability::ODsync | Durability::RwfDsync) => &[LatencyKind::Commit],
            (operation, _) => operation.facts().latencies,
        }
    }

    /// What all its passes and warm-ups write at most.
    pub fn bytes_written_max(&self) -> u64 {
        u64::from(self.passes) * self.pass_bytes_written_max()
    }

    /// The most that one of them writes.
    pub fn pass_bytes_written_max(&self) -> u64 {
        match self.operation.facts().transfer {
            Transfer::Read | Transfer::Nothing => 0,
            Transfer::Write | Transfer::Either => self.limits.pass_bytes_max + self.bytes_beside_pass_max(),
        }
    }

    /// The bytes that a pass may move beyond those that count: its warm-up, and the operations that are in
    /// flight when a limit is reached.
    pub fn bytes_beside_pass_max(&self) -> u64 {
        let in_flight = u64::from(self.writers) * u64::from(self.queue_depth) * self.operation_bytes();
        self.limits.warm_up_bytes_max + in_flight
    }
}

/// Every file that these workloads need, once, those of the first workload last.
pub fn files_of(workloads: &[&'static WorkloadDefinition]) -> Vec<FileSpec> {
    let mut files: Vec<FileSpec> = Vec::new();
    for file in workloads.iter().rev().flat_map(|workload| workload.files()) {
        if !files.contains(&file) {
            files.push(file);
        }
    }
    files
}
