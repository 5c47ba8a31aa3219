//! One whole disk, as sysfs describes it. Serial numbers, WWNs and the like lie beside these files and are
//! not read.

use std::path::Path;

use super::block_device::{DeviceClass, name_of};
use super::{bus, scsi_host};
use crate::probe::tree::{entries, read_attribute, read_number};
use crate::text::printable;
use crate::wire::payload::PcieLink;

/// Longest vendor, model or firmware text.
const TEXT_LENGTH_MAX: usize = 64;
/// sysfs states sizes in sectors of 512 bytes, whatever the device's own.
const SECTOR_BYTES: u64 = 512;
/// Bounds of the wire format: a value beyond them is left out.
const BLOCK_BYTES_MAX: u64 = 1 << 20;
const QUEUE_DEPTH_MAX: u32 = 1_000_000;

/// What the kernel assumes about the drive's own cache.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WriteCache {
    /// Volatile: what is written is durable only after a flush.
    Back,
    /// None, or one that loses nothing: the kernel sends no flushes.
    Through,
    /// Not stated.
    Unknown,
}

impl WriteCache {
    /// What this word of sysfs means, if it is one.
    fn of_word(word: &str) -> Option<Self> {
        [Self::Back, Self::Through].into_iter().find(|cache| cache.wire_name() == word)
    }

    /// The name on the wire, which is sysfs'.
    pub const fn wire_name(self) -> &'static str {
        match self {
            Self::Back => "write back",
            Self::Through => "write through",
            Self::Unknown => "unknown",
        }
    }
}

/// One whole disk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Drive {
    /// The kind of driver.
    pub class: DeviceClass,
    /// How it is attached, in the wire's words.
    pub transport: &'static str,
    /// As Linux reports it; empty when it does not.
    pub vendor: String,
    /// As Linux reports it; empty when it does not.
    pub model: String,
    /// As Linux reports it; empty when it does not.
    pub firmware: String,
    /// Size of the whole disk.
    pub size_bytes: u64,
    /// Whether the kernel takes it for a hard disk; `None` where that flag means nothing.
    pub rotational: Option<bool>,
    /// What the kernel believes about its cache.
    pub write_cache: WriteCache,
    /// Whether a single write can be forced to the medium.
    pub fua: Option<bool>,
    /// The I/O scheduler in use.
    pub scheduler: Option<String>,
    /// Smallest unit that can be addressed.
    pub logical_block_bytes: u64,
    /// Smallest unit that the device writes without reading.
    pub physical_block_bytes: u64,
    /// How many requests the kernel lets wait for it.
    pub queue_depth: Option<u32>,
    /// Its PCI Express link, where it has one of its own.
    pub pcie: Option<PcieLink>,
    /// Whether the drive reports a volatile cache that is switched on. NVMe drives tell only root.
    pub volatile_write_cache: Option<bool>,
    /// How much of its rated endurance the drive reports as used; can exceed 100.
    pub wear_percent: Option<u8>,
    /// The driver of the SCSI host that it hangs on: `megaraid_sas`.
    pub driver: Option<String>,
    /// What its driver read of its cache; `write_cache` is what the kernel goes by, which root can set.
    pub driver_write_cache: Option<WriteCache>,
    /// Whether a RAID controller made it of others; `None` where no driver of one says.
    pub raid_volume: Option<bool>,
    /// The kernel's name for its NVMe controller: `nvme0`.
    pub controller: Option<String>,
}

/// Reads everything about the disk in this folder of sysfs.
pub(super) fn describe(folder: &Path) -> Drive {
    let class = DeviceClass::of_name(name_of(folder));
    let queue = |attribute: &str| read_attribute(&folder.join("queue").join(attribute));
    let number = |attribute: &str| read_number(&folder.join("queue").join(attribute));
    let block_bytes = |attribute| number(attribute).filter(|&bytes| bytes <= BLOCK_BYTES_MAX).unwrap_or(0);
    let controllers = if class == DeviceClass::Nvme { bus::nvme_controllers(folder) } else { Vec::new() };
    let (vendor, model, firmware) = identity(class, folder);
    Drive {
        class,
        transport: bus::transport(class, folder),
        vendor,
        model,
        firmware,
        size_bytes: read_number(&folder.join("size")).unwrap_or(0).saturating_mul(SECTOR_BYTES),
        rotational: number("rotational").filter(|_| class.states_rotation()).map(|flag| flag == 1),
        write_cache: queue("write_cache")
            .as_deref()
            .and_then(WriteCache::of_word)
            .unwrap_or(WriteCache::Unknown),
        fua: number("fua").map(|flag| flag == 1),
        scheduler: queue("scheduler").as_deref().and_then(active_scheduler),
        logical_block_bytes: block_bytes("logical_block_size"),
        physical_block_bytes: block_bytes("physical_block_size"),
        queue_depth: number("nr_requests")
            .and_then(|requests| u32::try_from(requests).ok())
            .filter(|&requests| requests <= QUEUE_DEPTH_MAX),
        pcie: controllers.first().and_then(|controller| bus::pcie_link(controller)),
        volatile_write_cache: None,
        wear_percent: read_attribute(&folder.join("device/life_time")).as_deref().and_then(emmc_wear_percent),
        driver: scsi_host::driver(class, folder),
        driver_write_cache: driver_write_cache(class, folder),
        raid_volume: scsi_host::is_raid_volume(class, folder),
        controller: controllers.first().map(|controller| name_of(controller).to_owned()),
    }
}

