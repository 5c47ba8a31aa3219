//! The fsync ladder: how long a sync takes on each class of storage, and where a result stands on it.

/// One rung.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rung {
    /// The class of storage.
    pub name: &'static str,
    /// The fastest sync that is typical of it.
    pub low_ns: u64,
    /// The slowest sync that is typical of it.
    pub high_ns: u64,
}

/// From the fastest class to the slowest. For NVMe drives without power-loss protection the range ends
/// where measurements do (5.3 ms), not where claims do (0.8 ms).
pub const LADDER: [Rung; 9] = [
    Rung { name: "persistent memory", low_ns: 150, high_ns: 150 },
    Rung { name: "Optane NVMe", low_ns: 7_000, high_ns: 7_000 },
    Rung { name: "NVMe with PLP", low_ns: 10_000, high_ns: 50_000 },
    Rung { name: "SATA SSD with PLP", low_ns: 200_000, high_ns: 400_000 },
    Rung { name: "cloud block, top tier", low_ns: 200_000, high_ns: 500_000 },
    Rung { name: "NVMe without PLP", low_ns: 200_000, high_ns: 5_300_000 },
    Rung { name: "SATA SSD without PLP", low_ns: 400_000, high_ns: 2_000_000 },
    Rung { name: "cloud local or network", low_ns: 800_000, high_ns: 3_000_000 },
    Rung { name: "hard disk", low_ns: 4_000_000, high_ns: 12_000_000 },
];

/// Commits and reads below this are known of no durable medium behind a block device except Optane.
pub const DURABLE_NS_MIN: u64 = LADDER[1].low_ns;

/// How many rungs begin faster than this latency: the place where it is drawn between them.
pub fn place(latency_ns: u64) -> usize {
    LADDER.iter().take_while(|rung| rung.low_ns <= latency_ns).count()
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
