//! What lies under a folder, from its filesystem down to the drives. Each file answers one question:
//!
//! - `mounts`: what is mounted where?
//! - `filesystem`: which filesystem has the folder, with which options and how much space?
//! - `filesystem_layers`: on which block devices does that filesystem stand (btrfs, overlay, a log of its
//!   own)?
//! - `block_layers`: on which does a block device stand (partitions, loop, device mapper, RAID), down to the
//!   drives?
//! - `layer`: what is one of these layers called, and what stands below it?
//! - `block_device`: which number, which name and which kind of driver has a block device?
//! - `drive`: what does sysfs say of a whole drive (model, size, write cache, scheduler)?
//! - `bus`: how is the drive attached (transport, PCI Express link)?
//! - `scsi_host`: which adapter does a SCSI disk hang on, and did it make the disk from others?
//! - `nvme`: what does an NVMe drive say about itself (volatile cache, wear)?
//! - `intent_log`: how often has ZFS committed the log that a sync waits for?
//! - `diskstats`: what have the devices done since boot (flushes, bytes)?

pub mod block_device;
mod block_layers;
mod bus;
pub mod diskstats;
pub mod drive;
pub mod filesystem;
mod filesystem_layers;
pub mod intent_log;
pub mod layer;
pub mod mounts;
pub mod nvme;
mod scsi_host;

use self::block_device::DeviceNumber;
use self::block_layers::Walk;
use self::drive::Drive;
use self::intent_log::IntentLog;
use self::layer::Layer;
use self::mounts::Mount;
use super::tree::Tree;

/// Bounds of the wire format.
const LAYERS_MAX: usize = 16;
const DRIVES_MAX: usize = 32;

/// What lies under a filesystem.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Storage {
    /// From the filesystem down: `["ext4", "md-raid1", "partition", "nvme"]`. Of branches that are alike, one
    /// is listed; the list ends in `unknown` where the agent cannot see further.
    pub layers: Vec<String>,
    /// The layers as a tree, with every branch.
    pub tree: Layer,
    /// The disks; empty when unknown.
    pub drives: Vec<Drive>,
    /// Their numbers, for `/proc/diskstats`.
    pub disks: Vec<DeviceNumber>,
    /// Whether the kernel counts the flushes of all of them there.
    pub counts_flushes: bool,
    /// Whether it counts reads and writes of all of them there.
    pub counts_bytes: bool,
    /// Where the commits of ZFS' intent log are counted; `None` where the file does not lie on ZFS.
    pub intent_log: Option<IntentLog>,
    /// All devices on the way, any of which can be throttled.
    pub devices: Vec<DeviceNumber>,
}

impl Storage {
    /// The size of the smallest drive; `None` where the size of one is not known. A mirror writes every byte
    /// to each.
    pub fn smallest_drive_bytes(&self) -> Option<u64> {
        self.drives.iter().map(|drive| drive.size_bytes).min().filter(|&bytes| bytes > 0)
    }

    /// The models of all drives, each once, in the order of the drives. Drives that do not say theirs are
    /// left out.
    pub fn drive_models(&self) -> Vec<&str> {
        let mut models: Vec<&str> = Vec::new();
        for drive in &self.drives {
            if !drive.model.is_empty() && !models.contains(&drive.model.as_str()) {
                models.push(&drive.model);
            }
        }
        models
    }
}

/// Looks below a mounted filesystem.
pub fn probe(tree: &Tree, mount: &Mount) -> Storage {
    let mounts = mounts::parse(&tree.text("/proc/self/mountinfo").unwrap_or_default());
    let mut walk = Walk::new(tree, &mounts);
    let root = walk.filesystem(mount, 0);
    let mut layers: Vec<String> = root.kinds().into_iter().map(str::to_owned).collect();
    if layers.len() > LAYERS_MAX {
        layers.truncate(LAYERS_MAX - 1);
        layers.push("unknown".to_owned());
    }
    let mut devices = walk.devices;
    devices.drives.truncate(DRIVES_MAX);
    // A disk with a filesystem that was in use has read something, unless nobody counts: the shared disk of
    // NVMe multipath counted nothing before Linux 6.4.
    let idle = diskstats::has_idle(tree, &devices.disks);
    Storage {
        intent_log: intent_log::find(tree, mount, &layers),
        layers,
        tree: root,
        drives: devices.drives.into_iter().map(|(_, drive)| drive).collect(),
        counts_flushes: devices.counts_flushes && !devices.disks.is_empty(),
        counts_bytes: devices.counts_bytes && !idle,
        disks: devices.disks,
        devices: devices.all,
    }
}
