//! What the agent learns about a machine before it writes a byte.
//!
//! Every probe is a function of a directory tree with the kernel's files in it, so that tests run it over
//! trees recorded on other machines. Host names, addresses, serial numbers and the like are never read; the
//! few texts that leave the machine pass `text::printable`.

pub mod machine;
pub mod metadata;
pub mod storage;
pub mod tree;

use std::path::Path;

use self::machine::{Machine, control_groups};
use self::storage::filesystem::{self, Filesystem};
use self::storage::{Storage, nvme};
use self::tree::Tree;
use crate::error::Result;
use crate::sys::cpu;
use crate::wire::payload::Limits;

/// Everything known about the machine and the folder.
#[derive(Debug, Clone)]
pub struct Facts {
    /// Kernel, CPU, memory, virtualisation, cloud.
    pub machine: Machine,
    /// The filesystem of the folder.
    pub filesystem: Filesystem,
    /// The block devices behind it.
    pub storage: Storage,
    /// What this process may use of them.
    pub limits: Limits,
}

/// Looks at the running system and at the folder `dir`.
pub fn gather(dir: &Path) -> Result<Facts> {
    let tree = Tree::live();
    let (filesystem, mount) = filesystem::probe(&tree, dir)?;
    let mut storage = storage::probe(&tree, &mount);
    storage.drives.iter_mut().for_each(nvme::ask);
    let machine = machine::probe(&tree, cpu::hypervisor_signature().as_deref());
    let limits = control_groups::probe(&tree, &storage.devices);
    Ok(Facts { machine, filesystem, storage, limits })
}
