//! A folder whose disks are scripted, and runs of suites in it.

use std::cell::RefCell;
use std::collections::HashMap;
use std::io;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use fsyncmark::analysis::disturbance::{Bystanders, OthersShare};
use fsyncmark::disk::contents::Seed;
use fsyncmark::disk::fake::{FakeClock, FakeDisk};
use fsyncmark::disk::ring_queue::RingSupport;
use fsyncmark::disk::test_site::{LayOutError, TestSite};
use fsyncmark::engine::pass::PassOutcome;
use fsyncmark::engine::recorder::Recorder;
use fsyncmark::engine::suite_run::setup::{Observer, Setup};
use fsyncmark::engine::suite_run::{self, SuiteOutcome};
use fsyncmark::engine::writer_tasks;
use fsyncmark::plan::Plan;
use fsyncmark::plan::schedule::Step;
use fsyncmark::plan::workload::{FileSpec, FileState, SUITES, WorkloadDefinition};
use fsyncmark::probe::machine::activity_counters::Activity;
use fsyncmark::probe::storage::diskstats::Counters;

/// What the run says of its headline's file.
const SEED: Seed = Seed([0; 32]);

/// A place whose disks are scripted, and which counts like `/proc/diskstats`.
pub struct ScriptedSite {
    pub clock: FakeClock,
    /// What was done to it, in order.
    pub log: Vec<String>,
    /// The bytes of each file that was filled from the seed of the run.
    pub filled_from_seed: Vec<u64>,
    /// The answer, or an error number, to whether the page cache can be bypassed.
    pub has_direct_io: Result<bool, i32>,
    /// The opening that gets a failing disk, which of its writes fails, and by which error number.
    pub fail: Option<(usize, u64, i32)>,
    pub opened: usize,
    /// Every file that is laid out fails by this error number.
    pub fill_errno: Option<i32>,
    pub counters: Counters,
    pub counts_flushes: bool,
    pub can_allocate: bool,
    /// How often somebody looked: before and after each pass.
    pub looks: u64,
    /// What others write, by the number of the pass from 1.
    pub other_bytes: HashMap<u64, u64>,
}

impl ScriptedSite {
    pub fn new() -> Self {
        Self {
            clock: FakeClock::default(),
            log: Vec::new(),
            filled_from_seed: Vec::new(),
            has_direct_io: Ok(true),
            fail: None,
            opened: 0,
            fill_errno: None,
            counters: Counters { flushes: Some(0), ..Counters::default() },
            counts_flushes: true,
            can_allocate: true,
            looks: 0,
            other_bytes: HashMap::new(),
        }
    }
}

impl TestSite for ScriptedSite {
    type File = FakeDisk;
    type Clock = FakeClock;

    fn can_bypass_page_cache(&mut self, _workload: &WorkloadDefinition) -> io::Result<bool> {
        self.has_direct_io.map_err(io::Error::from_raw_os_error)
    }

    fn lay_out(
        &mut self,
        file: FileSpec,
        seed: &Seed,
        stop: &AtomicBool,
        progress: &mut dyn FnMut(u64),
    ) -> Result<(), LayOutError> {
        if stop.load(Relaxed) {
            return Err(LayOutError::Stopped);
        }
        if let Some(errno) = self.fill_errno {
            return Err(io::Error::from_raw_os_error(errno).into());
        }
        if file.state == FileState::Fallocated && !self.can_allocate {
            return Err(io::Error::from(io::ErrorKind::Unsupported).into());
        }
        if *seed == SEED {
            self.filled_from_seed.push(file.bytes);
        }
        progress(file.bytes);
        self.log.push(format!("fill {} MiB", file.bytes >> 20));
        Ok(())
    }

    fn proof(&mut self, file: FileSpec) -> io::Result<String> {
        Ok(format!("proof of {} MiB", file.bytes >> 20))
    }

    fn reset(&mut self, file: FileSpec) -> io::Result<()> {
        self.log.push(format!("reset {} MiB", file.bytes >> 20));
        Ok(())
    }

    fn open(&mut self, workload: &WorkloadDefinition, _writer: usize) -> io::Result<(FakeDisk, FakeClock)> {
        if self.log.last().is_none_or(|last| last != workload.id) {
            self.log.push(workload.id.to_owned());
        }
        self.opened += 1;
        let clock = self.clock.fork();
        let mut disk = FakeDisk::new(&clock, [10_000], [90_000]);
        if let Some((opened, write, errno)) = self.fail
            && opened == self.opened
        {
            disk.fail_write = Some((write, errno));
        }
        Ok((disk, clock))
    }

    /// Every look sees 1,000 flushes and 1 MiB more than the one before.
    fn activity(&mut self) -> Activity {
        self.looks += 1;
        let others = self.other_bytes.get(&(self.looks / 2)).copied().unwrap_or(0);
        self.counters.bytes_written += (1 << 20) + if self.looks.is_multiple_of(2) { others } else { 0 };
        self.counters.flushes = self.counts_flushes.then(|| self.counters.flushes.unwrap_or(0) + 1_000);
        Activity { device: Some(self.counters), flushes: self.counters.flushes, ..Activity::default() }
    }
}

#[derive(Default)]
struct Heard(RefCell<Vec<String>>);

impl Observer for Heard {
    fn preparing(&self, done_bytes: u64, total_bytes: u64) {
        self.0.borrow_mut().push(format!("{} of {} MiB", done_bytes >> 20, total_bytes >> 20));
    }
    fn omitted(&self, workload: &WorkloadDefinition, reason: &str) {
        self.0.borrow_mut().push(format!("{} omitted: {reason}", workload.id));
    }
    fn pass_started(&self, _step: Step) {}
    fn pass_repeated(&self, step: Step, others: OthersShare) {
        self.0.borrow_mut().push(format!("{}.{} again: {others}", step.workload, step.pass));
    }
    fn pass_finished(&self, step: Step, pass: &PassOutcome) {
        self.0.borrow_mut().push(format!("{}.{} {:?}", step.workload, step.pass, pass.ended_by));
    }
}

/// Runs the suite quick; returns the outcome and what the observer was told.
pub fn run_quick(site: &mut ScriptedSite, stop: bool) -> (SuiteOutcome, Vec<String>) {
    run_all(site, &SUITES[0].workloads(), &RingSupport::FULL, stop)
}

/// Runs these workloads; returns the outcome and what the observer was told.
pub fn run_all(
    site: &mut ScriptedSite,
    workloads: &[&'static WorkloadDefinition],
    ring: &RingSupport,
    stop: bool,
) -> (SuiteOutcome, Vec<String>) {
    let lanes = |workload: &&'static WorkloadDefinition| {
        Recorder::for_writers(writer_tasks::engine_choice(workload, ring).writers)
    };
    let recorders: Vec<Arc<Recorder>> = workloads.iter().map(lanes).map(Arc::new).collect();
    let heard = Heard::default();
    let setup = Setup {
        plan: &Plan::of(Path::new("/"), &SUITES[0], workloads.to_vec()),
        recorders: &recorders,
        ring,
        seed: &SEED,
        stop: &AtomicBool::new(stop),
        bystanders: Bystanders::on(2, &["ext4", "nvme"].map(str::to_owned), &[], &["nvme"]),
        observer: &heard,
    };
    let outcome = suite_run::run_suite(site, &setup);
    (outcome, heard.0.into_inner())
}
