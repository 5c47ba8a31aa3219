//! Which cloud this is, from what its firmware says, without asking any network.
//!
//! The texts are those by which cloud-init knows the clouds (`tools/ds-identify` and its data sources) and
//! which stand in the first lines of their machines' boot logs. OVHcloud and many smaller ones have
//! OpenStack's texts, which name no cloud. Other texts of the firmware (asset tags of companies, serial
//! numbers, UUIDs) are only compared, or not read at all, and never leave the machine.

use super::firmware::{self, Maker};
use crate::probe::tree::{Tree, read_attribute};

/// The longest name of an instance type.
const TYPE_LENGTH_MAX: usize = 32;

/// A cloud, and its name for this kind of machine where the firmware has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Provider {
    /// Its name on the wire.
    pub name: &'static str,
    /// `m7g.medium`
    pub instance_type: Option<String>,
}

/// A cloud that the firmware names as the maker of the system.
struct Vendor {
    name: &'static str,
    provider: &'static str,
    /// Whether its machines run on KVM, for processors that do not name their hypervisor.
    is_on_kvm: bool,
}

const fn vendor(name: &'static str, provider: &'static str) -> Vendor {
    Vendor { name, provider, is_on_kvm: false }
}

impl Vendor {
    const fn on_kvm(self) -> Self {
        Self { is_on_kvm: true, ..self }
    }
}

/// Clouds by the maker of the system.
static VENDORS: &[Vendor] = &[
    vendor("3DS Outscale", "outscale"),
    vendor("Akamai", "linode").on_kvm(),
    vendor("Alibaba Cloud", "alibaba"),
    vendor("Amazon EC2", "aws").on_kvm(),
    vendor("CloudSigma", "cloudsigma"),
    vendor("DigitalOcean", "digitalocean").on_kvm(),
    vendor("Exoscale", "exoscale"),
    vendor("Google", "gcp").on_kvm(),
    vendor("Hetzner", "hetzner").on_kvm(),
    vendor("Linode", "linode").on_kvm(),
    vendor("NWCS", "nwcs"),
    vendor("Scaleway", "scaleway").on_kvm(),
    vendor("Tencent Cloud", "tencent"),
    vendor("UpCloud", "upcloud").on_kvm(),
    vendor("Vultr", "vultr").on_kvm(),
    vendor("netcup", "netcup"),
];
/// Clouds by the product, where the maker is the hypervisor's.
const PRODUCTS: &[(&str, &str)] = &[
    ("Alibaba Cloud ECS", "alibaba"),
    ("Exoscale Compute Platform", "exoscale"),
    ("Google Compute Engine", "gcp"),
    ("CloudSigma", "cloudsigma"),
];
/// Clouds by the tag of the chassis.
const CHASSIS: &[(&str, &str)] = &[
    ("7783-7084-3265-9085-8269-3286-77", "azure"),
    ("Amazon EC2", "aws"),
    ("HUAWEICLOUD", "huawei"),
    ("OpenTelekomCloud", "open-telekom-cloud"),
    ("OracleCloud.com", "oracle"),
];

/// The cloud that the firmware names. A dedicated server names its maker instead, and gives `None`.
pub fn probe(tree: &Tree) -> Option<Provider> {
    let maker = firmware::maker(tree);
    let name = by_firmware(tree, &maker).or_else(|| by_kernel(tree))?;
    Some(Provider { name, instance_type: instance_type(name, &maker) })
}

fn by_firmware(tree: &Tree, maker: &Maker) -> Option<&'static str> {
    let find = |table: &[(&str, &'static str)], text: &str| {
        table.iter().find(|(known, _)| *known == text).map(|&(_, name)| name)
    };
    let read =
        |name: &str| read_attribute(&tree.path(&format!("/sys/class/dmi/id/{name}"))).unwrap_or_default();
    vendor_named(maker.vendor.as_deref().unwrap_or_default())
        .map(|vendor| vendor.provider)
        .or_else(|| find(PRODUCTS, maker.product.as_deref().unwrap_or_default()))
        .or_else(|| find(CHASSIS, &read("chassis_asset_tag")))
        // Amazon's older machines run on Xen and say so, but their BIOS is `4.11.amazon`.
        .or_else(|| read("bios_version").ends_with(".amazon").then_some("aws"))
}

fn vendor_named(name: &str) -> Option<&'static Vendor> {
    VENDORS.iter().find(|vendor| vendor.name == name)
}

/// Whether the machines of the cloud with this maker text run on KVM.
pub(super) fn is_on_kvm(maker: &str) -> bool {
    vendor_named(maker).is_some_and(|vendor| vendor.is_on_kvm)
}

/// Fly.io's machines have no firmware texts, but a kernel of their own.
fn by_kernel(tree: &Tree) -> Option<&'static str> {
    let release = tree.text("/proc/sys/kernel/osrelease")?;
    release.trim().ends_with("-fly").then_some("fly")
}

/// The instance type, only for clouds whose firmware states it: others state a family of hypervisors.
fn instance_type(provider: &str, maker: &Maker) -> Option<String> {
    let product = maker.product.as_deref()?;
    let is_type = match provider {
        "aws" => product.split_once('.').is_some_and(|(family, size)| !family.is_empty() && !size.is_empty()),
        "scaleway" => product.starts_with("SCW-"),
        _ => false,
    };
    let fits = |byte: u8| byte.is_ascii_alphanumeric() || b".-+".contains(&byte);
    (is_type && product.len() <= TYPE_LENGTH_MAX && product.bytes().all(fits)).then(|| product.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_looks_like_a_type_is_one() {
        let typed = |provider: &str, product: &str| {
            instance_type(provider, &Maker { vendor: None, product: Some(product.to_owned()) })
        };
        assert_eq!(typed("aws", "m7g.medium").as_deref(), Some("m7g.medium"));
        assert_eq!(typed("aws", "u-6tb1.56xlarge").as_deref(), Some("u-6tb1.56xlarge"));
        assert_eq!(typed("scaleway", "SCW-PLAY2-PICO").as_deref(), Some("SCW-PLAY2-PICO"));
        for (provider, product) in [
            ("aws", "HVM domU"),
            ("aws", "."),
            ("aws", "a b.large"),
            ("hetzner", "vServer"),
            ("gcp", "Google Compute Engine"),
            ("scaleway", "SCW-0123456789-0123456789-0123456789"),
        ] {
            assert_eq!(typed(provider, product), None, "{product}");
        }
    }
}
