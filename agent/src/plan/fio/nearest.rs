//! The workload that comes nearest to a job of fio, and what still differs.

use super::command::size;
use super::shape::{BlockState, Direction, Shape, Sync};
use crate::plan::workload::{Stage, WORKLOADS, WorkloadDefinition};
use crate::units;

/// The distance of an endurance workload that runs for another time than the job: larger than any difference
/// in time alone makes it.
const ENDURANCE_WEIGHT: f64 = 1.0;

/// The workload that comes nearest to a job.
#[derive(Debug, Clone, PartialEq)]
pub struct NearestWorkload {
    /// Its row of the table.
    pub workload: &'static WorkloadDefinition,
    /// How it differs from the job, the most important first; empty if it is the same.
    pub differences: Vec<String>,
}

/// A property in which two shapes may differ.
struct ShapeDifference {
    /// How much it changes what is measured. The weights only put properties in order.
    weight: f64,
    text: String,
}

/// The workload that differs least.
///
/// # Panics
///
/// If no workload of the table could be a job, which a test excludes.
pub fn find(job: &Shape) -> NearestWorkload {
    let candidates = WORKLOADS.iter().filter_map(|row| Some((row, Shape::of_row(row)?)));
    let weighed = candidates.map(|(row, shape)| {
        let differences = differences(job, &shape);
        let sum: f64 = differences.iter().map(|difference| difference.weight).sum();
        // A job that runs for another time than an endurance workload asks for the usual one.
        let is_another = row.stage == Stage::Last && job.runtime_ns != shape.runtime_ns;
        (sum + if is_another { ENDURANCE_WEIGHT } else { 0.0 }, row, differences)
    });
    let (_, workload, mut differences) =
        weighed.min_by(|one, other| one.0.total_cmp(&other.0)).expect("a row that fio can do");
    differences.sort_by(|one, other| other.weight.total_cmp(&one.weight));
    NearestWorkload {
        workload,
        differences: differences.into_iter().map(|difference| difference.text).collect(),
    }
}

fn differences(job: &Shape, row: &Shape) -> Vec<ShapeDifference> {
    let mut all = Vec::new();
    let mut differs = |weight: f64, what: &str, of_job: String, of_row: String| {
        if weight > 0.0 {
            all.push(ShapeDifference { weight, text: format!("{what}: {of_job}, the workload {of_row}") });
        }
    };
    let unless = |equal: bool, weight: f64| if equal { 0.0 } else { weight };
    differs(
        between_directions(job.direction, row.direction),
        "direction",
        direction(job.direction),
        direction(row.direction),
    );
    differs(between_syncs(job.sync, row.sync), "sync", sync(job.sync), sync(row.sync));
    differs(unless(job.is_direct == row.is_direct, 8.0), "page cache", cache(job), cache(row));
    differs(unless(job.is_random == row.is_random, 6.0), "places", places(job), places(row));
    if let (Some(of_job), Some(of_row)) = (job.state, row.state) {
        differs(unless(of_job == of_row, 5.0), "state of the file", state(of_job), state(of_row));
    }
    differs(
        doublings(job.block_bytes, row.block_bytes) * 4.0,
        "block size",
        size(job.block_bytes),
        size(row.block_bytes),
    );
    differs(
        doublings(job.depth, row.depth) * 2.0,
        "queue depth",
        job.depth.to_string(),
        row.depth.to_string(),
    );
    differs(doublings(job.jobs, row.jobs) * 2.0, "jobs", job.jobs.to_string(), row.jobs.to_string());
    let files = |shape: &Shape| {
        if shape.has_own_files { "each its own".to_owned() } else { "one for all".to_owned() }
    };
    differs(unless(job.has_own_files == row.has_own_files, 1.5), "files", files(job), files(row));
    differs(unless(job.is_zeros == row.is_zeros, 3.0), "contents", contents(job), contents(row));
    if let (Some(of_job), Some(of_row)) = (job.area_bytes, row.area_bytes) {
        differs(doublings(of_job, of_row) * 0.4, "size", size(of_job), size(of_row));
    }
    if let (Some(of_job), Some(of_row)) = (job.runtime_ns, row.runtime_ns) {
        differs(doublings(of_job, of_row) * 0.05, "time", units::latency(of_job), units::latency(of_row));
    }
    all
}

/// How many times the smaller one must be doubled to reach the other.
fn doublings(one: u64, other: u64) -> f64 {
    (one.max(1) as f64 / other.max(1) as f64).log2().abs()
}

fn between_directions(one: Direction, other: Direction) -> f64 {
    match (one, other) {
        (Direction::Mix(one), Direction::Mix(other)) => one.abs_diff(other) as f64 / 5.0,
        (one, other) if one == other => 0.0,
        (Direction::Mix(_), _) | (_, Direction::Mix(_)) => 50.0,
        _ => 100.0,
    }
}

