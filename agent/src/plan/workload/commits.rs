//! Every commit beside the headline's: appended, into fallocated extents, past the page cache, by one writer
//! or by as many as a published comparison had; and the same writes without a sync to compare with.

use super::definition::{Access, Durability, FileState, PageCache, WorkloadDefinition};
use super::headline::COMMIT_8K;
use super::media::{MEDIA_FILE_BYTES, MEDIA_LIMITS};
use super::operation::Operation;
use crate::plan::pass_limits::PassLimits;
use crate::sys::io_request::SyncCall;

const FSYNC: Durability = Durability::Call(SyncCall::Fsync);
const FDATASYNC: Durability = Durability::Call(SyncCall::Fdatasync);

/// fio's default: the file is allocated and never written, each write turns a part of it into written
/// extents.
const FALLOCATED_8K_FSYNC: WorkloadDefinition = WorkloadDefinition {
    id: "fallocated-8k-fsync",
    title: "8 KiB into fallocated extents, fsync after each",
    comparable_with: "WebP Cloud: fio --ioengine=libaio --direct=0 --rw=write --bs=8k --size=5G --iodepth=1 --fsync=1 \
                      (its file is larger, its sync percentiles are of the sync alone)",
    file_bytes: 512 << 20,
    area_bytes: 512 << 20,
    file_state: FileState::Fallocated,
    durability: FSYNC,
    passes: 1,
    ..COMMIT_8K
};

/// The size of the writes of etcd's log; not aligned, as those are.
const ETCD_BYTES: u64 = 2_300;
const ETCD_FILE_BYTES: u64 = 22 << 20;

/// What etcd's documentation asks a disk: p99 of the sync below 10 ms.
const FALLOCATED_2300_FDATASYNC: WorkloadDefinition = WorkloadDefinition {
    id: "fallocated-2300-fdatasync",
    title: "2,300 bytes into fallocated extents, fdatasync after each",
    comparable_with: "etcd: fio --rw=write --ioengine=sync --fdatasync=1 --size=22m --bs=2300, which asks for a p99 of \
                      the sync below 10 ms",
    file_bytes: ETCD_FILE_BYTES,
    area_bytes: ETCD_FILE_BYTES,
    file_state: FileState::Fallocated,
    block_bytes: ETCD_BYTES,
    durability: FDATASYNC,
    passes: 1,
    limits: PassLimits {
        warm_up_bytes_max: ETCD_FILE_BYTES / ETCD_BYTES * ETCD_BYTES,
        // The file has room for 10,029 of them: a fast drive reaches its end before the time is up.
        pass_bytes_max: ETCD_FILE_BYTES / ETCD_BYTES * ETCD_BYTES,
        ..COMMIT_8K.limits
    },
    ..COMMIT_8K
};

/// A log that grows: each sync also has to make the new size durable.
const APPEND_8K_FDATASYNC: WorkloadDefinition = WorkloadDefinition {
    id: "append-8k-fdatasync",
    title: "8 KiB append to a growing file, fdatasync after each",
    comparable_with: "fio --rw=write --bs=8k --size=512m --fallocate=none --fdatasync=1 on a new file; a log without \
                      preallocation, as Kafka's or SQLite's",
    file_bytes: 512 << 20,
    area_bytes: 512 << 20,
    file_state: FileState::Growing,
    passes: 1,
    ..COMMIT_8K
};

/// The row from which those of Small Datum's comparison are made: past the page cache, at random places.
const DIRECT_16K_NOSYNC: WorkloadDefinition = WorkloadDefinition {
    id: "direct-16k-nosync",
    title: "16 KiB random write, O_DIRECT, no sync",
    comparable_with: "Small Datum: fio --direct=1 --bs=16k --numjobs=1, without a sync",
    operation: Operation::Write,
    file_bytes: MEDIA_FILE_BYTES,
    area_bytes: MEDIA_FILE_BYTES,
    access: Access::Random,
    block_bytes: 16 << 10,
    page_cache: PageCache::Past,
    durability: Durability::None,
    passes: 1,
    limits: MEDIA_LIMITS,
    ..COMMIT_8K
};

