//! Whether this process runs in a container, and in what kind of one.

use crate::probe::storage::mounts;
use crate::probe::tree::Tree;

/// Kinds of containers, in the wire's words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Container {
    Docker,
    Podman,
    Kubernetes,
    Lxc,
    Nspawn,
    OpenVz,
    Wsl,
    Other,
}

impl Container {
    /// The name on the wire.
    pub const fn wire_name(self) -> &'static str {
        match self {
            Self::Docker => "docker",
            Self::Podman => "podman",
            Self::Kubernetes => "kubernetes",
            Self::Lxc => "lxc",
            Self::Nspawn => "nspawn",
            Self::OpenVz => "openvz",
            Self::Wsl => "wsl",
            Self::Other => "other",
        }
    }
}

/// The container's own statement (`systemd.io/CONTAINER_INTERFACE`), else the traces that its maker leaves.
pub fn probe(tree: &Tree) -> Option<Container> {
    by_kubernetes(tree)
        .or_else(|| by_declaration(tree))
        .or_else(|| by_marker(tree))
        .or_else(|| by_kernel(tree))
        .or_else(|| by_group(tree))
}

/// Every pod has its credentials mounted here unless it declines them; the group's name is the other trace.
fn by_kubernetes(tree: &Tree) -> Option<Container> {
    let groups = tree.text("/proc/self/cgroup").unwrap_or_default();
    let is_pod = tree.path("/run/secrets/kubernetes.io").is_dir()
        || tree.path("/var/run/secrets/kubernetes.io").is_dir()
        || groups.contains("/kubepods");
    is_pod.then_some(Container::Kubernetes)
}

fn by_declaration(tree: &Tree) -> Option<Container> {
    let text = tree.text("/run/systemd/container")?;
    Some(match text.trim() {
        "" => return None,
        "docker" => Container::Docker,
        "podman" => Container::Podman,
        "lxc" | "lxc-libvirt" => Container::Lxc,
        "systemd-nspawn" => Container::Nspawn,
        "openvz" => Container::OpenVz,
        "wsl" => Container::Wsl,
        _ => Container::Other,
    })
}

/// The marker file that Docker or Podman leaves. An image that was unpacked to a disk and booted still has
/// it; there a whole device is mounted as `/`, which neither of the two does.
fn by_marker(tree: &Tree) -> Option<Container> {
    let marker = [("/run/.containerenv", Container::Podman), ("/.dockerenv", Container::Docker)]
        .into_iter()
        .find(|(path, _)| tree.path(path).exists());
    let (_, kind) = marker?;
    let mounts = mounts::parse(&tree.text("/proc/self/mountinfo").unwrap_or_default());
    let root = mounts.iter().rfind(|mount| mount.point == std::path::Path::new("/"));
    let is_whole_device = root
        .is_some_and(|mount| mount.root == "/" && mount.device.is_some_and(|device| !device.is_anonymous()));
    (!is_whole_device).then_some(kind)
}

fn by_kernel(tree: &Tree) -> Option<Container> {
    let release = tree.text("/proc/sys/kernel/osrelease").unwrap_or_default().to_ascii_lowercase();
    if release.contains("microsoft") {
        return Some(Container::Wsl);
    }
    // The host has both.
    let is_openvz = tree.path("/proc/vz").exists() && !tree.path("/proc/bc").exists();
    is_openvz.then_some(Container::OpenVz)
}

fn by_group(tree: &Tree) -> Option<Container> {
    const TRACES: [(&str, Container); 3] =
        [("/docker/", Container::Docker), ("/lxc", Container::Lxc), ("/libpod", Container::Podman)];
    let groups = tree.text("/proc/1/cgroup").or_else(|| tree.text("/proc/self/cgroup"))?;
    TRACES.iter().find(|(trace, _)| groups.contains(trace)).map(|&(_, kind)| kind)
}
