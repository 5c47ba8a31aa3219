//! The layers from a block device down to the disks below it.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use super::block_device::{DeviceClass, DeviceNumber, name_of, parse_device_number};
use super::bus;
use super::drive::{self, Drive};
use super::layer::{Layer, layer_name};
use super::mounts::{self, Mount};
use crate::probe::tree::{Tree, entries, read_attribute, read_number};

/// The most layers on one path, so that a stack that loops ends.
const DEPTH_MAX: usize = 16;
/// The most layers in all, so that a stack that branches everywhere ends.
const LAYERS_LOOKED_AT_MAX: usize = 256;

/// Drivers that are disks of their own, or whose other end is elsewhere, by the start of the device's name.
const OTHER_LEAVES: &[(&str, &str)] = &[
    ("dasd", "dasd"),
    ("drbd", "drbd"),
    ("mtdblock", "mtd"),
    ("nbd", "nbd"),
    ("nullb", "nullb"),
    ("ram", "ram"),
    ("rbd", "rbd"),
    ("ublkb", "ublk"),
    ("zd", "zvol"),
    ("zram", "zram"),
];

/// The devices found on the way down.
#[derive(Debug)]
pub(super) struct StackDevices {
    /// The disks, each once, by their folders.
    pub drives: Vec<(PathBuf, Drive)>,
    /// The lowest devices that count what they do.
    pub disks: Vec<DeviceNumber>,
    /// Whether flushes are counted by all of them.
    pub counts_flushes: bool,
    /// Whether reads and writes are counted by all of them. Root can switch that off (`queue/iostats`): then
    /// their counts stand still, while those of flushes go on (`blk_account_io_flush` does not ask).
    pub counts_bytes: bool,
    /// All devices, including those in between.
    pub all: Vec<DeviceNumber>,
}

impl StackDevices {
    /// A device beside those that are found is not: what they count is not all that happens.
    pub(super) const fn miss_one(&mut self) {
        self.counts_flushes = false;
        self.counts_bytes = false;
    }
}

/// A walk down from a filesystem.
#[derive(Debug)]
pub(super) struct Walk<'a> {
    pub tree: &'a Tree,
    pub mounts: &'a [Mount],
    pub devices: StackDevices,
    layers_left: usize,
}

impl<'a> Walk<'a> {
    pub(super) fn new(tree: &'a Tree, mounts: &'a [Mount]) -> Self {
        let devices = StackDevices {
            drives: Vec::new(),
            disks: Vec::new(),
            counts_flushes: true,
            counts_bytes: true,
            all: Vec::new(),
        };
        Self { tree, mounts, devices, layers_left: LAYERS_LOOKED_AT_MAX }
    }

    pub(super) const fn is_too_deep(&self, depth: usize) -> bool {
        depth >= DEPTH_MAX || self.layers_left == 0
    }

    /// The device in this folder of sysfs, and what it stands on.
    pub(super) fn device(&mut self, folder: &Path, depth: usize) -> Layer {
        if self.is_too_deep(depth) {
            return Layer::unknown();
        }
        self.layers_left -= 1;
        if folder.join("partition").exists() {
            let disk = folder.parent().filter(|disk| number_of(disk).is_some());
            let below = disk.map_or_else(Layer::unknown, |disk| self.device(disk, depth + 1));
            return Layer::new("partition", vec![below]);
        }
        let number = number_of(folder);
        self.devices.all.extend(number.filter(|number| !self.devices.all.contains(number)));
        let (drives, disks) = (self.devices.drives.len(), self.devices.disks.len());
        let name = name_of(folder);
        let members = members(folder);
        let mut layer = match DeviceClass::of_name(name) {
            DeviceClass::Loop => self.loop_device(folder, depth),
            class if members.is_empty() && !class.is_stacked() && !name.starts_with("bcache") => {
                return self.leaf(folder, class);
            }
            class => {
                let below: Vec<Layer> = members.iter().map(|member| self.device(member, depth + 1)).collect();
                Layer::new(stacked_kind(class, folder), below)
            }
        };
        if layer.kind.starts_with("md-") {
            describe_array(&folder.join("md"), &mut layer);
        }
        if layer.below.is_empty() {
            layer.below.push(Layer::unknown());
        }
        // Where nothing below could be found, this device stands for it.
        if self.devices.drives.len() == drives && !reaches_a_drive(&layer) {
            self.add_drive(folder);
        }
        if self.devices.disks.len() == disks && !reaches_a_drive(&layer) {
            self.add_disk(folder);
        }
        layer
    }