pub(super) const DIRECT_16K_FSYNC: WorkloadDefinition = WorkloadDefinition {
    id: "direct-16k-fsync",
    title: "16 KiB random write, O_DIRECT, fsync after each",
    comparable_with: "Small Datum: fio --direct=1 --bs=16k --numjobs=1 --fsync=1; its figure is the sync alone",
    operation: Operation::Commit,
    durability: FSYNC,
    ..DIRECT_16K_NOSYNC
};

const DIRECT_16K_FDATASYNC: WorkloadDefinition = WorkloadDefinition {
    id: "direct-16k-fdatasync",
    title: "16 KiB random write, O_DIRECT, fdatasync after each",
    comparable_with: "Small Datum: fio --direct=1 --bs=16k --numjobs=1 --fdatasync=1; its figure is the sync alone",
    operation: Operation::Commit,
    durability: FDATASYNC,
    ..DIRECT_16K_NOSYNC
};

const DIRECT_2M_NOSYNC: WorkloadDefinition = WorkloadDefinition {
    id: "direct-2m-nosync",
    title: "2 MiB random write, O_DIRECT, no sync",
    comparable_with: "Small Datum: fio --direct=1 --bs=2m --numjobs=1, without a sync",
    block_bytes: 2 << 20,
    ..DIRECT_16K_NOSYNC
};

const DIRECT_2M_FSYNC: WorkloadDefinition = WorkloadDefinition {
    id: "direct-2m-fsync",
    title: "2 MiB random write, O_DIRECT, fsync after each",
    comparable_with: "Small Datum: fio --direct=1 --bs=2m --numjobs=1 --fsync=1; its figure is the sync alone",
    operation: Operation::Commit,
    durability: FSYNC,
    ..DIRECT_2M_NOSYNC
};

const DIRECT_2M_FDATASYNC: WorkloadDefinition = WorkloadDefinition {
    id: "direct-2m-fdatasync",
    title: "2 MiB random write, O_DIRECT, fdatasync after each",
    comparable_with: "Small Datum: fio --direct=1 --bs=2m --numjobs=1 --fdatasync=1; its figure is the sync alone",
    operation: Operation::Commit,
    durability: FDATASYNC,
    ..DIRECT_2M_NOSYNC
};

const RANDWRITE_4K_FSYNC: WorkloadDefinition = WorkloadDefinition {
    id: "randwrite-4k-fsync",
    title: "4 KiB random write, O_DIRECT, fsync after each",
    comparable_with: "the four-media table, row 4K-fsync: fio --rw=randwrite --bs=4k --direct=1 --iodepth=1 --fsync=1; \
                      its latencies are of the write alone",
    block_bytes: 4 << 10,
    ..DIRECT_16K_FSYNC
};

const RANDWRITE_8K_FSYNC_QD32X4: WorkloadDefinition = WorkloadDefinition {
    id: "randwrite-8k-fsync-qd32x4",
    title: "8 KiB random write, O_DIRECT, fsync after each, 128 in flight",
    comparable_with: "the CCX33 article: fio --rw=randwrite --bs=8k --direct=1 --iodepth=32 --numjobs=4 --fsync=1; \
                      here every write waits for its own fsync, fio's libaio for none in particular",
    block_bytes: 8 << 10,
    writers: 4,
    queue_depth: 32,
    ..DIRECT_16K_FSYNC
};

/// A base row in many jobs, as Small Datum ran it.
const fn jobs(
    id: &'static str,
    writers: u16,
    base: &WorkloadDefinition,
    comparable_with: &'static str,
) -> WorkloadDefinition {
    WorkloadDefinition { id, comparable_with, writers, ..*base }
}

const BY_JOBS: &str = "Small Datum, the same with fio --numjobs as many as the name says";

