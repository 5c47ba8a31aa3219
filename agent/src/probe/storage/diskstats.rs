//! What block devices have done since boot, from `/proc/diskstats`: readable by everyone, and the only
//! place where a flush can be counted.

use super::block_device::DeviceNumber;
use crate::probe::tree::Tree;

/// The kernel counts in sectors of 512 bytes, whatever the device's own.
const SECTOR_BYTES: u64 = 512;

/// Totals since boot.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counters {
    /// Reads finished.
    pub reads: u64,
    /// Bytes read.
    pub bytes_read: u64,
    /// Writes finished.
    pub writes: u64,
    /// Bytes written.
    pub bytes_written: u64,
    /// Flush requests finished; `None` before Linux 5.5, which does not count them.
    pub flushes: Option<u64>,
}

impl Counters {
    /// What happened since an earlier reading.
    #[must_use]
    pub fn since(&self, earlier: &Self) -> Self {
        Self {
            reads: self.reads.saturating_sub(earlier.reads),
            bytes_read: self.bytes_read.saturating_sub(earlier.bytes_read),
            writes: self.writes.saturating_sub(earlier.writes),
            bytes_written: self.bytes_written.saturating_sub(earlier.bytes_written),
            flushes: self.flushes.zip(earlier.flushes).map(|(now, then)| now.saturating_sub(then)),
        }
    }

    fn plus(&self, other: &Self) -> Self {
        Self {
            reads: self.reads.saturating_add(other.reads),
            bytes_read: self.bytes_read.saturating_add(other.bytes_read),
            writes: self.writes.saturating_add(other.writes),
            bytes_written: self.bytes_written.saturating_add(other.bytes_written),
            flushes: self.flushes.zip(other.flushes).map(|(one, two)| one.saturating_add(two)),
        }
    }
}

/// The sum over these devices; `None` when there are none or one of them is not listed. Ask for whole
/// disks: the kernel counts a partition's flushes there.
pub fn read(tree: &Tree, devices: &[DeviceNumber]) -> Option<Counters> {
    if devices.is_empty() {
        return None;
    }
    let text = tree.text("/proc/diskstats")?;
    let each: Vec<Counters> = devices.iter().map(|device| find(&text, *device)).collect::<Option<_>>()?;
    each.into_iter().reduce(|sum, counters| sum.plus(&counters))
}

/// Whether one of these devices is listed and has never read or written anything.
pub fn has_idle(tree: &Tree, devices: &[DeviceNumber]) -> bool {
    let text = tree.text("/proc/diskstats").unwrap_or_default();
    let mut counted = devices.iter().filter_map(|device| find(&text, *device));
    counted.any(|counters| counters.reads == 0 && counters.writes == 0)
}

/// Fields as in the kernel's `Documentation/admin-guide/iostats.rst`: after major, minor and name come
/// reads, reads merged, sectors read, ms, writes, writes merged, sectors written, …, and as fields 16
/// and 17 flushes and their ms.
fn find(text: &str, device: DeviceNumber) -> Option<Counters> {
    text.lines().find_map(|line| {
        let fields: Vec<&str> = line.split_ascii_whitespace().collect();
        let number = |index: usize| fields.get(index)?.parse::<u64>().ok();
        if (number(0)?, number(1)?) != (device.major.into(), device.minor.into()) {
            return None;
        }
        Some(Counters {
            reads: number(3)?,
            bytes_read: number(5)?.saturating_mul(SECTOR_BYTES),
            writes: number(7)?,
            bytes_written: number(9)?.saturating_mul(SECTOR_BYTES),
            flushes: number(18),
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "   7       0 loop0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
 254       0 vda 90434 25917 3813002 13747 16346 16026 3356864 6223 0 7168 20454 5291 34 814544 431 1342 52
   8       0 sda 10 0 80 1 20 0 160 2 0 3 4
";

    const fn device(major: u32, minor: u32) -> DeviceNumber {
        DeviceNumber { major, minor }
    }

    #[test]
    fn the_fields_are_found_by_their_place() {
        assert_eq!(
            find(TEXT, device(254, 0)),
            Some(Counters {
                reads: 90434,
                bytes_read: 3_813_002 * 512,
                writes: 16346,
                bytes_written: 3_356_864 * 512,
                flushes: Some(1342),
            })
        );
    }

    #[test]
    fn an_old_kernel_counts_no_flushes() {
        assert_eq!(find(TEXT, device(8, 0)).unwrap().flushes, None);
    }

    #[test]
    fn a_listed_device_that_never_did_anything_counts_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let tree = Tree::at(folder.path());
        assert!(!has_idle(&tree, &[device(7, 0)]), "nobody knows");
        std::fs::create_dir(folder.path().join("proc")).unwrap();
        std::fs::write(folder.path().join("proc/diskstats"), TEXT).unwrap();
        assert!(has_idle(&tree, &[device(254, 0), device(7, 0)]));
        assert!(!has_idle(&tree, &[device(254, 0), device(8, 0), device(259, 0)]));
    }

    #[test]
    fn an_unlisted_device_is_unknown_rather_than_idle() {
        assert_eq!(find(TEXT, device(259, 0)), None);
    }

    #[test]
    fn a_difference_keeps_what_is_unknown_unknown() {
        let sda = find(TEXT, device(8, 0)).unwrap();
        let vda = find(TEXT, device(254, 0)).unwrap();
        assert_eq!(vda.since(&Counters { flushes: Some(1300), ..vda }).flushes, Some(42));
        assert_eq!(sda.since(&sda).flushes, None);
        assert_eq!(vda.plus(&sda).reads, 90444);
        assert_eq!(vda.plus(&sda).flushes, None);
    }
}
