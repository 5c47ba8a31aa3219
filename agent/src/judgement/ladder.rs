//! The fsync ladder: how long a sync takes on each class of storage, and where a result stands on it.

use crate::wire::judgement::{CLASSES, StorageClass, floor_ns};

/// From the fastest class to the slowest. Where measurements and claims differ, a range is what was measured.
pub const LADDER: [StorageClass; CLASSES.len()] = CLASSES;

/// Commits and reads below this are known of no durable medium behind a block device: the floor of the quickest.
pub const DURABLE_NS_MIN: u64 = floor_ns("any");
/// A drive whose cache is really volatile has to program flash first, which takes this long.
pub const PROGRAMMED_NS_MIN: u64 = floor_ns("nvme-no-plp");

/// How many rungs begin faster than this latency: the place where it is drawn between them.
pub fn place(latency_ns: u64) -> usize {
    LADDER.iter().take_while(|rung| rung.low_ns <= latency_ns).count()
}

/// The class that a commit of this length looks like. Ranges overlap: of those that hold it the one whose middle
/// is nearest wins, the first of equals; between and beyond all ranges it is the nearest. Latencies spread by
/// factors, so the distances are those of logarithms.
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
        assert_eq!(place(100), 0);
        assert_eq!(place(89_000), 3);
        assert_eq!(place(300_000), 6);
        assert_eq!(place(1_000_000_000), LADDER.len());
    }
}
