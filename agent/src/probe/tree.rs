//! The kernel's files, of the running system or of a recorded one, read with a bound on each.

use std::path::{Path, PathBuf};

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

    /// The path of a system file in this tree.
    pub fn path(&self, path: &str) -> PathBuf {
        self.root.join(path.trim_start_matches('/'))
    }

    /// The whole text of a file; `None` when it is missing or unreadable.
    pub fn text(&self, path: &str) -> Option<String> {
        read_text(&self.path(path), FILE_BYTES_MAX)
    }

    /// The bytes of a file that is not text.
    pub(super) fn bytes(&self, path: &str) -> Option<Vec<u8>> {
        read_bytes(&self.path(path), FILE_BYTES_MAX)
    }

    /// The folder that a path leads to, without symbolic links; `None` when it is no folder, or outside this
    /// tree.
    pub fn folder(&self, path: &str) -> Option<PathBuf> {
        let (root, folder) = (self.root.canonicalize().ok()?, self.path(path).canonicalize().ok()?);
        Some(folder).filter(|folder| folder.starts_with(root) && folder.is_dir())
    }
}

/// The bytes of a file; `None` when it cannot be read. Only regular files are opened, as all of the kernel's
/// are: opening another kind can wait forever.
fn read_bytes(path: &Path, bytes_max: u64) -> Option<Vec<u8>> {
    use std::io::Read;
    if !path.metadata().ok()?.is_file() {
        return None;
    }
    let mut bytes = Vec::new();
    std::fs::File::open(path).ok()?.take(bytes_max).read_to_end(&mut bytes).ok()?;
    Some(bytes)
}

/// The text of a file; `None` when it cannot be read. Bytes that are no text become replacement characters.
fn read_text(path: &Path, bytes_max: u64) -> Option<String> {
    read_bytes(path, bytes_max).map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
}

/// The trimmed text of a small file such as a sysfs attribute; `None` when it is empty.
pub(super) fn read_attribute(path: &Path) -> Option<String> {
    read_text(path, ATTRIBUTE_BYTES_MAX).map(|text| text.trim().to_owned()).filter(|text| !text.is_empty())
}

/// The number that a small file holds.
pub(super) fn read_number(path: &Path) -> Option<u64> {
    read_attribute(path)?.parse().ok()
}

/// The entries of a folder, sorted by name; empty when it is no folder.
pub(super) fn entries(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut paths: Vec<PathBuf> = entries.take(ENTRIES_MAX).map(|entry| entry.path()).collect();
    paths.sort();
    paths
}
