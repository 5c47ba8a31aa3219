//! Turns a wish and the machine's facts into a plan that may run, or refuses with advice before a byte
//! is written.

use std::path::{Path, PathBuf};

use crate::disk::file::Naming;
use crate::error::{Error, Kind, Result};
use crate::measure;
use crate::probe::Facts;
use crate::units;
use crate::workload::{Suite, Workload};

/// Space that stays free for everybody else while the test files lie there.
const MARGIN_BYTES: u64 = 512 << 20;

/// A run that was checked.
#[derive(Debug, Clone)]
pub struct Plan {
    /// Where the test files go.
    pub dir: PathBuf,
    /// What is run.
    pub suite: &'static Suite,
    /// Its workloads.
    pub workloads: Vec<&'static Workload>,
    /// How test files are made here.
    pub naming: Naming,
    /// What the test files take while the run lasts.
    pub file_bytes: u64,
    /// What is written at most, files included.
    pub bytes_written_max: u64,
    /// How long it takes at most, without filling the files.
    pub seconds_max: u64,
    /// How long it takes on a device that is not slow.
    pub seconds_usual: u64,
}

/// Checks that `suite` may run in `dir`.
pub fn check(dir: &Path, suite: &'static Suite, facts: &Facts) -> Result<Plan> {
    let workloads = suite.workloads();
    let file_bytes = measure::files_of(&workloads).iter().map(|file| file.bytes).sum();
    refuse(dir, suite, facts, file_bytes)?;
    let seconds = |one: fn(&Workload) -> u64| {
        workloads.iter().map(|workload| u64::from(workload.passes) * one(workload)).sum::<u64>()
            / 1_000_000_000
    };
    Ok(Plan {
        dir: dir.to_owned(),
        suite,
        naming: Naming::for_filesystem(&facts.filesystem.name),
        file_bytes,
        bytes_written_max: suite.bytes_written_max,
        seconds_usual: seconds(|workload| workload.limits.warm_up_ns + workload.limits.pass_ns_min),
        seconds_max: seconds(|workload| workload.limits.warm_up_ns + workload.limits.pass_ns_max),
        workloads,
    })
}

fn refuse(dir: &Path, suite: &Suite, facts: &Facts, file_bytes: u64) -> Result<()> {
    let filesystem = &facts.filesystem;
    let folder = dir.display();
    let refused = |what: String| Error::new(Kind::Refused, what);
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
    // Where overwriting takes new space, everything written may be on the disk at once.
    let needed =
        if filesystem.copies_on_write() { suite.bytes_written_max } else { file_bytes } + MARGIN_BYTES;
    if filesystem.free_bytes < needed {
        return Err(refused(format!(
            "{folder} has {} free; the test needs {}, {} of it to stay free for others",
            units::bytes(filesystem.free_bytes),
            units::bytes(needed),
            units::bytes(MARGIN_BYTES)
        ))
        .advise("Free some space, or name a folder on another filesystem."));
    }
    if let Some(limit) = rustix::process::getrlimit(rustix::process::Resource::Fsize)
        .current
        .filter(|&limit| limit < file_bytes)
    {
        return Err(refused(format!(
            "no file here may exceed {}, which is less than the test files",
            units::bytes(limit)
        ))
        .advise("Raise the limit first: ulimit -f unlimited"));
    }
    let may_write = rustix::fs::Access::WRITE_OK | rustix::fs::Access::EXEC_OK;
    rustix::fs::accessat(rustix::fs::CWD, dir, may_write, rustix::fs::AtFlags::EACCESS).map_err(|error| {
        Error::from_io(Kind::NoPermission, &format!("create a file in {folder}"), &error.into())
            .advise("Name a folder of yours on the same disk. Root is not needed.")
    })
}

#[cfg(test)]
mod tests;
