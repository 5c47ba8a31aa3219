//! What the agent learns about a machine before it writes a byte.
//!
//! Every probe is a function of a directory tree with the kernel's files in it, so that tests run it
//! over trees recorded from other machines. Host names, addresses, serial numbers and the like are never
//! read; the few texts that leave the machine pass `printable`.

pub mod cloud;
pub mod diskstats;
pub mod drive;
pub mod filesystem;
pub mod machine;

use std::path::{Path, PathBuf};

use crate::error::Result;

/// The root of a tree with `/sys`, `/proc` and `/etc` in it.
#[derive(Debug, Clone)]
pub struct Tree {
    root: PathBuf,
}

/// The longest file that a probe reads: `/proc/self/mountinfo` of a large container host.
const FILE_BYTES_MAX: usize = 4 << 20;

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

    /// The whole text of a file, or nothing when it is missing, unreadable or not text.
    pub fn text(&self, path: &str) -> Option<String> {
        read_text(&self.path(path))
    }
}

/// The whole text of a file, or nothing.
fn read_text(path: &Path) -> Option<String> {
    use std::io::Read;
    let mut bytes = Vec::new();
    std::fs::File::open(path).ok()?.take(FILE_BYTES_MAX as u64).read_to_end(&mut bytes).ok()?;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

/// The trimmed text of a small file such as a sysfs attribute; nothing when it is empty.
fn read_attribute(path: &Path) -> Option<String> {
    read_text(path).map(|text| text.trim().to_owned()).filter(|text| !text.is_empty())
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
    /// Kernel, CPU, memory, virtualisation.
    pub machine: machine::Machine,
    /// The filesystem of the folder.
    pub filesystem: filesystem::Filesystem,
    /// The block devices behind it.
    pub storage: drive::Storage,
}

/// Looks at the running system and at the folder `dir`.
pub fn gather(dir: &Path) -> Result<Facts> {
    let tree = Tree::live();
    let filesystem = filesystem::probe(&tree, dir)?;
    let storage = drive::probe(&tree, &filesystem.name, filesystem.device);
    let machine = machine::probe(&tree, crate::sys::hypervisor_signature().as_deref());
    Ok(Facts { machine, filesystem, storage })
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
