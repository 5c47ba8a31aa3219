//! Reads past the page cache: how long the device takes at least.

use super::definition::{Access, Durability, PageCache, WorkloadDefinition};
use super::headline::COMMIT_8K;
use super::operation::Operation;
use crate::plan::pass_limits::{PassLimits, WARM_UP_NS};

/// All rows of this file.
pub(super) const ROWS: &[WorkloadDefinition] = &[READ_4K_FLOOR];

/// The floor: one 4 KiB random read at a time over 1 GiB. A durable write that is faster than the
/// medium can be read was answered by something else than the medium.
pub(super) const READ_4K_FLOOR: WorkloadDefinition = WorkloadDefinition {
    id: "read-4k-floor",
    version: 1,
    title: "4 KiB random read, O_DIRECT, one at a time",
    comparable_with: "fio --rw=randread --bs=4k --size=1g --direct=1 --iodepth=1; ioping -D",
    operation: Operation::Read,
    file_bytes: 1 << 30,
    area_bytes: 1 << 30,
    access: Access::Random,
    block_bytes: 4 << 10,
    page_cache: PageCache::Past,
    durability: Durability::None,
    passes: 1,
    limits: PassLimits {
        warm_up_ns: WARM_UP_NS,
        warm_up_bytes_max: 32 << 20,
        pass_ns_min: 4_000_000_000,
        pass_operations_min: 1_000,
        pass_ns_max: 10_000_000_000,
        pass_bytes_max: 2 << 30,
    },
    ..COMMIT_8K
};
