//! The final line of a workload whose passes are over.

use crate::analysis::figures::percentile_text;
use crate::engine::recorder::Recorder;
use crate::plan::workload::WorkloadDefinition;
use crate::units;

use super::wrapping::{hang, visible_length};

/// The fewest columns of a name.
pub(super) const NAME_COLUMNS_MIN: usize = 18;

/// Columns of the longest name, and one more.
pub(super) fn name_columns(workloads: &[&'static WorkloadDefinition]) -> usize {
    workloads.iter().map(|workload| workload.id.len() + 1).max().unwrap_or(0).max(NAME_COLUMNS_MIN)
}

/// The final line of a workload, over all its passes; `None` if no operation finished. A search has many
/// rates, so its line only points to the tables. Percentiles that do not fit within `width` stand below.
pub(super) fn result_line(
    workload: &WorkloadDefinition,
    recorder: &Recorder,
    name_columns: usize,
    width: usize,
) -> Option<String> {
    let rate = recorder.totals().per_second()?;
    if workload.slo.is_some() {
        return Some(hang(&format!("{:<name_columns$}searched; what it found is below", workload.id), width));
    }
    let latencies = recorder.whole_operations();
    let latency = |q| latencies.as_ref().map(|l| percentile_text(l, q)).unwrap_or_default();
    let begin = format!("  {:<name_columns$}{:>11} /s", workload.id, units::rate(rate));
    let percentiles = format!("   p50 {:>8}   p99 {:>8}", latency(5_000), latency(9_900));
    let fits = visible_length(&begin) + visible_length(&percentiles) <= width;
    Some(if fits { begin + &percentiles } else { format!("{begin}\n {percentiles}") })
}
