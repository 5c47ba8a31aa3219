//! The search for useful IOPS, on disks that behave as the theory of queues says: what it finds, and what
//! stays when something ends it.

use std::io;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

use fsyncmark::analysis::disturbance::{Bystanders, OthersShare};
use fsyncmark::analysis::slo;
use fsyncmark::disk::contents::Seed;
use fsyncmark::disk::fake::{FakeClock, FakeDisk};
use fsyncmark::disk::ring_queue::RingSupport;
use fsyncmark::disk::test_site::{LayOutError, TestSite};
use fsyncmark::engine::pass::PassOutcome;
use fsyncmark::engine::recorder::Recorder;
use fsyncmark::engine::suite_run::preparation::Omission;
use fsyncmark::engine::suite_run::setup::{Observer, Setup};
use fsyncmark::engine::suite_run::{self, SuiteOutcome};
use fsyncmark::engine::writer_tasks;
use fsyncmark::error::ErrorKind;
use fsyncmark::plan::Plan;
use fsyncmark::plan::pass_limits::PassLimits;
use fsyncmark::plan::schedule::Step;
use fsyncmark::plan::workload::slo::{LOAD_PERCENTS, SEARCHES};
use fsyncmark::plan::workload::{FileSpec, SUITES, Slo, WorkloadDefinition};
use fsyncmark::probe::machine::activity_counters::Activity;
use fsyncmark::report::payload_assembly;
use fsyncmark::wire::histogram::Distribution;
use fsyncmark::wire::workload::{EndReason, Purpose, Workload};

/// Error numbers of Linux.
const EIO: i32 = 5;
const ENOSPC: i32 = 28;

/// How long one request takes.
const SERVICE_NS: u64 = 100_000;

/// A disk that does this many requests at a time, and fails this many-th write of this many-th pass.
struct FakeSite {
    servers: usize,
    opened: usize,
    fail: Option<(usize, u64, i32)>,
}

impl TestSite for FakeSite {
    type File = FakeDisk;
    type Clock = FakeClock;

    fn can_bypass_page_cache(&mut self, _workload: &WorkloadDefinition) -> io::Result<bool> {
        Ok(true)
    }

    fn lay_out(
        &mut self,
        _file: FileSpec,
        _seed: &Seed,
        _stop: &AtomicBool,
        _progress: &mut dyn FnMut(u64),
    ) -> Result<(), LayOutError> {
        Ok(())
    }

    fn proof(&mut self, _file: FileSpec) -> io::Result<String> {
        Ok(String::new())
    }

    fn reset(&mut self, _file: FileSpec) -> io::Result<()> {
        Ok(())
    }

    fn open(&mut self, _workload: &WorkloadDefinition, _writer: usize) -> io::Result<(FakeDisk, FakeClock)> {
        self.opened += 1;
        let clock = FakeClock::default();
        let mut disk = FakeDisk::new(&clock, [SERVICE_NS], [SERVICE_NS]).with_servers(self.servers);
        disk.fail_write =
            self.fail.filter(|(pass, ..)| *pass == self.opened).map(|(_, write, errno)| (write, errno));
        Ok((disk, clock))
    }

    fn activity(&mut self) -> Activity {
        Activity::default()
    }
}

/// Presses Ctrl-C when this pass begins.
struct InterruptedAtPass<'a> {
    stop: &'a AtomicBool,
    at_pass: u64,
    begun: AtomicU64,
}

impl Observer for InterruptedAtPass<'_> {
    fn preparing(&self, _done_bytes: u64, _total_bytes: u64) {}
    fn omitted(&self, _workload: &WorkloadDefinition, _reason: &str) {}
    fn pass_started(&self, _step: Step) {
        if self.begun.fetch_add(1, Relaxed) + 1 == self.at_pass {
            self.stop.store(true, Relaxed);
        }
    }
    fn pass_repeated(&self, _step: Step, _others: OthersShare) {}
    fn pass_finished(&self, _step: Step, _pass: &PassOutcome) {}
}

