//! Turns a request and the facts about the machine into a plan that may run, or refuses with advice before a byte is
//! written. Each file answers one question:
//!
//! - `workload`: what can be measured, and which suites are made of it?
//! - `workload_ids`: which workloads are judged by name?
//! - `workload_groups`: which are shown together?
//! - `limits`: when does a pass of one end?
//! - `schedule`: in which order do the passes come, and how long do they take?
//! - `file_naming`: do the test files have names here?
//! - `fio`: what would fio do instead?

pub mod file_naming;
pub mod fio;
pub mod limits;
pub mod schedule;
pub mod workload;
pub mod workload_groups;
pub mod workload_ids;

use std::path::{Path, PathBuf};

use self::file_naming::FileNaming;
use self::workload::{FileState, Suite, WorkloadDefinition, files_of};
use crate::error::{Error, ErrorKind, Result};
use crate::probe::Facts;
use crate::probe::storage::filesystem::Filesystem;
use crate::units;

/// Space that must stay free for other programs while the test files exist.
const MARGIN_BYTES: u64 = 512 << 20;

/// A run that was checked.
#[derive(Debug, Clone)]
pub struct Plan {
    /// Where the test files go.
    pub dir: PathBuf,
    /// The suite to run.
    pub suite: &'static Suite,
    /// Its workloads, or those of them that were chosen.
    pub workloads: Vec<&'static WorkloadDefinition>,
    /// Whether that is the whole suite.
    pub is_whole: bool,
    /// How test files are made here.
    pub naming: FileNaming,
    /// What the test files take while the run lasts.
    pub file_bytes: u64,
    /// What is written at most, files included.
    pub bytes_written_max: u64,
    /// How long it takes at most, without filling the files, and without passes that others disturb.
    pub seconds_max: u64,
    /// How long it takes on a device that is not slow.
    pub seconds_usual: u64,
}