    fn leaf(&mut self, folder: &Path, class: DeviceClass) -> Layer {
        let name = name_of(folder);
        let other =
            || OTHER_LEAVES.iter().find(|(prefix, _)| name.starts_with(prefix)).map(|(_, kind)| *kind);
        let kind = match class {
            DeviceClass::Other => other().unwrap_or("other"),
            // Memory that firmware or `memmap=` set aside; of NVDIMMs the platform has a table (NFIT).
            DeviceClass::Pmem if folder.iter().any(|part| part == "e820_pmem") => "pmem-e820",
            _ => class.wire_name(),
        };
        let drive = self.add_drive(folder);
        self.add_disk(folder);
        let leaf = Layer { drive: Some(drive), ..Layer::new(kind, Vec::new()) };
        if class != DeviceClass::Nvme || bus::is_of_one_controller(folder) {
            return leaf;
        }
        match bus::nvme_controllers(folder).len() {
            0 => leaf,
            // A drive that could have more: Linux shares its disk all the same.
            1 => Layer::new("nvme-multipath", vec![leaf]),
            paths => {
                Layer { note: Some(format!("{paths} paths")), ..Layer::new("nvme-multipath", vec![leaf]) }
            }
        }
    }

    /// The index of this drive, which is described when it is first found.
    fn add_drive(&mut self, folder: &Path) -> usize {
        let index = self.devices.drives.iter().position(|(path, _)| path == folder);
        index.unwrap_or_else(|| {
            self.devices.drives.push((folder.to_owned(), drive::describe(folder)));
            self.devices.drives.len() - 1
        })
    }

    fn add_disk(&mut self, folder: &Path) {
        let Some(number) = number_of(folder).filter(|number| !self.devices.disks.contains(number)) else {
            return;
        };
        self.devices.disks.push(number);
        self.devices.counts_flushes &= counts_flushes(DeviceClass::of_name(name_of(folder)), folder);
        self.devices.counts_bytes &= read_number(&folder.join("queue/iostats")) != Some(0);
    }

    /// A loop device stands on its file, or on the device that it was given.
    fn loop_device(&mut self, folder: &Path, depth: usize) -> Layer {
        let direct = read_attribute(&folder.join("loop/dio"));
        let (kind, note) = match direct.as_deref() {
            Some("1") => ("loop-direct", Some("past the page cache")),
            Some("0") => ("loop-cached", Some("through the page cache")),
            _ => ("loop", None),
        };
        let file = read_attribute(&folder.join("loop/backing_file")).unwrap_or_default();
        let file = Path::new(file.strip_suffix(" (deleted)").unwrap_or(&file)).to_owned();
        let device = file.to_str().filter(|file| file.starts_with("/dev/")).map(str::to_owned);
        let device = device.and_then(|source| self.folder_of_source(&source));
        let below = if let Some(device) = device {
            self.device(&device, depth + 1)
        } else {
            let mount = self.real_path(&file).and_then(|path| mounts::mount_of(self.mounts, &path, None));
            mount.map_or_else(Layer::unknown, |mount| self.filesystem(&mount, depth + 1))
        };
        Layer { note: note.map(str::to_owned), ..Layer::new(kind, vec![below]) }
    }

