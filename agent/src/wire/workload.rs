//! The figures of one workload on the wire: its passes, its histograms, and what measured them.

use serde::{Deserialize, Serialize};

use crate::enumeration::enumeration;
use crate::wire::histogram::Distribution;
use crate::wire::interference::Interference;

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
    /// Absent where the file does not lie on ZFS.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub intent_log_commits: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub engine: Option<Engine>,
    /// Passes that were thrown away and run again, because others disturbed them.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub repeated_passes: u32,
}

impl Workload {
    /// The latencies of whole operations: of commits; without commits, of reads and writes together. A probe
    /// that has none of these, such as the gaps of the clock, gives the latencies that it has.
    pub fn whole_operations(&self) -> Option<Distribution> {
        whole_operations_or_probe(|kind| self.histograms.get(kind).map(Into::into))
    }

    /// Whether it is an open loop: it ran at many rates, so over all passes it has neither a rate nor
    /// percentiles.
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
    /// Only for an open loop.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub open_loop: Option<OpenLoop>,
    /// Absent where nothing can be seen.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub interference: Option<Interference>,
}

impl Pass {
    /// Whether it ended by its own limits, and not by an error or by Ctrl-C.
    pub fn is_whole(&self) -> bool {
        !matches!(self.ended_by, EndReason::Interrupted | EndReason::Error)
    }
}

/// The purpose of a pass in an open loop.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Purpose {
    /// A trial of a search for the highest rate that is answered in time.
    Search,
    /// Shows the latencies at a share of the capacity.
    Load,
}

/// What a pass in an open loop was offered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OpenLoop {
    /// What it was for.
    pub purpose: Purpose,
    /// Arrivals a second while operations counted, rounded down.
    pub offered_per_s: u64,
    /// Median latency from the intended arrival.
    pub p50_ns: u64,
    /// The 99th percentile.
    pub p99_ns: u64,
    /// The 99th percentile of the generator's lag: how late operations were begun although a slot was free.
    pub lag_p99_ns: u64,
}

/// Why a pass ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum EndReason {
    /// It ran long enough, with enough operations.
    Time,
    /// It reached its limit of bytes.
    Bytes,
    /// The device was too slow for the wanted number of operations.
    TimeLimit,
    /// Ctrl-C.
    Interrupted,
    /// The device or filesystem failed.
    Error,
}

enumeration! {
    /// The kinds of latency, in the order of the wire format. Each has its own histogram wherever latencies
    /// are counted, sent or shown; this is the only list of them.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum LatencyKind {
        /// The write alone.
        Write,
        /// The sync alone.
        Sync,
        /// The whole commit: write and sync.
        Commit,
        /// A read.
        Read,
        /// How late an operation was begun; for the hiccup probe, the gap between two clock readings.
        Lag,
    }
}

impl LatencyKind {
    /// Its name on the wire.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Write => "write",
            Self::Sync => "sync",
            Self::Commit => "commit",
            Self::Read => "read",
            Self::Lag => "lag",
        }
    }
}

/// The latencies of whole operations: of commits; without commits, of reads and writes together. `of` gives
/// the latencies of a kind.
pub fn whole_operations(of: impl Fn(LatencyKind) -> Option<Distribution>) -> Option<Distribution> {
    of(LatencyKind::Commit).or_else(|| match (of(LatencyKind::Read), of(LatencyKind::Write)) {
        (Some(reads), Some(writes)) => Some(reads.plus(&writes)),
        (reads, writes) => reads.or(writes),
    })
}

/// The latencies of whole operations; for a probe that has none, the latencies that it has.
pub fn whole_operations_or_probe(of: impl Fn(LatencyKind) -> Option<Distribution>) -> Option<Distribution> {
    whole_operations(&of).or_else(|| of(LatencyKind::Sync)).or_else(|| of(LatencyKind::Lag))
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
    /// The histogram of each kind, as `of` gives it.
    pub fn collect(of: impl Fn(LatencyKind) -> Option<HistogramData>) -> Self {
        Self {
            write: of(LatencyKind::Write),
            sync: of(LatencyKind::Sync),
            commit: of(LatencyKind::Commit),
            read: of(LatencyKind::Read),
            lag: of(LatencyKind::Lag),
        }
    }

    /// The histogram of one kind.
    pub fn get(&self, kind: LatencyKind) -> Option<&HistogramData> {
        match kind {
            LatencyKind::Write => self.write.as_ref(),
            LatencyKind::Sync => self.sync.as_ref(),
            LatencyKind::Commit => self.commit.as_ref(),
            LatencyKind::Read => self.read.as_ref(),
            LatencyKind::Lag => self.lag.as_ref(),
        }
    }

    /// The histograms that are present.
    pub fn present(&self) -> impl Iterator<Item = (LatencyKind, &HistogramData)> {
        LatencyKind::ALL.into_iter().filter_map(|kind| Some((kind, self.get(kind)?)))
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

/// The engine that measured a workload.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)]
pub struct Engine {
    pub kind: String,
    pub writers: u32,
    pub queue_depth: u32,
    /// Mean number of operations in flight, in thousandths: the sum of the latencies over the elapsed time.
    pub effective_depth_milli: u64,
    pub cpu_ns: u64,
    /// Why it is not the engine that the workload asks for, or which call the kernel refused to it.
    pub fallback: Option<String>,
}

// The signature is serde's.
#[allow(clippy::trivially_copy_pass_by_ref)]
const fn is_zero(count: &u32) -> bool {
    *count == 0
}

#[cfg(test)]
mod tests {
    use super::LatencyKind::{Commit, Lag, Read, Sync, Write};
    use super::*;

    fn of_one(ns: u64) -> HistogramData {
        HistogramData {
            kind: HistogramKind::Log128,
            sum_ns: ns,
            min_ns: ns,
            max_ns: ns,
            counts: vec![(usize::try_from(ns).unwrap(), 1)],
        }
    }

    #[test]
    fn each_kind_of_latency_is_written_under_its_name_and_found_again() {
        for kind in LatencyKind::ALL {
            let histograms = Histograms::collect(|other| (other == kind).then(|| of_one(7)));
            let written = serde_json::to_value(&histograms).unwrap();
            assert_eq!(written.as_object().unwrap().keys().collect::<Vec<_>>(), [kind.name()]);
            assert_eq!(histograms.get(kind), Some(&of_one(7)));
            assert_eq!(histograms.present().map(|(present, _)| present).collect::<Vec<_>>(), [kind]);
        }
    }

    #[test]
    fn whole_operations_are_commits_then_transfers_and_only_a_probe_has_less() {
        let max_ns = |kinds: &[LatencyKind]| {
            let of = |kind: LatencyKind| {
                kinds.contains(&kind).then(|| Distribution::from(&of_one(10 + kind as u64)))
            };
            (whole_operations(of).map(|all| all.max_ns), whole_operations_or_probe(of).map(|all| all.max_ns))
        };
        for (kinds, transfers, with_probes) in [
            (&[Write, Sync, Commit, Lag][..], Some(12), Some(12)),
            (&[Write, Read, Lag], Some(13), Some(13)),
            (&[Write], Some(10), Some(10)),
            (&[Sync, Lag], None, Some(11)),
            (&[Lag], None, Some(14)),
            (&[], None, None),
        ] {
            assert_eq!(max_ns(kinds), (transfers, with_probes), "{kinds:?}");
        }
    }
}
