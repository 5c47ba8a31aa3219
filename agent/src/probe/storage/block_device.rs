//! A block device: its number, its name and the kind of its driver.

use std::path::Path;

/// A device number, as the kernel writes it: `254:0`.
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
pub enum DeviceClass {
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

impl DeviceClass {
    pub(super) fn of_name(name: &str) -> Self {
        const PREFIXES: [(&str, DeviceClass); 9] = [
            ("nvme", DeviceClass::Nvme),
            ("sd", DeviceClass::Scsi),
            ("vd", DeviceClass::VirtioBlk),
            ("xvd", DeviceClass::XenBlk),
            ("mmcblk", DeviceClass::Mmc),
            ("pmem", DeviceClass::Pmem),
            ("loop", DeviceClass::Loop),
            ("dm-", DeviceClass::Dm),
            ("md", DeviceClass::Md),
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
    pub(super) const fn is_stacked(self) -> bool {
        matches!(self, Self::Loop | Self::Dm | Self::Md)
    }

    /// Whether its rotational flag means something. Virtual disks keep their driver's default: virtio calls
    /// everything rotational.
    pub(super) const fn states_rotation(self) -> bool {
        matches!(self, Self::Nvme | Self::Scsi | Self::Mmc)
    }
}

/// `254:0`
pub(crate) fn parse_device_number(text: &str) -> Option<DeviceNumber> {
    let (major, minor) = text.trim().split_once(':')?;
    Some(DeviceNumber { major: major.parse().ok()?, minor: minor.parse().ok()? })
}

/// The kernel's name for the device in this folder.
pub(crate) fn name_of(folder: &Path) -> &str {
    folder.file_name().and_then(|name| name.to_str()).unwrap_or_default()
}
