//! What the traced process does, and what its parent reads in the trace.

use std::collections::BTreeMap;
use std::io::Write as _;
use std::process::Command;
use std::sync::atomic::AtomicBool;

use fsyncmark::disk::contents::Seed;
use fsyncmark::disk::ring_queue::RingSupport;
use fsyncmark::disk::test_file::TestFile;
use fsyncmark::engine::open_loop::OfferedLoad;
use fsyncmark::engine::pass::{Gate, PassOutcome};
use fsyncmark::engine::recorder::Recorder;
use fsyncmark::engine::suite_run::SAMPLE_NS;
use fsyncmark::engine::writer_tasks;
use fsyncmark::engine::writer_threads::{self, Writer};
use fsyncmark::plan::file_naming::FileNaming;
use fsyncmark::plan::pass_limits::PassLimits;
use fsyncmark::plan::workload::{FileState, PageCache, WorkloadDefinition};
use fsyncmark::sys::clock::Monotonic;
use fsyncmark::wire::workload::Purpose;

/// What a traced process is told to do, in the environment.
const WHAT: &str = "FSYNCMARK_TRACED";
/// Written by the thread that counts, in the moment before it begins to.
const MARK: &str = "operations count from here on";
/// In place of a workload's name: arrivals that do not wait.
const OPEN: &str = "open loop";
/// Enough for every loop, and fast to write.
const AREA_BYTES: u64 = 4 << 20;
/// A hundred operations under strace, which makes each call some 50 us longer.
const LIMITS: PassLimits = PassLimits {
    warm_up_ns: 20_000_000,
    warm_up_bytes_max: u64::MAX,
    pass_ns_min: 300_000_000,
    pass_operations_min: 100,
    pass_ns_max: 10_000_000_000,
    pass_bytes_max: u64::MAX,
};

/// Both halves of the program: which of them, the environment tells.
pub fn look() {
    if let Ok(what) = std::env::var(WHAT) {
        traced(&what);
        return;
    }
    a_trace_is_counted_between_the_mark_and_the_last_operation();
    while_operations_count_there_is_no_system_call_but_their_io();
}

/// The pass that is traced.
fn traced(what: &str) {
    let mut mark = || std::io::stderr().write_all(MARK.as_bytes()).unwrap();
    let stop = AtomicBool::new(false);
    let gate = Gate::new(&stop, &mut mark);
    let dir = tempfile::tempdir_in("/var/tmp").unwrap();
    let file = TestFile::create(dir.path(), FileNaming::Nameless).unwrap();
    file.fill(AREA_BYTES, &Seed([7; 32]), &stop, &mut |_| ()).unwrap();
    let pass = pass(&file, what, &gate);
    assert!(pass.operations >= LIMITS.pass_operations_min && pass.error.is_none(), "{pass:?}");
}

/// The row of the table, over a small file, by one writer.
fn row(id: &str, file: &TestFile) -> WorkloadDefinition {
    let row = WorkloadDefinition {
        area_bytes: AREA_BYTES,
        writers: 1,
        ..*WorkloadDefinition::with_id(id).unwrap()
    };
    assert_eq!(row.file_state, FileState::Overwritten, "{id}");
    // /var/tmp may be a filesystem without O_DIRECT, such as an old tmpfs.
    let can_bypass = row.page_cache == PageCache::Past && file.can_bypass_page_cache(&row).unwrap();
    WorkloadDefinition { page_cache: if can_bypass { PageCache::Past } else { PageCache::Through }, ..row }
}

fn pass(file: &TestFile, what: &str, gate: &Gate<'_>) -> PassOutcome {
    let offer = (what == OPEN).then_some(OfferedLoad { per_s: 1_000, purpose: Purpose::Load });
    let workload = row(if what == OPEN { "randread-4k-qd32" } else { what }, file);
    let choice = writer_tasks::engine_choice(&workload, &RingSupport::detect());
    let disk = file.open(&workload).unwrap();
    let task = writer_tasks::task(&workload, &choice, 0, None, offer);
    let writers = vec![Writer { disk, clock: Monotonic, task }];
    writer_threads::run(writers, &LIMITS, &Recorder::for_writers(1), SAMPLE_NS, gate)
}

