//! The filesystem that a folder lies on: its kind, its mount options, its space.

use std::path::{Path, PathBuf};

use super::Tree;
use super::drive::{DeviceNumber, parse_device_number};
use crate::error::{Error, Kind, Result};

/// Mount options that change what a sync costs or means. Others never leave the machine: many of them
/// hold paths, addresses and names.
const OPTIONS_THAT_MATTER: [&str; 40] = [
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
    "largeio",
    "lazytime",
    "logbsize",
    "logbufs",
    "noatime",
    "noauto_da_alloc",
    "nobarrier",
    "nodatacow",
    "nodatasum",
    "nodelalloc",
    "nodiratime",
    "nodiscard",
    "nossd",
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
/// Bounds of the wire format.
const OPTIONS_MAX: usize = 32;
const OPTION_VALUE_LENGTH_MAX: usize = 32;
const NAME_LENGTH_MAX: usize = 32;
/// Filesystems that keep files in memory, where there is no durability to measure.
const MEMORY_FILESYSTEMS: [&str; 4] = ["tmpfs", "ramfs", "devtmpfs", "hugetlbfs"];
/// Filesystems that write elsewhere rather than overwrite, and so need room for all that is written.
const COPY_ON_WRITE_FILESYSTEMS: [&str; 4] = ["btrfs", "zfs", "bcachefs", "nilfs2"];

/// A mounted filesystem, as a folder on it sees it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Filesystem {
    /// The kernel's name for its kind: `ext4`.
    pub name: String,
    /// Mount options that matter, sorted.
    pub mount_flags: Vec<String>,
    /// Whether nothing can be written.
    pub read_only: bool,
    /// Whether its files are only in memory: itself, or what an overlay writes to.
    pub in_memory: bool,
    /// The device number of its files.
    pub device: DeviceNumber,
    /// Its size.
    pub size_bytes: u64,
    /// What an ordinary user may still write.
    pub free_bytes: u64,
}

impl Filesystem {
    /// Whether overwriting takes new space.
    pub fn copies_on_write(&self) -> bool {
        COPY_ON_WRITE_FILESYSTEMS.contains(&self.name.as_str())
    }
}

/// One line of `/proc/self/mountinfo`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mount {
    /// Kind of filesystem.
    pub name: String,
    /// Options of this mount and of the filesystem.
    pub options: Vec<String>,
    device: Option<DeviceNumber>,
    point: PathBuf,
}

/// Looks at the filesystem of `dir`, which must be an existing folder.
pub fn probe(tree: &Tree, dir: &Path) -> Result<Filesystem> {
    let looking = |error: std::io::Error| {
        let failed = Error::from_io(Kind::NoInput, &format!("look at {}", dir.display()), &error);
        let advice = match failed.kind {
            Kind::NoPermission => "Name a folder of yours on the same disk. Root is not needed.",
            _ => "Name an existing folder on the disk that you want to measure: fsyncmark run DIR",
        };
        failed.advise(advice)
    };
    let path = dir.canonicalize().map_err(looking)?;
    if !path.is_dir() {
        return Err(Error::new(Kind::Refused, format!("{} is not a folder", dir.display())).advise(
            "Name a folder on the disk that you want to measure; a device itself is never written to.",
        ));
    }
    let stat = rustix::fs::stat(&path).map_err(|error| looking(error.into()))?;
    let space = rustix::fs::statvfs(&path).map_err(|error| looking(error.into()))?;
    #[allow(clippy::useless_conversion)] // st_dev is narrower on macOS
    let device_id: rustix::fs::Dev = stat.st_dev.try_into().unwrap_or_default();
    let device = DeviceNumber { major: rustix::fs::major(device_id), minor: rustix::fs::minor(device_id) };
    let mount = mount_of(&tree.text("/proc/self/mountinfo").unwrap_or_default(), &path, device);
    let name = mount.as_ref().map_or_else(|| "unknown".to_owned(), |mount| wire_name(&mount.name));
    Ok(Filesystem {
        in_memory: mount.as_ref().is_some_and(is_in_memory),
        name,
        mount_flags: mount.as_ref().map(|mount| options_that_matter(&mount.options)).unwrap_or_default(),
        read_only: space.f_flag.contains(rustix::fs::StatVfsMountFlags::RDONLY),
        device,
        size_bytes: space.f_blocks.saturating_mul(space.f_frsize),
        free_bytes: space.f_bavail.saturating_mul(space.f_frsize),
    })
}

