//! Probes: what a device does, beside what it declares. Their figures are never ranked; together they show
//! whether the medium or a cache answered.

use super::definition::{Access, Contents, Durability, PageCache, Stage, WorkloadDefinition};
use super::headline::COMMIT_8K;
use super::media::RANDREAD_4K_QD32;
use super::media::{MEDIA_FILE_BYTES, MEDIA_LIMITS};
use super::operation::Operation;
use crate::plan::pass_limits::{PassLimits, WARM_UP_OF_MANY_NS};
use crate::sys::io_request::SyncCall;

const FDATASYNC: Durability = Durability::Call(SyncCall::Fdatasync);

/// Exactly three flushes a pass: three passes give the nine that tell a slope from noise.
const DRAIN_LIMITS: PassLimits = PassLimits {
    warm_up_ns: 0,
    warm_up_bytes_max: 0,
    pass_ns_min: 0,
    pass_operations_min: 3,
    pass_ns_max: 10_000_000_000,
    pass_bytes_max: 192 << 20,
};

/// Writes an amount past the page cache without a flush, then times one flush. A volatile cache takes longer
/// the more it has to empty; one that is protected, or ignores flushes, does not.
const fn drain(id: &'static str, title: &'static str, blocks: u32, block_bytes: u64) -> WorkloadDefinition {
    WorkloadDefinition {
        id,
        title,
        comparable_with: "the other rows of its family: the slope from empty-flush to drain-64m. fio has no such job",
        operation: if blocks == 0 { Operation::EmptySync } else { Operation::Batch(blocks) },
        file_bytes: MEDIA_FILE_BYTES,
        area_bytes: MEDIA_FILE_BYTES,
        access: Access::Sequential,
        block_bytes,
        page_cache: PageCache::Past,
        durability: FDATASYNC,
        passes: 3,
        limits: DRAIN_LIMITS,
        ..COMMIT_8K
    }
}

/// The drain of nothing: the cost of a flush without work.
const EMPTY_FLUSH: WorkloadDefinition = WorkloadDefinition {
    limits: PassLimits { pass_operations_min: 700, pass_ns_max: 2_000_000_000, ..DRAIN_LIMITS },
    comparable_with: "read-4k-floor: a flush that takes no longer than the way to the device and back does no work there",
    ..drain("empty-flush", "fdatasync with nothing written before it", 0, 4 << 10)
};

/// Random reads over a part of the file: where small parts are faster than large ones, a cache answers.
const fn working_set(id: &'static str, title: &'static str, area_bytes: u64) -> WorkloadDefinition {
    WorkloadDefinition {
        id,
        title,
        comparable_with: "the other rows of its family, and read-4k-floor: fio --direct=1 --rw=randread --bs=4k --iodepth=1 \
                          --size as the name says",
        area_bytes,
        queue_depth: 1,
        passes: 2,
        limits: PassLimits {
            warm_up_ns: WARM_UP_OF_MANY_NS,
            pass_ns_min: 500_000_000,
            pass_ns_max: 2_000_000_000,
            ..RANDREAD_4K_QD32.limits
        },
        ..RANDREAD_4K_QD32
    }
}

const WRITE_64K_RANDOM: WorkloadDefinition = WorkloadDefinition {
    id: "write-64k-random",
    title: "64 KiB overwrite of random data, O_DIRECT, fdatasync after each",
    comparable_with: "write-64k-zeros: alike unless a layer compresses or detects zeros",
    file_bytes: MEDIA_FILE_BYTES,
    area_bytes: MEDIA_FILE_BYTES,
    block_bytes: 64 << 10,
    page_cache: PageCache::Past,
    stage: Stage::Together,
    passes: 2,
    limits: PassLimits { warm_up_ns: WARM_UP_OF_MANY_NS, pass_ns_min: 1_000_000_000, ..MEDIA_LIMITS },
    ..COMMIT_8K
};

/// Runs after everything that reads the file, and right before the workload of random bytes, which overwrites
/// the zeros: so no other workload reads them.
const WRITE_64K_ZEROS: WorkloadDefinition = WorkloadDefinition {
    id: "write-64k-zeros",
    title: "64 KiB overwrite of zeros, O_DIRECT, fdatasync after each",
    comparable_with: "write-64k-random: quicker by a fifth where a layer compresses or detects zeros",
    contents: Contents::Zeros,
    ..WRITE_64K_RANDOM
};

/// How long nothing can run on the machine: a part of the tail of every latency measured here.
const HICCUP: WorkloadDefinition = WorkloadDefinition {
    id: "hiccup",
    title: "gaps between two readings of the clock, nothing else done",
    comparable_with: "the p99.9 of every other row: what is not longer than these gaps is the machine's, not the disk's",
    operation: Operation::ClockGap,
    durability: Durability::None,
    passes: 3,
    limits: PassLimits {
        warm_up_ns: 0,
        warm_up_bytes_max: 0,
        pass_ns_min: 1_000_000_000,
        pass_operations_min: 1,
        pass_ns_max: 1_000_000_000,
        pass_bytes_max: 1 << 20,
    },
    ..COMMIT_8K
};

/// All rows of this file.
pub(super) const ROWS: &[WorkloadDefinition] = &[
    HICCUP,
    EMPTY_FLUSH,
    drain("drain-4k", "4 KiB written past the page cache, then one fdatasync", 1, 4 << 10),
    drain("drain-64k", "64 KiB written past the page cache, then one fdatasync", 1, 64 << 10),
    drain("drain-1m", "1 MiB written past the page cache, then one fdatasync", 1, 1 << 20),
    drain("drain-16m", "16 MiB written past the page cache, then one fdatasync", 16, 1 << 20),
    drain("drain-64m", "64 MiB written past the page cache, then one fdatasync", 64, 1 << 20),
    working_set("read-4k-area-64k", "4 KiB random read, O_DIRECT, one at a time, over 64 KiB", 64 << 10),
    working_set("read-4k-area-1m", "4 KiB random read, O_DIRECT, one at a time, over 1 MiB", 1 << 20),
    working_set("read-4k-area-16m", "4 KiB random read, O_DIRECT, one at a time, over 16 MiB", 16 << 20),
    working_set("read-4k-area-256m", "4 KiB random read, O_DIRECT, one at a time, over 256 MiB", 256 << 20),
    working_set("read-4k-area-4g", "4 KiB random read, O_DIRECT, one at a time, over all 4 GiB", 4 << 30),
    WRITE_64K_ZEROS,
    WRITE_64K_RANDOM,
];
