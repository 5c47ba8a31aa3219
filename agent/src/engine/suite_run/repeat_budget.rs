//! How many passes that others disturbed may be run again.

use crate::engine::pass::PassOutcome;
use crate::plan::Plan;
use crate::plan::workload::{Stage, WorkloadDefinition};

/// A disturbed pass is run again at most this often, and stays as it is then: who waits for a quiet machine has
/// `--wait-quiet`.
pub const REPEATS_MAX: usize = 2;
/// In all, one pass of so many is run again: a run on a busy machine takes a quarter longer, not three times as long.
const PASSES_PER_REPEAT: usize = 4;

/// What is left for running passes again: a run says beforehand how much it writes at most, and stays within that.
pub struct Repeats {
    passes_left: usize,
    /// What passes so far have left of what they might have written.
    bytes_left: u64,
}

impl Repeats {
    /// For a plan of so many passes.
    pub fn of(plan: &Plan, steps: usize) -> Self {
        Self { passes_left: steps.div_ceil(PASSES_PER_REPEAT), bytes_left: plan.bytes_spare() }
    }

    /// Notes a pass that ran.
    pub fn note(&mut self, workload: &WorkloadDefinition, pass: &PassOutcome) {
        let written = pass.bytes.saturating_add(workload.bytes_beside_pass_max());
        self.bytes_left += workload.pass_bytes_written_max().saturating_sub(written);
    }

    /// Takes another pass of this workload, if there is one.
    pub fn take(&mut self, workload: &WorkloadDefinition) -> bool {
        let bytes = workload.pass_bytes_written_max();
        // Workloads of the other stages change the state that their next pass begins in.
        let may_be_repeated = workload.stage == Stage::Interleaved;
        if !may_be_repeated || self.passes_left == 0 || self.bytes_left < bytes {
            return false;
        }
        self.passes_left -= 1;
        self.bytes_left -= bytes;
        true
    }
}
