//! The timed loop on a disk whose latencies are scripted: every figure is known beforehand.

use std::cell::RefCell;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use fsyncmark::disk::SyncCall;
use fsyncmark::disk::fake::{FakeClock, FakeDisk};
use fsyncmark::engine::clock::Clock;
use fsyncmark::engine::contents::Seed;
use fsyncmark::engine::recorder::Recorder;
use fsyncmark::engine::samples::Samples;
use fsyncmark::engine::sync::{EndedBy, Job, Limits, Pass, RandomReads, SequentialWrites, run_pass, warm_up};
use fsyncmark::error::Kind;
use fsyncmark::measure::{self, Observer, Outcome, Setup, Site};
use fsyncmark::payload::PassEnd;
use fsyncmark::probe::diskstats::Counters;
use fsyncmark::report;
use fsyncmark::workload::schedule::Step;
use fsyncmark::workload::{FileSpec, PageCache, SUITES, WORKLOADS, Workload};

const MILLISECOND: u64 = 1_000_000;
const BLOCK: u64 = 8192;
/// Error numbers of Linux.
const EIO: i32 = 5;
const ENOSPC: i32 = 28;
const EROFS: i32 = 30;
const EDQUOT: i32 = 122;

const LIMITS: Limits = WORKLOADS[0].limits;

fn commits() -> Job {
    Job::WriteThenSync(SequentialWrites::new(64 << 20, BLOCK), SyncCall::Fdatasync)
}

struct Bench {
    clock: FakeClock,
    disk: FakeDisk,
    recorder: Recorder,
    stop: AtomicBool,
}

impl Bench {
    fn new(write_ns: impl Into<Vec<u64>>, sync_ns: impl Into<Vec<u64>>) -> Self {
        let clock = FakeClock::default();
        let disk = FakeDisk::new(&clock, write_ns, sync_ns);
        Self { clock, disk, recorder: Recorder::default(), stop: AtomicBool::new(false) }
    }

    fn pass(&mut self, job: &mut Job, limits: &Limits) -> Pass {
        let mut samples = Samples::new(measure::SAMPLE_NS);
        run_pass(job, &mut self.disk, &self.clock, limits, &self.recorder, &mut samples, &self.stop)
    }
}

#[test]
fn a_steady_disk_gives_its_exact_rate() {
    let mut bench = Bench::new([10_000], [90_000]);
    let pass = bench.pass(&mut commits(), &LIMITS);
    assert_eq!((pass.operations, pass.bytes, pass.elapsed_ns), (40_000, 40_000 * BLOCK, 4_000 * MILLISECOND));
    assert_eq!(pass.ended_by, EndedBy::Time);
    assert_eq!(pass.rate_samples, [5_000; 8]);
    assert_eq!(bench.recorder.totals().per_second(), Some(10_000.0));
    assert_eq!(bench.disk.calls.syncs, 40_000);
}

#[test]
fn write_sync_and_commit_are_timed_apart_and_add_up() {
    // Nine quick commits and a slow one, whose sync stalls.
    let mut bench = Bench::new([10_000], [vec![80_000; 9], vec![2_000_000]].concat());
    let pass = bench.pass(&mut commits(), &LIMITS);
    let (write, sync, commit) = (
        bench.recorder.write.snapshot().unwrap(),
        bench.recorder.sync.snapshot().unwrap(),
        bench.recorder.commit.snapshot().unwrap(),
    );
    assert_eq!(bench.recorder.read.snapshot(), None);
    for histogram in [&write, &sync, &commit] {
        assert_eq!(histogram.total(), pass.operations);
    }
    assert_eq!((write.min_ns, write.max_ns), (10_000, 10_000));
    assert_eq!((sync.min_ns, sync.max_ns), (80_000, 2_000_000));
    assert_eq!((commit.min_ns, commit.max_ns), (90_000, 2_010_000));
    assert_eq!(commit.sum_ns, write.sum_ns + sync.sum_ns);
    assert_eq!(commit.sum_ns, pass.elapsed_ns, "nothing between two operations is lost");
    assert_eq!((commit.percentile_ns(5_000), commit.percentile_ns(9_990)), (90_000, 2_010_000));
}

