//! All runs of the history, read. One that cannot be read is named with the reason, and left where it is.

use std::path::{Path, PathBuf};

use super::result_file::{self, ResultFile};
use crate::delivery::history::{History, folder_of_entry};
use crate::delivery::home::Home;
use crate::delivery::read_file;
use crate::error::Result;
use crate::report::terminal::Terminal;

/// One run of the history.
pub struct EarlierRun {
    /// Its entry, which `report` and `compare` take.
    pub file: PathBuf,
    /// The folder that was measured, where the entry states it.
    pub folder: Option<String>,
    /// What was measured.
    pub result: ResultFile,
}

/// An entry that cannot be read.
pub struct UnreadableEntry {
    /// Where it is.
    pub file: PathBuf,
    /// The reason, with the file's name.
    pub why: String,
}

/// Reads the history, the newest run first, and each only when it is asked for: a whole history is 64 MiB.
/// Which cannot be read is said on `terminal`.
pub fn newest_first(
    terminal: Terminal,
) -> Result<impl Iterator<Item = std::result::Result<EarlierRun, UnreadableEntry>>> {
    let files = History::in_home(&Home::locate()?).files()?;
    Ok(files.into_iter().rev().map(move |file| match read_entry(&file) {
        Ok((folder, result)) => Ok(EarlierRun { file, folder, result }),
        Err(error) => {
            terminal.say(&format!("  This entry cannot be read and is left out: {}", error.what));
            Err(UnreadableEntry { file, why: error.what })
        }
    }))
}

impl EarlierRun {
    /// Whether it is of this folder; any run is, where none is named.
    pub fn is_of(&self, folder: Option<&str>) -> bool {
        folder.is_none() || self.folder.as_deref() == folder
    }
}

fn read_entry(file: &Path) -> Result<(Option<String>, ResultFile)> {
    let result = result_file::open(file)?;
    Ok((folder_of_entry(&read_file(file)?), result))
}
