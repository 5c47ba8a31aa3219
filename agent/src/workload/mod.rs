//! What is measured: the table of workloads and the suites made of them.
//!
//! A name and its version are for ever: whoever changes what a row does gives it a new version.
//! To add a workload, add a row to its family's file, its id to a suite, and the same row to the
//! suite's definition in `apps/wire/suites`, which a test compares with this table.

mod commit;
mod read;
pub mod schedule;

use crate::disk::SyncCall;
use crate::engine::sync::{Job, Limits, RandomReads, SequentialWrites};

/// What one operation is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operation {
    /// A write that is durable when the operation ends.
    Commit,
    /// A read.
    Read,
}

/// The state of the file's blocks when the first pass begins. It moves the result by a factor of
/// two, so it is part of a workload and never chosen silently.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum FileState {
    /// Every block was written and made durable before.
    Overwritten,
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
    /// Nothing is made durable: reads.
    None,
}

/// A test file; workloads that ask for the same one share it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct FileSpec {
    /// Its size.
    pub bytes: u64,
    /// State of its blocks before the first pass.
    pub state: FileState,
    /// Whether it is used through the page cache.
    pub page_cache: PageCache,
}

/// One row of the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Workload {
    /// Its name, for ever.
    pub id: &'static str,
    /// Grows when what it does changes.
    pub version: u16,
    /// One line for people.
    pub title: &'static str,
    /// What one operation is.
    pub operation: Operation,
    /// Size of its file; workloads of the same size, state and page-cache use share one.
    pub file_bytes: u64,
    /// State of the file's blocks.
    pub file_state: FileState,
    /// Order of the offsets.
    pub access: Access,
    /// Bytes of one operation.
    pub block_bytes: u64,
    /// Whether the page cache takes part.
    pub page_cache: PageCache,
    /// How a write becomes durable.
    pub durability: Durability,
    /// Times it is measured, interleaved with the others.
    pub passes: u16,
    /// When a pass ends.
    pub limits: Limits,
}

/// A named set of workloads, with the bytes of its definition.
#[derive(Debug)]
pub struct Suite {
    /// Its name.
    pub id: &'static str,
    /// Grows when its definition changes.
    pub version: u16,
    /// One line for people.
    pub title: &'static str,
    /// What it writes at most, its files included.
    pub bytes_written_max: u64,
    /// Ids of its workloads; the first is the headline.
    pub workload_ids: &'static [&'static str],
    /// The definition that agent and server share; its SHA-256 is in every result.
    pub definition: &'static [u8],
}

/// Every workload there is.
pub const WORKLOADS: &[Workload] =
    &[commit::COMMIT_8K, commit::COMMIT_8K_FSYNC, commit::COMMIT_8K_DSYNC, read::READ_4K_FLOOR];

/// Every suite there is.
pub const SUITES: &[Suite] = &[Suite {
    id: "quick",
    version: 1,
    title: "Quick: what one writer commits, in about a minute",
    bytes_written_max: 4 << 30,
    workload_ids: &["commit-8k", "commit-8k-fsync", "commit-8k-dsync", "read-4k-floor"],
    definition: include_bytes!("../../../apps/wire/suites/quick.v1.json"),
}];

/// The workload whose rate is the headline figure.
pub const HEADLINE: &str = "commit-8k";

impl Suite {
    /// The suite of this name.
    pub fn named(id: &str) -> Option<&'static Self> {
        SUITES.iter().find(|suite| suite.id == id)
    }

    /// Its workloads, the headline first.
    pub fn workloads(&self) -> Vec<&'static Workload> {
        self.workload_ids
            .iter()
            .filter_map(|id| WORKLOADS.iter().find(|workload| workload.id == *id))
            .collect()
    }
}

impl Workload {
    /// The file it needs.
    pub fn file(&self) -> FileSpec {
        FileSpec { bytes: self.file_bytes, state: self.file_state, page_cache: self.page_cache }
    }

    /// The names of its histograms on the wire.
    pub fn histograms(&self) -> &'static [&'static str] {
        match (self.operation, self.durability) {
            (Operation::Read, _) => &["read"],
            (Operation::Commit, Durability::Call(_)) => &["write", "sync", "commit"],
            (Operation::Commit, _) => &["commit"],
        }
    }

    /// What all its passes and warm-ups write at most.
    pub fn bytes_written_max(&self) -> u64 {
        match self.operation {
            Operation::Read => 0,
            Operation::Commit => {
                u64::from(self.passes) * (self.limits.pass_bytes_max + self.limits.warm_up_bytes_max)
            }
        }
    }

    /// The loop that measures it, with its buffers ready.
    pub fn job(&self) -> Job {
        match (self.operation, self.durability) {
            (Operation::Read, _) => {
                let seed = u64::from_le_bytes(crate::random());
                Job::Read(RandomReads::new(self.file_bytes, self.block_bytes, seed))
            }
            (Operation::Commit, Durability::Call(call)) => {
                Job::WriteThenSync(SequentialWrites::new(self.file_bytes, self.block_bytes), call)
            }
            (Operation::Commit, _) => {
                Job::DurableWrite(SequentialWrites::new(self.file_bytes, self.block_bytes))
            }
        }
    }
}

#[cfg(test)]
mod tests;
