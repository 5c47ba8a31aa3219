//! What is shown while the suite runs.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use super::Terminal;
use crate::engine::recorder::Recorder;
use crate::engine::sync::Pass;
use crate::measure::Observer;
use crate::units;
use crate::workload::Workload;
use crate::workload::schedule::Step;

/// Lines for a file, a pipe or a dumb terminal.
pub struct PlainDisplay<'a> {
    terminal: Terminal,
    workloads: &'a [&'static Workload],
    recorders: &'a [Arc<Recorder>],
    announced: AtomicU64,
}

impl<'a> PlainDisplay<'a> {
    /// Prints lines to `terminal`.
    pub fn new(
        terminal: Terminal,
        workloads: &'a [&'static Workload],
        recorders: &'a [Arc<Recorder>],
    ) -> Self {
        Self { terminal, workloads, recorders, announced: AtomicU64::new(0) }
    }
}

impl Observer for PlainDisplay<'_> {
    fn preparing(&self, _done_bytes: u64, total_bytes: u64) {
        if self.announced.swap(total_bytes, Relaxed) != total_bytes {
            self.terminal.say(&format!("  filling {} of test files", units::bytes(total_bytes)));
        }
    }

    fn skipped(&self, workload: &Workload, reason: &str) {
        self.terminal.say(&format!("  {} is left out: {reason}", workload.id));
    }

    fn pass_started(&self, _step: Step) {}

    fn pass_finished(&self, step: Step, pass: &Pass) {
        let workload = self.workloads[step.workload];
        let rate = pass.operations as f64 * 1e9 / pass.elapsed_ns.max(1) as f64;
        let p99 = self.recorders[step.workload]
            .whole_operations()
            .map_or(0, |latencies| latencies.percentile_ns(9_900));
        self.terminal.say(&format!(
            "  {:<16} pass {} of {}  {:>9} /s  p99 {:>8}",
            workload.id,
            step.pass + 1,
            workload.passes,
            units::rate(rate),
            units::latency(p99),
        ));
    }
}