fn run(
    site: &mut FakeSite,
    workload: &'static WorkloadDefinition,
    ring: &RingSupport,
    interrupted_at: u64,
) -> SuiteOutcome {
    let recorders = [Arc::new(Recorder::for_writers(writer_tasks::engine_choice(workload, ring).writers))];
    let stop = AtomicBool::new(false);
    let setup = Setup {
        plan: &Plan::of(Path::new("/"), &SUITES[0], vec![workload]),
        recorders: &recorders,
        ring,
        seed: &Seed([0; 32]),
        stop: &stop,
        bystanders: Bystanders::on(1, &[], &[], &[]),
        observer: &InterruptedAtPass { stop: &stop, at_pass: interrupted_at, begun: AtomicU64::new(0) },
    };
    suite_run::run_suite(site, &setup)
}

/// A row of the table with trials of this length and this limit.
fn row(id: &str, trial_ns: u64, p99_ns_max: u64) -> &'static WorkloadDefinition {
    let row = WorkloadDefinition::with_id(id).unwrap();
    let limits = PassLimits { pass_ns_min: trial_ns, pass_ns_max: trial_ns, ..row.limits };
    Box::leak(Box::new(WorkloadDefinition { limits, slo: Some(Slo { p99_ns_max }), ..*row }))
}

/// P(wait <= services x service time) of M/D/1 at this load (Erlang 1909).
fn waits_at_most(services: f64, load: f64) -> f64 {
    let (mut sum, mut factorial, mut served) = (0.0, 1.0, 0.0);
    while served <= services {
        factorial *= f64::max(served, 1.0);
        let rest = load * (services - served);
        sum += (-rest).powf(served) / factorial * rest.exp();
        served += 1.0;
    }
    (1.0 - load) * sum
}

/// The load at which 99 of 100 wait at most this many service times.
fn load_of(services: f64) -> f64 {
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..40 {
        let middle = f64::midpoint(low, high);
        if waits_at_most(services, middle) > 0.99 { low = middle } else { high = middle }
    }
    low
}

#[test]
fn the_theory_of_queues_is_what_it_is_known_to_be() {
    assert!((waits_at_most(0.0, 0.3) - 0.7).abs() < 1e-12, "nobody waits when nobody is there");
    assert!((0.7..0.85).contains(&load_of(9.0)), "{}", load_of(9.0));
}

#[test]
fn the_useful_rate_of_one_server_is_the_one_of_theory() {
    // 10,000 a second, each answered in 100 us: p99 below 1 ms leaves 900 us to wait.
    let expected = load_of(9.0) * 10_000.0;
    let mut site = FakeSite { servers: 1, opened: 0, fail: None };
    let outcome =
        run(&mut site, row("slo-randread-4k-1ms", 10_000_000_000, 1_000_000), &RingSupport::FULL, 0);
    assert!(outcome.ended_early.is_none());
    let measured = payload_assembly::workload(&outcome.workloads[0]);
    let found = slo::useful(&measured.passes, 1_000_000).unwrap();
    assert!((found.capacity_per_s - 10_000.0).abs() < 10.0, "{found:?}");
    assert!((found.per_s as f64 / expected - 1.0).abs() < 0.04, "{found:?} for {expected}");
    let p99s: Vec<u64> = found.loads.iter().map(|load| load.p99_ns).collect();
    assert_eq!(found.loads.iter().map(|load| load.percent).collect::<Vec<_>>(), LOAD_PERCENTS);
    assert!(p99s[0] < 500_000 && p99s.is_sorted() && p99s[2] > 1_000_000, "{p99s:?}");
    // What the wire carries adds up: each operation has its latency, and no lag beside those of the passes.
    let reads = Distribution::from(measured.histograms.read.as_ref().unwrap());
    assert_eq!((reads.total(), reads.fault()), (measured.operations, None));
    assert!(measured.histograms.lag.is_none());
    assert_eq!(measured.passes.len(), 30);
    assert_eq!(measured.passes.iter().filter(|pass| pass.open_loop.is_none()).count(), SEARCHES);
}

