//! The figures of one workload on the wire: its passes, its histograms, and what measured them.

use serde::{Deserialize, Serialize};

use crate::wire::histogram::Distribution;

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
    pub ended_by: EndReason,
    pub rate_samples: Vec<u64>,
    /// Only where operations arrived by themselves.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub open_loop: Option<OpenLoop>,
}

impl Pass {
    /// Whether nothing cut it short.
    pub fn is_whole(&self) -> bool {
        !matches!(self.ended_by, EndReason::Interrupted | EndReason::Error)
    }
}

/// What a pass in an open loop is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Purpose {
    /// A trial of a search for the highest rate that is answered in time.
    Search,
    /// To see the latencies at a share of the capacity.
    Load,
}

/// What a pass was offered whose operations arrived by themselves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OpenLoop {
    /// What it was for.
    pub purpose: Purpose,
    /// Arrivals while it counted, a second, rounded down.
    pub offered_per_s: u64,
    /// Median latency from the intended arrival.
    pub p50_ns: u64,
    /// The 99th percentile.
    pub p99_ns: u64,
    /// The 99th percentile of how late operations were begun though a slot was free.
    pub lag_p99_ns: u64,
}

/// Why a pass ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum EndReason {
    /// Long enough, with enough operations.
    Time,
    /// Its bytes were used up.
    Bytes,
    /// Too slow for the wanted number of operations.
    TimeLimit,
    /// Ctrl-C.
    Interrupted,
    /// The device or filesystem failed.
    Error,
}

/// The histograms that a workload has.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)]
pub struct Histograms {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub write: Option<HistogramData>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sync: Option<HistogramData>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub commit: Option<HistogramData>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub read: Option<HistogramData>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lag: Option<HistogramData>,
}

impl Histograms {
    /// Those that are there, with their names.
    pub fn present(&self) -> impl Iterator<Item = (&'static str, &HistogramData)> {
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
pub struct HistogramData {
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

impl From<Distribution> for HistogramData {
    fn from(distribution: Distribution) -> Self {
        let Distribution { counts, sum_ns, min_ns, max_ns } = distribution;
        Self { kind: HistogramKind::Log128, sum_ns, min_ns, max_ns, counts }
    }
}

impl From<&HistogramData> for Distribution {
    fn from(histogram: &HistogramData) -> Self {
        let HistogramData { kind: HistogramKind::Log128, sum_ns, min_ns, max_ns, counts } = histogram;
        Self { counts: counts.clone(), sum_ns: *sum_ns, min_ns: *min_ns, max_ns: *max_ns }
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
