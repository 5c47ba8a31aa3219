//! What the medium does without a sync: the figures that drives are sold by.

use super::definition::{Access, Durability, PageCache, WorkloadDefinition};
use super::headline::COMMIT_8K;
use super::operation::Operation;
use crate::plan::pass_limits::{PassLimits, WARM_UP_NS};

/// The file that workloads past the page cache share: larger than the cache of a drive, and of the size that
/// the published comparison of four media used, after which these rows are made.
pub(super) const MEDIA_FILE_BYTES: u64 = 4 << 30;

/// As long as other workloads, but with a cap on bytes, so that a fast drive is not worn.
pub(super) const MEDIA_LIMITS: PassLimits = PassLimits {
    warm_up_ns: WARM_UP_NS,
    warm_up_bytes_max: 256 << 20,
    pass_ns_min: 4_000_000_000,
    pass_operations_min: 100,
    pass_ns_max: 10_000_000_000,
    pass_bytes_max: 2 << 30,
};

/// Reads do not wear a drive: their bytes are capped only so that no pass runs forever.
const READ_LIMITS: PassLimits =
    PassLimits { warm_up_bytes_max: 8 << 30, pass_bytes_max: 256 << 30, ..MEDIA_LIMITS };

pub(super) const RANDREAD_4K_QD32: WorkloadDefinition = WorkloadDefinition {
    id: "randread-4k-qd32",
    title: "4 KiB random read, O_DIRECT, 32 in flight",
    comparable_with: "the four-media table, row 4K-randread: fio --ioengine=libaio --direct=1 --rw=randread --bs=4k \
                      --iodepth=32 --size=4g",
    operation: Operation::Read,
    file_bytes: MEDIA_FILE_BYTES,
    area_bytes: MEDIA_FILE_BYTES,
    access: Access::Random,
    block_bytes: 4 << 10,
    page_cache: PageCache::Past,
    durability: Durability::None,
    queue_depth: 32,
    passes: 1,
    limits: READ_LIMITS,
    ..COMMIT_8K
};

pub(super) const RANDWRITE_4K_QD32: WorkloadDefinition = WorkloadDefinition {
    id: "randwrite-4k-qd32",
    title: "4 KiB random write, O_DIRECT, no sync, 32 in flight",
    comparable_with: "the four-media table, row 4K-randwrite: fio --ioengine=libaio --direct=1 --rw=randwrite --bs=4k \
                      --iodepth=32 --size=4g",
    operation: Operation::Write,
    limits: MEDIA_LIMITS,
    ..RANDREAD_4K_QD32
};

const SEQREAD_256K_QD8: WorkloadDefinition = WorkloadDefinition {
    id: "seqread-256k-qd8",
    title: "256 KiB sequential read, O_DIRECT, 8 in flight",
    comparable_with: "the four-media table, row 256K-seqread: fio --ioengine=libaio --direct=1 --rw=read --bs=256k \
                      --iodepth=8 --size=4g",
    access: Access::Sequential,
    block_bytes: 256 << 10,
    queue_depth: 8,
    ..RANDREAD_4K_QD32
};

const SEQWRITE_256K_QD8: WorkloadDefinition = WorkloadDefinition {
    id: "seqwrite-256k-qd8",
    title: "256 KiB sequential write, O_DIRECT, no sync, 8 in flight",
    comparable_with: "fio --ioengine=libaio --direct=1 --rw=write --bs=256k --iodepth=8 --size=4g --overwrite=1",
    operation: Operation::Write,
    limits: MEDIA_LIMITS,
    ..SEQREAD_256K_QD8
};

const RANDREAD_8K_QD32X4: WorkloadDefinition = WorkloadDefinition {
    id: "randread-8k-qd32x4",
    title: "8 KiB random read, O_DIRECT, 128 in flight",
    comparable_with: "the CCX33 article: fio --ioengine=libaio --direct=1 --rw=randread --bs=8k --iodepth=32 --numjobs=4; \
                      its clat begins after the submission, ours before it",
    block_bytes: 8 << 10,
    writers: 4,
    ..RANDREAD_4K_QD32
};

const RANDREAD_4K_QD1: WorkloadDefinition = WorkloadDefinition {
    id: "randread-4k-qd1",
    title: "4 KiB random read, O_DIRECT, one at a time, over 4 GiB",
    comparable_with: "fio --ioengine=psync --direct=1 --rw=randread --bs=4k --iodepth=1 --size=4g",
    queue_depth: 1,
    ..RANDREAD_4K_QD32
};

/// YABS' mix of half reads and half writes, over the 2 GiB that it uses.
const fn mix(id: &'static str, title: &'static str, block_bytes: u64) -> WorkloadDefinition {
    WorkloadDefinition {
        id,
        title,
        comparable_with: "YABS: fio --ioengine=libaio --direct=1 --rw=randrw --rwmixread=50 --iodepth=64 --numjobs=2 \
                          --size=2g --gtod_reduce=1 in this block size",
        operation: Operation::Mix,
        area_bytes: 2 << 30,
        block_bytes,
        writers: 2,
        queue_depth: 64,
        limits: MEDIA_LIMITS,
        ..RANDREAD_4K_QD32
    }
}

/// All rows of this file.
pub(super) const ROWS: &[WorkloadDefinition] = &[
    RANDREAD_4K_QD32,
    RANDWRITE_4K_QD32,
    SEQREAD_256K_QD8,
    SEQWRITE_256K_QD8,
    RANDREAD_8K_QD32X4,
    RANDREAD_4K_QD1,
    mix("mix-4k", "4 KiB random mix of reads and writes, O_DIRECT, 128 in flight", 4 << 10),
    mix("mix-64k", "64 KiB random mix of reads and writes, O_DIRECT, 128 in flight", 64 << 10),
    mix("mix-512k", "512 KiB random mix of reads and writes, O_DIRECT, 128 in flight", 512 << 10),
    mix("mix-1m", "1 MiB random mix of reads and writes, O_DIRECT, 128 in flight", 1 << 20),
];
