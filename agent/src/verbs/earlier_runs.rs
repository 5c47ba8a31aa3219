//! All runs of the history, read. One that cannot be read is named with the reason, and left where it is.

use std::path::{Path, PathBuf};

use super::result_file::{self, ResultFile};
use crate::delivery::history::{History, folder_of_entry, measured_folder};
use crate::delivery::home::Home;
use crate::delivery::read_file;
use crate::error::{Error, Result};
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

/// The runs of the history, the newest first.
pub struct EarlierRuns {
    /// Those that could be read.
    pub runs: Vec<EarlierRun>,
    /// The others, with the reason.
    pub unreadable: Vec<(PathBuf, Error)>,
    /// Where the history lies.
    pub place: PathBuf,
}

impl EarlierRuns {
    /// Reads all, and says which cannot be read.
    pub fn read(terminal: &Terminal) -> Result<Self> {
        let history = History::in_home(&Home::locate()?);
        let mut found = Self { runs: Vec::new(), unreadable: Vec::new(), place: history.folder().to_owned() };
        for file in history.files()?.into_iter().rev() {
            match read_entry(&file) {
                Ok((folder, result)) => found.runs.push(EarlierRun { file, folder, result }),
                Err(error) => {
                    terminal.say(&format!("  This entry cannot be read and is left out: {}", error.what));
                    found.unreadable.push((file, error));
                }
            }
        }
        Ok(found)
    }

    /// Those of a folder, or all where none is named.
    pub fn of_folder(self, folder: Option<&Path>) -> Vec<EarlierRun> {
        let wanted = folder.map(measured_folder);
        let is_wanted = |run: &EarlierRun| wanted.is_none() || run.folder == wanted;
        self.runs.into_iter().filter(is_wanted).collect()
    }
}

fn read_entry(file: &Path) -> Result<(Option<String>, ResultFile)> {
    let result = result_file::open(file)?;
    Ok((folder_of_entry(&read_file(file)?), result))
}
