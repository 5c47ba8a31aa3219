//! The host adapter that a SCSI disk hangs on: its driver, and whether it made the disk from others.

use std::path::{Path, PathBuf};

use super::block_device::{DeviceClass, name_of};
use crate::probe::tree::read_attribute;

/// Bound of the wire format.
const DRIVER_LENGTH_MAX: usize = 32;
/// Channels of megaraid_sas below this one are the disks that it hands through (`MEGASAS_IS_LOGICAL`).
const MEGARAID_LOGICAL_CHANNEL_MIN: u32 = 2;
/// The channel on which mpt3sas shows the volumes that it made (`RAID_CHANNEL`).
const FUSION_LOGICAL_CHANNEL: u32 = 1;

/// The name of the driver, as it gives it to the kernel: `megaraid_sas`.
pub(super) fn driver(class: DeviceClass, folder: &Path) -> Option<String> {
    if class != DeviceClass::Scsi {
        return None;
    }
    let host = host(folder)?;
    let file = host.join("scsi_host").join(name_of(&host)).join("proc_name");
    let fits = |c: char| c.is_ascii_alphanumeric() || "_.-".contains(c);
    read_attribute(&file).filter(|name| name.len() <= DRIVER_LENGTH_MAX && name.chars().all(fits))
}

/// Whether a RAID controller made the disk from others. `None` where the driver is not a RAID controller's,
/// or does not say.
pub(super) fn is_raid_volume(class: DeviceClass, folder: &Path) -> Option<bool> {
    match driver(class, folder)?.as_str() {
        "megaraid_sas" => Some(channel(folder)? >= MEGARAID_LOGICAL_CHANNEL_MIN),
        "mpt2sas" | "mpt3sas" => Some(channel(folder)? == FUSION_LOGICAL_CHANNEL),
        // These say `RAID 5` and the like, and `N/A` of a disk that they hand through.
        "hpsa" | "smartpqi" => Some(read_attribute(&folder.join("device/raid_level"))? != "N/A"),
        _ => None,
    }
}

/// The folder of the host, on the way to the disk: `…/host0/target0:2:0/0:2:0:0/block/sda`.
fn host(folder: &Path) -> Option<PathBuf> {
    let place = folder.canonicalize().ok()?;
    let is_host = |path: &&Path| {
        let number = name_of(path).strip_prefix("host");
        number.is_some_and(|number| number.parse::<u32>().is_ok())
    };
    place.ancestors().find(is_host).map(Path::to_owned)
}

/// The channel of the disk's address, `HOST:CHANNEL:TARGET:LUN`.
fn channel(folder: &Path) -> Option<u32> {
    let device = folder.join("device").canonicalize().ok()?;
    name_of(&device).split(':').nth(1)?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::os::unix::fs::symlink;

    /// What is found of a disk at this address, below a host of this driver.
    fn found(driver_name: &str, address: &str, raid_level: Option<&str>) -> (Option<String>, Option<bool>) {
        let folder = tempfile::tempdir().unwrap();
        let host = folder.path().join("host7");
        let device = host.join("target").join(address);
        let disk = device.join("block/sda");
        fs::create_dir_all(&disk).unwrap();
        fs::create_dir_all(host.join("scsi_host/host7")).unwrap();
        fs::write(host.join("scsi_host/host7/proc_name"), driver_name).unwrap();
        symlink(&device, disk.join("device")).unwrap();
        if let Some(level) = raid_level {
            fs::write(device.join("raid_level"), level).unwrap();
        }
        (driver(DeviceClass::Scsi, &disk), is_raid_volume(DeviceClass::Scsi, &disk))
    }

    #[test]
    fn a_raid_controller_says_which_disks_it_made() {
        for (driver, address, level, is_volume) in [
            ("megaraid_sas", "7:2:0:0", None, Some(true)),
            ("megaraid_sas", "7:1:3:0", None, Some(false)),
            ("mpt3sas", "7:1:0:0", None, Some(true)),
            ("mpt3sas", "7:0:4:0", None, Some(false)),
            ("smartpqi", "7:1:0:0", Some("RAID 1(1+0)\n"), Some(true)),
            ("hpsa", "7:0:1:0", Some("N/A\n"), Some(false)),
            ("hpsa", "7:0:1:0", None, None),
            ("megaraid_sas", "sda", None, None),
            ("ahci", "7:0:0:0", None, None),
        ] {
            assert_eq!(found(driver, address, level), (Some(driver.to_owned()), is_volume), "{driver}");
        }
    }

    #[test]
    fn a_name_that_the_wire_does_not_take_is_none() {
        assert_eq!(found("two words", "7:0:0:0", None).0, None);
        assert_eq!(found(&"x".repeat(33), "7:0:0:0", None).0, None);
        assert_eq!(driver(DeviceClass::Nvme, Path::new("/")), None);
        assert_eq!(driver(DeviceClass::Scsi, Path::new("/no/such/disk")), None);
    }
}