#[test]
fn a_stall_shows_in_the_samples_of_its_time() {
    // 1 ms each; the commit after the first second takes another second.
    let mut bench = Bench::new(
        [vec![MILLISECOND; 1_000], vec![1_000 * MILLISECOND], vec![MILLISECOND; 3_000]].concat(),
        [0],
    );
    let pass = bench.pass(&mut commits(), &LIMITS);
    assert_eq!(pass.rate_samples, [500, 500, 0, 1, 500, 500, 500, 500]);
    assert_eq!(pass.operations, 3_001);
}

#[test]
fn a_pass_ends_by_the_first_of_its_limits() {
    let mut quick = Bench::new([1_000], [9_000]);
    let pass = quick.pass(&mut commits(), &LIMITS);
    assert_eq!((pass.ended_by, pass.bytes), (EndedBy::Bytes, 512 << 20));

    let mut slow = Bench::new([0], [5 * MILLISECOND]);
    let pass = slow.pass(&mut commits(), &LIMITS);
    assert_eq!(
        (pass.ended_by, pass.operations, pass.elapsed_ns),
        (EndedBy::Time, 1_000, 5_000 * MILLISECOND)
    );

    let mut slower = Bench::new([0], [15 * MILLISECOND]);
    let pass = slower.pass(&mut commits(), &LIMITS);
    assert_eq!((pass.ended_by, pass.operations), (EndedBy::TimeLimit, 667));
    assert_eq!(pass.rate_samples.len(), 20, "667 commits of 15 ms end in the 21st half second");
}

#[test]
fn the_warm_up_is_not_counted_and_ends_by_time_or_bytes() {
    let mut slow = Bench::new([0], [MILLISECOND]);
    warm_up(&mut commits(), &mut slow.disk, &slow.clock, &LIMITS, &slow.stop).unwrap();
    assert_eq!((slow.clock.now_ns(), slow.disk.calls.writes), (500 * MILLISECOND, 500));
    assert_eq!(slow.recorder.commit.snapshot(), None);

    let mut quick = Bench::new([1], [1]);
    warm_up(&mut commits(), &mut quick.disk, &quick.clock, &LIMITS, &quick.stop).unwrap();
    assert_eq!(quick.disk.calls.bytes_written, 32 << 20);
}

#[test]
fn a_durable_write_has_a_commit_histogram_alone() {
    let mut bench = Bench::new([100_000], [1]);
    let mut job = Job::DurableWrite(SequentialWrites::new(64 << 20, BLOCK));
    let pass = bench.pass(&mut job, &LIMITS);
    assert_eq!((pass.operations, bench.disk.calls.syncs), (40_000, 0));
    assert_eq!(bench.recorder.commit.snapshot().unwrap().total(), 40_000);
    assert_eq!((bench.recorder.write.snapshot(), bench.recorder.sync.snapshot()), (None, None));
}

#[test]
fn reads_stay_inside_the_file_and_reach_all_of_it() {
    let clock = FakeClock::default();
    let mut disk = FakeDisk::new(&clock, [50_000], [0]);
    let file = 64 * 4096;
    let mut job = Job::Read(RandomReads::new(file, 4096, 7));
    let mut seen = std::collections::HashSet::new();
    let once = Limits { warm_up_bytes_max: 4096, ..LIMITS };
    for _ in 0..2_000 {
        warm_up(&mut job, &mut disk, &clock, &once, &AtomicBool::new(false)).unwrap();
        assert!(disk.calls.last_offset < file && disk.calls.last_offset.is_multiple_of(4096));
        seen.insert(disk.calls.last_offset);
    }
    assert_eq!(seen.len(), 64);
}

#[test]
fn writes_go_through_the_file_and_begin_again() {
    let mut bench = Bench::new([100_000], [0]);
    let mut job = Job::WriteThenSync(SequentialWrites::new(4 * BLOCK, BLOCK), SyncCall::Fsync);
    let once = Limits { warm_up_bytes_max: BLOCK, ..LIMITS };
    let mut offsets = Vec::new();
    for _ in 0..6 {
        warm_up(&mut job, &mut bench.disk, &bench.clock, &once, &bench.stop).unwrap();
        offsets.push(bench.disk.calls.last_offset / BLOCK);
    }
    assert_eq!(offsets, [0, 1, 2, 3, 0, 1]);
}

#[test]
fn a_failing_disk_ends_the_pass_and_what_was_measured_stays() {
    let mut bench = Bench::new([10_000], [90_000]);
    bench.disk.fail_write = Some((101, ENOSPC));
    let pass = bench.pass(&mut commits(), &LIMITS);
    assert_eq!((pass.operations, pass.ended_by), (100, EndedBy::Error));
    assert_eq!(pass.error.unwrap().kind(), io::ErrorKind::StorageFull);
    assert_eq!(bench.recorder.totals().operations, 100);
}

