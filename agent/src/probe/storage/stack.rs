//! What lies under a filesystem, layer by layer down to the disks.
//!
//! A layer that the agent cannot look below ends in `unknown`: nothing is guessed. Paths, labels and UUIDs
//! only serve to find the next layer.

use std::path::Path;

use super::device::{DeviceNumber, name_of};
use super::device_stack::Walk;
use super::drive::Drive;
use super::filesystem::MEMORY_FILESYSTEMS;
use super::mounts::{self, Mount};
use super::node::{Node, layer_name};
use crate::probe::tree::{Tree, entries};

/// Bounds of the wire format.
const LAYERS_MAX: usize = 16;
const DRIVES_MAX: usize = 32;
/// What lies under a filesystem.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Storage {
    /// From the filesystem down: `["ext4", "md-raid1", "partition", "nvme"]`. Of branches that are alike, one;
    /// ends in `unknown` where the agent cannot see further.
    pub layers: Vec<String>,
    /// The layers as a tree, with every branch.
    pub tree: Node,
    /// The disks; empty when unknown.
    pub drives: Vec<Drive>,
    /// Their numbers, for `/proc/diskstats`.
    pub disks: Vec<DeviceNumber>,
    /// Whether the kernel counts the flushes of all of them there.
    pub counts_flushes: bool,
    /// All devices on the way, any of which can be throttled.
    pub devices: Vec<DeviceNumber>,
}

/// Looks below a mounted filesystem.
pub fn probe(tree: &Tree, mount: &Mount) -> Storage {
    let mounts = mounts::parse(&tree.text("/proc/self/mountinfo").unwrap_or_default());
    let mut walk = Walk::new(tree, &mounts);
    let root = walk.filesystem(mount, 0);
    let mut layers: Vec<String> = root.kinds().into_iter().map(str::to_owned).collect();
    if layers.len() > LAYERS_MAX {
        layers.truncate(LAYERS_MAX - 1);
        layers.push("unknown".to_owned());
    }
    let mut devices = walk.devices;
    devices.drives.truncate(DRIVES_MAX);
    Storage {
        layers,
        tree: root,
        drives: devices.drives.into_iter().map(|(_, drive)| drive).collect(),
        counts_flushes: devices.counts_flushes && !devices.disks.is_empty(),
        disks: devices.disks,
        devices: devices.all,
    }
}

/// Whether the files of this filesystem lie in memory.
pub(super) fn is_memory(name: &str) -> bool {
    MEMORY_FILESYSTEMS.contains(&name)
}

impl Walk<'_> {
    /// A filesystem and what it stands on.
    pub(super) fn filesystem(&mut self, mount: &Mount, depth: usize) -> Node {
        let kind = layer_name(&mount.name);
        if is_memory(&mount.name) {
            return Node::new(kind, Vec::new());
        }
        let numbered = mount.device.filter(|device| !device.is_anonymous());
        let mut below = match mount.name.as_str() {
            _ if self.is_too_deep(depth) => vec![Node::unknown()],
            _ if numbered.is_some() => vec![self.device_numbered(numbered, depth + 1)],
            "btrfs" => self.btrfs(mount, depth + 1),
            "overlay" => vec![self.overlay(mount, depth + 1)],
            "bcachefs" => self.sources(mount, depth + 1),
            _ => vec![Node::unknown()],
        };
        // The log is what a sync waits for; on a device of its own, that device decides.
        if let Some(log) = mount.option("logdev").and_then(|source| self.folder_of_source(source)) {
            let device = self.device(&log, depth + 2);
            below.push(Node::new("log-device", vec![device]));
        }
        Node::new(kind, below)
    }

    fn device_numbered(&mut self, number: Option<DeviceNumber>, depth: usize) -> Node {
        let link = number.map(|device| format!("/sys/dev/block/{}:{}", device.major, device.minor));
        match link.and_then(|link| self.tree.folder(&link)) {
            Some(folder) => self.device(&folder, depth),
            None => Node::unknown(),
        }
    }

    /// `/dev/sda:/dev/sdb`
    fn sources(&mut self, mount: &Mount, depth: usize) -> Vec<Node> {
        let folders: Vec<_> =
            mount.source.split(':').filter_map(|source| self.folder_of_source(source)).collect();
        let nodes: Vec<Node> = folders.iter().map(|folder| self.device(folder, depth)).collect();
        if nodes.is_empty() { vec![Node::unknown()] } else { nodes }
    }

    /// btrfs has a device number of its own; its members are listed below its UUID.
    fn btrfs(&mut self, mount: &Mount, depth: usize) -> Vec<Node> {
        let source = self.folder_of_source(&mount.source);
        let all = self.btrfs_filesystems();
        let is_ours = |members: &Vec<_>| source.as_ref().is_some_and(|folder| members.contains(folder));
        let filesystem = match all.iter().find(|(_, members)| is_ours(members)) {
            Some(filesystem) => Some(filesystem),
            // A source such as /dev/root says nothing; the only one there is must be it.
            None => all.first().filter(|_| all.len() == 1),
        };
        let Some((folder, members)) = filesystem else { return self.sources(mount, depth) };
        let nodes: Vec<Node> = members.iter().map(|member| self.device(member, depth + 1)).collect();
        if nodes.len() < 2 {
            return if nodes.is_empty() { vec![Node::unknown()] } else { nodes };
        }
        let profile = entries(&folder.join("allocation/data"))
            .into_iter()
            .find(|profile| profile.join("total_bytes").exists())
            .map_or_else(|| "multi-device".to_owned(), |profile| layer_name(name_of(&profile)));
        let mut node = Node::new(layer_name(&format!("btrfs-{profile}")), nodes);
        node.note = Some(format!("{} devices", members.len()));
        vec![node]
    }

    /// An overlay writes to its upper folder.
    fn overlay(&mut self, mount: &Mount, depth: usize) -> Node {
        let Some(upper) = mount.option("upperdir") else { return Node::unknown() };
        let below = match self.real_path(Path::new(upper)) {
            Some(path) => mounts::mount_of(self.mounts, &path, None).filter(|below| below != mount),
            None => self.docker_data_root(upper),
        };
        match below {
            Some(below) => self.filesystem(&below, depth),
            None => Node::unknown(),
        }
    }

    /// In a container the upper folder is the host's and cannot be seen. Docker keeps the upper folders
    /// (`ROOT/overlay2/ID/diff`) and the files that it mounts over `/etc` (`ROOT/containers/ID/hosts`) below
    /// one root, and the list of mounts shows the device of the latter.
    fn docker_data_root(&self, upper: &str) -> Option<Mount> {
        let data_root = upper.split_once("/overlay2/")?.0;
        self.mounts
            .iter()
            .find(|mount| {
                let is_ours = ["/etc/hostname", "/etc/hosts", "/etc/resolv.conf"]
                    .map(Path::new)
                    .contains(&mount.point.as_path());
                // Seen from the filesystem, the root is the same path, or the end of it where it is mounted.
                let root = mount.root.split_once("/containers/").map(|(root, _)| root);
                is_ours && root.is_some_and(|root| data_root.ends_with(root))
            })
            .cloned()
    }
}
