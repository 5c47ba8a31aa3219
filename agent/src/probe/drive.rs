//! The block devices behind a filesystem, as sysfs describes them.
//!
//! Partitions are followed to their disk. A device that is itself made of others (LVM, LUKS, RAID,
//! loop) is named by its kind; what lies below it is not looked at yet and said to be unknown.

use std::path::{Path, PathBuf};

use super::{Tree, printable, read_attribute};

/// Longest vendor, model or firmware text.
const TEXT_LENGTH_MAX: usize = 64;
/// sysfs states sizes in sectors of 512 bytes, whatever the device's own.
const SECTOR_BYTES: u64 = 512;

/// A device number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DeviceNumber {
    /// Which driver.
    pub major: u32,
    /// Which of its devices; of major 0, which filesystem without a device of its own.
    pub minor: u32,
}

impl DeviceNumber {
    /// Whether the kernel made the number up for a filesystem that has no single device.
    pub const fn is_anonymous(self) -> bool {
        self.major == 0
    }
}

/// The kind of driver, by the device's name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs)] // the wire format's names
pub enum Class {
    Nvme,
    Scsi,
    VirtioBlk,
    XenBlk,
    Mmc,
    Pmem,
    Loop,
    Dm,
    Md,
    Other,
}

impl Class {
    fn of_name(name: &str) -> Self {
        const PREFIXES: [(&str, Class); 9] = [
            ("nvme", Class::Nvme),
            ("sd", Class::Scsi),
            ("vd", Class::VirtioBlk),
            ("xvd", Class::XenBlk),
            ("mmcblk", Class::Mmc),
            ("pmem", Class::Pmem),
            ("loop", Class::Loop),
            ("dm-", Class::Dm),
            ("md", Class::Md),
        ];
        PREFIXES.iter().find(|(prefix, _)| name.starts_with(prefix)).map_or(Self::Other, |&(_, class)| class)
    }

    /// The name on the wire.
    pub const fn wire_name(self) -> &'static str {
        match self {
            Self::Nvme => "nvme",
            Self::Scsi => "scsi",
            Self::VirtioBlk => "virtio-blk",
            Self::XenBlk => "xen-blk",
            Self::Mmc => "mmc",
            Self::Pmem => "pmem",
            Self::Loop => "loop",
            Self::Dm => "dm",
            Self::Md => "md",
            Self::Other => "other",
        }
    }

    /// Whether it is made of other devices.
    const fn is_stacked(self) -> bool {
        matches!(self, Self::Loop | Self::Dm | Self::Md)
    }
}

/// What the kernel believes about the drive's own cache.
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
    pub class: Class,
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
}

/// What lies under a filesystem.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Storage {
    /// From the filesystem down: `["ext4", "partition", "nvme"]`; ends in `unknown` where the agent
    /// cannot see further.
    pub layers: Vec<String>,
    /// The disks; empty when unknown.
    pub drives: Vec<Drive>,
    /// Their numbers, for `/proc/diskstats`.
    pub disks: Vec<DeviceNumber>,
    /// Whether the kernel counts the flushes of all of them there.
    pub counts_flushes: bool,
}

/// Finds the disk behind a filesystem.
pub fn probe(tree: &Tree, filesystem: &str, device: DeviceNumber) -> Storage {
    let mut layers = vec![layer_name(filesystem)];
    let link = tree.path(&format!("/sys/dev/block/{}:{}", device.major, device.minor));
    let Some(mut folder) = (!device.is_anonymous()).then(|| link.canonicalize().ok()).flatten() else {
        layers.push("unknown".to_owned());
        return Storage { layers, drives: Vec::new(), disks: Vec::new(), counts_flushes: false };
    };
    let mut disk = device;
    if folder.join("partition").exists() {
        layers.push("partition".to_owned());
        if let Some(parent) = folder.parent().map(Path::to_owned)
            && let Some(number) = read_attribute(&parent.join("dev")).as_deref().and_then(parse_device_number)
        {
            (folder, disk) = (parent, number);
        }
    }
    let drive = describe(&folder);
    layers.push(drive.class.wire_name().to_owned());
    if drive.class.is_stacked() {
        layers.push("unknown".to_owned());
    }
    let counts_flushes = counts_flushes(drive.class, &folder);
    Storage { layers, drives: vec![drive], disks: vec![disk], counts_flushes }
}

/// The kernel counts a flush where a driver takes requests (`blk_account_io_flush` of `block/blk-flush.c`).
/// Device mapper, md and the shared disk of NVMe multipath pass on what they are given: there the count
/// stays 0 however many flushes there are, and so says nothing.
fn counts_flushes(class: Class, folder: &Path) -> bool {
    match class {
        // The disk of a single controller; that of a multipath subsystem has no transport of its own.
        Class::Nvme => folder.join("device/transport").exists(),
        Class::Scsi | Class::VirtioBlk | Class::XenBlk | Class::Mmc | Class::Loop => true,
        Class::Pmem | Class::Dm | Class::Md | Class::Other => false,
    }
}

/// `254:0`
pub(super) fn parse_device_number(text: &str) -> Option<DeviceNumber> {
    let (major, minor) = text.trim().split_once(':')?;
    Some(DeviceNumber { major: major.parse().ok()?, minor: minor.parse().ok()? })
}

