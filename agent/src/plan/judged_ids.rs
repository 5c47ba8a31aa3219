//! Ids of the workloads by which notes and verdicts judge, beside the headline. The id of any other workload
//! is only in its row.

/// The headline's commit, by fsync.
pub const COMMIT_FSYNC: &str = "commit-8k-fsync";
/// The headline's commit, by `O_DSYNC`.
pub const COMMIT_DSYNC: &str = "commit-8k-dsync";
/// Commits that make the file longer.
pub const APPEND: &str = "append-8k-fdatasync";
/// Commits past the page cache.
pub const DIRECT_FDATASYNC: &str = "direct-16k-fdatasync";
/// The same writes without a sync.
pub const DIRECT_NOSYNC: &str = "direct-16k-nosync";
/// Single reads: the shortest answer of the device.
pub const READ_FLOOR: &str = "read-4k-floor";
/// A flush with nothing to flush.
pub const EMPTY_FLUSH: &str = "empty-flush";
/// Writes of zeros, which a layer below may leave out.
pub const WRITE_ZEROS: &str = "write-64k-zeros";
/// Writes of random bytes.
pub const WRITE_RANDOM: &str = "write-64k-random";
/// Random reads one at a time, over a file larger than the cache of a drive.
pub const READS_ONE_AT_A_TIME: &str = "randread-4k-qd1";
/// The same with 32 in flight.
pub const READS_32_IN_FLIGHT: &str = "randread-4k-qd32";
/// Large writes one after the other.
pub const STREAM: &str = "seqwrite-256k-qd8";
/// InnoDB's batch of pages.
pub const DOUBLEWRITE: &str = "doublewrite-16k-batch";
/// etcd's own job.
pub const ETCD: &str = "fallocated-2300-fdatasync";
/// Gaps between two readings of the clock.
pub const HICCUP: &str = "hiccup";
/// Random writes until their rate is steady.
pub const STEADY: &str = "steady-randwrite-4k-qd32";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::workload::WorkloadDefinition;

    #[test]
    fn each_id_is_that_of_a_workload() {
        for id in [
            COMMIT_FSYNC,
            COMMIT_DSYNC,
            APPEND,
            DIRECT_FDATASYNC,
            DIRECT_NOSYNC,
            READ_FLOOR,
            EMPTY_FLUSH,
            WRITE_ZEROS,
            WRITE_RANDOM,
            READS_ONE_AT_A_TIME,
            READS_32_IN_FLIGHT,
            STREAM,
            DOUBLEWRITE,
            ETCD,
            HICCUP,
            STEADY,
        ] {
            assert!(WorkloadDefinition::with_id(id).is_some(), "{id}");
        }
    }
}