    /// A path without symbolic links, if this process can see that it is there; a deleted file's folder will
    /// do. In a container, the files of the host cannot be seen.
    pub(super) fn real_path(&self, path: &Path) -> Option<PathBuf> {
        if !path.is_absolute() {
            return None;
        }
        let in_tree = |path: &Path| self.tree.path(path.to_str().unwrap_or_default()).canonicalize();
        let root = self.tree.path("/").canonicalize().ok()?;
        let real = in_tree(path).or_else(|error| match path.parent() {
            Some(parent) if error.kind() == ErrorKind::NotFound && parent != Path::new("/") => {
                in_tree(parent)
            }
            _ => Err(error),
        });
        match real {
            Ok(real) => Some(Path::new("/").join(real.strip_prefix(root).ok()?)),
            // There, but not for us.
            Err(error) if error.kind() == ErrorKind::PermissionDenied => Some(path.to_owned()),
            Err(_) => None,
        }
    }

    /// The device that a filesystem was mounted from: `/dev/sda1`, `/dev/mapper/NAME`, `/dev/GROUP/VOLUME`.
    pub(super) fn folder_of_source(&self, source: &str) -> Option<PathBuf> {
        let name = source.strip_prefix("/dev/")?;
        // sysfs has "!" where a name has "/".
        let by_name = self.tree.folder(&format!("/sys/class/block/{}", name.replace('/', "!")));
        by_name.filter(|_| !name.contains("..")).or_else(|| {
            let mapped = match (name.strip_prefix("mapper/"), name.split_once('/')) {
                (Some(mapped), _) => mapped.to_owned(),
                (None, Some((group, volume))) => {
                    format!("{}-{}", group.replace('-', "--"), volume.replace('-', "--"))
                }
                (None, None) => return None,
            };
            let devices = entries(&self.tree.path("/sys/class/block")).into_iter();
            let folder = devices
                .filter(|path| name_of(path).starts_with("dm-"))
                .find(|path| read_attribute(&path.join("dm/name")).as_deref() == Some(&mapped))?;
            self.tree.folder(&format!("/sys/class/block/{}", name_of(&folder)))
        })
    }

    /// Every btrfs that is mounted, with the folders of its members.
    pub(super) fn btrfs_filesystems(&self) -> Vec<(PathBuf, Vec<PathBuf>)> {
        let members = |folder: &Path| -> Vec<PathBuf> {
            entries(&folder.join("devices")).iter().filter_map(|link| link.canonicalize().ok()).collect()
        };
        let all = entries(&self.tree.path("/sys/fs/btrfs")).into_iter();
        all.filter(|folder| folder.join("devices").is_dir())
            .map(|folder| (folder.clone(), members(&folder)))
            .collect()
    }
}

fn number_of(folder: &Path) -> Option<DeviceNumber> {
    parse_device_number(&read_attribute(&folder.join("dev"))?)
}

/// The devices that this one is made of.
fn members(folder: &Path) -> Vec<PathBuf> {
    let links = entries(&folder.join("slaves")).into_iter();
    links.filter_map(|link| link.canonicalize().ok()).filter(|member| member.join("dev").exists()).collect()
}

/// Whether there is a disk below, including one that was found before, as by another partition.
fn reaches_a_drive(layer: &Layer) -> bool {
    layer.below.iter().any(|below| below.drive.is_some() || reaches_a_drive(below))
}

fn stacked_kind(class: DeviceClass, folder: &Path) -> String {
    match class {
        DeviceClass::Dm => dm_kind(&read_attribute(&folder.join("dm/uuid")).unwrap_or_default()).to_owned(),
        DeviceClass::Md => match read_attribute(&folder.join("md/level")) {
            Some(level) => layer_name(&format!("md-{level}")),
            None => "md".to_owned(),
        },
        _ => match bracketed(&read_attribute(&folder.join("bcache/cache_mode")).unwrap_or_default()) {
            Some(mode) => layer_name(&format!("bcache-{mode}")),
            None => layer_name(name_of(folder).trim_end_matches(|c: char| c.is_ascii_digit())),
        },
    }
}

