//! The timed loop on a disk whose latencies are scripted: every figure is known beforehand.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use fsyncmark::disk::fake::{FakeClock, FakeDisk};
use fsyncmark::engine::histogram::Histogram;
use fsyncmark::engine::offsets::{Area, Offsets};
use fsyncmark::engine::pass::{Gate, LoopContext, PassOutcome};
use fsyncmark::engine::psync::{Doublewrite, PsyncJob, PsyncWork, run};
use fsyncmark::engine::rate_samples::RateSamples;
use fsyncmark::engine::recorder::{Lane, Recorder};
use fsyncmark::engine::suite_run;
use fsyncmark::plan::pass_limits::PassLimits;
use fsyncmark::plan::workload::WORKLOADS;
use fsyncmark::sys::io_request::SyncCall;
use fsyncmark::wire::histogram::Distribution;
use fsyncmark::wire::workload::EndReason;

const MILLISECOND: u64 = 1_000_000;
const BLOCK: u64 = 8192;
/// Error number of Linux.
const ENOSPC: i32 = 28;

/// The headline's, without its warm-up.
const LIMITS: PassLimits = PassLimits { warm_up_ns: 0, warm_up_bytes_max: 0, ..WORKLOADS[0].limits };

fn job(work: PsyncWork) -> PsyncJob {
    PsyncJob::new(work, Offsets::sequential(Area::whole(64 << 20), BLOCK), BLOCK)
}

fn commits() -> PsyncJob {
    job(PsyncWork::WriteThenSync(SyncCall::Fdatasync))
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

    fn pass(&mut self, job: &mut PsyncJob, limits: &PassLimits) -> PassOutcome {
        let mut samples = RateSamples::new(suite_run::SAMPLE_NS);
        let mut on_start = || ();
        let gate = Gate::new(&self.stop, &mut on_start);
        let lane = self.recorder.lane(0);
        let context = LoopContext { clock: &self.clock, limits, lane, samples: &mut samples, gate: &gate };
        run(job, &mut self.disk, context)
    }

    fn of(&self, side: fn(&Lane) -> &Histogram) -> Option<Distribution> {
        side(self.recorder.lane(0)).snapshot()
    }
}

#[test]
fn a_steady_disk_gives_its_exact_rate() {
    let mut bench = Bench::new([10_000], [90_000]);
    let pass = bench.pass(&mut commits(), &LIMITS);
    assert_eq!((pass.operations, pass.bytes, pass.elapsed_ns), (40_000, 40_000 * BLOCK, 4_000 * MILLISECOND));
    assert_eq!(pass.ended_by, EndReason::Time);
    assert_eq!(pass.rate_samples, [1_000; 40]);
    assert_eq!(bench.recorder.totals().per_second(), Some(10_000.0));
    assert_eq!(bench.disk.calls.syncs, 40_000);
}

#[test]
fn write_sync_and_commit_are_timed_apart_and_add_up() {
    // Nine fast commits and a slow one, whose sync stalls.
    let mut bench = Bench::new([10_000], [vec![80_000; 9], vec![2_000_000]].concat());
    let pass = bench.pass(&mut commits(), &LIMITS);
    let (write, sync, commit) = (
        bench.of(|lane| &lane.write).unwrap(),
        bench.of(|lane| &lane.sync).unwrap(),
        bench.of(|lane| &lane.commit).unwrap(),
    );
    assert_eq!(bench.of(|lane| &lane.read), None);
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
    let stalled = [vec![0; 9], vec![1]].concat();
    assert_eq!(pass.rate_samples, [vec![100; 10], stalled, vec![100; 20]].concat());
    assert_eq!(pass.operations, 3_001);
}

#[test]
fn a_pass_ends_by_the_first_of_its_limits() {
    let mut quick = Bench::new([1_000], [9_000]);
    let pass = quick.pass(&mut commits(), &LIMITS);
    assert_eq!((pass.ended_by, pass.bytes), (EndReason::Bytes, 512 << 20));

    let mut slow = Bench::new([0], [5 * MILLISECOND]);
    let pass = slow.pass(&mut commits(), &LIMITS);
    assert_eq!(
        (pass.ended_by, pass.operations, pass.elapsed_ns),
        (EndReason::Time, 1_000, 5_000 * MILLISECOND)
    );

    let mut slower = Bench::new([0], [15 * MILLISECOND]);
    let pass = slower.pass(&mut commits(), &LIMITS);
    assert_eq!((pass.ended_by, pass.operations), (EndReason::TimeLimit, 667));
    assert_eq!(pass.rate_samples.len(), 100, "667 commits of 15 ms end in the 101st interval");
}

#[test]
fn the_warm_up_is_not_counted_and_ends_by_time_or_bytes() {
    let limits = WORKLOADS[0].limits;
    let mut slow = Bench::new([0], [MILLISECOND]);
    let pass = slow.pass(&mut commits(), &limits);
    assert_eq!((pass.operations, slow.disk.calls.writes), (4_000, 4_500));
    assert_eq!(pass.elapsed_ns, 4_000 * MILLISECOND);
    assert_eq!(slow.of(|lane| &lane.commit).unwrap().total(), 4_000);

    let mut quick = Bench::new([1], [1]);
    let pass = quick.pass(&mut commits(), &limits);
    assert_eq!((pass.bytes, quick.disk.calls.bytes_written), (512 << 20, (512 << 20) + (32 << 20)));
}

