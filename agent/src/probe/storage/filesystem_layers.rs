//! The block devices on which a filesystem stands.
//!
//! A layer that the agent cannot look below ends in `unknown`: nothing is guessed. Paths, labels and UUIDs
//! only serve to find the next layer.

use std::path::Path;

use super::block_device::{DeviceNumber, name_of};
use super::block_layers::Walk;
use super::filesystem::{self, FilesystemDevices};
use super::layer::{Layer, layer_name};
use super::mounts::{self, Mount};
use crate::probe::tree::entries;

impl Walk<'_> {
    /// A filesystem and what it stands on.
    pub(super) fn filesystem(&mut self, mount: &Mount, depth: usize) -> Layer {
        let kind = layer_name(&mount.name);
        if filesystem::is_memory(&mount.name) {
            return Layer::new(kind, Vec::new());
        }
        let numbered = mount.device.filter(|device| !device.is_anonymous());
        let mut below = match filesystem::kind_of(&mount.name).devices {
            _ if self.is_too_deep(depth) => vec![Layer::unknown()],
            _ if numbered.is_some() => vec![self.device_numbered(numbered, depth + 1)],
            FilesystemDevices::BtrfsMembers => self.btrfs(mount, depth + 1),
            FilesystemDevices::UpperFolder => vec![self.overlay(mount, depth + 1)],
            FilesystemDevices::Source => self.sources(mount, depth + 1),
            FilesystemDevices::Number => vec![Layer::unknown()],
        };
        // The log is what a sync waits for; on a device of its own, that device decides.
        if let Some(log) = mount.option("logdev") {
            let device = if let Some(folder) = self.folder_of_source(log) {
                self.device(&folder, depth + 2)
            } else {
                self.devices.miss_one();
                Layer::unknown()
            };
            below.push(Layer::new("log-device", vec![device]));
        }
        Layer::new(kind, below)
    }

    fn device_numbered(&mut self, number: Option<DeviceNumber>, depth: usize) -> Layer {
        let link = number.map(|device| format!("/sys/dev/block/{}:{}", device.major, device.minor));
        match link.and_then(|link| self.tree.folder(&link)) {
            Some(folder) => self.device(&folder, depth),
            None => Layer::unknown(),
        }
    }

    /// `/dev/sda:/dev/sdb`. A member may have the name that it was mounted by, such as one of
    /// `/dev/disk/by-id`, which sysfs does not know.
    fn sources(&mut self, mount: &Mount, depth: usize) -> Vec<Layer> {
        let members: Vec<_> = mount.source.split(':').map(|source| self.folder_of_source(source)).collect();
        if members.iter().all(Option::is_none) {
            return vec![Layer::unknown()];
        }
        let mut layers = Vec::new();
        for member in &members {
            layers.push(if let Some(folder) = member {
                self.device(folder, depth)
            } else {
                self.devices.miss_one();
                Layer::unknown()
            });
        }
        layers
    }

    /// btrfs has a device number of its own; its members are listed below its UUID.
    fn btrfs(&mut self, mount: &Mount, depth: usize) -> Vec<Layer> {
        let source = self.folder_of_source(&mount.source);
        let all = self.btrfs_filesystems();
        let is_ours = |members: &Vec<_>| source.as_ref().is_some_and(|folder| members.contains(folder));
        let filesystem = match all.iter().find(|(_, members)| is_ours(members)) {
            Some(filesystem) => Some(filesystem),
            // A source such as /dev/root says nothing; the only one there is must be it.
            None => all.first().filter(|_| all.len() == 1),
        };
        let Some((folder, members)) = filesystem else { return self.sources(mount, depth) };
        let layers: Vec<Layer> = members.iter().map(|member| self.device(member, depth + 1)).collect();
        if layers.len() < 2 {
            return if layers.is_empty() { vec![Layer::unknown()] } else { layers };
        }
        let profile = entries(&folder.join("allocation/data"))
            .into_iter()
            .find(|profile| profile.join("total_bytes").exists())
            .map_or_else(|| "multi-device".to_owned(), |profile| layer_name(name_of(&profile)));
        let mut layer = Layer::new(layer_name(&format!("btrfs-{profile}")), layers);
        layer.note = Some(format!("{} devices", members.len()));
        vec![layer]
    }

    /// An overlay writes to its upper folder.
    fn overlay(&mut self, mount: &Mount, depth: usize) -> Layer {
        let Some(upper) = mount.option("upperdir") else { return Layer::unknown() };
        let below = match self.real_path(Path::new(upper)) {
            Some(path) => mounts::mount_of(self.mounts, &path, None).filter(|below| below != mount),
            None => self.docker_data_root(upper),
        };
        match below {
            Some(below) => self.filesystem(&below, depth),
            None => Layer::unknown(),
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
