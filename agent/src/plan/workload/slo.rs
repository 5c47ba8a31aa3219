//! Useful IOPS: the highest rate of independent arrivals that is answered in time. It is what a device is
//! worth to anyone who promises a latency, and less than its capacity, sometimes far less.

use super::definition::{Durability, Slo, Stage, WorkloadDefinition};
use super::media::MEDIA_FILE_BYTES;
use super::media::RANDREAD_4K_QD32;
use super::operation::Operation;
use crate::plan::pass_limits::PassLimits;
use crate::sys::io_request::SyncCall;
use crate::wire::judgement::useful_rate;

/// How often the whole search is done: p99 of two seconds differs from one search to the next.
pub const SEARCHES: usize = useful_rate::SEARCHES;
/// Trials of a search: they find the rate to 1/256 of the capacity.
pub const TRIALS: usize = useful_rate::TRIALS;
/// The loads at which p99 is measured in the end, in percent of the capacity.
pub const LOAD_PERCENTS: [u64; 3] = useful_rate::LOAD_PERCENTS;

/// A search is one pass in a closed loop and its trials.
pub const SEARCH_PASSES: usize = 1 + TRIALS;
/// All passes of such a workload.
#[allow(clippy::cast_possible_truncation)] // 30
pub const PASSES: u16 = (SEARCHES * SEARCH_PASSES + LOAD_PERCENTS.len()) as u16;

/// A trial: two seconds are enough for a p99, and 30 of them for a minute.
const TRIAL_LIMITS: PassLimits = PassLimits {
    warm_up_ns: 200_000_000,
    warm_up_bytes_max: 8 << 30,
    pass_ns_min: 2_000_000_000,
    pass_operations_min: 1,
    pass_ns_max: 4_000_000_000,
    pass_bytes_max: 256 << 30,
};

const SLO_RANDREAD_4K_1MS: WorkloadDefinition = WorkloadDefinition {
    id: "slo-randread-4k-1ms",
    title: "4 KiB random reads a second with p99 below 1 ms, as they arrive",
    comparable_with: "fio --rate_process=poisson --rate_iops with --io_submit_mode=offload at the rate found, --iodepth=64; \
                      without offload fio leaves the queue in front of the device out of its latency",
    file_bytes: MEDIA_FILE_BYTES,
    area_bytes: MEDIA_FILE_BYTES,
    queue_depth: 64,
    stage: Stage::Together,
    passes: PASSES,
    slo: Some(Slo { p99_ns_max: 1_000_000 }),
    limits: TRIAL_LIMITS,
    ..RANDREAD_4K_QD32
};

const SLO_RANDREAD_4K_10MS: WorkloadDefinition = WorkloadDefinition {
    id: "slo-randread-4k-10ms",
    title: "4 KiB random reads a second with p99 below 10 ms, as they arrive",
    slo: Some(Slo { p99_ns_max: 10_000_000 }),
    ..SLO_RANDREAD_4K_1MS
};

const SLO_RANDWRITE_4K_FSYNC_10MS: WorkloadDefinition = WorkloadDefinition {
    id: "slo-randwrite-4k-fsync-10ms",
    title: "4 KiB random writes with fsync a second, p99 below 10 ms, as they arrive",
    comparable_with: "randwrite-4k-fsync, by many clients who do not wait for each other; fio cannot tie an fsync to its \
                      write in an open loop",
    operation: Operation::Commit,
    durability: Durability::Call(SyncCall::Fsync),
    queue_depth: 32,
    limits: PassLimits { warm_up_bytes_max: 32 << 20, pass_bytes_max: 512 << 20, ..TRIAL_LIMITS },
    ..SLO_RANDREAD_4K_10MS
};

/// All rows of this file.
pub(super) const ROWS: &[WorkloadDefinition] =
    &[SLO_RANDREAD_4K_1MS, SLO_RANDREAD_4K_10MS, SLO_RANDWRITE_4K_FSYNC_10MS];