#[test]
fn a_stop_ends_the_pass_after_the_running_operation() {
    let mut bench = Bench::new([10_000], [90_000]);
    bench.stop.store(true, Relaxed);
    let pass = bench.pass(&mut commits(), &LIMITS);
    assert_eq!((pass.operations, pass.elapsed_ns, pass.ended_by), (0, 0, EndedBy::Interrupted));
}

/// A place whose disks are scripted, and which counts like `/proc/diskstats`.
struct FakeSite {
    clock: FakeClock,
    log: Vec<String>,
    has_direct_io: bool,
    /// Fails this many-th write of the pass that opens as number …
    fail: Option<(usize, u64, i32)>,
    opened: usize,
    counters: Counters,
    counts_flushes: bool,
}

impl FakeSite {
    fn new() -> Self {
        Self {
            clock: FakeClock::default(),
            log: Vec::new(),
            has_direct_io: true,
            fail: None,
            opened: 0,
            counters: Counters { flushes: Some(0), ..Counters::default() },
            counts_flushes: true,
        }
    }
}

impl Site for FakeSite {
    type Disk = FakeDisk;

    fn can_bypass_page_cache(&mut self, _workload: &Workload) -> io::Result<bool> {
        Ok(self.has_direct_io)
    }

    fn lay_out(
        &mut self,
        file: FileSpec,
        _seed: &Seed,
        stop: &AtomicBool,
        progress: &mut dyn FnMut(u64),
    ) -> io::Result<()> {
        if stop.load(Relaxed) {
            return Err(io::ErrorKind::Interrupted.into());
        }
        progress(file.bytes);
        self.log.push(format!("fill {} MiB", file.bytes >> 20));
        Ok(())
    }

    fn proof(&mut self, file: FileSpec) -> io::Result<String> {
        Ok(format!("proof of {} MiB", file.bytes >> 20))
    }

    fn open(&mut self, workload: &Workload) -> io::Result<FakeDisk> {
        self.log.push(workload.id.to_owned());
        self.opened += 1;
        let mut disk = FakeDisk::new(&self.clock, [10_000], [90_000]);
        if let Some((opened, write, errno)) = self.fail
            && opened == self.opened
        {
            disk.fail_write = Some((write, errno));
        }
        Ok(disk)
    }

    /// Every look sees 1,000 flushes and 1 MiB more than the one before.
    fn counters(&mut self) -> Option<Counters> {
        self.counters.bytes_written += 1 << 20;
        self.counters.flushes = self.counts_flushes.then(|| self.counters.flushes.unwrap_or(0) + 1_000);
        Some(self.counters)
    }
}

#[derive(Default)]
struct Heard(RefCell<Vec<String>>);

impl Observer for Heard {
    fn preparing(&self, done_bytes: u64, total_bytes: u64) {
        self.0.borrow_mut().push(format!("{} of {} MiB", done_bytes >> 20, total_bytes >> 20));
    }
    fn skipped(&self, workload: &Workload, reason: &str) {
        self.0.borrow_mut().push(format!("{} skipped: {reason}", workload.id));
    }
    fn pass_started(&self, _step: Step) {}
    fn pass_finished(&self, step: Step, pass: &Pass) {
        self.0.borrow_mut().push(format!("{}.{} {:?}", step.workload, step.pass, pass.ended_by));
    }
}

fn run_quick(site: &mut FakeSite, stop: bool) -> (Outcome, Vec<String>) {
    let workloads = SUITES[0].workloads();
    let recorders: Vec<Arc<Recorder>> = workloads.iter().map(|_| Arc::default()).collect();
    let heard = Heard::default();
    let clock = site.clock.clone();
    let setup = Setup {
        workloads: &workloads,
        recorders: &recorders,
        clock: &clock,
        seed: &Seed([0; 32]),
        stop: &AtomicBool::new(stop),
        observer: &heard,
    };
    let outcome = measure::run_suite(site, &setup);
    (outcome, heard.0.into_inner())
}

