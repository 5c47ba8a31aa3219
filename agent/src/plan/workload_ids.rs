//! Ids of the workloads that are judged by name, beside the headline; those of a row are in its family's file.

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
            STEADY,
        ] {
            assert!(WorkloadDefinition::with_id(id).is_some(), "{id}");
        }
    }
}
