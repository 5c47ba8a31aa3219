//! The fsync ladder: how long a sync takes on each class of storage, and where a result stands on it.

use crate::wire::judgement::{CLASSES, StorageClass, floor_ns};

/// From the fastest class to the slowest. Where measurements and claims differ, the range is the measured
/// one.
pub const LADDER: [StorageClass; CLASSES.len()] = CLASSES;

/// No durable medium behind a block device is known to commit or read faster than this.
pub const DURABLE_NS_MIN: u64 = floor_ns("any");
/// The time it takes to program flash, which a drive with a really volatile cache has to wait for.
pub const PROGRAMMED_NS_MIN: u64 = floor_ns("nvme-no-plp");

/// How many classes begin below this latency: a drawing of the ladder puts it behind so many.
pub fn rungs_faster_than(latency_ns: u64) -> usize {
    LADDER.iter().take_while(|rung| rung.low_ns <= latency_ns).count()
}

/// The class that a commit of this latency looks like. Of the ranges that contain it, the one with the
/// nearest middle wins, the first of equals; outside all ranges, the nearest. Distances are logarithmic,
/// because latencies differ by factors.
pub fn class_of(latency_ns: u64) -> &'static StorageClass {
    static CLASSES: [StorageClass; LADDER.len()] = LADDER;
    let ln = |ns: u64| (ns.max(1) as f64).ln();
    let distance = |class: &StorageClass| {
        let (latency, low, high) = (ln(latency_ns), ln(class.low_ns), ln(class.high_ns));
        let outside = (low - latency).max(latency - high).max(0.0);
        (outside, (latency - f64::midpoint(low, high)).abs())
    };
    let nearer = |one: &&StorageClass, other: &&StorageClass| {
        let (one, other) = (distance(one), distance(other));
        one.0.total_cmp(&other.0).then(one.1.total_cmp(&other.1))
    };
    CLASSES.iter().min_by(nearer).expect("the ladder has rungs")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rungs_go_from_fast_to_slow() {
        assert!(LADDER.is_sorted_by_key(|rung| rung.low_ns));
        assert!(LADDER.iter().all(|rung| rung.low_ns <= rung.high_ns && rung.name.len() <= 22));
    }

    #[test]
    fn a_latency_has_its_place_between_them() {
        assert_eq!(rungs_faster_than(100), 0);
        assert_eq!(rungs_faster_than(89_000), 3);
        assert_eq!(rungs_faster_than(300_000), 6);
        assert_eq!(rungs_faster_than(1_000_000_000), LADDER.len());
    }
}
