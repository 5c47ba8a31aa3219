//! What a run will do: its workloads, the bytes that it needs and writes, the time that it takes.

use std::path::{Path, PathBuf};

use super::file_naming::FileNaming;
use super::schedule;
use super::workload::{FileState, Suite, WorkloadDefinition, files_of};
use crate::probe::storage::filesystem::Filesystem;

/// Space that must stay free for other programs while the test files exist.
pub(super) const MARGIN_BYTES: u64 = 512 << 20;

/// What a run will do.
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
    /// The plan of these workloads, which are some or all of this suite's.
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

    /// What is left of the stated bytes if every pass writes as much as it may. Passes that are run again use
    /// it.
    pub fn bytes_spare(&self) -> u64 {
        self.bytes_written_max.saturating_sub(written_once(&self.workloads))
    }

    /// The bytes that have to be free on this filesystem. Where overwriting takes new space, the old is free
    /// only once the filesystem has committed and nothing of its extent is used any more: the worst case is
    /// all that is written.
    pub fn room_needed(&self, filesystem: &Filesystem) -> u64 {
        let bytes = if filesystem.copies_on_write { self.bytes_written_max } else { self.file_bytes };
        bytes + MARGIN_BYTES
    }
}
