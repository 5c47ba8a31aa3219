//! What a device really is, recognised by what the probes measure: a volatile cache by the slope of its
//! flushes, a provisioned rate by a limit that is stated and a rate that is flat. Both are made here, as
//! root, one at a time; what is missing is said, and the test that needs it is left out.

use std::process::Stdio;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::stacks::{Group, LoopMount, Mount};
use crate::support::{Place, assert_exit};
use fsyncmark::analysis::cache::{Drain, flush_cost};
use fsyncmark::analysis::disturbance::{Bystanders, OthersShare};
use fsyncmark::analysis::median;
use fsyncmark::disk::contents::Seed;
use fsyncmark::disk::ring_queue::RingSupport;
use fsyncmark::disk::test_folder::TestFolder;
use fsyncmark::engine::pass::PassOutcome;
use fsyncmark::engine::recorder::Recorder;
use fsyncmark::engine::suite_run::setup::{Observer, Setup};
use fsyncmark::engine::suite_run::{self};
use fsyncmark::plan::Plan;
use fsyncmark::plan::file_naming::FileNaming;
use fsyncmark::plan::schedule::Step;
use fsyncmark::plan::workload::{SUITES, WorkloadDefinition};
use fsyncmark::probe::gather;
use fsyncmark::wire::payload::Run;
use fsyncmark::wire::workload;
use fsyncmark::wire::workload::LatencyKind;
use serde_json::Value;

/// Held while a test measures: it is about time, and there is one disk.
fn alone() -> MutexGuard<'static, ()> {
    static DISK: Mutex<()> = Mutex::new(());
    DISK.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A folder on a disk for the images: `/tmp` may be memory.
fn images() -> tempfile::TempDir {
    tempfile::tempdir_in("/var/tmp").unwrap()
}

/// A control group is a provisioned rate: the probes state it, and the measured rate is flat at it.
#[test]
fn a_throttled_control_group_is_stated_and_its_rate_is_flat_at_the_cap() {
    const OPS_PER_S: u64 = 100;
    const BYTES_PER_S: u64 = 1 << 30;
    let _alone = alone();
    let folder = images();
    let disk = gather(folder.path()).unwrap().storage.devices[0];
    let group = or_leave_out!(Group::new("throttled", disk, BYTES_PER_S, OPS_PER_S));
    let place = Place::new();
    let args = ["run", folder.path().to_str().unwrap(), "--only", "commit-8k-dsync", "--no-upload", "--json"];
    let mut inside = group.inside(&place.command(&args));
    let output = inside.env("FSYNCMARK_HOME", &place.home).stdin(Stdio::null()).output().unwrap();
    assert_exit(&output, 0);
    let printed: Value = serde_json::from_slice(&output.stdout).unwrap();
    let run: Run = serde_json::from_value(printed["payload"].clone()).unwrap();
    let limits = &run.env.limits;
    assert_eq!((limits.write_bytes_per_s, limits.write_ops_per_s), (Some(BYTES_PER_S), Some(OPS_PER_S)));
    let commits = &run.workloads[0];
    let rate = commits.operations as f64 * 1e9 / commits.elapsed_ns as f64;
    // A commit is one operation to a kernel that does not count its flush, two to one that does, and the
    // filesystem adds some of its own.
    let counts = half_seconds(commits);
    println!("{rate:.1} a second: {counts:?}");
    assert!((0.2..1.05).contains(&(rate / OPS_PER_S as f64)), "{rate} a second");
    // By the MAD, since whoever else uses the machine may well take one of twenty half seconds.
    let half_second_counts: Vec<f64> = counts.iter().map(|&count| count as f64).collect();
    let middle = median(&half_second_counts).unwrap();
    let deviations: Vec<f64> = half_second_counts.iter().map(|count| (count - middle).abs()).collect();
    let variation = 1.4826 * median(&deviations).unwrap() / middle;
    assert!(variation < 0.35, "{variation:.2}: {counts:?}");
}