/// The mount that `path` (absolute, without symbolic links) lies on: the longest mount point above it,
/// among those with its device number if there are any. btrfs shows another number in the list than its
/// files have, so the number alone cannot decide; a mount hidden below a later one has a longer path,
/// so neither can the path.
pub fn mount_of(mountinfo: &str, path: &Path, device: DeviceNumber) -> Option<Mount> {
    let above: Vec<Mount> =
        mountinfo.lines().filter_map(parse_mount).filter(|mount| path.starts_with(&mount.point)).collect();
    let longest =
        |mounts: &[&Mount]| mounts.iter().max_by_key(|mount| mount.point.as_os_str().len()).copied().cloned();
    let same_device: Vec<&Mount> = above.iter().filter(|mount| mount.device == Some(device)).collect();
    longest(&same_device).or_else(|| longest(&above.iter().collect::<Vec<_>>()))
}

/// `36 35 98:0 /root /point rw,noatime master:1 - ext3 /dev/sda1 rw,errors=continue`
fn parse_mount(line: &str) -> Option<Mount> {
    let (mount, filesystem) = line.split_once(" - ")?;
    let mount: Vec<&str> = mount.split(' ').collect();
    let filesystem: Vec<&str> = filesystem.split(' ').collect();
    let options = [*mount.get(5)?, filesystem.get(2).copied().unwrap_or_default()];
    Some(Mount {
        name: (*filesystem.first()?).to_owned(),
        options: options
            .iter()
            .flat_map(|list| list.split(','))
            .filter(|option| !option.is_empty())
            .map(unescape)
            .collect(),
        device: parse_device_number(mount.get(2)?),
        point: PathBuf::from(unescape(mount.get(4)?)),
    })
}

/// The kernel writes space, tab, newline and backslash as three octal digits.
fn unescape(text: &str) -> String {
    let mut plain = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&byte, after)) = rest.split_first() {
        let octal = after
            .get(..3)
            .filter(|_| byte == b'\\')
            .and_then(|digits| u8::from_str_radix(std::str::from_utf8(digits).ok()?, 8).ok());
        plain.push(octal.unwrap_or(byte));
        rest = if octal.is_some() { &after[3..] } else { after };
    }
    String::from_utf8_lossy(&plain).into_owned()
}

