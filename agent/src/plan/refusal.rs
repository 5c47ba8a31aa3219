//! Why a plan may not run in a folder, with advice, before a byte is written.

use super::planned_run::{MARGIN_BYTES, Plan};
use super::workload::files_of;
use crate::error::{Error, ErrorKind, Result};
use crate::probe::Facts;
use crate::units;

/// Refuses a plan whose folder cannot be measured, or has no room for its files.
pub(super) fn refuse(plan: &Plan, facts: &Facts) -> Result<()> {
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
pub(super) fn refuse_long_files(plan: &Plan, limit: Option<u64>) -> Result<()> {
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
