//! What remains of a rate over time: the end of an SLC cache or of burst credits, and the steady state.

use super::definition::{Access, FileState, Stage, WorkloadDefinition};
use super::media::MEDIA_FILE_BYTES;
use super::media::{RANDREAD_4K_QD32, RANDWRITE_4K_QD32};
use super::operation::Operation;
use crate::plan::pass_limits::PassLimits;

/// A fresh file, written once until its 32 GiB or five minutes are over: buckets of 100 ms show where the
/// rate changes. The file is only allocated: filling it first would fill the cache that is looked for.
const SUSTAINED_WRITE_128K_QD16: WorkloadDefinition = WorkloadDefinition {
    id: "sustained-write-128k-qd16",
    title: "128 KiB sequential write, 16 in flight, until 32 GiB or five minutes",
    comparable_with: "reviews that write until the SLC cache is full: fio --rw=write --bs=128k --iodepth=16 --direct=1 \
                      --time_based, bandwidth logged every 100 ms",
    operation: Operation::Write,
    file_bytes: 32 << 30,
    area_bytes: 32 << 30,
    file_state: FileState::Fallocated,
    access: Access::Sequential,
    block_bytes: 128 << 10,
    queue_depth: 16,
    stage: Stage::Last,
    passes: 1,
    limits: PassLimits {
        warm_up_ns: 0,
        warm_up_bytes_max: 0,
        pass_ns_min: 300_000_000_000,
        pass_operations_min: 1,
        pass_ns_max: 300_000_000_000,
        pass_bytes_max: 32 << 30,
    },
    ..RANDREAD_4K_QD32
};

/// Twice the size of the file, sequentially, as SNIA's test specification preconditions a device.
const PRECONDITION_128K: WorkloadDefinition = WorkloadDefinition {
    id: "precondition-128k",
    title: "128 KiB sequential write, 16 in flight, twice through the media file",
    comparable_with: "SNIA PTS, workload-independent preconditioning, on a file in place of the device",
    file_bytes: MEDIA_FILE_BYTES,
    area_bytes: MEDIA_FILE_BYTES,
    file_state: FileState::Overwritten,
    limits: PassLimits { pass_bytes_max: 2 * MEDIA_FILE_BYTES, ..SUSTAINED_WRITE_128K_QD16.limits },
    ..SUSTAINED_WRITE_128K_QD16
};

/// Rounds of half a minute; `analysis::steady` tells from which on they are steady.
const STEADY_RANDWRITE_4K_QD32: WorkloadDefinition = WorkloadDefinition {
    id: "steady-randwrite-4k-qd32",
    title: "4 KiB random write, no sync, 32 in flight, 12 rounds of 30 s",
    comparable_with: "SNIA PTS, IOPS test at 4 KiB and 100 % writes, in rounds of 30 s in place of 60 s, on a file",
    stage: Stage::Last,
    passes: 12,
    limits: PassLimits {
        warm_up_ns: 0,
        warm_up_bytes_max: 0,
        pass_ns_min: 30_000_000_000,
        pass_operations_min: 1,
        pass_ns_max: 30_000_000_000,
        pass_bytes_max: 32 << 30,
    },
    ..RANDWRITE_4K_QD32
};

/// All rows of this file, in their order.
pub(super) const ROWS: &[WorkloadDefinition] =
    &[SUSTAINED_WRITE_128K_QD16, PRECONDITION_128K, STEADY_RANDWRITE_4K_QD32];
