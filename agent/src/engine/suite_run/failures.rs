//! The sentences for people when a pass fails.

use std::io;

use crate::error::{Error, ErrorKind};
use crate::plan::workload::WorkloadDefinition;

/// What was attempted, as a clause that completes "cannot …".
pub fn attempt_in_words(workload: &WorkloadDefinition) -> String {
    format!("measure {}", workload.id)
}

/// The error that Ctrl-C becomes.
pub fn interruption() -> Error {
    Error::new(ErrorKind::Interrupted, "stopped before the suite was complete")
}

/// The error, with advice, for what a filesystem may answer during a run.
pub fn failure(attempt: &str, error: &io::Error) -> Error {
    use rustix::io::Errno;
    let is = |errno: Errno| error.raw_os_error() == Some(errno.raw_os_error());
    let failed = Error::from_io(ErrorKind::Io, attempt, error);
    if is(Errno::NOSPC) {
        failed.advise("The filesystem filled up meanwhile. Free some space, or name a folder on another one.")
    } else if is(Errno::DQUOT) {
        failed.advise("Your disk quota here is used up. Name a folder on another filesystem.")
    } else if is(Errno::IO) {
        failed.advise("The device reported an error. Look at `dmesg`, and at the drive's health (smartctl, nvme smart-log), before you trust it with data.")
    } else if is(Errno::ROFS) {
        failed.advise("The filesystem turned read-only, which Linux does after an error. Look at `dmesg`.")
    } else {
        failed
    }
}
