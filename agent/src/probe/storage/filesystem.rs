//! The filesystem that a folder lies on: its kind, its mount options, its space.

use std::path::Path;

use super::block_device::DeviceNumber;
use super::mounts::{self, Mount};
use crate::error::{Error, ErrorKind, Result};
use crate::probe::tree::Tree;
use crate::wire::judgement::surroundings::MEMORY_LAYERS;

/// Mount options that change what a sync costs or means. Others never leave the machine: many of them
/// hold paths, addresses and names.
const OPTIONS_THAT_MATTER: &[&str] = &[
    "allocsize",
    "async",
    "auto_da_alloc",
    "autodefrag",
    "barrier",
    "cache",
    "commit",
    "compress",
    "compress_force",
    "data",
    "dax",
    "delalloc",
    "dirsync",
    "discard",
    "flushoncommit",
    "fsync_mode",
    "journal_async_commit",
    "journal_checksum",
    "journal_flush_disabled",
    "largeio",
    "lazytime",
    "logbsize",
    "logbufs",
    "logdev",
    "noatime",
    "noauto_da_alloc",
    "nobarrier",
    "nodatacow",
    "nodatasum",
    "nodelalloc",
    "nodiratime",
    "nodiscard",
    "nossd",
    "nostrictsync",
    "notreelog",
    "relatime",
    "ssd",
    "strictatime",
    "sunit",
    "swidth",
    "sync",
    "volatile",
    "wsync",
];
/// The flag of a result for a ZFS that was told to send no flushes. It is a parameter of its module, not a
/// mount option.
pub const ZFS_WITHOUT_FLUSHES: &str = "zfs_nocacheflush=1";
// Bounds of the wire format.
const OPTIONS_MAX: usize = 32;
const OPTION_VALUE_LENGTH_MAX: usize = 32;
const NAME_LENGTH_MAX: usize = 32;

/// What the agent has to know of a kind of filesystem. Of any other, only that its device may have a number.
pub(super) struct FilesystemKind {
    /// The kernel's name for it.
    name: &'static str,
    /// Whether it writes elsewhere instead of overwriting, and so needs room for everything that is written.
    copies_on_write: bool,
    /// Whether it syncs a file without a name like any other. With and without a name, ext4 and XFS sent as
    /// many flushes and wrote as many bytes per commit (Linux 6.18). btrfs did too, but its code has had
    /// exceptions for such files.
    syncs_nameless_files_alike: bool,
    /// How its devices are found where its own number is no device's.
    pub(super) devices: FilesystemDevices,
}

/// How the devices of a filesystem are found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FilesystemDevices {
    /// By the number of the filesystem alone.
    Number,
    /// By the source of the mount: `/dev/sda:/dev/sdb`.
    Source,
    /// By the list of its members below `/sys/fs/btrfs`.
    BtrfsMembers,
    /// By the filesystem of the upper folder.
    UpperFolder,
}

const fn kind(name: &'static str) -> FilesystemKind {
    FilesystemKind {
        name,
        copies_on_write: false,
        syncs_nameless_files_alike: false,
        devices: FilesystemDevices::Number,
    }
}

static KINDS: &[FilesystemKind] = &[
    FilesystemKind { syncs_nameless_files_alike: true, ..kind("ext2") },
    FilesystemKind { syncs_nameless_files_alike: true, ..kind("ext3") },
    FilesystemKind { syncs_nameless_files_alike: true, ..kind("ext4") },
    FilesystemKind { syncs_nameless_files_alike: true, ..kind("xfs") },
    FilesystemKind { copies_on_write: true, devices: FilesystemDevices::BtrfsMembers, ..kind("btrfs") },
    FilesystemKind { copies_on_write: true, devices: FilesystemDevices::Source, ..kind("bcachefs") },
    FilesystemKind { copies_on_write: true, ..kind("nilfs2") },
    FilesystemKind { copies_on_write: true, ..kind("zfs") },
    FilesystemKind { devices: FilesystemDevices::UpperFolder, ..kind("overlay") },
];
static OTHER: FilesystemKind = kind("");

/// The kind of filesystem that the kernel calls so.
pub(super) fn kind_of(name: &str) -> &'static FilesystemKind {
    KINDS.iter().find(|kind| kind.name == name).unwrap_or(&OTHER)
}

/// Whether a file without a name is synced like any other on a filesystem of this name.
pub fn syncs_nameless_files_alike(name: &str) -> bool {
    kind_of(name).syncs_nameless_files_alike
}

/// Whether the files of a filesystem of this name lie in memory, where there is no durability to measure.
pub(super) fn is_memory(name: &str) -> bool {
    MEMORY_LAYERS.contains(&name)
}

