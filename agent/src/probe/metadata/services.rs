//! Which service is asked what, and how each answer is read.
//!
//! The addresses are those of the providers' own manuals and of cloud-init's data sources. Services that want
//! a token are left out (Linode; Amazon answers 401 where only its second version is allowed), and so are
//! those that name neither type nor region.

use std::net::Ipv4Addr;

use serde_json::Value;

use super::error::MetadataError;
use crate::wire::USER_AGENT;

/// All of them speak plain HTTP: no certificate can be issued for an address that every machine has.
pub const PORT: u16 = 80;
/// The longest name of a type or region, as of the types that firmware states.
const NAME_LENGTH_MAX: usize = 32;
/// The service to ask where the firmware names no provider: OVHcloud, Infomaniak and many smaller ones have
/// OpenStack's texts there.
const OPENSTACK: &str = "openstack";

pub(super) const LINK_LOCAL: Ipv4Addr = Ipv4Addr::new(169, 254, 169, 254);
pub(super) const OF_ALIBABA: Ipv4Addr = Ipv4Addr::new(100, 100, 100, 200);
const OF_SCALEWAY: Ipv4Addr = Ipv4Addr::new(169, 254, 42, 42);
const OF_TENCENT: Ipv4Addr = Ipv4Addr::new(169, 254, 0, 23);

/// The metadata service of a provider.
#[derive(Debug)]
pub struct Service {
    /// Its provider, as the firmware's table and the wire name it.
    pub provider: &'static str,
    /// Where it listens.
    pub address: Ipv4Addr,
    /// A header that the service requires. It is constant, so that no web page can make a browser send the
    /// request.
    header: Option<&'static str>,
    /// The question that proves the service comes first.
    pub(super) questions: &'static [MetadataRequest],
}

/// One request, and how its answer is read.
#[derive(Debug)]
pub(super) struct MetadataRequest {
    path: &'static str,
    pub read: fn(&str) -> Option<Metadata>,
}

/// The type and the region of a machine, as far as its service has named them.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Metadata {
    pub instance_type: Option<String>,
    pub region: Option<String>,
}

impl Metadata {
    /// Takes over values that were not known yet.
    pub fn add(&mut self, more: Self) {
        self.instance_type = self.instance_type.take().or(more.instance_type);
        self.region = self.region.take().or(more.region);
    }

    /// Whether there is nothing left to ask.
    pub const fn is_complete(&self) -> bool {
        self.instance_type.is_some() && self.region.is_some()
    }
}

const fn ask(path: &'static str, read: fn(&str) -> Option<Metadata>) -> MetadataRequest {
    MetadataRequest { path, read }
}

const fn service(provider: &'static str, questions: &'static [MetadataRequest]) -> Service {
    Service { provider, address: LINK_LOCAL, header: None, questions }
}

const OF_OPENSTACK: &[MetadataRequest] = &[
    ask("/openstack/latest/meta_data.json", openstack),
    ask("/latest/meta-data/instance-type", type_answer),
];

static SERVICES: &[Service] = &[
    Service {
        address: OF_ALIBABA,
        ..service(
            "alibaba",
            &[
                ask("/latest/meta-data/region-id", region_answer),
                ask("/latest/meta-data/instance/instance-type", type_answer),
            ],
        )
    },
    service(
        "aws",
        &[
            ask("/latest/meta-data/placement/region", region_answer),
            ask("/latest/meta-data/instance-type", type_answer),
        ],
    ),
    Service {
        header: Some("Metadata: true"),
        ..service(
            "azure",
            &[
                ask("/metadata/instance/compute/location?api-version=2021-02-01&format=text", region_answer),
                ask("/metadata/instance/compute/vmSize?api-version=2021-02-01&format=text", type_answer),
            ],
        )
    },
    service("digitalocean", &[ask("/metadata/v1/region", region_answer)]),
    service(
        "exoscale",
        &[
            ask("/1.0/meta-data/availability-zone", region_answer),
            ask("/1.0/meta-data/service-offering", type_answer),
        ],
    ),
    Service {
        header: Some("Metadata-Flavor: Google"),
        ..service(
            "gcp",
            &[
                ask("/computeMetadata/v1/instance/zone", google_zone),
                ask("/computeMetadata/v1/instance/machine-type", google_type),
            ],
        )
    },
    service("hetzner", &[ask("/hetzner/v1/metadata/availability-zone", hetzner)]),
    service("huawei", OF_OPENSTACK),
    service("open-telekom-cloud", OF_OPENSTACK),
    service(OPENSTACK, OF_OPENSTACK),
    Service {
        header: Some("Authorization: Bearer Oracle"),
        ..service(
            "oracle",
            &[
                ask("/opc/v2/instance/canonicalRegionName", region_answer),
                ask("/opc/v2/instance/shape", type_answer),
            ],
        )
    },
    Service { address: OF_SCALEWAY, ..service("scaleway", &[ask("/conf?format=json", scaleway)]) },
    Service {
        address: OF_TENCENT,
        ..service(
            "tencent",
            &[
                ask("/latest/meta-data/placement/region", region_answer),
                ask("/latest/meta-data/instance/instance-type", type_answer),
            ],
        )
    },
    service("upcloud", &[ask("/metadata/v1/region", region_answer)]),
    service("vultr", &[ask("/v1/region/regioncode", region_answer)]),
];

