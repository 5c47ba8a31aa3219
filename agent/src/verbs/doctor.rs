//! The verb `doctor`: whether a folder can be measured well, and what to do where not.

use std::io;

use rustix::io::Errno;
use rustix::process::{Resource, getrlimit};

use super::info::describe_limits;
use crate::cli::DoctorArgs;
use crate::disk::test_folder::TestFolder;
use crate::engine::suite_run::preparation;
use crate::error::{Error, ErrorKind, Result};
use crate::plan::Plan;
use crate::plan::file_naming::FileNaming;
use crate::plan::workload::SUITES;
use crate::probe::tree::Tree;
use crate::probe::{self, Facts};
use crate::report::terminal::{Terminal, wrap};
use crate::sys::clock::{self, Monotonic};
use crate::wire::judgement::surroundings::MEMORY_LAYERS;
use crate::{plan, units};

/// Open files that a run with many writers may need, the program's own included.
const OPEN_FILES_MIN: u64 = 256;
/// With less than one CPU the agent itself has to wait.
const CPU_MILLI_MIN: u64 = crate::wire::judgement::limits::CPU_MILLI_MIN;
/// Columns of `ok`, `note` and `stop`, and of what was checked.
const WORD_COLUMNS: usize = 6;
const SUBJECT_COLUMNS: usize = 12;

/// What a run does without `io_uring`.
const WITHOUT_IO_URING: &str =
    "threads take its place, at more CPU for each operation, and slo-* workloads are left out";

/// How much a check matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Severity {
    /// As it should be.
    Good,
    /// A run works, but a person should know.
    Note,
    /// A run would refuse, with this exit code.
    Stop(ErrorKind),
}

/// One thing that was checked.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Check {
    subject: &'static str,
    severity: Severity,
    what: String,
    advice: Option<String>,
}

impl Check {
    fn good(subject: &'static str, what: impl Into<String>) -> Self {
        Self { subject, severity: Severity::Good, what: what.into(), advice: None }
    }

    fn note(subject: &'static str, what: impl Into<String>, advice: &str) -> Self {
        let advice = Some(advice.to_owned()).filter(|advice| !advice.is_empty());
        Self { subject, severity: Severity::Note, what: what.into(), advice }
    }

    fn stop(subject: &'static str, error: Error) -> Self {
        Self { subject, severity: Severity::Stop(error.kind), what: error.what, advice: error.advice }
    }
}

/// Checks everything, prints it, and fails where a run would fail.
pub fn doctor(args: &DoctorArgs) -> Result<()> {
    let facts = probe::gather(&args.dir)?;
    let plan = plan::whole_suite(&args.dir, &SUITES[0], &facts);
    let answer = plan.as_ref().ok().map(|plan| try_direct_io(plan, &facts));
    let mut checks = vec![folder(plan, &facts)];
    #[cfg(target_os = "linux")]
    checks.push(nameless_files(&args.dir, &facts.filesystem.name));
    checks.extend(answer.map(direct_io));
    checks.push(io_uring());
    checks.push(clock_reading(&facts.machine.clock_source, clock::read_cost_ns(&Monotonic)));
    checks.push(open_files(getrlimit(Resource::Nofile).current));
    checks.extend([groups(&facts), stack(&facts), flushes(&facts), root(&facts)]);
    checks.extend(governor(facts.machine.governor));
    let terminal = Terminal::detect();
    // A file has each check and each advice on one line, so that they can be searched for.
    let width = terminal.sentence_width.unwrap_or(usize::MAX);
    terminal.print(&checks.iter().map(|check| lines(check, width)).collect::<Vec<_>>().join("\n"))?;
    verdict(&checks)
}

/// `note  Clock       hpet at 800 ns a reading`, and the advice below.
fn lines(check: &Check, width: usize) -> String {
    let word = match check.severity {
        Severity::Good => "ok",
        Severity::Note => "note",
        Severity::Stop(_) => "stop",
    };
    let room = width.saturating_sub(WORD_COLUMNS + SUBJECT_COLUMNS);
    let below = format!("\n{:1$}", "", WORD_COLUMNS + SUBJECT_COLUMNS);
    let texts = std::iter::once(&check.what).chain(&check.advice);
    let text = texts.flat_map(|text| wrap(text, room)).collect::<Vec<_>>().join(&below);
    format!("{word:<WORD_COLUMNS$}{:<SUBJECT_COLUMNS$}{text}", check.subject)
}

