//! The fio command line that does what a row of the table does, so that nobody must take our word.

use std::path::Path;

use crate::disk::SyncCall;
use crate::workload::{
    Access, Contents, Durability, FileState, Operation, PageCache, Sharing, WORKLOADS, Workload,
};

/// Begins the names of the files that these commands make.
pub const FILE_PREFIX: &str = "fsyncmark-fio";

/// A row in fio's words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Translation {
    /// It does the same.
    Same {
        /// What follows `fio`.
        arguments: Vec<String>,
        /// What is still not the same.
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

/// Why fio cannot do what a row does.
fn obstacle(workload: &Workload) -> Option<&'static str> {
    match (workload.operation, workload.durability) {
        (Operation::ClockGap, _) => Some(
            "it reads the clock and does no I/O: fio times I/O only, cyclictest (rt-tests) measures the like",
        ),
        (Operation::GroupCommit, _) => {
            Some("its committers share one log and one sync: jobs of fio know nothing of each other")
        }
        (Operation::Doublewrite(_), _) => Some(
            "it writes 1 MiB and syncs, then its pages in their places and syncs: a job of fio has one block size \
             and one rule for its syncs",
        ),
        (Operation::Batch(0), _) => Some("it syncs with nothing written: fio syncs only after writes"),
        (Operation::Batch(_), _) => Some(
            "it counts flushes, a few of them: fio counts writes; of the nearest job, only the sync percentiles mean \
             the same",
        ),
        (_, Durability::RwfDsync) => {
            Some("no engine of fio has RWF_DSYNC; O_DSYNC asks for the same by the file")
        }
        _ => None,
    }
}

/// What a row is in fio's words, its files in `dir`.
pub fn translate(workload: &Workload, dir: &Path) -> Translation {
    let arguments = || arguments(workload, dir);
    match obstacle(workload) {
        None => Translation::Same { arguments: arguments(), remarks: remarks(workload) },
        Some(why) => {
            let has_nearest =
                matches!(workload.operation, Operation::Commit | Operation::Batch(1..)).then(arguments);
            Translation::Impossible { why, nearest: has_nearest }
        }
    }
}

