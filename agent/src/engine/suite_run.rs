//! Runs the passes of a suite in their order, runs those again that others disturbed, and keeps what was
//! measured when one fails.
//!
//! `setup` is what it is given, `preparation` lays out the files and leaves out what cannot be measured,
//! `measured_interference` measures what else goes on during each pass, `repeat_budget` says how many run
//! again, `failures` puts errors into words.

pub mod failures;
pub mod measured_interference;
pub mod preparation;
pub mod repeat_budget;
pub mod setup;

use std::io;
use std::sync::Arc;

use crate::analysis::disturbance::{Bystanders, OthersShare, PassTotals};
use crate::disk::ring_queue::RingSupport;
use crate::disk::test_site::TestSite;
use crate::engine::open_loop::OfferedLoad;
use crate::engine::pass::{Gate, PassOutcome};
use crate::engine::recorder::Recorder;
use crate::engine::slo_search::Search;
use crate::engine::suite_run::failures::{attempt_in_words, failure, interruption};
use crate::engine::suite_run::measured_interference::{Moment, interference};
use crate::engine::suite_run::preparation::{Omission, Omissions, prepare};
use crate::engine::suite_run::repeat_budget::{REPEATS_MAX, Repeats};
use crate::engine::suite_run::setup::Setup;
use crate::engine::writer_tasks::{self, EngineChoice};
use crate::engine::writer_threads::{self, Writer};
use crate::error::{Error, Result};
use crate::plan::pass_limits::PassLimits;
use crate::plan::schedule::{self, Step};
use crate::plan::workload::{FileState, WorkloadDefinition};
use crate::wire::interference::Interference;
use crate::wire::workload::EndReason;

/// Length of the intervals in which operations are counted for the rate.
pub const SAMPLE_NS: u64 = 100_000_000;

/// The results of one workload.
#[derive(Debug)]
pub struct WorkloadOutcome {
    /// The workload.
    pub workload: &'static WorkloadDefinition,
    /// The engine that measured it.
    pub engine_choice: EngineChoice,
    /// Histograms and totals over all passes.
    pub recorder: Arc<Recorder>,
    /// Each pass with at least one operation.
    pub passes: Vec<PassOutcome>,
    /// Flush requests that the devices finished during the passes.
    pub flushes: Option<u64>,
    /// Bytes that the devices wrote during the passes, for any program.
    pub device_bytes: Option<u64>,
    /// Commits of ZFS' intent log during the passes.
    pub intent_log_commits: Option<u64>,
    /// CPU time of this process during the passes.
    pub cpu_ns: u64,
    /// Passes that were thrown away and run again.
    pub repeated_passes: u32,
}

/// The results of a suite.
#[derive(Debug)]
pub struct SuiteOutcome {
    /// SHA-256 over blocks that were read back, where the server gave the seed.
    pub seed_proof: Option<String>,
    /// One entry per workload that finished an operation.
    pub workloads: Vec<WorkloadOutcome>,
    /// Workloads that cannot be measured here.
    pub omissions: Vec<Omission>,
    /// The error that ended the run early.
    pub ended_early: Option<Error>,
}

/// Runs the whole suite.
pub fn run_suite<S: TestSite>(site: &mut S, setup: &Setup<'_>) -> SuiteOutcome {
    let mut runs: Vec<WorkloadRun> = setup
        .plan
        .workloads
        .iter()
        .zip(setup.recorders)
        .map(|(workload, recorder)| WorkloadRun::new(workload, recorder, setup.ring))
        .collect();
    let mut omissions = Omissions { observer: setup.observer, all: Vec::new() };
    let mut seed_proof = None;
    let result = prepare(site, setup, &mut omissions).and_then(|proof| {
        seed_proof = proof;
        measure_all(site, setup, &mut runs, &mut omissions)
    });
    SuiteOutcome {
        seed_proof,
        workloads: runs
            .into_iter()
            .filter(|run| !run.result.passes.is_empty())
            .map(|run| run.result)
            .collect(),
        omissions: omissions.all,
        ended_early: result.err(),
    }
}

