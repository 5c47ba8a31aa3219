//! The figures by which agent and server judge, as `apps/wire/judgement.v1.json` states them: thresholds, the
//! classes of the fsync ladder, floors. The build turns them into constants, so that nothing is read at run
//! time.

/// A class of storage: a rung of the fsync ladder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StorageClass {
    /// Its name for programs.
    pub slug: &'static str,
    /// The class of storage, in words that fit into a terminal.
    pub name: &'static str,
    /// The fastest sync that is typical of it.
    pub low_ns: u64,
    /// The slowest sync that is typical of it.
    pub high_ns: u64,
}

/// The bytes that a filesystem writes at most for one operation beside its data.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FilesystemTraffic {
    /// The kernel's name for it.
    pub filesystem: &'static str,
    /// Where a write in place moved the file's time of change.
    pub timestamp_bytes: u64,
    /// The same, synced by `fsync`, which commits that time.
    pub fsync_bytes: u64,
    /// Into a block that is new to the file.
    pub new_block_bytes: u64,
    /// Beside others in flight through the page cache.
    pub concurrent_bytes: u64,
}

/// The fastest possible commit of a class.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Floor {
    /// The class's slug, or the id of a floor that belongs to no class.
    pub id: &'static str,
    /// The floor of the median commit.
    pub commit_ns: u64,
}

pub use stated::*;

// The build writes numbers as the file has them.
#[allow(clippy::unreadable_literal)]
mod stated {
    use super::{FilesystemTraffic, Floor, StorageClass};

    include!(concat!(env!("OUT_DIR"), "/judgement.rs"));
}

/// The floor of the median commit on a class.
pub const fn floor_ns(id: &str) -> u64 {
    let mut place = 0;
    while place < FLOORS.len() {
        if is_same(FLOORS[place].id, id) {
            return FLOORS[place].commit_ns;
        }
        place += 1;
    }
    panic!("no such floor");
}

/// Whether two texts are equal: `==` is not available in a const function.
const fn is_same(one: &str, other: &str) -> bool {
    let (one, other) = (one.as_bytes(), other.as_bytes());
    let mut place = 0;
    while place < one.len() && place < other.len() && one[place] == other[place] {
        place += 1;
    }
    place == one.len() && place == other.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_floor_is_found_by_its_whole_name() {
        assert_eq!(floor_ns("any"), 5_000);
        assert!(floor_ns("nvme-no-plp") > floor_ns("nvme-plp"));
        assert!(!is_same("nvme", "nvme-plp") && !is_same("nvme-plp", "nvme"));
    }

    #[test]
    fn every_class_has_a_floor() {
        for class in CLASSES {
            assert!(FLOORS.iter().any(|floor| floor.id == class.slug), "{}", class.slug);
        }
    }
}