fn verdict(checks: &[Check]) -> Result<()> {
    let stop = checks.iter().find_map(|check| match check.severity {
        Severity::Stop(kind) => Some((kind, check)),
        _ => None,
    });
    match stop {
        Some((kind, check)) => Err(Error::new(kind, format!("a run would stop here: {}", check.subject))),
        None => Ok(()),
    }
}

/// What a run checks first: kind of filesystem, space, permission, size of files.
fn folder(plan: Result<Plan>, facts: &Facts) -> Check {
    match plan {
        Ok(plan) => Check::good(
            "Folder",
            format!(
                "{}, {} free; {} needs {} of it",
                facts.filesystem.name,
                units::bytes(facts.filesystem.free_bytes),
                plan.suite.id,
                units::bytes(plan.room_needed(&facts.filesystem))
            ),
        ),
        Err(error) => Check::stop("Folder", error),
    }
}

#[cfg(target_os = "linux")]
fn nameless_files(dir: &std::path::Path, filesystem: &str) -> Check {
    use rustix::fs::{Mode, OFlags, open};
    let flags = OFlags::RDWR | OFlags::TMPFILE | OFlags::CLOEXEC;
    let opening = open(dir, flags, Mode::RUSR | Mode::WUSR).map_err(io::Error::from);
    nameless(filesystem, opening.err().as_ref())
}

/// Whether a run's test files have names on this filesystem, which may have refused one without.
#[cfg_attr(not(target_os = "linux"), allow(dead_code))]
fn nameless(filesystem: &str, refusal: Option<&io::Error>) -> Check {
    let why_named = match (refusal, FileNaming::for_filesystem(filesystem)) {
        (None, FileNaming::Nameless) => {
            return Check::good("O_TMPFILE", "test files need no name: nothing can be left behind");
        }
        (None, FileNaming::Named) => format!("not used on {filesystem}"),
        (Some(error), _) => format!("not here ({error})"),
    };
    Check::note(
        "O_TMPFILE",
        format!("{why_named}: test files have a name"),
        "A second process removes them even after kill -9.",
    )
}

/// Reads one block past the page cache, as the run of this plan would before it fills its files.
fn try_direct_io(plan: &Plan, facts: &Facts) -> Result<bool> {
    let mut folder = TestFolder::new(plan.dir.clone(), plan.naming, &facts.storage);
    preparation::can_bypass_page_cache(&mut folder, &plan.workloads)
}

fn direct_io(answer: Result<bool>) -> Check {
    match answer {
        Ok(true) => Check::good("O_DIRECT", "files can be read and written past the page cache"),
        Ok(false) => Check::note(
            "O_DIRECT",
            "not here: workloads past the page cache are left out",
            "ext4, XFS and btrfs have it; tmpfs, some network and FUSE filesystems do not.",
        ),
        Err(error) => Check::stop("O_DIRECT", error),
    }
}

#[cfg(target_os = "linux")]
fn io_uring() -> Check {
    let disabled = Tree::live().text("/proc/sys/kernel/io_uring_disabled").unwrap_or_default();
    io_uring_check(crate::disk::ring_queue::detect_ring_mode().map(drop), disabled.trim())
}

#[cfg(not(target_os = "linux"))]
fn io_uring() -> Check {
    Check::good("io_uring", format!("not of this system: {WITHOUT_IO_URING}"))
}