/// What is still not the same.
fn remarks(workload: &Workload) -> Vec<String> {
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

/// Whether another row differs in nothing but in how long it is measured.
fn is_alike(other: &Workload, workload: &Workload) -> bool {
    let plain = |row: &Workload| Workload {
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

/// What follows `fio`, from the row's fields and nothing else.
fn arguments(workload: &Workload, dir: &Path) -> Vec<String> {
    let writers = u64::from(workload.writers);
    let mut arguments = vec![format!("--name={}", workload.id)];
    arguments.extend(engine(workload));
    arguments.extend(files(workload, dir));
    arguments.push(format!("--rw={}", direction(workload)));
    if workload.operation == Operation::Mix {
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

/// Options of an engine stand behind its name.
fn engine(workload: &Workload) -> Vec<String> {
    if workload.queue_depth == 1 {
        return vec!["--ioengine=psync".to_owned()];
    }
    let depth = format!("--iodepth={}", workload.queue_depth);
    let mut options =
        ["--ioengine=io_uring", "--fixedbufs=1", "--registerfiles=1"].map(str::to_owned).to_vec();
    options.push(depth);
    options
}

const fn direction(workload: &Workload) -> &'static str {
    match (workload.operation, workload.access) {
        (Operation::Read, Access::Sequential) => "read",
        (Operation::Read, Access::Random) => "randread",
        (Operation::Mix, Access::Sequential) => "rw",
        (Operation::Mix, Access::Random) => "randrw",
        (_, Access::Sequential) => "write",
        (_, Access::Random) => "randwrite",
    }
}

/// Where the files are and how much of them is used: writers that go through one file in order have each a
/// part of it.
fn files(workload: &Workload, dir: &Path) -> Vec<String> {
    let folder = escaped(dir);
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
fn escaped(dir: &Path) -> String {
    dir.to_string_lossy().replace('\\', "\\\\").replace(':', "\\:")
}

const fn sync(workload: &Workload) -> Option<&'static str> {
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
fn limits(workload: &Workload) -> Vec<String> {
    let limits = &workload.limits;
    let bytes = match workload.operation {
        Operation::Batch(_) => limits.pass_operations_min * workload.operation_bytes(),
        _ => limits.pass_bytes_max,
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
pub fn script(workloads: &[&'static Workload], dir: &Path) -> String {
    let mut lines = vec![
        "# Needs fio 3.30 or newer. A commit of ours is a write with its sync; fio prints the two apart."
            .to_owned(),
        format!("# Its files stay: rm {}", quoted(&dir.join(FILE_PREFIX).to_string_lossy()) + ".*"),
    ];
    let command = |arguments: &[String]| {
        let words: Vec<String> = arguments.iter().map(|word| quoted(word)).collect();
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

/// A word as a POSIX shell takes it for one.
fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_=./,:%+@".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', "'\\''"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fio::{job, nearest, shape::Shape};

    fn translated(id: &str) -> Translation {
        translate(Workload::named(id).unwrap(), Path::new("/data"))
    }

    fn line(id: &str) -> String {
        match translated(id) {
            Translation::Same { arguments, .. } => arguments.join(" "),
            Translation::Impossible { .. } => panic!("{id} is impossible"),
        }
    }

    #[test]
    fn well_known_jobs_are_those_of_their_authors() {
        assert_eq!(
            line("commit-8k"),
            "--name=commit-8k --ioengine=psync --filename=/data/fsyncmark-fio.64m --size=64m --rw=write --bs=8k \
             --direct=0 --fdatasync=1 --overwrite=1 --fallocate=none --io_size=512m --runtime=4s --ramp_time=500ms"
        );
        assert!(
            line("fallocated-2300-fdatasync")
                .contains("--size=22m --rw=write --bs=2300 --direct=0 --fdatasync=1")
        );
        assert!(
            line("mix-64k").contains("--iodepth=64")
                && line("mix-64k").contains("--rw=randrw --rwmixread=50")
        );
        assert!(
            line("randread-4k-qd32")
                .contains("--ioengine=io_uring --fixedbufs=1 --registerfiles=1 --iodepth=32")
        );
    }

    #[test]
    fn the_state_of_the_file_is_never_left_to_fio() {
        assert!(line("commit-8k").contains("--overwrite=1 --fallocate=none"));
        assert!(line("append-8k-fdatasync").contains("--fallocate=none --create_on_open=1 --unlink=1"));
        assert!(line("fallocated-8k-fsync").contains("--fallocate=native --unlink=1"));
        assert!(!line("fallocated-8k-fsync").contains("--ramp_time"), "it would use up the fresh part");
    }

    #[test]
    fn writers_share_one_file_in_parts_or_have_their_own() {
        assert!(line("commit-8k-writers-4").contains("--size=16m --offset_increment=16m"));
        assert!(line("commit-8k-writers-4").contains("--numjobs=4 --thread --group_reporting"));
        let own = line("commit-8k-files-4");
        assert!(
            own.contains("--directory=/data --filename_format=fsyncmark-fio.$jobname.$jobnum --size=16m"),
            "{own}"
        );
        assert!(
            !own.contains("offset_increment") && !line("direct-16k-fsync-x8").contains("offset_increment")
        );
    }

    #[test]
    fn what_fio_cannot_do_says_why() {
        for id in ["group-commit-8k-4", "doublewrite-16k-batch", "hiccup", "empty-flush"] {
            assert!(matches!(translated(id), Translation::Impossible { nearest: None, .. }), "{id}");
        }
        let Translation::Impossible { nearest: Some(nearest), .. } = translated("drain-64m") else {
            panic!()
        };
        assert!(
            nearest.contains(&"--fdatasync=64".to_owned()) && nearest.contains(&"--io_size=192m".to_owned())
        );
        let Translation::Impossible { nearest: Some(nearest), .. } = translated("commit-8k-rwf-dsync") else {
            panic!()
        };
        assert!(nearest.contains(&"--sync=dsync".to_owned()));
    }

    #[test]
    fn every_row_is_a_command_or_says_why_not_and_every_command_leads_back_to_its_row() {
        let mut commands = 0;
        for workload in WORKLOADS {
            match translate(workload, Path::new("/data")) {
                Translation::Impossible { why, .. } => assert!(why.len() > 20, "{}", workload.id),
                Translation::Same { arguments, .. } => {
                    commands += 1;
                    let given = job::from_arguments(&arguments).unwrap();
                    assert_eq!(given.jobs.len(), 1, "{}", workload.id);
                    let (shape, unknown) = Shape::of_job(&given.jobs[0]);
                    assert_eq!(unknown, [""; 0], "{}", workload.id);
                    let found = nearest::find(&shape);
                    assert_eq!(found.workload.id, workload.id);
                    assert_eq!(found.differences, [""; 0], "{}", workload.id);
                }
            }
        }
        assert!(commands > 60, "{commands}");
    }

    #[test]
    fn a_script_is_one_that_a_shell_can_run() {
        let all: Vec<&Workload> = WORKLOADS.iter().collect();
        let script = script(&all, Path::new("/a b/it's:here"));
        for workload in WORKLOADS {
            assert!(script.contains(&format!("\n# {}: ", workload.id)), "{}", workload.id);
        }
        assert!(script.lines().all(|line| line.is_empty()
            || line.starts_with("# ")
            || line.starts_with("fio --name=")
            || line.starts_with("#   ")));
        assert!(script.contains(r"'--filename=/a b/it'\''s\:here/fsyncmark-fio.64m'"), "{script}");
        let shell = std::process::Command::new("sh").args(["-n", "-c", &script]).status().unwrap();
        assert!(shell.success(), "sh -n");
    }

    #[test]
    fn sizes_and_times_are_those_of_fio() {
        assert_eq!([0, 2_300, 8 << 10, 22 << 20, 4 << 30].map(size), ["0", "2300", "8k", "22m", "4g"]);
        assert_eq!([500_000_000, 4_000_000_000].map(duration), ["500ms", "4s"]);
    }
}
