//! The headline, a durable commit as a write-ahead log does it, and the same commit by each other call that
//! makes it durable. Other commits are in `commits`.

use super::definition::{
    Access, Contents, Durability, FileState, PageCache, Sharing, Stage, WorkloadDefinition,
};
use super::operation::Operation;
use crate::plan::pass_limits::{PassLimits, WARM_UP_NS};
use crate::sys::io_request::SyncCall;

/// All rows of this file.
pub(super) const ROWS: &[WorkloadDefinition] =
    &[COMMIT_8K, COMMIT_8K_FSYNC, COMMIT_8K_DSYNC, COMMIT_8K_RWF_DSYNC];

/// The headline: 8 KiB sequential overwrites of a fully written 64 MiB file through the page cache,
/// `fdatasync` after each. The size is PostgreSQL's block, the shape the `fdatasync` row of
/// `pg_test_fsync`.
pub(super) const COMMIT_8K: WorkloadDefinition = WorkloadDefinition {
    id: "commit-8k",
    version: 1,
    title: "8 KiB overwrite, fdatasync after each",
    comparable_with: "pg_test_fsync, row fdatasync; fio --rw=write --bs=8k --size=64m --overwrite=1 --fdatasync=1, its \
                      write and sync latencies added",
    operation: Operation::Commit,
    file_bytes: 64 << 20,
    area_bytes: 64 << 20,
    file_state: FileState::Overwritten,
    access: Access::Sequential,
    block_bytes: 8 << 10,
    contents: Contents::Unique,
    page_cache: PageCache::Through,
    durability: Durability::Call(SyncCall::Fdatasync),
    writers: 1,
    sharing: Sharing::OneFile,
    queue_depth: 1,
    stage: Stage::Interleaved,
    passes: 3,
    slo: None,
    limits: PassLimits {
        warm_up_ns: WARM_UP_NS,
        warm_up_bytes_max: 32 << 20,
        pass_ns_min: 4_000_000_000,
        pass_operations_min: 1_000,
        pass_ns_max: 10_000_000_000,
        pass_bytes_max: 512 << 20,
    },
};

/// The commit with `fsync`, which also writes metadata that is not needed to read the data back.
pub(super) const COMMIT_8K_FSYNC: WorkloadDefinition = WorkloadDefinition {
    id: "commit-8k-fsync",
    title: "8 KiB overwrite, fsync after each",
    comparable_with: "pg_test_fsync, row fsync; fio --rw=write --bs=8k --size=64m --overwrite=1 --fsync=1",
    durability: Durability::Call(SyncCall::Fsync),
    passes: 1,
    ..COMMIT_8K
};

/// The commit in one call: the file is opened with `O_DSYNC`.
pub(super) const COMMIT_8K_DSYNC: WorkloadDefinition = WorkloadDefinition {
    id: "commit-8k-dsync",
    title: "8 KiB overwrite of a file opened with O_DSYNC",
    comparable_with: "pg_test_fsync, row open_datasync; fio --rw=write --bs=8k --size=64m --overwrite=1 --sync=dsync",
    durability: Durability::ODsync,
    passes: 1,
    ..COMMIT_8K
};

/// The commit in one call, without a flag of the file: each write carries `RWF_DSYNC`.
const COMMIT_8K_RWF_DSYNC: WorkloadDefinition = WorkloadDefinition {
    id: "commit-8k-rwf-dsync",
    title: "8 KiB overwrite, each write with RWF_DSYNC",
    comparable_with: "commit-8k-dsync, by another way into the kernel; fio's pvsync2 has no flag for it",
    durability: Durability::RwfDsync,
    passes: 1,
    ..COMMIT_8K
};