#[test]
fn a_device_that_answers_too_late_even_alone_has_no_useful_rate() {
    let mut site = FakeSite { servers: 4, opened: 0, fail: None };
    let workload = row("slo-randwrite-4k-fsync-10ms", 100_000_000, 2 * SERVICE_NS);
    let outcome = run(&mut site, workload, &RingSupport::FULL, 0);
    let measured = payload_assembly::workload(&outcome.workloads[0]);
    let found = slo::useful(&measured.passes, 2 * SERVICE_NS).unwrap();
    assert_eq!((found.per_s, found.searches_per_s), (0, vec![0; 3]));
    // Each trial asked for less than the one before it, and was given it.
    let offers: Vec<u64> =
        measured.passes.iter().filter_map(|pass| Some(pass.open_loop?.offered_per_s)).collect();
    assert!(offers[..4].is_sorted_by(|one, next| one > next), "{offers:?}");
}

fn pass_of(measured: &Workload, place: usize) -> (EndReason, Option<Purpose>) {
    let pass = &measured.passes[place];
    (pass.ended_by, pass.open_loop.map(|open| open.purpose))
}

#[test]
fn a_disk_that_fails_within_a_search_leaves_what_was_measured() {
    for (errno, advice) in [(ENOSPC, "Free some space"), (EIO, "smartctl")] {
        let mut site = FakeSite { servers: 32, opened: 0, fail: Some((13, 12_000, errno)) };
        let workload = row("slo-randwrite-4k-fsync-10ms", 1_000_000_000, 10_000_000);
        let outcome = run(&mut site, workload, &RingSupport::FULL, 0);
        let error = outcome.ended_early.unwrap();
        assert_eq!(error.kind, ErrorKind::Io);
        assert!(error.advice.unwrap().contains(advice));
        let measured = payload_assembly::workload(&outcome.workloads[0]);
        // Nine passes of the first search; capacity and two trials of the second; the third of them failed.
        assert_eq!(measured.passes.len(), 13);
        assert_eq!(pass_of(&measured, 9).1, None, "the capacity of the second search");
        assert_eq!(pass_of(&measured, 12), (EndReason::Error, Some(Purpose::Search)));
        let commits = Distribution::from(measured.histograms.commit.as_ref().unwrap());
        assert_eq!(commits.total(), measured.operations);
        assert_eq!(slo::useful(&measured.passes, 10_000_000), None, "one search is none of three");
    }
}

#[test]
fn ctrl_c_within_a_search_leaves_the_passes_before_it() {
    let mut site = FakeSite { servers: 1, opened: 0, fail: None };
    let workload = row("slo-randread-4k-10ms", 1_000_000_000, 10_000_000);
    let outcome = run(&mut site, workload, &RingSupport::FULL, 6);
    assert_eq!(outcome.ended_early.unwrap().kind, ErrorKind::Interrupted);
    let measured = payload_assembly::workload(&outcome.workloads[0]);
    assert_eq!(measured.passes.len(), 5);
    assert_eq!(pass_of(&measured, 4), (EndReason::Time, Some(Purpose::Search)));
    assert_eq!(slo::useful(&measured.passes, 10_000_000), None);
}

#[test]
fn without_a_ring_nothing_can_arrive_by_itself_and_the_row_is_left_out() {
    let none =
        RingSupport { ring_mode: None, reason: Some("io_uring_setup: Operation not permitted".to_owned()) };
    let mut site = FakeSite { servers: 1, opened: 0, fail: None };
    let outcome = run(&mut site, WorkloadDefinition::with_id("slo-randread-4k-10ms").unwrap(), &none, 0);
    let Omission { workload, reason } = &outcome.omissions[0];
    assert_eq!(workload.id, "slo-randread-4k-10ms");
    assert!(reason.contains("need io_uring (io_uring_setup: Operation not permitted)"), "{reason}");
    assert_eq!((site.opened, outcome.ended_early.is_none()), (0, true));
}
