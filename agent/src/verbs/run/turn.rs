//! A run's turn in a folder, in which it is alone, and what it finds there.

use crate::cli::RunArgs;
use crate::disk::folder_lock::FolderLock;
use crate::disk::leftovers;
use crate::error::Result;
use crate::plan::{self, Plan};
use crate::probe::{self, Facts};
use crate::report::terminal::Terminal;

use super::announcement::say_waits;

/// The folder for as long as `lock` is kept, with its facts and the plan that they allow.
pub(super) struct Turn {
    pub(super) lock: FolderLock,
    /// How many files of runs that were killed were removed.
    pub(super) swept: usize,
    pub(super) facts: Facts,
    pub(super) plan: Plan,
}

impl Turn {
    /// Waits until the folder is free, and looks.
    pub(super) fn take(terminal: &Terminal, args: &RunArgs) -> Result<Self> {
        let lock = FolderLock::acquire(&args.dir, |holder| say_waits(terminal, holder))?;
        // Sweep first: it frees space that the facts report and the plan needs.
        let swept = leftovers::sweep(&args.dir);
        let facts = probe::gather(&args.dir)?;
        let plan = plan::chosen(&args.dir, args.suite, &args.choice(), &facts)?;
        Ok(Self { lock, swept, facts, plan })
    }
}