/// What the driver read of the cache: of a SCSI disk its mode page, of a virtio disk what its host offers.
fn driver_write_cache(class: DeviceClass, folder: &Path) -> Option<WriteCache> {
    let word = match class {
        DeviceClass::Scsi => {
            let disks = entries(&folder.join("device/scsi_disk"));
            read_attribute(&disks.first()?.join("cache_type"))
        }
        DeviceClass::VirtioBlk => read_attribute(&folder.join("cache_type")),
        _ => None,
    };
    // `write back, no read (daft)` is write back too, and `none` means that the disk writes through.
    let word = word?;
    let word = word.split(',').next()?;
    if word == "none" { Some(WriteCache::Through) } else { WriteCache::of_word(word) }
}

/// `0x02 0x01`: eMMC states for two kinds of cells how many tenths of their life have begun
/// (JEDEC 84-B51, `DEVICE_LIFE_TIME_EST_TYP_A` and `_B`); 0 is "not defined", 11 "exceeded".
fn emmc_wear_percent(text: &str) -> Option<u8> {
    let tenths = text
        .split_ascii_whitespace()
        .filter_map(|number| u8::from_str_radix(number.strip_prefix("0x")?, 16).ok())
        .filter(|number| (1..=11).contains(number));
    Some(tenths.max()? * 10)
}

/// Vendor, model and firmware.
fn identity(class: DeviceClass, folder: &Path) -> (String, String, String) {
    let device = folder.join("device");
    let text =
        |path: &Path| read_attribute(path).map(|text| printable(&text, TEXT_LENGTH_MAX)).unwrap_or_default();
    match class {
        DeviceClass::Nvme => (String::new(), text(&device.join("model")), text(&device.join("firmware_rev"))),
        DeviceClass::Scsi => {
            (text(&device.join("vendor")), text(&device.join("model")), text(&device.join("rev")))
        }
        DeviceClass::Mmc => (String::new(), text(&device.join("name")), text(&device.join("fwrev"))),
        // virtio's "vendor" is the number of the virtual bus, the same for every drive in the world.
        _ => Default::default(),
    }
}

/// `none [mq-deadline] kyber` has `mq-deadline` in use; a device that can have none says just `none`.
fn active_scheduler(text: &str) -> Option<String> {
    let name = match text.split_once('[') {
        Some((_, rest)) => rest.split_once(']')?.0,
        None => text,
    };
    let fits = (1..=32).contains(&name.len())
        && name
            .bytes()
            .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"_-".contains(&byte));
    fits.then(|| name.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_class_is_known_by_its_name() {
        for (name, class) in [
            ("nvme0n1", DeviceClass::Nvme),
            ("sda", DeviceClass::Scsi),
            ("vdb", DeviceClass::VirtioBlk),
            ("xvda", DeviceClass::XenBlk),
            ("mmcblk0", DeviceClass::Mmc),
            ("dm-3", DeviceClass::Dm),
            ("md127", DeviceClass::Md),
            ("zram0", DeviceClass::Other),
        ] {
            assert_eq!(DeviceClass::of_name(name), class, "{name}");
        }
    }

    #[test]
    fn the_bracketed_scheduler_is_in_use() {
        assert_eq!(active_scheduler("none [mq-deadline] kyber").as_deref(), Some("mq-deadline"));
        assert_eq!(active_scheduler("[none]").as_deref(), Some("none"));
        assert_eq!(active_scheduler("none").as_deref(), Some("none"));
        assert_eq!(active_scheduler("[Weird Name]"), None);
    }

    #[test]
    fn the_more_worn_kind_of_cells_counts() {
        assert_eq!(emmc_wear_percent("0x01 0x03\n"), Some(30));
        assert_eq!(emmc_wear_percent("0x0b 0x01"), Some(110));
        assert_eq!(emmc_wear_percent("0x00 0x00"), None);
        assert_eq!(emmc_wear_percent("0xff junk"), None);
    }
}