/// A layer's name in the wire's alphabet: `fuse.sshfs` is `fuse-sshfs`.
fn layer_name(name: &str) -> String {
    let name: String = name
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '-' })
        .take(32)
        .collect();
    if name.is_empty() { "unknown".to_owned() } else { name }
}

fn describe(folder: &Path) -> Drive {
    let name = folder.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let class = Class::of_name(name);
    let queue = |attribute: &str| read_attribute(&folder.join("queue").join(attribute));
    let number = |attribute: &str| queue(attribute).and_then(|text| text.parse::<u64>().ok());
    let (vendor, model, firmware) = identity(class, folder);
    Drive {
        class,
        transport: transport(class, folder),
        vendor,
        model,
        firmware,
        size_bytes: read_attribute(&folder.join("size"))
            .and_then(|text| text.parse::<u64>().ok())
            .unwrap_or(0)
            * SECTOR_BYTES,
        // Virtual disks keep whatever default their driver had: virtio says "rotational" of anything.
        rotational: number("rotational")
            .filter(|_| matches!(class, Class::Nvme | Class::Scsi | Class::Mmc))
            .map(|flag| flag == 1),
        write_cache: match queue("write_cache").as_deref() {
            Some("write back") => WriteCache::Back,
            Some("write through") => WriteCache::Through,
            _ => WriteCache::Unknown,
        },
        fua: number("fua").map(|flag| flag == 1),
        scheduler: queue("scheduler").as_deref().and_then(active_scheduler),
        logical_block_bytes: number("logical_block_size").unwrap_or(0),
        physical_block_bytes: number("physical_block_size").unwrap_or(0),
    }
}

/// Vendor, model and firmware. Serial numbers, WWNs and the like lie beside them and are not read.
fn identity(class: Class, folder: &Path) -> (String, String, String) {
    let device = folder.join("device");
    let text =
        |path: &Path| read_attribute(path).map(|text| printable(&text, TEXT_LENGTH_MAX)).unwrap_or_default();
    match class {
        Class::Nvme => (String::new(), text(&device.join("model")), text(&device.join("firmware_rev"))),
        Class::Scsi => (text(&device.join("vendor")), text(&device.join("model")), text(&device.join("rev"))),
        Class::Mmc => (String::new(), text(&device.join("name")), text(&device.join("fwrev"))),
        // virtio's "vendor" is the number of the virtual bus, the same for every drive in the world.
        _ => Default::default(),
    }
}

fn transport(class: Class, folder: &Path) -> &'static str {
    match class {
        Class::Nvme => nvme_transport(folder),
        Class::Scsi => scsi_transport(folder),
        Class::VirtioBlk => "virtio",
        Class::XenBlk => "xen",
        Class::Mmc => "mmc",
        Class::Pmem => "memory",
        Class::Loop | Class::Dm | Class::Md | Class::Other => "unknown",
    }
}

/// `device` is the controller, or with native multipath the subsystem that holds its controllers.
fn nvme_transport(folder: &Path) -> &'static str {
    let device = folder.join("device");
    let controllers = std::fs::read_dir(&device).into_iter().flatten().flatten().map(|entry| entry.path());
    let mut paths: Vec<PathBuf> = controllers.filter(|path| path.join("transport").exists()).collect();
    paths.sort();
    paths.insert(0, device);
    match paths.iter().find_map(|path| read_attribute(&path.join("transport"))).as_deref() {
        Some("pcie") => "pcie",
        Some("tcp") => "tcp",
        Some("rdma") => "rdma",
        Some("fc") => "fc",
        _ => "unknown",
    }
}

/// A SCSI disk's place in sysfs passes through the bus it hangs on.
fn scsi_transport(folder: &Path) -> &'static str {
    let place = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
    let parts: Vec<&str> = place.iter().filter_map(|part| part.to_str()).collect();
    let numbered = |prefix: &str| {
        parts.iter().any(|part| {
            part.strip_prefix(prefix).is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
        })
    };
    if numbered("usb") {
        "usb"
    } else if numbered("virtio") {
        "virtio"
    } else if numbered("rport-") {
        "fc"
    } else if numbered("session") {
        "tcp"
    } else if numbered("ata") {
        "sata"
    } else if numbered("end_device-") {
        // A SATA drive behind a SAS controller says so in the vendor field.
        match read_attribute(&folder.join("device/vendor")).as_deref() {
            Some("ATA") => "sata",
            _ => "sas",
        }
    } else {
        "unknown"
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
            ("nvme0n1", Class::Nvme),
            ("sda", Class::Scsi),
            ("vdb", Class::VirtioBlk),
            ("xvda", Class::XenBlk),
            ("mmcblk0", Class::Mmc),
            ("dm-3", Class::Dm),
            ("md127", Class::Md),
            ("zram0", Class::Other),
        ] {
            assert_eq!(Class::of_name(name), class, "{name}");
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
    fn layer_names_use_the_wires_alphabet() {
        assert_eq!(layer_name("fuse.sshfs"), "fuse-sshfs");
        assert_eq!(layer_name(""), "unknown");
    }
}
