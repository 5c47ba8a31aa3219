//! Runs a suite: lays out its files, then its passes in order, and keeps what was measured whatever
//! happens.

use std::io;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use crate::disk::Disk;
use crate::engine::clock::Clock;
use crate::engine::contents::Seed;
use crate::engine::recorder::Recorder;
use crate::engine::samples::Samples;
use crate::engine::sync::{self, EndedBy, Job, Pass};
use crate::error::{Error, Kind, Result};
use crate::probe::diskstats::Counters;
use crate::workload::schedule::{self, Step};
use crate::workload::{FileSpec, PageCache, Workload};

/// Length of the intervals for which a rate is kept.
pub const SAMPLE_NS: u64 = 500_000_000;

/// Where test files lie: a folder, or a test's imagination.
pub trait Site {
    /// An open test file.
    type Disk: Disk;

    /// Whether files here can be used past the page cache.
    fn can_bypass_page_cache(&mut self, workload: &Workload) -> io::Result<bool>;

    /// Creates and fills a file; reports the bytes written so far.
    fn lay_out(
        &mut self,
        file: FileSpec,
        seed: &Seed,
        stop: &AtomicBool,
        progress: &mut dyn FnMut(u64),
    ) -> io::Result<()>;

    /// Reads the seed proof back from a file that was laid out.
    fn proof(&mut self, file: FileSpec) -> io::Result<String>;

    /// Opens the workload's file for a pass, its pages dropped from the page cache.
    fn open(&mut self, workload: &Workload) -> io::Result<Self::Disk>;

    /// What the devices have done since boot; `None` where they are not known.
    fn counters(&mut self) -> Option<Counters>;
}

/// Hears what goes on, between the timed parts.
pub trait Observer {
    /// Files are being filled.
    fn preparing(&self, done_bytes: u64, total_bytes: u64);
    /// A workload cannot be measured here.
    fn skipped(&self, workload: &Workload, reason: &str);
    /// A pass begins: first its warm-up.
    fn pass_started(&self, step: Step);
    /// A pass has ended.
    fn pass_finished(&self, step: Step, pass: &Pass);
}

/// One workload's figures.
#[derive(Debug)]
pub struct Measured {
    /// What was measured.
    pub workload: &'static Workload,
    /// Histograms and totals over all passes.
    pub recorder: Arc<Recorder>,
    /// Each pass with at least one operation.
    pub passes: Vec<Pass>,
    /// Flush requests that the devices finished during the passes.
    pub flushes: Option<u64>,
    /// Bytes that the devices wrote during the passes, for whomever.
    pub device_bytes: Option<u64>,
}

/// What a suite brought.
#[derive(Debug)]
pub struct Outcome {
    /// SHA-256 over blocks read back, when the seed was the server's.
    pub seed_proof: Option<String>,
    /// One entry per workload that finished an operation.
    pub workloads: Vec<Measured>,
    /// Workloads that cannot be measured here, and why.
    pub skipped: Vec<(&'static Workload, String)>,
    /// What ended the run before its time.
    pub ended_early: Option<Error>,
}

/// Everything that stays the same during a run.
pub struct Setup<'a, C> {
    /// The suite's workloads.
    pub workloads: &'a [&'static Workload],
    /// One recorder for each of them, which a display may watch.
    pub recorders: &'a [Arc<Recorder>],
    /// The clock of the timed loop.
    pub clock: &'a C,
    /// What the commit file contains.
    pub seed: &'a Seed,
    /// Set by Ctrl-C.
    pub stop: &'a AtomicBool,
    /// Who is told.
    pub observer: &'a dyn Observer,
}

/// Runs the whole suite.
pub fn run_suite<S: Site, C: Clock>(site: &mut S, setup: &Setup<'_, C>) -> Outcome {
    let mut runs: Vec<WorkloadRun> = setup
        .workloads
        .iter()
        .zip(setup.recorders)
        .map(|(workload, recorder)| WorkloadRun::new(workload, recorder))
        .collect();
    let mut skipped = Vec::new();
    let mut seed_proof = None;
    let result = prepare(site, setup, &mut skipped).and_then(|proof| {
        seed_proof = proof;
        let left_out =
            |step: &Step| skipped.iter().any(|(workload, _)| *workload == setup.workloads[step.workload]);
        let passes: Vec<u16> = setup.workloads.iter().map(|workload| workload.passes).collect();
        schedule::interleave(&passes)
            .into_iter()
            .filter(|step| !left_out(step))
            .try_for_each(|step| runs[step.workload].run(site, setup, step))
    });
    Outcome {
        seed_proof,
        workloads: runs
            .into_iter()
            .filter(|run| !run.result.passes.is_empty())
            .map(|run| run.result)
            .collect(),
        skipped,
        ended_early: result.err(),
    }
}