impl Service {
    /// The service of the provider that the firmware names; OpenStack's where it names none.
    pub fn for_provider(provider: Option<&str>) -> Result<&'static Self, MetadataError> {
        let name = provider.unwrap_or(OPENSTACK);
        let service = SERVICES.iter().find(|service| service.provider == name);
        service.ok_or_else(|| MetadataError::NoService(name.to_owned()))
    }

    /// The whole request for one question.
    pub(super) fn request(&self, question: &MetadataRequest) -> String {
        let header = self.header.map(|header| format!("{header}\r\n")).unwrap_or_default();
        format!(
            "GET {} HTTP/1.1\r\nHost: {}\r\nUser-Agent: {USER_AGENT}\r\nAccept: */*\r\n{header}Connection: close\r\n\r\n",
            question.path, self.address
        )
    }
}

/// A plain name. Anything else is left out, because a cut or changed name would mean another thing.
fn name(text: &str) -> Option<String> {
    let text = text.trim();
    // Oracle has been seen to answer `"VM.Standard.E4.Flex"`, as in JSON.
    let text = text.strip_prefix('"').and_then(|text| text.strip_suffix('"')).unwrap_or(text);
    let fits = |byte: u8| byte.is_ascii_alphanumeric() || b"._+-".contains(&byte);
    let is_name = text.len() <= NAME_LENGTH_MAX
        && text.starts_with(|first: char| first.is_ascii_alphanumeric())
        && text.bytes().all(fits);
    is_name.then(|| text.to_owned())
}

fn type_answer(text: &str) -> Option<Metadata> {
    Some(Metadata { instance_type: Some(name(text)?), region: None })
}

fn region_answer(text: &str) -> Option<Metadata> {
    Some(Metadata { instance_type: None, region: Some(name(text)?) })
}

/// `projects/721624014713/machineTypes/n2-standard-4`: the number is the owner's.
fn google_type(text: &str) -> Option<Metadata> {
    type_answer(text.rsplit_once("/machineTypes/")?.1)
}

/// `projects/721624014713/zones/us-central1-a`: a region and the letter of a zone.
fn google_zone(text: &str) -> Option<Metadata> {
    let (region, _letter) = text.rsplit_once("/zones/")?.1.rsplit_once('-')?;
    region_answer(region)
}

/// `hel1-dc2`: the location that people rent in, and the building. The service's own `region` is a network,
/// `eu-central`.
fn hetzner(text: &str) -> Option<Metadata> {
    region_answer(text.split_once("-dc").map_or(text, |(location, _)| location))
}

/// A document for every version of OpenStack; Huawei's has type and region too. Of the others the zone is the
/// nearest to a region, unless it still has its default name `nova`.
fn openstack(text: &str) -> Option<Metadata> {
    let document: Value = serde_json::from_str(text).ok()?;
    document.get("uuid")?;
    let name_of = |member: &str| document[member].as_str().and_then(name);
    let zone = || name_of("availability_zone").filter(|zone| zone != "nova");
    Some(Metadata { instance_type: name_of("instance_type"), region: name_of("region_id").or_else(zone) })
}

/// One document with everything; older ones have the zone below `location`.
fn scaleway(text: &str) -> Option<Metadata> {
    let document: Value = serde_json::from_str(text).ok()?;
    let name_of = |value: &Value| value.as_str().and_then(name);
    let instance_type = Some(name_of(&document["commercial_type"])?);
    Some(Metadata {
        instance_type,
        region: name_of(&document["zone"]).or_else(|| name_of(&document["location"]["zone_id"])),
    })
}

#[cfg(test)]
mod tests;
