//! What the agent learns about a machine before it writes a byte.
//!
//! Every probe is a function of a directory tree with the kernel's files in it, so that tests run it
//! over trees recorded from other machines. Host names, addresses, serial numbers and the like are never
//! read; the few texts that leave the machine pass `printable`.

pub mod bus;
pub mod cloud;
pub mod container;
pub mod cpu_time;
pub mod device_stack;
pub mod diskstats;
pub mod drive;
pub mod filesystem;
pub mod limits;
pub mod machine;
pub mod mounts;
pub mod nvme;
pub mod provider;
pub mod stack;

use std::path::{Path, PathBuf};

use crate::error::Result;

/// The root of a tree with `/sys`, `/proc` and `/etc` in it.
#[derive(Debug, Clone)]
pub struct Tree {
    root: PathBuf,
}

/// The longest file that a probe reads: `/proc/self/mountinfo` of a large container host.
const FILE_BYTES_MAX: u64 = 4 << 20;
/// The longest attribute: sysfs hands out at most a page of most systems.
const ATTRIBUTE_BYTES_MAX: u64 = 4096;
/// The most entries of a folder that a probe looks at.
const ENTRIES_MAX: usize = 1024;

impl Tree {
    /// The running system.
    pub fn live() -> Self {
        Self::at("/")
    }

    /// A recorded system.
    pub fn at(root: impl Into<PathBuf>) -> Self {
        Self { root: root.into() }
    }

    /// Where an absolute path of the system lies.
    pub fn path(&self, path: &str) -> PathBuf {
        self.root.join(path.trim_start_matches('/'))
    }

    /// The whole text of a file, or nothing when it is missing or unreadable.
    pub fn text(&self, path: &str) -> Option<String> {
        read_text(&self.path(path), FILE_BYTES_MAX)
    }

    /// The bytes of a file that is not text.
    fn bytes(&self, path: &str) -> Option<Vec<u8>> {
        read_bytes(&self.path(path), FILE_BYTES_MAX)
    }

    /// The folder behind a path, without symbolic links; nothing when it is none, or outside this tree.
    pub fn folder(&self, path: &str) -> Option<PathBuf> {
        let (root, found) = (self.root.canonicalize().ok()?, self.path(path).canonicalize().ok()?);
        Some(found).filter(|found| found.starts_with(root) && found.is_dir())
    }
}

/// What a file holds, or nothing. Only of a regular file, as all of the kernel's are: opening another kind
/// can wait for ever.
fn read_bytes(path: &Path, bytes_max: u64) -> Option<Vec<u8>> {
    use std::io::Read;
    if !path.metadata().ok()?.is_file() {
        return None;
    }
    let mut bytes = Vec::new();
    std::fs::File::open(path).ok()?.take(bytes_max).read_to_end(&mut bytes).ok()?;
    Some(bytes)
}

/// Likewise, as text; what is no text becomes replacement characters.
fn read_text(path: &Path, bytes_max: u64) -> Option<String> {
    read_bytes(path, bytes_max).map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
}

/// The trimmed text of a small file such as a sysfs attribute; nothing when it is empty.
fn read_attribute(path: &Path) -> Option<String> {
    read_text(path, ATTRIBUTE_BYTES_MAX).map(|text| text.trim().to_owned()).filter(|text| !text.is_empty())
}

/// The number that a small file holds.
fn read_number(path: &Path) -> Option<u64> {
    read_attribute(path)?.parse().ok()
}

/// What lies in a folder, by name; nothing when it is none.
fn entries(folder: &Path) -> Vec<PathBuf> {
    let listed = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut paths: Vec<PathBuf> = listed.take(ENTRIES_MAX).map(|entry| entry.path()).collect();
    paths.sort();
    paths
}

/// Printable ASCII of at most `length_max` characters, runs of anything else made one space.
pub fn printable(text: &str, length_max: usize) -> String {
    let spaced: String = text.chars().map(|c| if c.is_ascii_graphic() { c } else { ' ' }).collect();
    let mut clean = spaced.split_ascii_whitespace().collect::<Vec<_>>().join(" ");
    clean.truncate(length_max);
    clean.truncate(clean.trim_end().len());
    clean
}

/// `printable`, or nothing when nothing is left.
fn printable_or_none(text: &str, length_max: usize) -> Option<String> {
    Some(printable(text, length_max)).filter(|text| !text.is_empty())
}

/// Everything known about the machine and the folder.
#[derive(Debug, Clone)]
pub struct Facts {
    /// Kernel, CPU, memory, virtualisation, cloud.
    pub machine: machine::Machine,
    /// The filesystem of the folder.
    pub filesystem: filesystem::Filesystem,
    /// The block devices behind it.
    pub storage: stack::Storage,
    /// What this process may use of them.
    pub limits: limits::Limits,
    /// What the CPUs had done when this was gathered.
    pub cpu_time: Option<cpu_time::CpuTime>,
}

/// Looks at the running system and at the folder `dir`.
pub fn gather(dir: &Path) -> Result<Facts> {
    let tree = Tree::live();
    let (filesystem, mount) = filesystem::probe(&tree, dir)?;
    let mut storage = stack::probe(&tree, &mount);
    storage.drives.iter_mut().for_each(nvme::ask);
    let machine = machine::probe(&tree, crate::sys::hypervisor_signature().as_deref());
    let limits = limits::probe(&tree, &storage.devices);
    Ok(Facts { machine, filesystem, storage, limits, cpu_time: cpu_time::read(&tree) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_leaves_the_machine_is_printable_and_short() {
        assert_eq!(printable("  Samsung\tSSD \u{202e}980\u{7} PRO\n", 64), "Samsung SSD 980 PRO");
        assert_eq!(printable(&"x".repeat(100), 64).len(), 64);
        assert_eq!(printable("abc def", 4), "abc");
        assert_eq!(printable_or_none("\u{fffd}\n", 64), None);
    }
}