/// What is written at most where no pass is run again: the files, and every pass.
fn written_once(workloads: &[&'static WorkloadDefinition]) -> u64 {
    let files = files_of(workloads);
    let filled = files.iter().filter(|file| file.state == FileState::Overwritten).map(|file| file.bytes);
    filled.sum::<u64>() + workloads.iter().map(|one| one.bytes_written_max()).sum::<u64>()
}

impl Plan {
    /// The plan of these workloads, which are of this suite or like its own.
    pub fn of(dir: &Path, suite: &'static Suite, workloads: Vec<&'static WorkloadDefinition>) -> Self {
        let is_whole = workloads == suite.workloads();
        let files = files_of(&workloads);
        let written = written_once(&workloads);
        Self {
            dir: dir.to_owned(),
            suite,
            is_whole,
            naming: FileNaming::Named,
            file_bytes: files.iter().map(|file| file.bytes).sum(),
            bytes_written_max: if is_whole { suite.bytes_written_max } else { written },
            seconds_usual: schedule::seconds_usual(&workloads),
            seconds_max: schedule::seconds_max(&workloads),
            workloads,
        }
    }

    /// What is left of the stated bytes when every pass wrote as much as it may.
    pub fn bytes_spare(&self) -> u64 {
        self.bytes_written_max.saturating_sub(written_once(&self.workloads))
    }

    /// The bytes that have to be free on this filesystem. Where overwriting takes new space, the old is free only once
    /// the filesystem has committed and nothing of its extent is used any more: the worst case is all that is written.
    pub fn room_needed(&self, filesystem: &Filesystem) -> u64 {
        let bytes = if filesystem.copies_on_write { self.bytes_written_max } else { self.file_bytes };
        bytes + MARGIN_BYTES
    }
}

/// Which workloads of a suite a person wants.
#[derive(Debug, Clone, Default)]
pub struct Choice {
    /// Only these, if any are named.
    pub only: Vec<String>,
    /// Not these.
    pub skip: Vec<String>,
}

impl Choice {
    fn takes(&self, workload: &WorkloadDefinition) -> bool {
        let is_among = |ids: &[String]| ids.iter().any(|id| id == workload.id);
        (self.only.is_empty() || is_among(&self.only)) && !is_among(&self.skip)
    }
}

/// The plan of the whole `suite`, if it may run in `dir`.
pub fn whole_suite(dir: &Path, suite: &'static Suite, facts: &Facts) -> Result<Plan> {
    chosen(dir, suite, &Choice::default(), facts)
}

/// The plan of what `choice` leaves of `suite`, if it may run in `dir`.
pub fn chosen(dir: &Path, suite: &'static Suite, choice: &Choice, facts: &Facts) -> Result<Plan> {
    let plan = unchecked(dir, suite, choice)?;
    refuse(&plan, facts)?;
    Ok(Plan { naming: FileNaming::for_filesystem(&facts.filesystem.name), ..plan })
}

/// The plan for this choice, whether or not `dir` can hold its files.
pub fn unchecked(dir: &Path, suite: &'static Suite, choice: &Choice) -> Result<Plan> {
    let all = suite.workloads();
    let workloads: Vec<_> = all.iter().copied().filter(|workload| choice.takes(workload)).collect();
    let foreign =
        choice.only.iter().find(|id| suite.workload_ids.iter().all(|of_suite| of_suite != &id.as_str()));
    if let Some(id) = foreign {
        let what = format!("{id} is not in the suite {}", suite.id);
        return Err(
            Error::new(ErrorKind::Usage, what).advise("The suite deep has every workload: --suite deep")
        );
    }
    if workloads.is_empty() {
        return Err(Error::new(ErrorKind::Usage, "nothing is left to measure"));
    }
    Ok(Plan::of(dir, suite, workloads))
}

fn refuse(plan: &Plan, facts: &Facts) -> Result<()> {
    let (filesystem, dir) = (&facts.filesystem, &plan.dir);
    let folder = dir.display();
    let refused = |what: String| Error::new(ErrorKind::Refused, what);
    if filesystem.in_memory {
        let name = &filesystem.name;
        return Err(refused(format!(
            "{folder} lies on {name}, which keeps its files in memory: nothing there is durable"
        ))
        .advise("Name a folder on a disk, for example: fsyncmark run /var/tmp"));
    }
    if filesystem.size_bytes == 0 {
        return Err(refused(format!("{folder} lies on {}, which has no room for files", filesystem.name))
            .advise("Name a folder on a disk, for example: fsyncmark run /var/tmp"));
    }
    if filesystem.read_only {
        return Err(refused(format!("{folder} lies on a filesystem that is mounted read-only"))
            .advise("Name a folder on a writable filesystem. If this one should be: look at `dmesg` for what turned it read-only."));
    }
    let needed = plan.room_needed(filesystem);
    if filesystem.free_bytes < needed {
        return Err(refused(format!(
            "{folder} has {} free; the test needs {}, {} of it to stay free for others",
            units::bytes(filesystem.free_bytes),
            units::bytes(needed),
            units::bytes(MARGIN_BYTES)
        ))
        .advise("Free some space, or name a folder on another filesystem."));
    }
    refuse_long_files(plan, rustix::process::getrlimit(rustix::process::Resource::Fsize).current)?;
    let may_write = rustix::fs::Access::WRITE_OK | rustix::fs::Access::EXEC_OK;
    rustix::fs::accessat(rustix::fs::CWD, dir.as_path(), may_write, rustix::fs::AtFlags::EACCESS).map_err(
        |error| {
            Error::from_io(ErrorKind::NoPermission, &format!("create a file in {folder}"), &error.into())
                .advise("Name a folder of yours on the same disk. Root is not needed.")
        },
    )
}

/// Refuses files longer than the system's limit, which holds for each file, not for all together.
fn refuse_long_files(plan: &Plan, limit: Option<u64>) -> Result<()> {
    let longest = files_of(&plan.workloads).iter().map(|file| file.bytes).max().unwrap_or_default();
    match limit.filter(|&limit| limit < longest) {
        None => Ok(()),
        Some(limit) => Err(Error::new(
            ErrorKind::Refused,
            format!(
                "no file here may exceed {}, which is less than the longest test file, {}",
                units::bytes(limit),
                units::bytes(longest)
            ),
        )
        .advise("Raise the limit first: ulimit -f unlimited")),
    }
}

#[cfg(test)]
mod tests;