/// A mounted filesystem, as a folder on it sees it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Filesystem {
    /// The kernel's name for its kind: `ext4`.
    pub name: String,
    /// Mount options and other state that matter, sorted.
    pub mount_flags: Vec<String>,
    /// Whether it is mounted read-only.
    pub read_only: bool,
    /// Whether its files are only in memory: itself, or what an overlay writes to.
    pub in_memory: bool,
    /// Whether overwriting takes new space: itself, or what an overlay writes to.
    pub copies_on_write: bool,
    /// The device number of its files.
    pub device: DeviceNumber,
    /// Its size.
    pub size_bytes: u64,
    /// What an ordinary user may still write.
    pub free_bytes: u64,
}

/// The filesystem of `dir`, which must be an existing folder, and its mount, for the probes of the layers
/// below.
pub fn probe(tree: &Tree, dir: &Path) -> Result<(Filesystem, Mount)> {
    let looking = |error: std::io::Error| {
        let failed = Error::from_io(ErrorKind::NoInput, &format!("look at {}", dir.display()), &error);
        let advice = match failed.kind {
            ErrorKind::NoPermission => "Name a folder of yours on the same disk. Root is not needed.",
            _ => "Name an existing folder on the disk that you want to measure: fsyncmark run DIR",
        };
        failed.advise(advice)
    };
    let path = dir.canonicalize().map_err(looking)?;
    if !path.is_dir() {
        return Err(Error::new(ErrorKind::Refused, format!("{} is not a folder", dir.display())).advise(
            "Name a folder on the disk that you want to measure; a device itself is never written to.",
        ));
    }
    let stat = rustix::fs::stat(&path).map_err(|error| looking(error.into()))?;
    let space = rustix::fs::statvfs(&path).map_err(|error| looking(error.into()))?;
    #[allow(clippy::useless_conversion)] // st_dev is narrower on macOS
    let device_id: rustix::fs::Dev = stat.st_dev.try_into().unwrap_or_default();
    let device = DeviceNumber { major: rustix::fs::major(device_id), minor: rustix::fs::minor(device_id) };
    let mounts = mounts::parse(&tree.text("/proc/self/mountinfo").unwrap_or_default());
    let mut mount = mounts::mount_of(&mounts, &path, Some(device)).unwrap_or_else(|| Mount {
        name: name_by_statfs(&path).unwrap_or_else(|| "unknown".to_owned()),
        options: Vec::new(),
        device: None,
        root: "/".to_owned(),
        source: String::new(),
        point: path,
    });
    if !device.is_anonymous() {
        mount.device = Some(device);
    }
    let holder = holder(&mount, &mounts);
    let filesystem = Filesystem {
        in_memory: is_memory(&holder.name),
        copies_on_write: overwriting_takes_space(&holder),
        name: wire_name(&mount.name),
        mount_flags: options_that_matter(&mount.options, state_that_matters(tree, &mount)),
        read_only: space.f_flag.contains(rustix::fs::StatVfsMountFlags::RDONLY),
        device,
        size_bytes: space.f_blocks.saturating_mul(space.f_frsize),
        free_bytes: space.f_bavail.saturating_mul(space.f_frsize),
    };
    Ok((filesystem, mount))
}

/// macOS has no list of mounts, but names the kind of filesystem: `apfs`.
#[cfg(target_os = "macos")]
fn name_by_statfs(path: &Path) -> Option<String> {
    let statfs = rustix::fs::statfs(path).ok()?;
    let letters = statfs.f_fstypename.iter().take_while(|&&letter| letter != 0);
    Some(letters.map(|&letter| char::from(letter.to_ne_bytes()[0])).collect())
}

#[cfg(not(target_os = "macos"))]
const fn name_by_statfs(_path: &Path) -> Option<String> {
    None
}

/// What no mount option says: an ext4 without a journal, whose syncs have less to write, and a ZFS that was
/// told to send no flushes (`/sys/fs/ext4/DISK/journal_task`, the module parameter `zfs_nocacheflush`).
pub fn state_that_matters(tree: &Tree, mount: &Mount) -> Option<String> {
    let says = |path: &str, value: &str| tree.text(path).is_some_and(|text| text.trim() == value);
    match mount.name.as_str() {
        "ext4" => {
            let device = mount.device?;
            let folder = tree.folder(&format!("/sys/dev/block/{}:{}", device.major, device.minor))?;
            let task = format!("/sys/fs/ext4/{}/journal_task", super::block_device::name_of(&folder));
            says(&task, "<none>").then(|| "journal=none".to_owned())
        }
        "zfs" => {
            says("/sys/module/zfs/parameters/zfs_nocacheflush", "1").then(|| ZFS_WITHOUT_FLUSHES.to_owned())
        }
        _ => None,
    }
}

/// The options on our list and what else matters, in the wire's alphabet, sorted, each once.
fn options_that_matter(options: &[String], state: Option<String>) -> Vec<String> {
    let mut kept: Vec<String> =
        options.iter().filter_map(|option| wire_option(option)).chain(state).collect();
    kept.sort();
    kept.dedup();
    kept.truncate(OPTIONS_MAX);
    kept
}

