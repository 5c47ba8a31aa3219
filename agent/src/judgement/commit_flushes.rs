//! Whether each commit caused a flush, on devices that declare that they need flushes.

use crate::analysis::figures;
use crate::wire::judgement::flushes::{COUNTED_PER_COMMIT_MIN, MISSING_PER_COMMIT_BELOW};
use crate::wire::payload::Device;
use crate::wire::workload::Workload;

/// Which of the commits had a flush.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FlushShare {
    /// Fewer than `MISSING_PER_COMMIT_BELOW`.
    Missing,
    /// Some: whether the others reached the medium is unclear.
    Partial,
    /// At least `COUNTED_PER_COMMIT_MIN`.
    Counted,
}

/// The flushes of a workload's commits.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CommitFlushes {
    /// Flushes per commit.
    pub per_commit: f64,
    /// The conclusion from that.
    pub share: FlushShare,
}

/// The flushes of commits on devices that all declare a volatile write cache; `None` on any other, or where
/// flushes cannot be counted. Whether a device has FUA does not matter: the sync of a commit comes after its
/// write.
///
/// The flushes of an array are added up over its disks. md and device mapper send each flush to every disk,
/// ZFS only to those that were written, and a result does not say which disk had how many. So one flush per
/// commit over all disks is asked for, which every durable array reaches; a mirror of two in which one disk
/// gets none is not noticed. An array with a disk that writes through is not judged: the kernel sends that
/// disk no flushes. The server's rule `few-flushes` counts in the same way; it looks at every workload of one
/// writer that syncs each time, the agent at the headline alone.
pub fn count_flushes(devices: &[Device], commits: &Workload) -> Option<CommitFlushes> {
    if devices.is_empty() || devices.iter().any(|device| device.write_cache != "write back") {
        return None;
    }
    Some(judged(figures::flushes_per_operation(commits)?))
}

/// The commits of ZFS' intent log, of which each sync waits for one; `None` where the file does not lie on
/// ZFS, or nobody counts them. The server's rule `zfs-sync-disabled` judges in this way too.
#[allow(clippy::cast_precision_loss)] // counts are far below 2^53
pub fn count_log_commits(commits: &Workload) -> Option<CommitFlushes> {
    let counted = commits.intent_log_commits.filter(|_| commits.operations > 0)?;
    Some(judged(counted as f64 / commits.operations as f64))
}

fn judged(per_commit: f64) -> CommitFlushes {
    let share = if per_commit < MISSING_PER_COMMIT_BELOW {
        FlushShare::Missing
    } else if per_commit < COUNTED_PER_COMMIT_MIN {
        FlushShare::Partial
    } else {
        FlushShare::Counted
    };
    CommitFlushes { per_commit, share }
}
