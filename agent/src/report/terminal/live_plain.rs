//! What is shown while the suite runs where nothing can be redrawn: one line after another.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use super::Terminal;
use super::result_line::{name_columns, result_line};
use crate::analysis::disturbance::OthersShare;
use crate::engine::pass::PassOutcome;
use crate::engine::recorder::Recorder;
use crate::engine::suite_run::setup::Observer;
use crate::plan::schedule::Step;
use crate::plan::workload::WorkloadDefinition;
use crate::units;

/// Lines for a file, a pipe or a dumb terminal.
pub(super) struct PlainDisplay {
    terminal: Terminal,
    workloads: Vec<&'static WorkloadDefinition>,
    recorders: Vec<Arc<Recorder>>,
    name_columns: usize,
    announced_bytes: AtomicU64,
}

impl PlainDisplay {
    pub(super) fn new(
        terminal: Terminal,
        workloads: &[&'static WorkloadDefinition],
        recorders: &[Arc<Recorder>],
    ) -> Self {
        Self {
            terminal,
            workloads: workloads.to_vec(),
            recorders: recorders.to_vec(),
            name_columns: name_columns(workloads),
            announced_bytes: AtomicU64::new(0),
        }
    }
}

impl Observer for PlainDisplay {
    fn preparing(&self, _done_bytes: u64, total_bytes: u64) {
        if self.announced_bytes.swap(total_bytes, Relaxed) != total_bytes {
            self.terminal.say(&format!("  filling {} of test files", units::bytes(total_bytes)));
        }
    }

    fn omitted(&self, workload: &WorkloadDefinition, reason: &str) {
        self.terminal.say(&format!("  {} is left out: {reason}", workload.id));
    }

    fn pass_started(&self, _step: Step) {}

    fn pass_repeated(&self, step: Step, others: OthersShare) {
        let id = self.workloads[step.workload].id;
        self.terminal.say(
            &self
                .terminal
                .dim(&format!("  {id:<width$}again: others had {others}", width = self.name_columns)),
        );
    }

    fn pass_finished(&self, step: Step, pass: &PassOutcome) {
        if pass.operations == 0 {
            return;
        }
        let workload = self.workloads[step.workload];
        let recorder = &self.recorders[step.workload];
        if step.pass + 1 == workload.passes {
            let width = self.terminal.sentence_width.unwrap_or(usize::MAX);
            if let Some(line) = result_line(workload, recorder, self.name_columns, width) {
                self.terminal.say(&line);
            }
            return;
        }
        let rate = units::per_s(pass.operations, pass.elapsed_ns);
        self.terminal.say(&self.terminal.dim(&format!(
            "  {:<width$}{:>11} /s   pass {} of {}",
            workload.id,
            units::rate(rate),
            step.pass + 1,
            workload.passes,
            width = self.name_columns,
        )));
    }
}