fn wire_option(option: &str) -> Option<String> {
    let (name, value) = option.split_once('=').map_or((option, None), |(name, value)| (name, Some(value)));
    let name = name.replace('-', "_");
    if !OPTIONS_THAT_MATTER.contains(&name.as_str()) {
        return None;
    }
    let Some(value) = value else { return Some(name) };
    // `compress=zstd:3`: the level follows a colon.
    let value = value.to_ascii_lowercase().replace(':', "-");
    let fits = (1..=OPTION_VALUE_LENGTH_MAX).contains(&value.len())
        && value
            .bytes()
            .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"_.-".contains(&byte));
    Some(if fits { format!("{name}={value}") } else { name })
}

fn wire_name(name: &str) -> String {
    let fits = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || "._-".contains(c);
    let name: String = name.chars().map(|c| if fits(c) { c } else { '-' }).take(NAME_LENGTH_MAX).collect();
    if name.is_empty() { "unknown".to_owned() } else { name }
}

/// The mount that holds the files of this one: itself, or the one which an overlay writes to. In a container
/// the upper folder is the host's and no mount is seen to hold it: then it is the overlay, of which nothing
/// is claimed.
fn holder(mount: &Mount, mounts: &[Mount]) -> Mount {
    let upper = mount.option("upperdir").filter(|_| mount.name == "overlay").map(Path::new);
    let below = upper.and_then(|upper| mounts::mount_of(mounts, upper, None));
    below.unwrap_or_else(|| mount.clone())
}

/// Whether overwriting takes new space. btrfs overwrites in place where it is mounted with `nodatacow`.
fn overwriting_takes_space(mount: &Mount) -> bool {
    kind_of(&mount.name).copies_on_write && !mount.options.iter().any(|option| option == "nodatacow")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_options_that_matter_are_kept_and_no_path_among_them() {
        let flags =
            |list: &str| options_that_matter(&list.split(',').map(str::to_owned).collect::<Vec<_>>(), None);
        assert_eq!(flags("rw,relatime,discard,resuid=65534"), ["discard", "relatime"]);
        assert_eq!(
            flags("noatime,rw,compress=zstd:3,ssd,space_cache=v2,subvol=/@data"),
            ["compress=zstd-3", "noatime", "ssd"]
        );
        assert_eq!(
            flags("rw,attr2,logbufs=8,logbsize=32k,logdev=/dev/sdb1"),
            ["logbsize=32k", "logbufs=8", "logdev"]
        );
        let hostile =
            ["commit=/home/anna".to_owned(), "lowerdir=/var/lib".to_owned(), "barrier=0".to_owned()];
        assert_eq!(options_that_matter(&hostile, None), ["barrier=0", "commit"]);
    }

    #[test]
    fn the_options_that_matter_are_sorted_so_that_one_is_easily_found() {
        assert!(OPTIONS_THAT_MATTER.is_sorted());
    }

    #[test]
    fn names_use_the_wires_alphabet() {
        assert_eq!(wire_name("fuse.sshfs"), "fuse.sshfs");
        assert_eq!(wire_name("FUSE weird"), "-----weird");
    }

    #[test]
    fn an_overlay_over_memory_is_memory() {
        let mounts = mounts::parse(
            "27 1 254:0 / / rw - ext4 /dev/vda rw\n\
             30 27 0:28 / /dev/shm rw - tmpfs tmpfs rw\n\
             31 27 0:29 / /fast rw - overlay overlay rw,upperdir=/dev/shm/upper\n\
             32 27 0:30 / /plain rw - overlay overlay rw,upperdir=/var/upper\n\
             33 27 0:31 / /blind rw - overlay overlay rw",
        );
        let in_memory: Vec<&Path> = mounts
            .iter()
            .filter(|mount| is_memory(&holder(mount, &mounts).name))
            .map(|mount| mount.point.as_path())
            .collect();
        assert_eq!(in_memory, [Path::new("/dev/shm"), Path::new("/fast")]);
    }

    #[test]
    fn an_overlay_over_btrfs_writes_elsewhere_as_btrfs_does_unless_it_is_told_not_to() {
        let takes_space = |options: &str| {
            let mounts = mounts::parse(&format!(
                "27 1 0:25 / / rw - btrfs /dev/vda {options}\n\
                 31 27 0:29 / /merged rw - overlay overlay rw,upperdir=/var/upper"
            ));
            let overlay = mounts.iter().find(|mount| mount.name == "overlay").unwrap();
            overwriting_takes_space(&holder(overlay, &mounts))
        };
        assert!(takes_space("rw,ssd"));
        assert!(!takes_space("rw,nodatasum,nodatacow"));
    }

    #[test]
    fn a_file_and_a_missing_folder_are_refused_with_advice() {
        let file = probe(&Tree::live(), Path::new("/etc/passwd")).unwrap_err();
        assert_eq!((file.kind, file.advice.is_some()), (ErrorKind::Refused, true));
        let missing = probe(&Tree::live(), Path::new("/no/such/folder")).unwrap_err();
        assert_eq!((missing.kind, missing.advice.is_some()), (ErrorKind::NoInput, true));
    }
}