/// Whether anything is made durable matters most, then how often, then by which call.
fn between_syncs(one: Sync, other: Sync) -> f64 {
    let every = |sync: Sync| match sync {
        Sync::Fsync(every) | Sync::Fdatasync(every) => every,
        _ => 1,
    };
    let kind = |sync: Sync| match sync {
        Sync::None => 0,
        Sync::Fdatasync(_) => 1,
        Sync::Fsync(_) => 2,
        Sync::ODsync => 3,
        Sync::OSync => 4,
    };
    match (kind(one), kind(other)) {
        (0, 0) => 0.0,
        (0, _) | (_, 0) => 40.0,
        (a, b) => doublings(every(one), every(other)) * 3.0 + if a == b { 0.0 } else { 4.0 },
    }
}

fn direction(direction: Direction) -> String {
    match direction {
        Direction::Read => "reads".to_owned(),
        Direction::Write => "writes".to_owned(),
        Direction::Mix(reads) => format!("{reads} % reads"),
    }
}

fn sync(sync: Sync) -> String {
    let after = |call: &str, every: u64| match every {
        1 => format!("{call} after each"),
        every => format!("{call} after every {every}"),
    };
    match sync {
        Sync::None => "none".to_owned(),
        Sync::Fdatasync(every) => after("fdatasync", every),
        Sync::Fsync(every) => after("fsync", every),
        Sync::ODsync => "O_DSYNC".to_owned(),
        Sync::OSync => "O_SYNC".to_owned(),
    }
}

fn cache(shape: &Shape) -> String {
    if shape.is_direct { "past it".to_owned() } else { "through it".to_owned() }
}

fn places(shape: &Shape) -> String {
    if shape.is_random { "random".to_owned() } else { "one after another".to_owned() }
}

fn contents(shape: &Shape) -> String {
    if shape.is_zeros { "zeros".to_owned() } else { "random bytes".to_owned() }
}

fn state(state: BlockState) -> String {
    match state {
        BlockState::Overwritten => "written before",
        BlockState::Growing => "growing",
        BlockState::Fallocated => "fallocated, never written",
        BlockState::Sparse => "sparse",
    }
    .to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::fio::job::from_arguments;

    fn nearest(line: &str) -> NearestWorkload {
        let words: Vec<String> = line.split(' ').map(str::to_owned).collect();
        find(&Shape::of_job(&from_arguments(&words).unwrap().jobs[0]).0)
    }

    #[test]
    fn published_jobs_find_the_workloads_made_of_them() {
        for (job, id) in [
            ("--rw=write --ioengine=sync --fdatasync=1 --size=22m --bs=2300", "fallocated-2300-fdatasync"),
            (
                "--ioengine=libaio --rw=write --bs=8k --size=5G --iodepth=1 --fsync=1 --direct=0",
                "fallocated-8k-fsync",
            ),
            (
                "--ioengine=libaio --direct=1 --rw=randrw --rwmixread=50 --bs=64k --iodepth=64 --numjobs=2 --size=2g --filename=t",
                "mix-64k",
            ),
            ("--ioengine=libaio --direct=1 --rw=randread --bs=4k --iodepth=32 --size=4g", "randread-4k-qd32"),
            (
                "--ioengine=io_uring --direct=1 --rw=randwrite --bs=8k --iodepth=32 --numjobs=4 --fsync=1 --filename=t --overwrite=1",
                "randwrite-8k-fsync-qd32x4",
            ),
            (
                "--direct=1 --rw=randwrite --bs=16k --fsync=1 --overwrite=1 --numjobs=8 --filename=t --size=4g",
                "direct-16k-fsync-x8",
            ),
            ("--rw=write --bs=8k --size=64m --overwrite=1 --sync=dsync", "commit-8k-dsync"),
            (
                "--rw=randwrite --bs=4k --iodepth=64 --ioengine=libaio --direct=1 --runtime=60",
                "randwrite-4k-qd32",
            ),
        ] {
            assert_eq!(nearest(job).workload.id, id, "{job}");
        }
    }

    #[test]
    fn differences_are_said_the_weightiest_first() {
        let found = nearest("--rw=write --bs=4k --size=64m --overwrite=1 --fsync=32 --runtime=60");
        assert_eq!(found.workload.id, "commit-8k-fsync");
        assert_eq!(
            found.differences,
            [
                "sync: fsync after every 32, the workload fsync after each",
                "block size: 4k, the workload 8k",
                "time: 60.0 s, the workload 4.00 s"
            ]
        );
    }

    #[test]
    fn whether_anything_is_durable_weighs_more_than_any_size() {
        assert_eq!(
            nearest("--rw=write --bs=1m --fdatasync=1 --overwrite=1 --size=10g").workload.durability,
            crate::plan::workload::Durability::Call(crate::sys::io_request::SyncCall::Fdatasync)
        );
        assert_eq!(
            nearest("--rw=randwrite --bs=512 --direct=1 --overwrite=1").workload.id,
            "direct-16k-nosync"
        );
    }
}