/// The maker of a mapped device, by the start of its UUID (`Documentation/ABI/testing/sysfs-block-dm`, and
/// each maker's convention).
fn dm_kind(uuid: &str) -> &'static str {
    const MAKERS: [(&str, &str); 11] = [
        ("CRYPT-INTEGRITY", "integrity"),
        ("CRYPT-LUKS", "luks"),
        ("CRYPT-VERITY", "verity"),
        ("CRYPT-", "crypt"),
        ("DMRAID-", "dmraid"),
        ("LVM-", "lvm"),
        ("VDO-", "vdo"),
        ("bcache-", "bcache"),
        ("mpath-", "multipath"),
        ("stratis-", "stratis"),
        ("part", "partition"),
    ];
    let maker = MAKERS.iter().find(|(prefix, _)| uuid.starts_with(prefix)).map_or("dm", |(_, kind)| kind);
    match maker {
        "lvm" if uuid.ends_with("-tpool") => "lvm-thin-pool",
        // kpartx: `part1-mpath-…`
        "partition" if !uuid.contains('-') => "dm",
        maker => maker,
    }
}

/// Notes what a person should know about an array before they believe its figures.
fn describe_array(md: &Path, layer: &mut Layer) {
    let members = read_number(&md.join("raid_disks")).map(|members| format!("{members} members"));
    let missing = read_number(&md.join("degraded")).filter(|&missing| missing > 0);
    let missing = missing.map(|missing| format!("{missing} missing"));
    let action = read_attribute(&md.join("sync_action")).filter(|action| action != "idle");
    let action = action.map(|action| format!("busy: {}", layer_name(&action)));
    let bitmap = read_attribute(&md.join("bitmap/location")).filter(|place| place != "none");
    let bitmap = bitmap.map(|_| "write-intent bitmap".to_owned());
    layer.is_impaired = missing.is_some() || action.is_some();
    let parts: Vec<String> = [members, missing, action, bitmap].into_iter().flatten().collect();
    layer.note = Some(parts.join(", ")).filter(|note| !note.is_empty());
}

/// `writethrough [writeback] none`: the one in use.
fn bracketed(text: &str) -> Option<&str> {
    Some(text.split_once('[')?.1.split_once(']')?.0).filter(|word| !word.is_empty())
}

/// The kernel counts a flush where a driver takes requests (`blk_account_io_flush` of `block/blk-flush.c`).
/// Device mapper, md and the shared disk of NVMe multipath pass on what they are given: there the count
/// stays 0 however many flushes there are, and so says nothing.
fn counts_flushes(class: DeviceClass, folder: &Path) -> bool {
    match class {
        DeviceClass::Nvme => bus::is_of_one_controller(folder),
        DeviceClass::Scsi
        | DeviceClass::VirtioBlk
        | DeviceClass::XenBlk
        | DeviceClass::Mmc
        | DeviceClass::Loop => true,
        DeviceClass::Pmem | DeviceClass::Dm | DeviceClass::Md | DeviceClass::Other => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mapped_device_is_known_by_who_made_it() {
        for (uuid, kind) in [
            ("LVM-abcdefABCDEF", "lvm"),
            ("LVM-abcdefABCDEF-tpool", "lvm-thin-pool"),
            ("CRYPT-LUKS2-0123-root", "luks"),
            ("CRYPT-PLAIN-swap", "crypt"),
            ("CRYPT-VERITY-0123-usr", "verity"),
            ("mpath-3600a0b", "multipath"),
            ("part1-mpath-3600a0b", "partition"),
            ("part", "dm"),
            ("", "dm"),
        ] {
            assert_eq!(dm_kind(uuid), kind, "{uuid}");
        }
    }

    #[test]
    fn the_bracketed_word_is_in_use() {
        assert_eq!(bracketed("writethrough [writeback] writearound none"), Some("writeback"));
        for nothing in ["", "none", "[]", "[open"] {
            assert_eq!(bracketed(nothing), None, "{nothing}");
        }
    }
}
