//! What the run of a suite is given, and the observer that it tells of its progress.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use crate::analysis::disturbance::{Bystanders, OthersShare};
use crate::disk::contents::Seed;
use crate::disk::ring_queue::RingSupport;
use crate::engine::pass::PassOutcome;
use crate::engine::recorder::Recorder;
use crate::plan::Plan;
use crate::plan::schedule::Step;
use crate::plan::workload::WorkloadDefinition;

/// Receives progress, outside of the timed parts.
pub trait Observer {
    /// Files are being filled.
    fn preparing(&self, done_bytes: u64, total_bytes: u64);
    /// A workload cannot be measured here.
    fn omitted(&self, workload: &WorkloadDefinition, reason: &str);
    /// A pass begins: first its warm-up.
    fn pass_started(&self, step: Step);
    /// A pass was disturbed by others and is run again.
    fn pass_repeated(&self, step: Step, others: OthersShare);
    /// A pass has ended.
    fn pass_finished(&self, step: Step, pass: &PassOutcome);
}

/// Everything that stays the same during a run.
pub struct Setup<'a> {
    /// What is measured, and how.
    pub plan: &'a Plan,
    /// One recorder for each workload of the plan, which a display may watch.
    pub recorders: &'a [Arc<Recorder>],
    /// The ring that the system has.
    pub ring: &'a RingSupport,
    /// What the commit file contains.
    pub seed: &'a Seed,
    /// Set by Ctrl-C.
    pub stop: &'a AtomicBool,
    /// What has to be known of the machine to tell whether others disturbed a pass.
    pub bystanders: Bystanders,
    /// Receives progress.
    pub observer: &'a dyn Observer,
}