/// Finds out what cannot be measured here and fills the files of the rest, the headline's last, so
/// that it is the freshest. Returns the seed proof of the headline's file.
fn prepare<S: Site, C: Clock>(
    site: &mut S,
    setup: &Setup<'_, C>,
    skipped: &mut Vec<(&'static Workload, String)>,
) -> Result<Option<String>> {
    for workload in setup.workloads.iter().filter(|workload| workload.page_cache == PageCache::Past) {
        if !site.can_bypass_page_cache(workload).map_err(|error| failure("prepare the test file", &error))? {
            let reason = "this filesystem has no O_DIRECT".to_owned();
            setup.observer.skipped(workload, &reason);
            skipped.push((*workload, reason));
        }
    }
    let left_out = |workload: &Workload| skipped.iter().any(|(other, _)| *other == workload);
    let mut files: Vec<FileSpec> = Vec::new();
    for workload in setup.workloads.iter().rev().filter(|workload| !left_out(workload)) {
        if !files.contains(&workload.file()) {
            files.push(workload.file());
        }
    }
    let headline = setup.workloads.first().map(|workload| workload.file());
    let total: u64 = files.iter().map(|file| file.bytes).sum();
    let mut done = 0;
    for file in &files {
        // Only the headline's file is described by the seed; any other gets one of its own, so that
        // no two blocks on the disk are alike.
        let own_seed = Seed::random();
        let seed = if Some(*file) == headline { setup.seed } else { &own_seed };
        let mut progress = |bytes: u64| setup.observer.preparing(done + bytes, total);
        site.lay_out(*file, seed, setup.stop, &mut progress)
            .map_err(|error| failure("fill the test file", &error))?;
        done += file.bytes;
    }
    headline
        .filter(|file| files.contains(file))
        .map(|file| site.proof(file).map_err(|error| failure("read the test file back", &error)))
        .transpose()
}

struct WorkloadRun {
    job: Job,
    samples: Samples,
    result: Measured,
}

impl WorkloadRun {
    fn new(workload: &'static Workload, recorder: &Arc<Recorder>) -> Self {
        let result = Measured {
            workload,
            recorder: Arc::clone(recorder),
            passes: Vec::with_capacity(workload.passes.into()),
            flushes: Some(0),
            device_bytes: Some(0),
        };
        Self { job: workload.job(), samples: Samples::new(SAMPLE_NS), result }
    }

    fn run<S: Site, C: Clock>(&mut self, site: &mut S, setup: &Setup<'_, C>, step: Step) -> Result<()> {
        let workload = self.result.workload;
        setup.observer.pass_started(step);
        let mut disk = site.open(workload).map_err(|error| failure("open the test file", &error))?;
        sync::warm_up(&mut self.job, &mut disk, setup.clock, &workload.limits, setup.stop)
            .map_err(|error| failure(&doing(workload), &error))?;
        let before = site.counters();
        let mut pass = sync::run_pass(
            &mut self.job,
            &mut disk,
            setup.clock,
            &workload.limits,
            &self.result.recorder,
            &mut self.samples,
            setup.stop,
        );
        self.add_counters(before, site.counters());
        setup.observer.pass_finished(step, &pass);
        let error = pass.error.take();
        let ended_by = pass.ended_by;
        if pass.operations > 0 {
            self.result.passes.push(pass);
        }
        match (ended_by, error) {
            (_, Some(error)) => Err(failure(&doing(workload), &error)),
            (EndedBy::Interrupted, None) => Err(interrupted()),
            _ => Ok(()),
        }
    }

    fn add_counters(&mut self, before: Option<Counters>, after: Option<Counters>) {
        let delta = before.zip(after).map(|(before, after)| after.since(&before));
        let result = &mut self.result;
        result.flushes =
            result.flushes.zip(delta.and_then(|delta| delta.flushes)).map(|(sum, more)| sum + more);
        result.device_bytes = result.device_bytes.zip(delta).map(|(sum, more)| sum + more.bytes_written);
    }
}

fn doing(workload: &Workload) -> String {
    format!("measure {}", workload.id)
}

/// What Ctrl-C becomes.
pub fn interrupted() -> Error {
    Error::new(Kind::Interrupted, "stopped before the suite was complete")
}

/// A sentence and advice for what a filesystem may answer during a run.
fn failure(doing: &str, error: &io::Error) -> Error {
    use rustix::io::Errno;
    let is = |errno: Errno| error.raw_os_error() == Some(errno.raw_os_error());
    if error.kind() == io::ErrorKind::Interrupted {
        return interrupted();
    }
    let failed = Error::from_io(Kind::Io, doing, error);
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