/// Runs every pass in its order and leaves out workloads that cannot be measured here. What happens between
/// two passes belongs here; whatever waits has to watch `setup.stop`, which is Ctrl-C.
fn measure_all<S: TestSite>(
    site: &mut S,
    setup: &Setup<'_>,
    runs: &mut [WorkloadRun],
    omissions: &mut Omissions<'_>,
) -> Result<()> {
    let steps = schedule::order(&setup.plan.workloads);
    let mut repeats = Repeats::of(setup.plan, steps.len());
    for step in steps {
        let workload = setup.plan.workloads[step.workload];
        if omissions.has(workload) {
            continue;
        }
        if runs[step.workload].run(site, setup, step, &mut repeats)? == PassCompletion::Unsupported {
            omissions.add(workload, "this system cannot do what it consists of");
        }
    }
    Ok(())
}

/// The outcome of one pass.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum PassCompletion {
    Done,
    /// The system refused the first operation, as some filesystems refuse `RWF_DSYNC`.
    Unsupported,
}

struct WorkloadRun {
    result: WorkloadOutcome,
    search: Option<Search>,
}

/// A pass that ran, and may have to be run again.
struct Attempt {
    pass: PassOutcome,
    offer: Option<OfferedLoad>,
    /// The counters of the machine when it began and when it was over; `None` if it failed before operations
    /// counted.
    span: Option<(Moment, Moment)>,
}

impl WorkloadRun {
    fn new(workload: &'static WorkloadDefinition, recorder: &Arc<Recorder>, ring: &RingSupport) -> Self {
        let result = WorkloadOutcome {
            workload,
            engine_choice: writer_tasks::engine_choice(workload, ring),
            recorder: Arc::clone(recorder),
            passes: Vec::with_capacity(workload.passes.into()),
            flushes: Some(0),
            device_bytes: Some(0),
            intent_log_commits: Some(0),
            cpu_ns: 0,
            repeated_passes: 0,
        };
        Self { result, search: workload.slo.map(Search::new) }
    }

    /// Runs a pass, and again where others disturbed it.
    fn run<S: TestSite>(
        &mut self,
        site: &mut S,
        setup: &Setup<'_>,
        step: Step,
        repeats: &mut Repeats,
    ) -> Result<PassCompletion> {
        setup.observer.pass_started(step);
        let workload = self.result.workload;
        let before = self.result.recorder.copy();
        let mut attempt = self.attempt(site, setup, step)?;
        repeats.note(workload, &attempt.pass);
        for _ in 0..REPEATS_MAX {
            let others = self.others(&attempt.pass, &setup.bystanders);
            if !others.disturbs() || !attempt.pass.is_whole() || !repeats.take(workload) {
                break;
            }
            setup.observer.pass_repeated(step, others);
            let disturbed = self.result.recorder.copy();
            self.result.recorder.set_to(&before);
            match self.attempt(site, setup, step) {
                Ok(again) if again.pass.is_whole() => attempt = again,
                // The disturbed pass is whole, which is more than this one: it is kept.
                cut_short => {
                    self.result.recorder.set_to(&disturbed);
                    self.accept(setup, step, attempt)?;
                    return cut_short.and_then(|mut again| self.completion(&mut again.pass));
                }
            }
            self.result.repeated_passes += 1;
            repeats.note(workload, &attempt.pass);
        }
        self.accept(setup, step, attempt)
    }

    /// Runs a pass with its warm-up. A warm-up that would use up the space of the file is a pass of its own
    /// before, and the file is made anew between the two.
    fn attempt<S: TestSite>(&mut self, site: &mut S, setup: &Setup<'_>, step: Step) -> Result<Attempt> {
        let workload = self.result.workload;
        let mut limits = workload.limits;
        if workload.file_state != FileState::Overwritten {
            // The warm-up uses up space that the pass needs, so the file is made anew after it.
            let uncounted = Recorder::for_writers(self.result.engine_choice.writers);
            let only_warm = PassLimits { pass_ns_min: 0, pass_operations_min: 0, ..limits };
            let warm = self.pass(site, setup, &only_warm, &uncounted, None)?.0;
            if warm.error.is_some() {
                let pass = PassOutcome { operations: 0, ..warm };
                return Ok(Attempt { pass, offer: None, span: None });
            }
            limits = limits.without_warm_up();
        }
        let recorder = Arc::clone(&self.result.recorder);
        let offer = self.search.as_ref().and_then(|search| search.offer(step.pass));
        let (mut pass, before) = self.pass(site, setup, &limits, &recorder, offer)?;
        let span = before.map(|before| (before, Moment::now(site)));
        pass.interference = span.and_then(|(before, after)| interference(&pass, &before, &after));
        Ok(Attempt { pass, offer, span })
    }

