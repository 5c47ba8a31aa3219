//! Whether test files have names, which depends on the filesystem.

use crate::probe::storage::filesystem;

/// Whether a test file has a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileNaming {
    /// The file never has a name, where the kernel can make such a file; else it has one, as below.
    Nameless,
    /// The file has a name in its folder, as a database's files do; a guard removes it.
    Named,
}

impl FileNaming {
    /// The naming for a filesystem, by the kernel's name for it.
    pub fn for_filesystem(name: &str) -> Self {
        if filesystem::syncs_nameless_files_alike(name) { Self::Nameless } else { Self::Named }
    }
}