/// System calls of the thread that wrote the mark, from there to its last one that is in `io`, by name.
fn calls_while_counting(trace: &str, io: &[&str]) -> BTreeMap<String, usize> {
    let lines = || trace.lines().filter_map(|line| line.split_once(' '));
    let thread = lines().find(|(_, call)| call.contains(MARK)).expect("a mark").0;
    let names: Vec<&str> = lines()
        .filter(|(other, _)| *other == thread)
        .skip_while(|(_, call)| !call.contains(MARK))
        .skip(1)
        .filter_map(|(_, call)| name_of(call))
        .collect();
    let last = names.iter().rposition(|name| io.contains(name)).expect("an operation");
    let mut counts = BTreeMap::new();
    for name in &names[..=last] {
        *counts.entry((*name).to_owned()).or_default() += 1;
    }
    counts
}

/// `1.5 pwrite64(3, …) = 8192`: the name, where a call begins. What resumes was counted when it began.
fn name_of(call: &str) -> Option<&str> {
    let call = call.trim_start().split_once(' ')?.1;
    let (name, _) = call.split_once('(')?;
    name.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_').then_some(name)
}

/// Says what is left out, because a test that did nothing must be noticed.
fn leave_out(reason: &str) {
    eprintln!("system calls of the timed loops: left out: {reason}");
}

/// The trace of one pass; `None` where nobody may trace.
fn trace(what: &str) -> Option<String> {
    let dir = tempfile::tempdir().unwrap();
    let output = dir.path().join("trace");
    let done = Command::new("strace")
        .args(["-f", "-ttt", "-qq", "-s", "64", "-o"])
        .arg(&output)
        .arg(std::env::current_exe().unwrap())
        .env(WHAT, what)
        .output();
    let done = match done {
        Ok(done) => done,
        Err(error) => {
            leave_out(&format!("strace cannot be started here ({error}); Debian: apt-get install strace"));
            return None;
        }
    };
    let said = String::from_utf8_lossy(&done.stderr).into_owned();
    if said.contains("ptrace") || said.contains("PTRACE") {
        leave_out(&format!("strace may not look at other programs here: {said}"));
        return None;
    }
    assert!(done.status.success(), "{what}: {said}");
    Some(std::fs::read_to_string(output).unwrap())
}

fn while_operations_count_there_is_no_system_call_but_their_io() {
    let has_ring = RingSupport::detect().ring_mode.is_some();
    for (what, io, is_deep) in [
        ("commit-8k", &["pwrite64", "fdatasync"][..], false),
        ("commit-8k-fsync", &["pwrite64", "fsync"], false),
        ("commit-8k-dsync", &["pwrite64"], false),
        ("commit-8k-rwf-dsync", &["pwritev2"], false),
        ("read-4k-floor", &["pread64"], false),
        ("randread-4k-qd32", &["io_uring_enter"], true),
        ("randwrite-4k-qd32", &["io_uring_enter"], true),
        ("randwrite-8k-fsync-qd32x4", &["io_uring_enter"], true),
        (OPEN, &["io_uring_enter"], true),
    ] {
        if is_deep && !has_ring {
            leave_out(&format!("{what}: there is no io_uring here"));
            continue;
        }
        let Some(trace) = trace(what) else { return };
        let counts = calls_while_counting(&trace, io);
        let names: Vec<&str> = counts.keys().map(String::as_str).collect();
        let mut expected = io.to_vec();
        expected.sort_unstable();
        assert_eq!(names, expected, "{what}: {counts:?}");
        assert!(counts.values().sum::<usize>() >= 10, "{what}: {counts:?}");
        eprintln!("{what}: {counts:?}");
    }
}

fn a_trace_is_counted_between_the_mark_and_the_last_operation() {
    let trace = format!(
        "7 1.0 futex(0x1, FUTEX_WAIT, 0) = 0\n8 1.1 write(2, \"{MARK}\", 29) = 29\n\
         8 1.2 pwrite64(3, \"x\"..., 8192, 0 <unfinished ...>\n7 1.3 futex(0x1, FUTEX_WAIT, 0) = 0\n\
         8 1.4 <... pwrite64 resumed>) = 8192\n8 1.5 madvise(0x1, 4096, MADV_FREE) = 0\n\
         8 1.6 fdatasync(3) = 0\n8 1.7 munmap(0x1, 4096) = 0\n8 1.8 +++ exited with 0 +++\n"
    );
    let counts = calls_while_counting(&trace, &["pwrite64", "fdatasync"]);
    let expected = [("fdatasync", 1), ("madvise", 1), ("pwrite64", 1)];
    assert_eq!(counts, expected.map(|(name, count)| (name.to_owned(), count)).into());
}
