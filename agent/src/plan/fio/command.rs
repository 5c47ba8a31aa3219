//! The fio command line that does what a workload does, so that everybody can check our figures.

use std::path::Path;

use crate::plan::workload::{
    Access, Contents, Durability, FileState, Operation, PageCache, Sharing, Subject, Transfer, WORKLOADS,
    WorkloadDefinition,
};
use crate::sys::io_request::SyncCall;

/// Prefix of the names of the files that these commands create.
pub const FILE_PREFIX: &str = "fsyncmark-fio";

/// A workload as fio can do it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Translation {
    /// It does the same.
    Same {
        /// What follows `fio`.
        arguments: Vec<String>,
        /// What still differs.
        remarks: Vec<String>,
    },
    /// fio cannot do it.
    Impossible {
        /// Why.
        why: &'static str,
        /// The job that comes nearest, if one does.
        nearest: Option<Vec<String>>,
    },
}

/// Why fio cannot do what a workload does.
struct Obstacle {
    why: &'static str,
    /// Whether a job without it still means something.
    is_near: bool,
}

fn obstacle(workload: &WorkloadDefinition) -> Option<Obstacle> {
    let far = |why| Some(Obstacle { why, is_near: false });
    let near = |why| Some(Obstacle { why, is_near: true });
    if workload.slo.is_some() {
        return far(
            "it searches the highest rate that keeps its limit: fio keeps one rate, and leaves the queue before the \
             device out of its latency unless it has --io_submit_mode=offload",
        );
    }
    match (workload.operation, workload.durability) {
        (Operation::ClockGap, _) => far(
            "it reads the clock and does no I/O: fio times I/O only, cyclictest (rt-tests) measures the like",
        ),
        (Operation::GroupCommit, _) => {
            far("its committers share one log and one sync: jobs of fio know nothing of each other")
        }
        (Operation::Doublewrite(_), _) => far(
            "it writes 1 MiB and syncs, then its pages in their places and syncs: a job of fio has one block size \
             and one rule for its syncs",
        ),
        (Operation::EmptySync, _) => far("it syncs with nothing written: fio syncs only after writes"),
        (Operation::Batch(_), _) => near(
            "it counts flushes, a few of them: fio counts writes; of the nearest job, only the sync percentiles mean \
             the same",
        ),
        (Operation::Commit | Operation::Write | Operation::Read | Operation::Mix, Durability::RwfDsync) => {
            near("no engine of fio has RWF_DSYNC; O_DSYNC asks for the same by the file")
        }
        (
            Operation::Commit | Operation::Write | Operation::Read | Operation::Mix,
            Durability::Call(_) | Durability::ODsync | Durability::None,
        ) => None,
    }
}

/// A workload as a fio job, with its files in `dir`.
pub fn translate(workload: &WorkloadDefinition, dir: &Path) -> Translation {
    let arguments = || arguments(workload, dir);
    match obstacle(workload) {
        None => Translation::Same { arguments: arguments(), remarks: remarks(workload) },
        Some(Obstacle { why, is_near }) => Translation::Impossible { why, nearest: is_near.then(arguments) },
    }
}

/// What still differs from the workload.
fn remarks(workload: &WorkloadDefinition) -> Vec<String> {
    let mut remarks = Vec::new();
    if workload.area_bytes < workload.file_bytes {
        let [area, file] = [workload.area_bytes, workload.file_bytes].map(size);
        remarks.push(format!("our file has {file}, of which {area} are used; fio's has no more than those"));
    }
    if workload.queue_depth > 1 && workload.operation == Operation::Commit {
        remarks.push(
            "ours begins a commit only when another is durable; fio queues its fsyncs beside its writes"
                .to_owned(),
        );
    }
    if workload.passes > 1 {
        remarks.push(format!("ours are {} passes of this length, spread over the run", workload.passes));
    }
    if let Some(other) = WORKLOADS.iter().find(|other| is_alike(other, workload)) {
        remarks.push(format!("the same as {}, for another time", other.id));
    }
    remarks
}

