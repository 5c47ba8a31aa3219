//! What is mounted where, from `/proc/self/mountinfo`.

use std::path::{Path, PathBuf};

use super::block_device::{DeviceNumber, parse_device_number};

/// One line of `/proc/self/mountinfo`. Its source and its paths name people and projects: they are for
/// finding devices, and never leave the machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mount {
    /// Kind of filesystem.
    pub name: String,
    /// Options of this mount and of the filesystem.
    pub options: Vec<String>,
    /// The number of its files, as far as the list says it.
    pub device: Option<DeviceNumber>,
    /// What of the filesystem is mounted here: `/`, or a folder in it.
    pub root: String,
    /// What the filesystem was mounted from: `/dev/sda1`, or any other word.
    pub source: String,
    /// The mount point.
    pub point: PathBuf,
}

impl Mount {
    /// The value of an option such as `upperdir=/a`.
    pub fn option(&self, name: &str) -> Option<&str> {
        self.options.iter().find_map(|option| option.strip_prefix(name)?.strip_prefix('='))
    }
}

/// All lines that can be read, in the order of the list.
pub fn parse(mountinfo: &str) -> Vec<Mount> {
    mountinfo.lines().filter_map(parse_mount).collect()
}

/// The mount that `path` (absolute, without symbolic links) lies on. It is the one with the longest mount
/// point above the path, among those with its device number if there are any; of several with the same point
/// it is the last, which hides the others. The number alone cannot decide, because btrfs shows another one in
/// the list than its files have. The path alone cannot either, because a mount that is hidden below a later
/// one has a longer path.
pub fn mount_of(mounts: &[Mount], path: &Path, device: Option<DeviceNumber>) -> Option<Mount> {
    let above = || mounts.iter().filter(|mount| path.starts_with(&mount.point));
    let length = |mount: &&Mount| mount.point.as_os_str().len();
    let same_device = above().filter(|mount| device.is_some() && mount.device == device).max_by_key(length);
    same_device.or_else(|| above().max_by_key(length)).cloned()
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
        root: unescape(mount.get(3)?),
        source: filesystem.get(1).copied().map(unescape).unwrap_or_default(),
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

#[cfg(test)]
mod tests {
    use super::*;

    const MOUNTINFO: &str = r"22 27 0:21 / /proc rw,relatime - proc proc rw
27 1 254:0 / / rw,relatime - ext4 /dev/vda rw,discard,resuid=65534
30 27 0:28 / /dev/shm rw,relatime - tmpfs tmpfs rw,size=24684084k
40 27 0:39 /@data /data rw,noatime shared:5 - btrfs /dev/loop0 rw,compress=zstd:3,ssd,subvol=/@data
41 27 8:1 / /mnt/my\040disk rw - xfs /dev/sda1 rw,attr2,inode64,logbufs=8,logdev=/dev/sdb1
42 27 0:50 / /deep/er rw - ext3 /dev/sdz1 rw
43 27 8:2 / /deep rw - ext4 /dev/sda2 rw,data=ordered
44 27 8:3 / /twice rw - ext4 /dev/sda3 rw
45 27 8:4 / /twice rw - ext4 /dev/sda4 rw
";

    fn mount(path: &str, major: u32, minor: u32) -> Mount {
        mount_of(&parse(MOUNTINFO), Path::new(path), Some(DeviceNumber { major, minor })).unwrap()
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
        let data = mount("/data/db", 0, 40);
        assert_eq!(
            (data.name.as_str(), data.root.as_str(), data.source.as_str()),
            ("btrfs", "/@data", "/dev/loop0")
        );
    }

    #[test]
    fn a_mount_hidden_by_a_later_one_is_not_taken() {
        assert_eq!(mount("/deep/er/x", 8, 2).name, "ext4");
        let last = mount_of(&parse(MOUNTINFO), Path::new("/twice/x"), None).unwrap();
        assert_eq!(last.source, "/dev/sda4");
    }

    #[test]
    fn options_have_values() {
        let xfs = mount("/mnt/my disk", 8, 1);
        assert_eq!((xfs.option("logdev"), xfs.option("logbufs")), (Some("/dev/sdb1"), Some("8")));
        assert_eq!((xfs.option("log"), xfs.option("attr2")), (None, None));
    }

    #[test]
    fn lines_that_are_none_are_passed_over() {
        assert_eq!(parse("\n - \nx - y\n1 2 3 - ext4\n\u{fffd}\n"), []);
        assert_eq!(unescape(r"a\040b\0x\777"), "a b\\0x\\777");
    }
}
