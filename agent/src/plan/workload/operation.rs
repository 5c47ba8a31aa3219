//! What one operation of a workload is. Everything that holds for an operation wherever it is performed,
//! counted or shown stands in [`Operation::facts`].

use crate::wire::workload::LatencyKind;

/// What one operation is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operation {
    /// A write that is durable when the operation ends.
    Commit,
    /// A write without a sync.
    Write,
    /// A read.
    Read,
    /// A read or a write, each half of the time.
    Mix,
    /// This many writes, then one sync.
    Batch(u32),
    /// A sync when nothing was written.
    EmptySync,
    /// This many pages in one write, a sync, each page in its place, a sync.
    Doublewrite(u32),
    /// A commit to a log that all writers share: the leader of a group makes the commits of all its members
    /// durable.
    GroupCommit,
    /// Two readings of the clock, one after the other.
    ClockGap,
}

/// The properties of an operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OperationFacts {
    /// Its name in the definition of a suite.
    pub name: &'static str,
    /// Which way its blocks go.
    pub transfer: Transfer,
    /// How many blocks it writes or reads.
    pub blocks: u64,
    /// Which latencies of it are counted.
    pub latencies: &'static [LatencyKind],
    /// How the totals of these come to the number of operations.
    pub tally: Tally,
    /// What its figures describe.
    pub subject: Subject,
}

/// Which way the blocks of an operation go.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Transfer {
    /// To the device.
    Write,
    /// From the device.
    Read,
    /// One or the other, each half of the time.
    Either,
    /// Nothing is transferred.
    Nothing,
}

/// How the totals of an operation's histograms come to the number of operations.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tally {
    /// Each operation has a latency in each histogram.
    InEach,
    /// Each operation has a latency in one of them.
    InOne,
    /// Each operation has a latency of its whole commit; a write and a sync may serve many.
    InCommits,
}

/// What the figures of an operation describe.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Subject {
    /// The cost of surviving a power cut.
    Durability,
    /// What the medium can do.
    Medium,
    /// How the way to the medium works.
    Probe,
}

const DURABLE: &[LatencyKind] = &[LatencyKind::Write, LatencyKind::Sync, LatencyKind::Commit];

impl Operation {
    /// Its properties.
    pub const fn facts(self) -> OperationFacts {
        // The properties of a commit; the others state what differs.
        let commit = OperationFacts {
            name: "commit",
            transfer: Transfer::Write,
            blocks: 1,
            latencies: DURABLE,
            tally: Tally::InEach,
            subject: Subject::Durability,
        };
        match self {
            Self::Commit => commit,
            Self::Write => OperationFacts {
                name: "write",
                latencies: &[LatencyKind::Write],
                subject: Subject::Medium,
                ..commit
            },
            Self::Read => OperationFacts {
                name: "read",
                transfer: Transfer::Read,
                latencies: &[LatencyKind::Read],
                subject: Subject::Medium,
                ..commit
            },
            Self::Mix => OperationFacts {
                name: "mix",
                transfer: Transfer::Either,
                latencies: &[LatencyKind::Write, LatencyKind::Read],
                tally: Tally::InOne,
                subject: Subject::Medium,
                ..commit
            },
            Self::EmptySync => OperationFacts {
                name: "batch",
                transfer: Transfer::Nothing,
                blocks: 0,
                latencies: &[LatencyKind::Sync],
                subject: Subject::Probe,
                ..commit
            },
            Self::Batch(blocks) => {
                OperationFacts { name: "batch", blocks: blocks as u64, subject: Subject::Probe, ..commit }
            }
            Self::Doublewrite(pages) => {
                OperationFacts { name: "doublewrite", blocks: 2 * pages as u64, ..commit }
            }
            Self::GroupCommit => OperationFacts { name: "group-commit", tally: Tally::InCommits, ..commit },
            Self::ClockGap => OperationFacts {
                name: "clock-gap",
                transfer: Transfer::Nothing,
                blocks: 0,
                latencies: &[LatencyKind::Lag],
                subject: Subject::Probe,
                ..commit
            },
        }
    }
}