/// Whether there is `io_uring`, and what forbids it. `disabled` is what `kernel.io_uring_disabled` says,
/// which kernels before 6.6 do not have; there the error number tells a kernel that forbids it from one that
/// does not have it.
#[cfg_attr(not(target_os = "linux"), allow(dead_code))]
fn io_uring_check(answer: io::Result<()>, disabled: &str) -> Check {
    let Err(error) = answer else { return Check::good("io_uring", "available") };
    let is = |errno: Errno| error.raw_os_error() == Some(errno.raw_os_error());
    let advice = if is(Errno::NOSYS) {
        "The kernel is older than 5.1, or built without it."
    } else if is(Errno::PERM) && matches!(disabled, "1" | "2") {
        "An administrator can allow it: sysctl kernel.io_uring_disabled=0"
    } else if is(Errno::PERM) {
        "Containers forbid it by default; Docker: --security-opt seccomp=unconfined"
    } else {
        ""
    };
    Check::note("io_uring", format!("not available ({error}): {WITHOUT_IO_URING}"), advice)
}

fn clock_reading(source: &str, cost_ns: u64) -> Check {
    let what = format!("{source} at {cost_ns} ns a reading");
    if clock::is_quick(cost_ns) {
        return Check::good("Clock", what);
    }
    Check::note(
        "Clock",
        what,
        "Every operation pays this once. On x86 a stable tsc is quickest; the kernel says in dmesg why it has none.",
    )
}

fn open_files(limit: Option<u64>) -> Check {
    match limit.filter(|&limit| limit < OPEN_FILES_MIN) {
        None => {
            Check::good("Open files", limit.map_or("no limit".to_owned(), |limit| format!("{limit} allowed")))
        }
        Some(limit) => Check::note("Open files", format!("only {limit} allowed"), "ulimit -n 1024"),
    }
}

fn groups(facts: &Facts) -> Check {
    let limits = &facts.limits;
    let Some((_, what)) = describe_limits(limits) else {
        return Check::good("Limits", "no control group limits CPU, memory or this disk");
    };
    if limits.throttles_io() {
        return Check::note("Limits", what, "The figures will be this limit's, not the disk's.");
    }
    if limits.cpu_milli.is_some_and(|milli| milli < CPU_MILLI_MIN) {
        return Check::note("Limits", what, "Less than a CPU: waits for it become latency.");
    }
    Check::good("Limits", what)
}

fn stack(facts: &Facts) -> Check {
    let storage = &facts.storage;
    let what = storage.layers.join(" on ");
    if storage.tree.has_impaired() {
        return Check::note("Stack", what, "An array is not whole, or busy with itself: cat /proc/mdstat");
    }
    if storage.layers.iter().any(|layer| MEMORY_LAYERS.contains(&layer.as_str())) {
        return Check::note("Stack", what, "It ends in memory: nothing here survives a power cut.");
    }
    if storage.layers.iter().any(|layer| layer == "unknown") {
        let advice = match facts.machine.container {
            Some(_) => "In a container the host's devices are hidden: run it on the host to name the drive.",
            None => "The drive cannot be named in the result; the figures are as good.",
        };
        return Check::note("Stack", what, advice);
    }
    Check::good("Stack", what)
}

fn flushes(facts: &Facts) -> Check {
    if facts.storage.counts_flushes {
        return Check::good("Flushes", "the kernel counts them for every disk here");
    }
    Check::note("Flushes", "cannot be counted here", "Whether a sync reached the drive cannot be seen.")
}

/// What only root can learn.
fn root(facts: &Facts) -> Check {
    let drives = &facts.storage.drives;
    let controllers = drives.iter().filter(|drive| drive.controller.is_some());
    let unanswered = controllers.filter(|drive| drive.volatile_write_cache.is_none()).count();
    if unanswered == 0 {
        return Check::good("Permission", "nothing here needs root");
    }
    Check::note(
        "Permission",
        format!("{unanswered} NVMe drive(s) did not say what their cache is and how worn they are"),
        "Only root may ask: sudo fsyncmark info. Root is not needed to measure.",
    )
}

fn governor(governor: Option<&'static str>) -> Option<Check> {
    let governor = governor?;
    if governor == "performance" {
        return Some(Check::good("CPU", "governor performance"));
    }
    let advice = "Slow clocks after a wait add to short latencies: cpupower frequency-set -g performance";
    Some(Check::note("CPU", format!("governor {governor}"), advice))
}

#[cfg(test)]
mod tests;
