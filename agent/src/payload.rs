//! The result on the wire: the structs of `apps/wire/run.v1.schema.json`, field by field.
//!
//! Integers only: nanoseconds, bytes, counts. A field that is not here cannot leave the machine.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::engine::histogram::Distribution;
use crate::engine::pass::EndedBy;
pub use crate::engine::queue::OpenLoop;
pub use crate::metadata::CloudMetadata;
use crate::probe::printable;

/// `payloadType` of a run.
pub const RUN_TYPE: &str = "application/vnd.fsyncmark.run.v1+json";
/// The value of `schema` in a run.
pub const RUN_SCHEMA: &str = "fsyncmark.run/1";
/// The version of the upload terms that a yes refers to.
pub const TERMS_VERSION: u32 = 1;

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
    pub suite: Suite,
    /// Nothing until somebody has said yes; no server takes a run without it.
    pub consent: Option<Consent>,
    pub clock: Clock,
    pub machine: String,
    pub claim: Claim,
    pub env: Env,
    pub stack: Vec<String>,
    pub devices: Vec<Device>,
    pub workloads: Vec<Workload>,
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
pub struct Suite {
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

/// When, how long, and by which clock.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)]
pub struct Clock {
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
pub struct Env {
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
    /// Not there where nobody was asked, or nobody answered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cloud_metadata: Option<CloudMetadata>,
    pub container: Option<String>,
    pub cpu_governor: Option<String>,
    /// Over the run.
    pub steal_permille: Option<u32>,
    pub limits: Limits,
    pub fs: String,
    pub mount_flags: Vec<String>,
    pub fs_size_bytes: u64,
    pub fs_free_bytes: u64,
    pub other_io: OtherIo,
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
    /// Of any device below the filesystem; so below.
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

/// What the device did in an idle interval before the run.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)]
pub struct OtherIo {
    /// 0 where it could not be watched.
    pub interval_ns: u64,
    pub reads: u64,
    pub writes: u64,
    pub bytes: u64,
}

impl OtherIo {
    /// Another interval in which the devices were watched.
    pub fn add(&mut self, more: &Self) {
        self.interval_ns += more.interval_ns;
        self.reads += more.reads;
        self.writes += more.writes;
        self.bytes += more.bytes;
    }
}

/// What measured a workload.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)]
pub struct Engine {
    pub kind: String,
    pub writers: u32,
    pub queue_depth: u32,
    /// Operations in flight on average, in thousandths: the latencies added up over the elapsed time.
    pub effective_depth_milli: u64,
    pub cpu_ns: u64,
    /// Why it is not the engine that the workload asks for.
    pub fallback: Option<String>,
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
}

/// A PCI Express link as trained, and at its best.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)]
pub struct PcieLink {
    pub speed_mts: u32,
    pub width: u32,
    pub speed_max_mts: u32,
    pub width_max: u32,
}

/// One workload's figures.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)]
pub struct Workload {
    pub id: String,
    pub version: u16,
    pub operations: u64,
    pub bytes: u64,
    pub elapsed_ns: u64,
    pub sample_ns: u64,
    pub passes: Vec<Pass>,
    pub histograms: Histograms,
    pub flushes: Option<u64>,
    pub device_bytes: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub engine: Option<Engine>,
    /// What the devices did in the moments before the passes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub other_io: Option<OtherIo>,
}

impl Workload {
    /// The latencies of whole operations: commits; else reads and writes, both together where it has both; or
    /// where there is nothing else what there is.
    pub fn whole_operations(&self) -> Option<Distribution> {
        let Histograms { write, sync, commit, read, lag } = &self.histograms;
        if let (None, Some(reads), Some(writes)) = (commit, read, write) {
            return Some(Distribution::from(reads).plus(&writes.into()));
        }
        [commit, read, write, sync, lag].into_iter().flatten().next().map(Into::into)
    }

    /// Whether operations arrived by themselves: over its passes, at many rates, it then has neither a rate nor
    /// percentiles of its own.
    pub fn is_open_loop(&self) -> bool {
        self.passes.iter().any(|pass| pass.open_loop.is_some())
    }
}

/// One pass of a workload.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)]
pub struct Pass {
    pub operations: u64,
    pub bytes: u64,
    pub elapsed_ns: u64,
    pub ended_by: PassEnd,
    pub rate_samples: Vec<u64>,
    /// Only where operations arrived by themselves.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub open_loop: Option<OpenLoop>,
}

impl Pass {
    /// Whether nothing cut it short.
    pub fn is_whole(&self) -> bool {
        !matches!(self.ended_by, PassEnd::Interrupted | PassEnd::Error)
    }
}

/// Why a pass ended, in the wire's words.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[allow(missing_docs)]
pub enum PassEnd {
    Time,
    Bytes,
    TimeLimit,
    Interrupted,
    Error,
}

impl From<EndedBy> for PassEnd {
    fn from(ended_by: EndedBy) -> Self {
        match ended_by {
            EndedBy::Time => Self::Time,
            EndedBy::Bytes => Self::Bytes,
            EndedBy::TimeLimit => Self::TimeLimit,
            EndedBy::Interrupted => Self::Interrupted,
            EndedBy::Error => Self::Error,
        }
    }
}

/// The histograms that a workload has.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)]
pub struct Histograms {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub write: Option<Histogram>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sync: Option<Histogram>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub commit: Option<Histogram>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub read: Option<Histogram>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lag: Option<Histogram>,
}

impl Histograms {
    /// Those that are there, with their names.
    pub fn present(&self) -> impl Iterator<Item = (&'static str, &Histogram)> {
        [
            ("write", &self.write),
            ("sync", &self.sync),
            ("commit", &self.commit),
            ("read", &self.read),
            ("lag", &self.lag),
        ]
        .into_iter()
        .filter_map(|(name, histogram)| Some((name, histogram.as_ref()?)))
    }
}

/// A sparse histogram of the kind `log128`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)]
pub struct Histogram {
    pub kind: HistogramKind,
    pub sum_ns: u64,
    pub min_ns: u64,
    pub max_ns: u64,
    pub counts: Vec<(usize, u64)>,
}

/// The one kind of histogram.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs)]
pub enum HistogramKind {
    Log128,
}

impl From<Distribution> for Histogram {
    fn from(distribution: Distribution) -> Self {
        let Distribution { counts, sum_ns, min_ns, max_ns } = distribution;
        Self { kind: HistogramKind::Log128, sum_ns, min_ns, max_ns, counts }
    }
}

impl From<&Histogram> for Distribution {
    fn from(histogram: &Histogram) -> Self {
        let Histogram { kind: HistogramKind::Log128, sum_ns, min_ns, max_ns, counts } = histogram;
        Self { counts: counts.clone(), sum_ns: *sum_ns, min_ns: *min_ns, max_ns: *max_ns }
    }
}