#[test]
fn the_suite_fills_its_files_and_interleaves_its_passes() {
    let mut site = FakeSite::new();
    let (outcome, heard) = run_quick(&mut site, false);
    assert_eq!(
        site.log,
        [
            "fill 1024 MiB",
            "fill 64 MiB",
            "commit-8k",
            "commit-8k-fsync",
            "commit-8k",
            "commit-8k-dsync",
            "commit-8k",
            "read-4k-floor"
        ]
    );
    assert_eq!(heard[..2], ["1024 of 1088 MiB", "1088 of 1088 MiB"]);
    assert_eq!(outcome.seed_proof.as_deref(), Some("proof of 64 MiB"));
    assert!(outcome.ended_early.is_none());
    let headline = report::workload(&outcome.workloads[0]);
    assert_eq!(
        (headline.operations, headline.elapsed_ns, headline.passes.len()),
        (120_000, 12_000 * MILLISECOND, 3)
    );
    assert_eq!(headline.bytes, headline.passes.iter().map(|pass| pass.bytes).sum::<u64>());
    assert_eq!((headline.flushes, headline.device_bytes), (Some(3_000), Some(3 << 20)));
    let dsync = report::workload(&outcome.workloads[2]);
    // O_DSYNC: one call of 10 us; the 512 MiB of a pass are used up before its 4 s.
    assert_eq!((dsync.operations, dsync.passes[0].ended_by), (65_536, PassEnd::Bytes));
    let names: Vec<_> = dsync.histograms.present().map(|(name, _)| name).collect();
    assert_eq!(names, ["commit"]);
    let read = report::workload(&outcome.workloads[3]);
    assert_eq!(read.histograms.present().map(|(name, _)| name).collect::<Vec<_>>(), ["read"]);
}

#[test]
fn flushes_that_the_kernel_does_not_count_are_unknown_not_zero() {
    let mut site = FakeSite { counts_flushes: false, ..FakeSite::new() };
    let (outcome, _) = run_quick(&mut site, false);
    let headline = report::workload(&outcome.workloads[0]);
    assert_eq!((headline.flushes, headline.device_bytes), (None, Some(3 << 20)));
}

#[test]
fn without_direct_io_the_read_floor_is_left_out_and_its_file_never_written() {
    let mut site = FakeSite { has_direct_io: false, ..FakeSite::new() };
    let (outcome, heard) = run_quick(&mut site, false);
    assert_eq!(heard[0], "read-4k-floor skipped: this filesystem has no O_DIRECT");
    assert!(!site.log.iter().any(|line| line.contains("1024") || line.contains("read")), "{:?}", site.log);
    assert_eq!(outcome.workloads.len(), 3);
    assert!(outcome.ended_early.is_none());
}

#[test]
fn a_disk_that_fails_in_the_fourth_pass_leaves_the_three_before() {
    for (errno, advice) in
        [(ENOSPC, "Free some space"), (EDQUOT, "quota"), (EIO, "smartctl"), (EROFS, "dmesg")]
    {
        let mut site = FakeSite { fail: Some((4, 6_000, errno)), ..FakeSite::new() };
        let (outcome, heard) = run_quick(&mut site, false);
        let error = outcome.ended_early.unwrap();
        assert_eq!(error.kind, Kind::Io);
        assert!(error.what.starts_with("cannot measure commit-8k-dsync"), "{error}");
        assert!(error.advice.unwrap().contains(advice));
        assert_eq!(heard.last().unwrap(), "2.0 Error");
        let ids: Vec<_> = outcome.workloads.iter().map(|measured| measured.workload.id).collect();
        assert_eq!(ids, ["commit-8k", "commit-8k-fsync", "commit-8k-dsync"]);
        // The warm-up of 32 MiB took 4,096 writes; the 6,000th failed.
        let dsync = report::workload(&outcome.workloads[2]);
        assert_eq!((dsync.operations, dsync.passes[0].ended_by), (6_000 - 4_096 - 1, PassEnd::Error));
        assert_eq!(report::workload(&outcome.workloads[0]).passes.len(), 2);
    }
}

#[test]
fn ctrl_c_before_the_first_operation_leaves_nothing_and_says_so() {
    let (outcome, _) = run_quick(&mut FakeSite::new(), true);
    assert_eq!(outcome.ended_early.unwrap().kind, Kind::Interrupted);
    assert!(outcome.workloads.is_empty());
}

#[test]
fn only_workloads_past_the_page_cache_need_direct_io() {
    let past: Vec<_> = WORKLOADS
        .iter()
        .filter(|workload| workload.page_cache == PageCache::Past)
        .map(|workload| workload.id)
        .collect();
    assert_eq!(past, ["read-4k-floor"]);
}
