//! Whether test files have names, which the filesystem decides.

/// Whether a test file has a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileNaming {
    /// The file never has a name, where the kernel can make such a file; else it is named as below.
    Nameless,
    /// The file is named like a database's; a guard removes it.
    Named,
}

impl FileNaming {
    /// What a filesystem needs, by the name that the kernel gives it. The sync of those listed does not
    /// look at the link count: with and without a name, ext4 and XFS sent as many flushes and wrote as many
    /// bytes per commit (Linux 6.18). btrfs did too, but its code has had exceptions for such files.
    pub fn for_filesystem(name: &str) -> Self {
        match name {
            "ext2" | "ext3" | "ext4" | "xfs" => Self::Nameless,
            _ => Self::Named,
        }
    }
}