/// All rows of this file.
pub(super) const ROWS: &[WorkloadDefinition] = &[
    FALLOCATED_8K_FSYNC,
    FALLOCATED_2300_FDATASYNC,
    APPEND_8K_FDATASYNC,
    DIRECT_16K_NOSYNC,
    DIRECT_16K_FSYNC,
    DIRECT_16K_FDATASYNC,
    DIRECT_2M_NOSYNC,
    DIRECT_2M_FSYNC,
    DIRECT_2M_FDATASYNC,
    RANDWRITE_4K_FSYNC,
    RANDWRITE_8K_FSYNC_QD32X4,
    jobs("direct-16k-nosync-x2", 2, &DIRECT_16K_NOSYNC, BY_JOBS),
    jobs("direct-16k-nosync-x4", 4, &DIRECT_16K_NOSYNC, BY_JOBS),
    jobs("direct-16k-nosync-x8", 8, &DIRECT_16K_NOSYNC, BY_JOBS),
    jobs("direct-16k-nosync-x16", 16, &DIRECT_16K_NOSYNC, BY_JOBS),
    jobs("direct-16k-nosync-x32", 32, &DIRECT_16K_NOSYNC, BY_JOBS),
    jobs("direct-16k-fsync-x2", 2, &DIRECT_16K_FSYNC, BY_JOBS),
    jobs("direct-16k-fsync-x4", 4, &DIRECT_16K_FSYNC, BY_JOBS),
    jobs("direct-16k-fsync-x8", 8, &DIRECT_16K_FSYNC, BY_JOBS),
    jobs("direct-16k-fsync-x16", 16, &DIRECT_16K_FSYNC, BY_JOBS),
    jobs("direct-16k-fsync-x32", 32, &DIRECT_16K_FSYNC, BY_JOBS),
    jobs("direct-16k-fdatasync-x2", 2, &DIRECT_16K_FDATASYNC, BY_JOBS),
    jobs("direct-16k-fdatasync-x4", 4, &DIRECT_16K_FDATASYNC, BY_JOBS),
    jobs("direct-16k-fdatasync-x8", 8, &DIRECT_16K_FDATASYNC, BY_JOBS),
    jobs("direct-16k-fdatasync-x16", 16, &DIRECT_16K_FDATASYNC, BY_JOBS),
    jobs("direct-16k-fdatasync-x32", 32, &DIRECT_16K_FDATASYNC, BY_JOBS),
    jobs("direct-2m-nosync-x2", 2, &DIRECT_2M_NOSYNC, BY_JOBS),
    jobs("direct-2m-nosync-x4", 4, &DIRECT_2M_NOSYNC, BY_JOBS),
    jobs("direct-2m-nosync-x8", 8, &DIRECT_2M_NOSYNC, BY_JOBS),
    jobs("direct-2m-nosync-x16", 16, &DIRECT_2M_NOSYNC, BY_JOBS),
    jobs("direct-2m-nosync-x32", 32, &DIRECT_2M_NOSYNC, BY_JOBS),
    jobs("direct-2m-fsync-x2", 2, &DIRECT_2M_FSYNC, BY_JOBS),
    jobs("direct-2m-fsync-x4", 4, &DIRECT_2M_FSYNC, BY_JOBS),
    jobs("direct-2m-fsync-x8", 8, &DIRECT_2M_FSYNC, BY_JOBS),
    jobs("direct-2m-fsync-x16", 16, &DIRECT_2M_FSYNC, BY_JOBS),
    jobs("direct-2m-fsync-x32", 32, &DIRECT_2M_FSYNC, BY_JOBS),
    jobs("direct-2m-fdatasync-x2", 2, &DIRECT_2M_FDATASYNC, BY_JOBS),
    jobs("direct-2m-fdatasync-x4", 4, &DIRECT_2M_FDATASYNC, BY_JOBS),
    jobs("direct-2m-fdatasync-x8", 8, &DIRECT_2M_FDATASYNC, BY_JOBS),
    jobs("direct-2m-fdatasync-x16", 16, &DIRECT_2M_FDATASYNC, BY_JOBS),
    jobs("direct-2m-fdatasync-x32", 32, &DIRECT_2M_FDATASYNC, BY_JOBS),
];