    /// What other programs had of a pass.
    fn others(&self, pass: &PassOutcome, bystanders: &Bystanders) -> OthersShare {
        let PassOutcome { operations, bytes, elapsed_ns, .. } = *pass;
        let share = |seen: &Interference| {
            let totals = PassTotals { operations, bytes, elapsed_ns };
            bystanders.share_of_others(self.result.workload, totals, seen)
        };
        pass.interference.as_ref().map(share).unwrap_or_default()
    }

    /// Adds a pass to the result.
    fn accept(&mut self, setup: &Setup<'_>, step: Step, attempt: Attempt) -> Result<PassCompletion> {
        let Attempt { mut pass, offer, span } = attempt;
        if let Some((before, after)) = span {
            self.add_counters(&before, &after);
        }
        if let Some(search) = &mut self.search {
            search.record_pass(offer, &pass);
        }
        let reason = &mut self.result.engine_choice.reason;
        *reason = reason.take().or(pass.fallback.take());
        setup.observer.pass_finished(step, &pass);
        let completion = self.completion(&mut pass);
        if pass.operations > 0 {
            self.result.passes.push(pass);
        }
        completion
    }

    /// What the end of a pass means.
    fn completion(&self, pass: &mut PassOutcome) -> Result<PassCompletion> {
        match (pass.error.take(), pass.ended_by) {
            (Some(error), _) => self.judge_failure(pass, &error),
            (None, EndReason::Interrupted) => Err(interruption()),
            (None, _) => Ok(PassCompletion::Done),
        }
    }

    /// What the error of a pass means: the end of the run, or of this workload alone.
    fn judge_failure(&self, pass: &PassOutcome, error: &io::Error) -> Result<PassCompletion> {
        let is_first = pass.operations == 0 && self.result.passes.is_empty();
        if is_first && error.kind() == io::ErrorKind::Unsupported {
            return Ok(PassCompletion::Unsupported);
        }
        Err(failure(&attempt_in_words(self.result.workload), error))
    }

    /// Runs one warm-up and one pass of all writers, on files in their first state. The moment before the
    /// pass is known only if the warm-up finished.
    fn pass<S: TestSite>(
        &self,
        site: &mut S,
        setup: &Setup<'_>,
        limits: &PassLimits,
        recorder: &Recorder,
        offer: Option<OfferedLoad>,
    ) -> Result<(PassOutcome, Option<Moment>)> {
        let (workload, choice) = (self.result.workload, &self.result.engine_choice);
        let opening = |error: &io::Error| failure("open the test file", error);
        if workload.file_state != FileState::Overwritten {
            workload.files().into_iter().try_for_each(|file| site.reset(file)).map_err(|e| opening(&e))?;
        }
        let log = writer_tasks::group_log(workload);
        let mut writers = Vec::with_capacity(choice.writers);
        for index in 0..choice.writers {
            let (disk, clock) = site.open(workload, index).map_err(|error| opening(&error))?;
            writers.push(Writer {
                disk,
                clock,
                task: writer_tasks::task(workload, choice, index, log.as_ref(), offer),
            });
        }
        let mut before = None;
        let mut on_start = || before = Some(Moment::now(site));
        let gate = Gate::new(setup.stop, &mut on_start);
        let pass = writer_threads::run(writers, limits, recorder, SAMPLE_NS, &gate);
        Ok((pass, before))
    }

    fn add_counters(&mut self, before: &Moment, after: &Moment) {
        let delta = before.activity.device.zip(after.activity.device).map(|(then, now)| now.since(&then));
        let result = &mut self.result;
        result.flushes = added(result.flushes, before.activity.flushes, after.activity.flushes);
        result.device_bytes = result.device_bytes.zip(delta).map(|(sum, more)| sum + more.bytes_written);
        let (then, now) = (before.activity.intent_log_commits, after.activity.intent_log_commits);
        result.intent_log_commits = added(result.intent_log_commits, then, now);
        result.cpu_ns += after.cpu_ns.saturating_sub(before.cpu_ns);
    }
}

/// A sum with what a counter rose by; `None` where one of the three is not known.
fn added(sum: Option<u64>, then: Option<u64>, now: Option<u64>) -> Option<u64> {
    Some(sum? + now?.saturating_sub(then?))
}