/// Whether another workload differs only in how long it is measured.
fn is_alike(other: &WorkloadDefinition, workload: &WorkloadDefinition) -> bool {
    let plain = |row: &WorkloadDefinition| WorkloadDefinition {
        id: "",
        version: 0,
        title: "",
        comparable_with: "",
        stage: workload.stage,
        passes: 0,
        limits: workload.limits,
        ..*row
    };
    other.id != workload.id && plain(other) == plain(workload)
}

/// What follows `fio`, made of the workload's fields and nothing else.
fn arguments(workload: &WorkloadDefinition, dir: &Path) -> Vec<String> {
    let writers = u64::from(workload.writers);
    let mut arguments = vec![format!("--name={}", workload.id)];
    arguments.extend(engine(workload));
    arguments.extend(files(workload, dir));
    arguments.push(format!("--rw={}", direction(workload)));
    if workload.operation.facts().transfer == Transfer::Either {
        arguments.push("--rwmixread=50".to_owned());
    }
    arguments.push(format!("--bs={}", size(workload.block_bytes)));
    arguments.push(format!("--direct={}", u8::from(workload.page_cache == PageCache::Past)));
    arguments.extend(sync(workload).map(str::to_owned));
    if let Operation::Batch(blocks @ 2..) = workload.operation {
        // The last of these options counts.
        arguments.push(format!("--fdatasync={blocks}"));
    }
    arguments.extend(state(workload.file_state).iter().map(|&option| option.to_owned()));
    if workload.access == Access::Random {
        arguments.extend(["--norandommap=1", "--randrepeat=0"].map(str::to_owned));
    }
    if workload.contents == Contents::Zeros {
        arguments.push("--zero_buffers=1".to_owned());
    }
    if writers > 1 {
        arguments.push(format!("--numjobs={writers}"));
        arguments.extend(["--thread", "--group_reporting"].map(str::to_owned));
    }
    arguments.extend(limits(workload));
    arguments
}

/// The engine and its options, which have to follow its name.
fn engine(workload: &WorkloadDefinition) -> Vec<String> {
    if workload.queue_depth == 1 {
        return vec!["--ioengine=psync".to_owned()];
    }
    let depth = format!("--iodepth={}", workload.queue_depth);
    let mut options =
        ["--ioengine=io_uring", "--fixedbufs=1", "--registerfiles=1"].map(str::to_owned).to_vec();
    options.push(depth);
    options
}

const fn direction(workload: &WorkloadDefinition) -> &'static str {
    match (workload.operation.facts().transfer, workload.access) {
        (Transfer::Read, Access::Sequential) => "read",
        (Transfer::Read, Access::Random) => "randread",
        (Transfer::Either, Access::Sequential) => "rw",
        (Transfer::Either, Access::Random) => "randrw",
        (Transfer::Write | Transfer::Nothing, Access::Sequential) => "write",
        (Transfer::Write | Transfer::Nothing, Access::Random) => "randwrite",
    }
}

/// Where the files are and how much of them is used: writers that go through one file in order have a part of
/// it each.
fn files(workload: &WorkloadDefinition, dir: &Path) -> Vec<String> {
    let folder = escape(dir);
    let is_shared = workload.sharing == Sharing::OneFile;
    let is_divided = is_shared && workload.access == Access::Sequential && workload.writers > 1;
    let part = workload.area_bytes / u64::from(workload.writers);
    let part = part / workload.block_bytes * workload.block_bytes;
    let used = if is_divided { part } else { workload.area_bytes };
    let mut options = if is_shared {
        let state = match workload.file_state {
            FileState::Overwritten => "",
            FileState::Growing => ".growing",
            FileState::Fallocated => ".fallocated",
        };
        let separator = if folder.ends_with('/') { "" } else { "/" };
        vec![format!("--filename={folder}{separator}{FILE_PREFIX}.{}{state}", size(workload.file_bytes))]
    } else {
        vec![format!("--directory={folder}"), format!("--filename_format={FILE_PREFIX}.$jobname.$jobnum")]
    };
    options.push(format!("--size={}", size(used)));
    if is_divided {
        options.push(format!("--offset_increment={}", size(part)));
    }
    options
}