#[test]
fn what_happens_in_the_moment_before_counting_is_not_counted() {
    let bench = Bench::new([10_000], [90_000]);
    let clock = bench.clock.clone();
    let mut on_start = move || clock.advance(MILLISECOND);
    let gate = Gate::new(&bench.stop, &mut on_start);
    let (mut disk, mut samples) = (bench.disk, RateSamples::new(suite_run::SAMPLE_NS));
    let lane = bench.recorder.lane(0);
    let context =
        LoopContext { clock: &bench.clock, limits: &LIMITS, lane, samples: &mut samples, gate: &gate };
    let pass = run(&mut commits(), &mut disk, context);
    assert_eq!((pass.operations, pass.elapsed_ns), (40_000, 4_000 * MILLISECOND));
    assert_eq!(lane.commit.snapshot().unwrap().max_ns, 100_000);
}

#[test]
fn a_durable_write_has_a_commit_histogram_alone() {
    let mut bench = Bench::new([100_000], [1]);
    let pass = bench.pass(&mut job(PsyncWork::DurableWrite), &LIMITS);
    assert_eq!((pass.operations, bench.disk.calls.syncs), (40_000, 0));
    assert_eq!(bench.of(|lane| &lane.commit).unwrap().total(), 40_000);
    assert_eq!((bench.of(|lane| &lane.write), bench.of(|lane| &lane.sync)), (None, None));
}

#[test]
fn a_batch_is_one_operation_and_an_empty_one_is_its_sync_alone() {
    let mut bench = Bench::new([10_000], [60_000]);
    let limits = PassLimits { pass_ns_min: 0, pass_operations_min: 3, ..LIMITS };
    let pass = bench.pass(&mut job(PsyncWork::Batch(4, SyncCall::Fdatasync)), &limits);
    assert_eq!((pass.operations, pass.bytes, pass.elapsed_ns), (3, 3 * 4 * BLOCK, 300_000));
    assert_eq!((bench.disk.calls.writes, bench.disk.calls.syncs), (12, 3));
    assert_eq!(bench.of(|lane| &lane.write).unwrap().max_ns, 40_000);
    assert_eq!(bench.of(|lane| &lane.sync).unwrap().max_ns, 60_000);

    let mut empty = Bench::new([10_000], [60_000]);
    let pass = empty.pass(&mut job(PsyncWork::EmptySync(SyncCall::Fdatasync)), &limits);
    assert_eq!((pass.operations, pass.bytes, pass.elapsed_ns), (3, 0, 180_000));
    assert_eq!((empty.of(|lane| &lane.write), empty.of(|lane| &lane.commit)), (None, None));
}

#[test]
fn a_doublewrite_is_one_large_write_and_its_pages_with_a_sync_after_each() {
    let mut bench = Bench::new([10_000], [60_000]);
    let limits = PassLimits { pass_ns_min: 0, pass_operations_min: 5, ..LIMITS };
    let double = Doublewrite::new(Area::whole(2 << 20), 64, BLOCK, SyncCall::Fsync);
    let pass = bench.pass(&mut job(PsyncWork::Doublewrite(double)), &limits);
    assert_eq!((pass.operations, pass.bytes), (5, 5 * 2 * 64 * BLOCK));
    assert_eq!(bench.disk.calls.bytes_written, pass.bytes);
    assert_eq!((bench.disk.calls.writes, bench.disk.calls.syncs), (5 * 65, 10));
    let (write, sync, commit) = (
        bench.of(|lane| &lane.write).unwrap(),
        bench.of(|lane| &lane.sync).unwrap(),
        bench.of(|lane| &lane.commit).unwrap(),
    );
    assert_eq!((write.max_ns, sync.max_ns, commit.max_ns), (650_000, 120_000, 770_000));
}

#[test]
fn a_mix_reads_and_writes_half_each_and_counts_both() {
    let mut bench = Bench::new([100_000], [0]);
    let mix = PsyncWork::Mix(fsyncmark::engine::offsets::SplitMix::new(3));
    let pass = bench.pass(&mut job(mix), &LIMITS);
    let (reads, writes) = (bench.of(|lane| &lane.read).unwrap(), bench.of(|lane| &lane.write).unwrap());
    assert_eq!(reads.total() + writes.total(), pass.operations);
    assert!((19_600..20_400).contains(&reads.total()), "{}", reads.total());
}

#[test]
fn reads_and_bare_writes_have_one_histogram() {
    for (work, reads) in [(PsyncWork::Read, true), (PsyncWork::Write, false)] {
        let mut bench = Bench::new([100_000], [0]);
        let pass = bench.pass(&mut job(work), &LIMITS);
        let sides = (bench.of(|lane| &lane.read), bench.of(|lane| &lane.write));
        assert_eq!((sides.0.is_some(), sides.1.is_some()), (reads, !reads));
        assert_eq!(sides.0.or(sides.1).unwrap().total(), pass.operations);
        assert_eq!(bench.of(|lane| &lane.commit), None);
    }
}

#[test]
fn a_failing_disk_ends_the_pass_and_what_was_measured_stays() {
    let mut bench = Bench::new([10_000], [90_000]);
    bench.disk.fail_write = Some((101, ENOSPC));
    let pass = bench.pass(&mut commits(), &LIMITS);
    assert_eq!((pass.operations, pass.ended_by), (100, EndReason::Error));
    assert_eq!(pass.error.unwrap().kind(), io::ErrorKind::StorageFull);
    assert_eq!(bench.recorder.totals().operations, 100);
}

#[test]
fn a_stop_ends_the_pass_after_the_running_operation() {
    let mut bench = Bench::new([10_000], [90_000]);
    bench.stop.store(true, Relaxed);
    let pass = bench.pass(&mut commits(), &LIMITS);
    assert_eq!((pass.operations, pass.elapsed_ns, pass.ended_by), (0, 0, EndReason::Interrupted));
}
