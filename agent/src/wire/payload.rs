//! The result on the wire: the structs of `apps/wire/run.v1.schema.json`, field by field.
//!
//! Integers only: nanoseconds, bytes, counts. A field that is not here cannot leave the machine.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::text::printable;
use crate::wire::workload::Workload;

/// `payloadType` of a run.
pub const RUN_TYPE: &str = "application/vnd.fsyncmark.run.v1+json";
/// The value of `schema` in a run.
pub const RUN_SCHEMA: &str = "fsyncmark.run/1";
/// The version of the upload terms that a yes refers to.
pub const TERMS_VERSION: u32 = 1;

/// Longer names from a cloud are cut when they are shown: this is the longest slug of the wire format.
pub const SHOWN_LENGTH_MAX: usize = 64;
/// The longest text of a claim.
pub const CLAIM_LENGTH_MAX: usize = 64;

/// A whole run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)] // the schema describes its fields; so below
pub struct Run {
    pub schema: String,
    pub run_id: String,
    pub challenge: Option<String>,
    pub seed_proof: Option<String>,
    pub agent: Agent,
    pub suite: SuiteReference,
    /// `None` until the person agrees; a server refuses a run without it.
    pub consent: Option<Consent>,
    pub clock: RunClock,
    pub machine: String,
    pub claim: Claim,
    pub env: Environment,
    pub stack: Vec<String>,
    pub devices: Vec<Device>,
    pub workloads: Vec<Workload>,
}

impl Run {
    /// What its devices state of something: each different text once, in their order. A device that states
    /// nothing adds none.
    pub fn devices_state(&self, fact: impl Fn(&Device) -> String) -> Vec<String> {
        let mut stated = Vec::new();
        for text in self.devices.iter().map(fact).filter(|text| !text.is_empty()) {
            if !stated.contains(&text) {
                stated.push(text);
            }
        }
        stated
    }
}

/// The program that measured.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)]
pub struct Agent {
    pub version: String,
    pub commit: Option<String>,
    pub target: String,
    pub self_sha256: Option<String>,
}

/// The suite that it ran.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)]
pub struct SuiteReference {
    pub id: String,
    pub version: u16,
    pub sha256: String,
    pub complete: bool,
}

/// What the person agreed to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)]
pub struct Consent {
    pub terms: u32,
    pub publish_envelope: bool,
}

/// The consent that a yes records.
pub const CONSENT: Consent = Consent { terms: TERMS_VERSION, publish_envelope: true };

/// When it ran, how long, and by which clock.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)]
pub struct RunClock {
    pub wall_start_unix_us: u64,
    pub mono_elapsed_ns: u64,
    pub boottime_elapsed_ns: u64,
    pub source: String,
    pub read_cost_ns: u64,
}

/// What the person says the machine is.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)]
pub struct Claim {
    pub provider: Option<String>,
    pub plan: Option<String>,
    pub region: Option<String>,
}

/// For people: `Hetzner / AX102 / fsn1`.
impl fmt::Display for Claim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts: Vec<String> = [&self.provider, &self.plan, &self.region]
            .into_iter()
            .flatten()
            .map(|part| printable(part, CLAIM_LENGTH_MAX))
            .collect();
        f.write_str(if parts.is_empty() { "no provider or plan" } else { "" })?;
        f.write_str(&parts.join(" / "))
    }
}

/// What the machine says it is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)]
pub struct Environment {
    pub os: String,
    pub kernel: String,
    pub arch: String,
    pub cpu_model: Option<String>,
    pub cpu_count: u32,
    pub ram_bytes: u64,
    pub virt: String,
    pub cloud_vendor: Option<String>,
    pub cloud_product: Option<String>,
    pub provider: Option<String>,
    pub instance_type: Option<String>,
    /// Absent where the service was not asked or did not answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cloud_metadata: Option<CloudMetadata>,
    pub container: Option<String>,
    pub cpu_governor: Option<String>,
    /// Over the whole run.
    pub steal_permille: Option<u32>,
    pub limits: Limits,
    pub fs: String,
    pub mount_flags: Vec<String>,
    pub fs_size_bytes: u64,
    pub fs_free_bytes: u64,
}

/// What the cloud's metadata service says the machine is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CloudMetadata {
    /// Whose service answered: the provider that the firmware names, else `openstack`.
    pub provider: String,
    /// The provider's name for this kind of machine; `None` where its service does not say.
    pub instance_type: Option<String>,
    /// The region, or `None` where its service does not say.
    pub region: Option<String>,
}

/// For people: `aws / m7g.medium / eu-central-1`.
impl fmt::Display for CloudMetadata {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts = [Some(&self.provider), self.instance_type.as_ref(), self.region.as_ref()];
        let shown: Vec<String> =
            parts.into_iter().flatten().map(|part| printable(part, SHOWN_LENGTH_MAX)).collect();
        f.write_str(&shown.join(" / "))
    }
}

/// The tightest limits of the agent's control groups; `None` where there is none, or none can be seen.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)]
pub struct Limits {
    /// Thousandths of a CPU.
    pub cpu_milli: Option<u64>,
    /// Memory, which is also what the page cache may take.
    pub memory_bytes: Option<u64>,
    /// Share of the disk against other groups; 100 is usual.
    pub io_weight: Option<u64>,
    /// The tightest limit of any device below the filesystem, as for the next three.
    pub read_bytes_per_s: Option<u64>,
    pub write_bytes_per_s: Option<u64>,
    pub read_ops_per_s: Option<u64>,
    pub write_ops_per_s: Option<u64>,
}

impl Limits {
    /// Whether any device is throttled.
    pub const fn throttles_io(&self) -> bool {
        self.read_bytes_per_s.is_some()
            || self.write_bytes_per_s.is_some()
            || self.read_ops_per_s.is_some()
            || self.write_ops_per_s.is_some()
    }
}

/// One whole disk.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)]
pub struct Device {
    pub class: String,
    pub transport: String,
    pub vendor: String,
    pub model: String,
    pub firmware: String,
    pub size_bytes: u64,
    pub rotational: Option<bool>,
    pub write_cache: String,
    pub fua: Option<bool>,
    pub scheduler: Option<String>,
    pub logical_block_bytes: u64,
    pub physical_block_bytes: u64,
    pub queue_depth: Option<u32>,
    pub pcie: Option<PcieLink>,
    pub volatile_write_cache: Option<bool>,
    pub wear_percent: Option<u8>,
    /// Absent where the disk hangs on no SCSI host.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub driver: Option<String>,
    /// Absent where its driver does not say what it read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub driver_write_cache: Option<String>,
    /// Absent where no driver of a RAID controller says it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub raid_volume: Option<bool>,
}

/// A PCI Express link as it was negotiated, and its best.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PcieLink {
    /// Megatransfers a second per lane: 16000 is generation 4.
    pub speed_mts: u32,
    /// Lanes.
    pub width: u32,
    /// The best that the device can do.
    pub speed_max_mts: u32,
    /// The most lanes that the device supports.
    pub width_max: u32,
}
