//! The final picture.

use super::Terminal;
use crate::engine::histogram::Distribution;
use crate::payload::Run;
use crate::units;

/// Prints what was measured.
pub fn print(terminal: &Terminal, run: &Run) {
    for workload in &run.workloads {
        let rate = workload.operations as f64 * 1e9 / workload.elapsed_ns.max(1) as f64;
        let whole = workload.histograms.commit.as_ref().or(workload.histograms.read.as_ref());
        let at = |q: u64| whole.map_or(0, |histogram| Distribution::from(histogram).percentile_ns(q));
        terminal.say(&format!(
            "  {:<18}{:>10} /s  p50 {:>8}  p99 {:>8}  p99.9 {:>8}",
            workload.id,
            units::rate(rate),
            units::latency(at(5_000)),
            units::latency(at(9_900)),
            units::latency(at(9_990))
        ));
    }
}