/// The options on our list, in the wire's alphabet, sorted, each once.
fn options_that_matter(options: &[String]) -> Vec<String> {
    let mut kept: Vec<String> = options.iter().filter_map(|option| wire_option(option)).collect();
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

/// tmpfs and its kind, and an overlay that writes to one. In a container the upper folder is the host's
/// and cannot be seen: then nothing is claimed.
fn is_in_memory(mount: &Mount) -> bool {
    if MEMORY_FILESYSTEMS.contains(&mount.name.as_str()) {
        return true;
    }
    let upper = mount.options.iter().find_map(|option| option.strip_prefix("upperdir="));
    mount.name == "overlay" && upper.is_some_and(|upper| is_memory_path(Path::new(upper)))
}

#[cfg(target_os = "linux")]
fn is_memory_path(path: &Path) -> bool {
    const TMPFS_MAGIC: u64 = 0x0102_1994;
    const RAMFS_MAGIC: u64 = 0x8584_58f6;
    #[allow(clippy::cast_sign_loss, clippy::unnecessary_cast)] // its type depends on the architecture
    let magic = rustix::fs::statfs(path).map(|statfs| statfs.f_type as u64 & 0xffff_ffff);
    matches!(magic, Ok(TMPFS_MAGIC | RAMFS_MAGIC))
}

#[cfg(not(target_os = "linux"))]
fn is_memory_path(_path: &Path) -> bool {
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    const MOUNTINFO: &str = r"22 27 0:21 / /proc rw,relatime - proc proc rw
27 1 254:0 / / rw,relatime - ext4 /dev/vda rw,discard,resuid=65534
30 27 0:28 / /dev/shm rw,relatime - tmpfs tmpfs rw,size=24684084k
40 27 0:39 / /data rw,noatime shared:5 - btrfs /dev/loop0 rw,compress=zstd:3,ssd,space_cache=v2,subvolid=5,subvol=/
41 27 8:1 / /mnt/my\040disk rw - xfs /dev/sda1 rw,attr2,inode64,logbufs=8,logbsize=32k,noquota
42 27 0:50 / /deep/er rw - ext3 /dev/sdz1 rw
43 27 8:2 / /deep rw - ext4 /dev/sda2 rw,data=ordered
";

    fn device(major: u32, minor: u32) -> DeviceNumber {
        DeviceNumber { major, minor }
    }

    fn mount(path: &str, major: u32, minor: u32) -> Mount {
        mount_of(MOUNTINFO, Path::new(path), device(major, minor)).unwrap()
    }

    #[test]
    fn the_longest_mount_point_decides() {
        assert_eq!(mount("/home/anna", 254, 0).name, "ext4");
        assert_eq!(mount("/dev/shm/x", 0, 28).name, "tmpfs");
        assert_eq!(mount("/mnt/my disk/db", 8, 1).name, "xfs");
        assert_eq!(mount("/datafiles", 254, 0).name, "ext4");
    }

    #[test]
    fn btrfs_is_found_although_its_files_have_another_number() {
        assert_eq!(mount("/data/db", 0, 40).name, "btrfs");
    }

    #[test]
    fn a_mount_hidden_by_a_later_one_is_not_taken() {
        assert_eq!(mount("/deep/er/x", 8, 2).name, "ext4");
    }

    #[test]
    fn only_options_that_matter_are_kept_and_no_path_among_them() {
        let flags = |path: &str, major, minor| options_that_matter(&mount(path, major, minor).options);
        assert_eq!(flags("/x", 254, 0), ["discard", "relatime"]);
        assert_eq!(flags("/data", 0, 40), ["compress=zstd-3", "noatime", "ssd"]);
        assert_eq!(flags("/mnt/my disk", 8, 1), ["logbsize=32k", "logbufs=8"]);
        let hostile =
            ["commit=/home/anna".to_owned(), "lowerdir=/var/lib".to_owned(), "barrier=0".to_owned()];
        assert_eq!(options_that_matter(&hostile), ["barrier=0", "commit"]);
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
        let overlay = |upper: &str| Mount {
            name: "overlay".to_owned(),
            options: vec!["rw".to_owned(), format!("upperdir={upper}")],
            device: None,
            point: PathBuf::from("/"),
        };
        assert!(is_in_memory(&overlay("/dev/shm")));
        assert!(!is_in_memory(&overlay("/")));
        assert!(!is_in_memory(&overlay("/not/visible/here")));
    }

    #[test]
    fn a_file_and_a_missing_folder_are_refused_with_advice() {
        let file = probe(&Tree::live(), Path::new("/etc/passwd")).unwrap_err();
        assert_eq!((file.kind, file.advice.is_some()), (Kind::Refused, true));
        let missing = probe(&Tree::live(), Path::new("/no/such/folder")).unwrap_err();
        assert_eq!((missing.kind, missing.advice.is_some()), (Kind::NoInput, true));
    }
}
