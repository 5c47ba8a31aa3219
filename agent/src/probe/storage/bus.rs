//! How a disk is attached: the bus, and for NVMe the PCI Express link.

use std::path::{Path, PathBuf};

use super::block_device::DeviceClass;
use crate::probe::tree::{entries, read_attribute, read_number};
use crate::wire::payload::PcieLink;

/// How it is attached, as the wire names it.
pub fn transport(class: DeviceClass, folder: &Path) -> &'static str {
    match class {
        DeviceClass::Nvme => nvme_transport(folder),
        DeviceClass::Scsi => scsi_transport(folder),
        DeviceClass::VirtioBlk => "virtio",
        DeviceClass::XenBlk => "xen",
        DeviceClass::Mmc => "mmc",
        DeviceClass::Pmem => "memory",
        DeviceClass::Loop | DeviceClass::Dm | DeviceClass::Md | DeviceClass::Other => "unknown",
    }
}

/// The controllers of an NVMe disk: `device` is the one, or with native multipath the subsystem that holds
/// them all, which has no transport of its own.
pub fn nvme_controllers(folder: &Path) -> Vec<PathBuf> {
    let device = folder.join("device");
    let is_controller = |path: &PathBuf| path.join("transport").exists();
    let mut controllers: Vec<PathBuf> = if is_controller(&device) {
        vec![device]
    } else {
        entries(&device).into_iter().filter(is_controller).collect()
    };
    controllers.sort();
    controllers.iter().filter_map(|path| path.canonicalize().ok()).collect()
}

/// Whether an NVMe disk belongs to a single controller. The shared disk of a multipath subsystem has no
/// transport of its own.
pub fn is_of_one_controller(folder: &Path) -> bool {
    folder.join("device/transport").exists()
}

fn nvme_transport(folder: &Path) -> &'static str {
    let controllers = nvme_controllers(folder);
    match controllers.iter().find_map(|path| read_attribute(&path.join("transport"))).as_deref() {
        Some("pcie") => "pcie",
        Some("tcp") => "tcp",
        Some("rdma") => "rdma",
        Some("fc") => "fc",
        _ => "unknown",
    }
}

/// The link of an NVMe controller: its own PCI device is the folder's `device`. A virtual device has none,
/// and says "Unknown" or a width of 0.
pub fn pcie_link(controller: &Path) -> Option<PcieLink> {
    let device = controller.join("device");
    let speed = |name: &str| read_attribute(&device.join(name)).as_deref().and_then(megatransfers);
    let width = |name: &str| {
        read_number(&device.join(name))
            .and_then(|lanes| u32::try_from(lanes).ok())
            .filter(|lanes| (1..=32).contains(lanes))
    };
    Some(PcieLink {
        speed_mts: speed("current_link_speed")?,
        width: width("current_link_width")?,
        speed_max_mts: speed("max_link_speed")?,
        width_max: width("max_link_width")?,
    })
}

/// `8.0 GT/s PCIe`, before Linux 5.7 `8 GT/s`, is 8000.
fn megatransfers(text: &str) -> Option<u32> {
    let number = text.split_once(" GT/s")?.0;
    let (whole, tenth) = number.split_once('.').unwrap_or((number, "0"));
    let tenth: u32 = tenth.parse().ok().filter(|tenth| *tenth < 10)?;
    let whole: u32 = whole.parse().ok().filter(|whole| *whole < 1000)?;
    Some(whole * 1000 + tenth * 100).filter(|&speed| speed > 0)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn speeds_of_links_are_read_in_either_spelling() {
        assert_eq!(megatransfers("16.0 GT/s PCIe"), Some(16000));
        assert_eq!(megatransfers("2.5 GT/s PCIe"), Some(2500));
        assert_eq!(megatransfers("8 GT/s"), Some(8000));
        for wrong in ["Unknown", "Unknown speed", "", " GT/s", "4294967295 GT/s", "1.99 GT/s", "-8 GT/s"] {
            assert_eq!(megatransfers(wrong), None, "{wrong}");
        }
    }
}