/// Operations in each half second: a throttle lets them through in slices of a tenth.
fn half_seconds(workload: &workload::Workload) -> Vec<u64> {
    let samples = usize::try_from(500_000_000 / workload.sample_ns).unwrap();
    workload.passes[0].rate_samples.chunks_exact(samples).map(|chunk| chunk.iter().sum()).collect()
}

struct Silent;

impl Observer for Silent {
    fn preparing(&self, _done_bytes: u64, _total_bytes: u64) {}
    fn omitted(&self, workload: &WorkloadDefinition, reason: &str) {
        panic!("{}: {reason}", workload.id);
    }
    fn pass_started(&self, _step: Step) {}
    fn pass_repeated(&self, _step: Step, _others: OthersShare) {}
    fn pass_finished(&self, _step: Step, _pass: &PassOutcome) {}
}

/// A row on a smaller file: what is flushed stays the same, and a test need not write 4 GiB first.
fn on_smaller_file(id: &str) -> &'static WorkloadDefinition {
    const BYTES: u64 = 256 << 20;
    let row = WorkloadDefinition::with_id(id).unwrap();
    Box::leak(Box::new(WorkloadDefinition { file_bytes: BYTES, area_bytes: BYTES, ..*row }))
}

/// The sync alone, in nanoseconds, of each row: its tenth percentile, because a busy machine makes a flush
/// longer and never shorter.
fn flushes_ns(mount: &Mount, ids: &[&str]) -> Vec<u64> {
    let facts = gather(&mount.point).unwrap();
    let naming = FileNaming::for_filesystem(&facts.filesystem.name);
    let workloads: Vec<&'static WorkloadDefinition> = ids.iter().map(|id| on_smaller_file(id)).collect();
    let recorders: Vec<Arc<Recorder>> = workloads.iter().map(|_| Arc::default()).collect();
    let setup = Setup {
        plan: &Plan::of(&mount.point, &SUITES[0], workloads.clone()),
        recorders: &recorders,
        ring: &RingSupport::FULL,
        seed: &Seed::random(),
        stop: &AtomicBool::new(false),
        bystanders: Bystanders::on(1, &[], &[], &[]),
        observer: &Silent,
    };
    let mut folder = TestFolder::new(mount.point.clone(), naming, &facts.storage);
    let outcome = suite_run::run_suite(&mut folder, &setup);
    assert_eq!(outcome.ended_early, None);
    let quick = |row: &&'static WorkloadDefinition| {
        let measured = outcome.workloads.iter().find(|one| one.workload.id == row.id).unwrap();
        measured.recorder.merge(LatencyKind::Sync).unwrap().percentile_ns(1_000)
    };
    workloads.iter().map(quick).collect()
}

/// A loop device over the page cache is a drive with a real volatile cache: what was written lies in memory
/// until a flush. The same past the page cache has none of its own.
#[test]
fn the_drain_probe_tells_a_volatile_cache_from_a_device_without_one() {
    const DRAIN: [&str; 3] = ["empty-flush", "drain-1m", "drain-64m"];
    let _alone = alone();
    let folder = images();
    let mut costs = Vec::new();
    for (name, direct_io) in [("cached", false), ("direct", true)] {
        let made = or_leave_out!(LoopMount::new(folder.path(), name, "ext4", direct_io));
        let sizes = DRAIN.map(|id| WorkloadDefinition::with_id(id).unwrap().operation_bytes());
        let points: Vec<(u64, u64)> = sizes.into_iter().zip(flushes_ns(&made.mount, &DRAIN)).collect();
        println!("{name}: {points:?}");
        costs.push(flush_cost(&points).unwrap());
    }
    let [cached, direct] = costs[..] else { unreachable!("two devices") };
    assert_eq!(cached.drain, Drain::Volatile, "{cached:?}");
    assert_ne!(direct.drain, Drain::Volatile, "{direct:?}");
    assert!(cached.slope_ns_per_mib > 10.0 * direct.slope_ns_per_mib, "{cached:?} {direct:?}");
}