/// fio takes a colon for the end of a name.
fn escape(dir: &Path) -> String {
    dir.to_string_lossy().replace('\\', "\\\\").replace(':', "\\:")
}

const fn sync(workload: &WorkloadDefinition) -> Option<&'static str> {
    match workload.durability {
        Durability::Call(SyncCall::Fdatasync) => Some("--fdatasync=1"),
        Durability::Call(SyncCall::Fsync) => Some("--fsync=1"),
        Durability::ODsync | Durability::RwfDsync => Some("--sync=dsync"),
        Durability::None => None,
    }
}

/// The state of the file's blocks. What is not overwritten begins with a new file each time: in an old one
/// the blocks would be written already.
const fn state(state: FileState) -> &'static [&'static str] {
    match state {
        FileState::Overwritten => &["--overwrite=1", "--fallocate=none"],
        FileState::Fallocated => &["--fallocate=native", "--unlink=1"],
        FileState::Growing => &["--fallocate=none", "--create_on_open=1", "--unlink=1"],
    }
}

/// A pass ends after its time or its bytes, whichever is first. A warm-up would use up the fresh part of a
/// file that is not overwritten.
fn limits(workload: &WorkloadDefinition) -> Vec<String> {
    let limits = &workload.limits;
    let bytes = match workload.operation.facts().subject {
        // A few operations are enough.
        Subject::Probe => limits.pass_operations_min * workload.operation_bytes(),
        Subject::Durability | Subject::Medium => limits.pass_bytes_max,
    };
    let mut options = vec![format!("--io_size={}", size(bytes / u64::from(workload.writers)))];
    if limits.pass_ns_min > 0 {
        options.push(format!("--runtime={}", duration(limits.pass_ns_min)));
    }
    if limits.warm_up_ns > 0 && workload.file_state == FileState::Overwritten {
        options.push(format!("--ramp_time={}", duration(limits.warm_up_ns)));
    }
    options
}

/// Bytes as fio takes them: its k is 1024.
pub fn size(bytes: u64) -> String {
    match bytes {
        0 => "0".to_owned(),
        bytes if bytes.is_multiple_of(1 << 30) => format!("{}g", bytes >> 30),
        bytes if bytes.is_multiple_of(1 << 20) => format!("{}m", bytes >> 20),
        bytes if bytes.is_multiple_of(1 << 10) => format!("{}k", bytes >> 10),
        bytes => bytes.to_string(),
    }
}

fn duration(ns: u64) -> String {
    let ms = ns / 1_000_000;
    if ms.is_multiple_of(1_000) { format!("{}s", ms / 1_000) } else { format!("{ms}ms") }
}

/// All workloads as lines for a shell: comments and commands.
pub fn script(workloads: &[&'static WorkloadDefinition], dir: &Path) -> String {
    let mut lines = vec![
        "# Needs fio 3.30 or newer. A commit of ours is a write with its sync; fio prints the two apart."
            .to_owned(),
        format!("# Its files stay: rm {}", quote(&dir.join(FILE_PREFIX).to_string_lossy()) + ".*"),
    ];
    let command = |arguments: &[String]| {
        let words: Vec<String> = arguments.iter().map(|word| quote(word)).collect();
        format!("fio {}", words.join(" "))
    };
    for workload in workloads {
        lines.extend([String::new(), format!("# {}: {}", workload.id, workload.title)]);
        match translate(workload, dir) {
            Translation::Same { arguments, remarks } => {
                lines.extend(remarks.iter().map(|remark| format!("#   {remark}")));
                lines.push(command(&arguments));
            }
            Translation::Impossible { why, nearest } => {
                lines.push(format!("#   not in fio: {why}"));
                lines.extend(nearest.map(|arguments| format!("#   nearest: {}", command(&arguments))));
            }
        }
    }
    lines.join("\n")
}

/// A word, quoted for a POSIX shell.
fn quote(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_=./,:%+@".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', "'\\''"))
}

#[cfg(test)]
mod tests;
