//! How many passes that others disturbed may be run again.

use crate::engine::pass::PassOutcome;
use crate::plan::Plan;
use crate::plan::workload::{Stage, WorkloadDefinition};

/// A disturbed pass is run again at most this often; after that it is kept although it was disturbed.
/// `--wait-quiet` is for those who would rather wait.
pub const REPEATS_MAX: usize = 2;
/// In all, one in this many passes is run again: a run on a busy machine takes a quarter longer, not three
/// times as long.
const PASSES_PER_REPEAT: usize = 4;

/// How many passes, and how many bytes, may still be spent on running passes again. A run says beforehand how
/// much it writes at most, and repeats stay within that.
pub struct Repeats {
    passes_left: usize,
    /// The bytes that passes so far might have written and did not.
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

    /// Spends one more pass of this workload, if the budget has it.
    pub fn take(&mut self, workload: &WorkloadDefinition) -> bool {
        let bytes = workload.pass_bytes_written_max();
        // A pass of another stage changes the state of the device in which the next pass begins.
        let may_be_repeated = workload.stage == Stage::Interleaved;
        if !may_be_repeated || self.passes_left == 0 || self.bytes_left < bytes {
            return false;
        }
        self.passes_left -= 1;
        self.bytes_left -= bytes;
        true
    }
}
