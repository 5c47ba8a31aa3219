//! Many committers: each with a sync of its own, all with one log, and InnoDB's doublewrite.

use super::commits::DIRECT_16K_FSYNC;
use super::definition::{Sharing, WorkloadDefinition};
use super::headline::COMMIT_8K;
use super::media::MEDIA_LIMITS;
use super::operation::Operation;
use crate::plan::pass_limits::PassLimits;

/// Shorter than the headline, because the sweep only has to show a shape.
const SWEEP_LIMITS: PassLimits = PassLimits { pass_ns_min: 3_000_000_000, ..COMMIT_8K.limits };

/// Each thread overwrites and syncs a part of one file: fdatasync of a file waits for everybody's writes.
const fn on_one_file(id: &'static str, title: &'static str, writers: u16) -> WorkloadDefinition {
    WorkloadDefinition {
        id,
        title,
        comparable_with: "fio --rw=write --bs=8k --overwrite=1 --fdatasync=1 --filename=one --numjobs as many as the name \
                          says, with --offset_increment so that jobs do not meet",
        writers,
        passes: 1,
        limits: SWEEP_LIMITS,
        ..COMMIT_8K
    }
}

/// Each thread has a file of its own.
const fn on_own_files(id: &'static str, title: &'static str, writers: u16) -> WorkloadDefinition {
    WorkloadDefinition {
        id,
        title,
        comparable_with: "fio --rw=write --bs=8k --overwrite=1 --fdatasync=1 --directory --numjobs as many as the name says",
        file_bytes: 16 << 20,
        area_bytes: 16 << 20,
        sharing: Sharing::OwnFiles,
        ..on_one_file(id, title, writers)
    }
}

/// One log for all, whose leader commits for everyone who waits.
const fn in_groups(id: &'static str, title: &'static str, writers: u16) -> WorkloadDefinition {
    WorkloadDefinition {
        id,
        title,
        comparable_with: "the group commit of PostgreSQL (commit_delay = 0) and of InnoDB's log, without the database: fio \
                          cannot express it",
        operation: Operation::GroupCommit,
        ..on_one_file(id, title, writers)
    }
}

const DOUBLEWRITE_16K_BATCH: WorkloadDefinition = WorkloadDefinition {
    id: "doublewrite-16k-batch",
    title: "64 pages of 16 KiB: 1 MiB in one write, fsync, each in place, fsync",
    comparable_with: "InnoDB with innodb_doublewrite=ON and O_DIRECT: one flush batch; two syncs for 64 pages",
    operation: Operation::Doublewrite(64),
    limits: PassLimits { warm_up_bytes_max: 64 << 20, ..MEDIA_LIMITS },
    ..DIRECT_16K_FSYNC
};

/// All rows of this file.
pub(super) const ROWS: &[WorkloadDefinition] = &[
    DOUBLEWRITE_16K_BATCH,
    on_one_file("commit-8k-writers-2", "8 KiB overwrite, fdatasync after each, 2 writers on one file", 2),
    on_one_file("commit-8k-writers-4", "8 KiB overwrite, fdatasync after each, 4 writers on one file", 4),
    on_one_file("commit-8k-writers-8", "8 KiB overwrite, fdatasync after each, 8 writers on one file", 8),
    on_one_file("commit-8k-writers-16", "8 KiB overwrite, fdatasync after each, 16 writers on one file", 16),
    on_one_file("commit-8k-writers-32", "8 KiB overwrite, fdatasync after each, 32 writers on one file", 32),
    on_own_files("commit-8k-files-2", "8 KiB overwrite, fdatasync after each, 2 writers on 2 files", 2),
    on_own_files("commit-8k-files-4", "8 KiB overwrite, fdatasync after each, 4 writers on 4 files", 4),
    on_own_files("commit-8k-files-8", "8 KiB overwrite, fdatasync after each, 8 writers on 8 files", 8),
    on_own_files("commit-8k-files-16", "8 KiB overwrite, fdatasync after each, 16 writers on 16 files", 16),
    on_own_files("commit-8k-files-32", "8 KiB overwrite, fdatasync after each, 32 writers on 32 files", 32),
    in_groups("group-commit-8k-2", "8 KiB group commit, fdatasync for each group, 2 committers", 2),
    in_groups("group-commit-8k-4", "8 KiB group commit, fdatasync for each group, 4 committers", 4),
    in_groups("group-commit-8k-8", "8 KiB group commit, fdatasync for each group, 8 committers", 8),
    in_groups("group-commit-8k-16", "8 KiB group commit, fdatasync for each group, 16 committers", 16),
    in_groups("group-commit-8k-32", "8 KiB group commit, fdatasync for each group, 32 committers", 32),
];
