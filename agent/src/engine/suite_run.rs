//! Runs a suite: lays out its files, runs its passes in order, and keeps what was measured when one fails.

use std::io;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use crate::disk::contents::Seed;
use crate::disk::ring_queue::RingSupport;
use crate::disk::test_site::{LayOutError, TestSite};
use crate::engine::open_loop::OfferedLoad;
use crate::engine::pass::{Gate, PassOutcome};
use crate::engine::recorder::Recorder;
use crate::engine::slo_search::Search;
use crate::engine::writer_tasks::{self, EngineChoice};
use crate::engine::writer_threads::{self, Writer};
use crate::error::{Error, Kind, Result};
use crate::plan::Plan;
use crate::plan::limits::PassLimits;
use crate::plan::schedule::{self, Step};
use crate::plan::workload::{FileSpec, FileState, HEADLINE, PageCache, WorkloadDefinition, files_of};
use crate::probe::storage::diskstats::Counters;
use crate::sys::clock;
use crate::wire::workload::{EndReason, OtherIo};

/// Length of the intervals in which operations are counted for the rate.
pub const SAMPLE_NS: u64 = 100_000_000;

/// Receives progress, outside of the timed parts.
pub trait Observer {
    /// Files are being filled.
    fn preparing(&self, done_bytes: u64, total_bytes: u64);
    /// A workload cannot be measured here.
    fn omitted(&self, workload: &WorkloadDefinition, reason: &str);
    /// A pass begins: first its warm-up.
    fn pass_started(&self, step: Step);
    /// A pass has ended.
    fn pass_finished(&self, step: Step, pass: &PassOutcome);
}

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
    /// CPU time of this process during the passes.
    pub cpu_ns: u64,
    /// What the devices did in the moments before the passes.
    pub other_io: OtherIo,
}

/// A workload that cannot be measured here.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Omission {
    /// The workload.
    pub workload: &'static WorkloadDefinition,
    /// Why, as a clause.
    pub reason: String,
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

/// Everything that stays the same during a run.
pub struct Setup<'a> {
    /// What is measured, and how.
    pub plan: &'a Plan,
    /// One recorder for each of them, which a display may watch.
    pub recorders: &'a [Arc<Recorder>],
    /// The ring that the system has.
    pub ring: &'a RingSupport,
    /// What the commit file contains.
    pub seed: &'a Seed,
    /// Set by Ctrl-C.
    pub stop: &'a AtomicBool,
    /// Receives progress.
    pub observer: &'a dyn Observer,
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

/// The workloads that cannot be measured here, as far as that is known.
struct Omissions<'a> {
    observer: &'a dyn Observer,
    all: Vec<Omission>,
}

impl Omissions<'_> {
    fn add(&mut self, workload: &'static WorkloadDefinition, reason: &str) {
        self.observer.omitted(workload, reason);
        self.all.push(Omission { workload, reason: reason.to_owned() });
    }

    fn has(&self, workload: &WorkloadDefinition) -> bool {
        self.all.iter().any(|omission| omission.workload == workload)
    }
}

/// Runs every pass in order, without those of workloads that cannot be measured here.
fn measure_all<S: TestSite>(
    site: &mut S,
    setup: &Setup<'_>,
    runs: &mut [WorkloadRun],
    omissions: &mut Omissions<'_>,
) -> Result<()> {
    for step in schedule::order(&setup.plan.workloads) {
        let workload = setup.plan.workloads[step.workload];
        if omissions.has(workload) {
            continue;
        }
        if runs[step.workload].run(site, setup, step)? == PassCompletion::Unsupported {
            omissions.add(workload, "this system cannot do what it consists of");
        }
    }
    Ok(())
}

fn past_page_cache(
    workloads: &[&'static WorkloadDefinition],
) -> impl Iterator<Item = &'static WorkloadDefinition> {
    workloads.iter().copied().filter(|workload| workload.page_cache == PageCache::Past)
}

