//! What this system runs on: a hypervisor, a container, or bare metal.

use super::firmware::{self, Maker};
use super::{container, provider};
use crate::probe::tree::Tree;

/// What this system runs on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs)] // the wire format's names
pub enum Virtualisation {
    None,
    Kvm,
    Xen,
    HyperV,
    VmWare,
    Bhyve,
    QemuTcg,
    Firecracker,
    Container,
    Other,
    Unknown,
}

impl Virtualisation {
    /// The name on the wire.
    pub const fn wire_name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Kvm => "kvm",
            Self::Xen => "xen",
            Self::HyperV => "hyperv",
            Self::VmWare => "vmware",
            Self::Bhyve => "bhyve",
            Self::QemuTcg => "qemu-tcg",
            Self::Firecracker => "firecracker",
            Self::Container => "container",
            Self::Other => "other",
            Self::Unknown => "unknown",
        }
    }
}

/// What this system runs on: first by the hypervisor's own name, then by the traces that it leaves, and only
/// on bare metal by whether a container is in between.
pub fn probe(tree: &Tree, hypervisor_signature: Option<&str>) -> Virtualisation {
    let hypervisor = hypervisor_signature
        .map(by_signature)
        .or_else(|| by_xen(tree))
        .or_else(|| by_device_tree(tree))
        .or_else(|| by_maker(&firmware::maker(tree)));
    match hypervisor {
        Some(Virtualisation::Kvm) if is_firecracker(tree) => Virtualisation::Firecracker,
        Some(hypervisor) => hypervisor,
        None if container::probe(tree).is_some() => Virtualisation::Container,
        // On x86, no name of a hypervisor means that there is none; on other CPUs it means nothing.
        None if cfg!(target_arch = "x86_64") => Virtualisation::None,
        None => Virtualisation::Unknown,
    }
}

fn by_signature(signature: &str) -> Virtualisation {
    match signature {
        "KVMKVMKVM" | "Linux KVM Hv" => Virtualisation::Kvm,
        "XenVMMXenVMM" => Virtualisation::Xen,
        "Microsoft Hv" => Virtualisation::HyperV,
        "VMwareVMware" => Virtualisation::VmWare,
        "bhyve bhyve" => Virtualisation::Bhyve,
        "TCGTCGTCGTCG" => Virtualisation::QemuTcg,
        _ => Virtualisation::Other,
    }
}

fn by_xen(tree: &Tree) -> Option<Virtualisation> {
    (tree.text("/sys/hypervisor/type")?.trim() == "xen").then_some(Virtualisation::Xen)
}

fn by_device_tree(tree: &Tree) -> Option<Virtualisation> {
    let compatible = tree.text("/proc/device-tree/hypervisor/compatible")?;
    Some(match compatible.trim_end_matches('\0') {
        "linux,kvm" => Virtualisation::Kvm,
        text if text.contains("xen") => Virtualisation::Xen,
        _ => Virtualisation::Other,
    })
}

fn by_maker(maker: &Maker) -> Option<Virtualisation> {
    if maker.product.as_deref().is_some_and(|product| product.contains(".metal")) {
        return None;
    }
    let vendor = maker.vendor.as_deref()?;
    if provider::is_on_kvm(vendor) {
        return Some(Virtualisation::Kvm);
    }
    match vendor {
        "OpenStack Foundation" | "QEMU" => Some(Virtualisation::Kvm),
        "Microsoft Corporation" if maker.product.as_deref() == Some("Virtual Machine") => {
            Some(Virtualisation::HyperV)
        }
        "VMware, Inc." => Some(Virtualisation::VmWare),
        "Xen" => Some(Virtualisation::Xen),
        "BHYVE" => Some(Virtualisation::Bhyve),
        _ => None,
    }
}

/// Firecracker has no DMI; its ACPI tables, which only root may read, name it as their maker.
fn is_firecracker(tree: &Tree) -> bool {
    /// Where an ACPI table's header has the six letters of its maker.
    const OEM_ID: std::ops::Range<usize> = 10..16;
    let table = tree.bytes("/sys/firmware/acpi/tables/FACP").unwrap_or_default();
    table.get(OEM_ID) == Some(b"FIRECK".as_slice())
}
