//! Carries out the plan of a run, from a seed to figures.

use std::sync::Arc;

use crate::analysis::disturbance::Bystanders;
use crate::delivery::server::Challenge;
use crate::disk::contents::Seed;
use crate::disk::folder_lock::FolderLock;
use crate::disk::ring_queue::RingSupport;
use crate::disk::test_folder::TestFolder;
use crate::engine::recorder::Recorder;
use crate::engine::suite_run::preparation::Omission;
use crate::engine::suite_run::setup::Setup;
use crate::engine::suite_run::{self, SuiteOutcome};
use crate::engine::writer_tasks;
use crate::error::Error;
use crate::plan::Plan;
use crate::plan::workload::WorkloadDefinition;
use crate::probe::Facts;
use crate::probe::tree::Tree;
use crate::report::payload_assembly::{self, RunFigures};
use crate::report::terminal::{Terminal, live};
use crate::sys::clock::{self, Monotonic};
use crate::sys::signals::Stop;

use super::run_span::RunBegin;

/// The outcome of a plan.
pub(super) struct PlanOutcome {
    /// What was measured.
    pub figures: RunFigures,
    /// Workloads of the plan that cannot be measured here.
    pub omissions: Vec<Omission>,
    /// The error that ended it early.
    pub ended_early: Option<Error>,
}

/// Runs the plan, and gives the folder free again.
pub(super) fn carry_out(
    terminal: &Terminal,
    plan: &Plan,
    facts: &Facts,
    stop: &Stop,
    challenge: Option<Challenge>,
    turn: FolderLock,
) -> PlanOutcome {
    let read_cost_ns = clock::read_cost_ns(&Monotonic);
    let (challenge_id, seed) = match challenge {
        Some(challenge) => (Some(challenge.id), challenge.seed),
        None => (None, Seed::random()),
    };
    let ring = RingSupport::detect();
    let recorder = |workload: &&'static WorkloadDefinition| {
        Recorder::for_writers(writer_tasks::engine_choice(workload, &ring).writers)
    };
    let recorders: Vec<Arc<Recorder>> = plan.workloads.iter().map(recorder).map(Arc::new).collect();
    let display = live::display(*terminal, &plan.workloads, &recorders);
    let setup = Setup {
        plan,
        recorders: &recorders,
        ring: &ring,
        seed: &seed,
        stop: stop.requested(),
        bystanders: bystanders(facts),
        observer: &*display,
    };
    stop.begin();
    let tree = Tree::live();
    let begin = RunBegin::now(&tree);
    let mut folder = TestFolder::new(plan.dir.clone(), plan.naming, &facts.storage);
    let SuiteOutcome { seed_proof, workloads, omissions, ended_early } =
        suite_run::run_suite(&mut folder, &setup);
    let clock = begin.clock(&facts.machine.clock_source, read_cost_ns);
    let steal_permille = begin.steal_permille(&tree);
    drop((folder, turn));
    drop(display);
    let seed_proof = seed_proof.filter(|_| challenge_id.is_some());
    let figures = RunFigures {
        clock,
        steal_permille,
        challenge: challenge_id,
        seed_proof,
        complete: ended_early.is_none() && plan.is_whole,
        workloads: workloads.iter().map(payload_assembly::workload).collect(),
    };
    PlanOutcome { figures, omissions, ended_early }
}

/// What has to be known of this machine to tell whether others disturbed a pass.
fn bystanders(facts: &Facts) -> Bystanders {
    let classes: Vec<&str> = facts.storage.drives.iter().map(|drive| drive.class.wire_name()).collect();
    Bystanders::on(facts.machine.cpu_count, &facts.storage.layers, &facts.filesystem.mount_flags, &classes)
}