/// Whether files can be used past the page cache on this site. Tries what the first of these workloads does.
pub fn can_bypass_page_cache<S: TestSite>(
    site: &mut S,
    workloads: &[&'static WorkloadDefinition],
) -> Result<bool> {
    let Some(first) = past_page_cache(workloads).next() else { return Ok(true) };
    site.can_bypass_page_cache(first).map_err(|error| failure("prepare the test file", &error))
}

/// Finds out what cannot be measured here and lays out the files of the other workloads. The headline's file comes
/// last, so that it is the freshest. Returns the seed proof of that file.
fn prepare<S: TestSite>(
    site: &mut S,
    setup: &Setup<'_>,
    omissions: &mut Omissions<'_>,
) -> Result<Option<String>> {
    if !can_bypass_page_cache(site, &setup.plan.workloads)? {
        past_page_cache(&setup.plan.workloads)
            .for_each(|workload| omissions.add(workload, "this filesystem has no O_DIRECT"));
    }
    if setup.ring.ring_mode.is_none() {
        let why = setup.ring.reason.as_deref().unwrap_or("this system has none");
        let reason = format!("operations that arrive by themselves need io_uring ({why})");
        let searches = setup.plan.workloads.iter().copied().filter(|workload| workload.slo.is_some());
        searches.for_each(|workload| omissions.add(workload, &reason));
    }
    let rest: Vec<_> =
        setup.plan.workloads.iter().copied().filter(|workload| !omissions.has(workload)).collect();
    let impossible = lay_out(site, setup, &files_of(&rest))?;
    for workload in rest.iter().filter(|workload| impossible.contains(&workload.file_of(0))) {
        omissions.add(workload, "this filesystem cannot give a file space without writing it");
    }
    let headline = rest.iter().find(|workload| workload.id == HEADLINE).map(|workload| workload.file_of(0));
    headline
        .map(|file| site.proof(file).map_err(|error| failure("read the test file back", &error)))
        .transpose()
}

/// Lays the files out; returns those whose state cannot be had here.
fn lay_out<S: TestSite>(site: &mut S, setup: &Setup<'_>, files: &[FileSpec]) -> Result<Vec<FileSpec>> {
    let headline = WorkloadDefinition::with_id(HEADLINE).map(|workload| workload.file_of(0));
    let is_filled = |file: &&FileSpec| file.state == FileState::Overwritten;
    let total: u64 = files.iter().filter(is_filled).map(|file| file.bytes).sum();
    let (mut done, mut impossible) = (0, Vec::new());
    for file in files {
        // Only the headline's file is described by the seed; any other gets one of its own, so that
        // no two blocks on the disk are alike.
        let own_seed = Seed::random();
        let seed = if Some(*file) == headline { setup.seed } else { &own_seed };
        let mut progress = |bytes: u64| setup.observer.preparing(done + bytes, total);
        match site.lay_out(*file, seed, setup.stop, &mut progress) {
            Ok(()) => {}
            Err(LayOutError::Stopped) => return Err(interruption()),
            Err(LayOutError::Io(error)) if error.kind() == io::ErrorKind::Unsupported => {
                impossible.push(*file);
            }
            Err(LayOutError::Io(error)) => return Err(failure("fill the test file", &error)),
        }
        done += if is_filled(&file) { file.bytes } else { 0 };
    }
    Ok(impossible)
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

/// The counters of the devices and of this process when a pass began.
struct CountersBefore {
    counters: Option<Counters>,
    cpu_ns: u64,
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
            cpu_ns: 0,
            other_io: OtherIo::default(),
        };
        Self { result, search: workload.slo.map(Search::new) }
    }

    fn run<S: TestSite>(&mut self, site: &mut S, setup: &Setup<'_>, step: Step) -> Result<PassCompletion> {
        let workload = self.result.workload;
        setup.observer.pass_started(step);
        self.result.other_io.add(&site.watch_idle());
        let mut limits = workload.limits;
        if workload.file_state != FileState::Overwritten {
            // The warm-up uses up space that the pass needs, so the file is made anew after it.
            let uncounted = Recorder::for_writers(self.result.engine_choice.writers);
            let only_warm = PassLimits { pass_ns_min: 0, pass_operations_min: 0, ..limits };
            let mut warm = self.pass(site, setup, &only_warm, &uncounted, None)?.0;
            if let Some(error) = warm.error.take() {
                return self.judge_failure(&warm, &error);
            }
            limits = limits.without_warm_up();
        }
        let recorder = Arc::clone(&self.result.recorder);
        let offer = self.search.as_ref().and_then(|search| search.offer(step.pass));
        let (mut pass, before) = self.pass(site, setup, &limits, &recorder, offer)?;
        if let Some(before) = before {
            self.add_counters(&before, site.counters());
        }
        if let Some(search) = &mut self.search {
            search.record_pass(offer, &pass);
        }
        let reason = &mut self.result.engine_choice.reason;
        *reason = reason.take().or(pass.fallback.take());
        setup.observer.pass_finished(step, &pass);
        let turn = match (pass.error.take(), pass.ended_by) {
            (Some(error), _) => self.judge_failure(&pass, &error),
            (None, EndReason::Interrupted) => Err(interruption()),
            (None, _) => Ok(PassCompletion::Done),
        };
        if pass.operations > 0 {
            self.result.passes.push(pass);
        }
        turn
    }

    /// What the error of a pass means: the end of the run, or of this workload alone.
    fn judge_failure(&self, pass: &PassOutcome, error: &io::Error) -> Result<PassCompletion> {
        let is_first = pass.operations == 0 && self.result.passes.is_empty();
        if is_first && error.kind() == io::ErrorKind::Unsupported {
            return Ok(PassCompletion::Unsupported);
        }
        Err(failure(&attempt(self.result.workload), error))
    }

    /// Runs one warm-up and one pass of all writers, on files in their first state. The counters from before the pass
    /// are known only if the warm-up finished.
    fn pass<S: TestSite>(
        &self,
        site: &mut S,
        setup: &Setup<'_>,
        limits: &PassLimits,
        recorder: &Recorder,
        offer: Option<OfferedLoad>,
    ) -> Result<(PassOutcome, Option<CountersBefore>)> {
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
        let mut on_start =
            || before = Some(CountersBefore { counters: site.counters(), cpu_ns: clock::process_cpu_ns() });
        let gate = Gate::new(setup.stop, &mut on_start);
        let pass = writer_threads::run(writers, limits, recorder, SAMPLE_NS, &gate);
        Ok((pass, before))
    }

    fn add_counters(&mut self, before: &CountersBefore, after: Option<Counters>) {
        let delta = before.counters.zip(after).map(|(before, after)| after.since(&before));
        let result = &mut self.result;
        result.flushes =
            result.flushes.zip(delta.and_then(|delta| delta.flushes)).map(|(sum, more)| sum + more);
        result.device_bytes = result.device_bytes.zip(delta).map(|(sum, more)| sum + more.bytes_written);
        result.cpu_ns += clock::process_cpu_ns().saturating_sub(before.cpu_ns);
    }
}

fn attempt(workload: &WorkloadDefinition) -> String {
    format!("measure {}", workload.id)
}

/// The error that Ctrl-C becomes.
pub fn interruption() -> Error {
    Error::new(Kind::Interrupted, "stopped before the suite was complete")
}

/// The error, with advice, for what a filesystem may answer during a run.
fn failure(attempt: &str, error: &io::Error) -> Error {
    use rustix::io::Errno;
    let is = |errno: Errno| error.raw_os_error() == Some(errno.raw_os_error());
    let failed = Error::from_io(Kind::Io, attempt, error);
    if is(Errno::NOSPC) {
        failed.advise("The filesystem filled up meanwhile. Free some space, or name a folder on another one.")
    } else if is(Errno::DQUOT) {
        failed.advise("Your disk quota here is used up. Name a folder on another filesystem.")
    } else if is(Errno::IO) {
        failed.advise("The device reported an error. Look at `dmesg`, and at the drive's health (smartctl, nvme smart-log), before you trust it with data.")
    } else if is(Errno::ROFS) {
        failed.advise("The filesystem turned read-only, which Linux does after an error. Look at `dmesg`.")
    } else {
        failed
    }
}
