//! What was measured on this machine before: a copy of each signed result, with the folder that it was
//! measured in. It is read here and sent nowhere; the folder's name is no part of what is signed.

use std::ffi::OsStr;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::home::{Home, PRIVATE_MODE, make_private_folder};
use crate::error::{Error, ErrorKind, Result};
use crate::sys::atomic_write;
use crate::wire::envelope::Envelope;

const SUFFIX: &str = ".dsse.json";
/// How much is kept, the oldest goes first: about a thousand runs of `quick`, three years of one a day.
pub const HISTORY_BYTES_MAX: u64 = 64 << 20;
/// The age from which a temporary file is abandoned: writing one takes far less.
const TEMPORARY_AGE: Duration = Duration::from_secs(3600);

/// The folder of what was measured before.
#[derive(Debug, Clone)]
pub struct History {
    folder: PathBuf,
}

/// An entry as it is written: an envelope, and beside it, where DSSE ignores it, the folder.
#[derive(Serialize)]
struct EntryJson<'a> {
    dir: &'a str,
    #[serde(flatten)]
    envelope: &'a Envelope,
}

/// What is read of an entry beside its envelope.
#[derive(Deserialize)]
struct EntryFolder {
    dir: String,
}

impl History {
    /// The history of this user.
    pub fn in_home(home: &Home) -> Self {
        Self { folder: home.history.clone() }
    }

    /// The folder that holds it.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Keeps a result, durably, and lets the oldest go that are too much.
    pub fn keep(&self, run_id: &str, dir: &Path, envelope: &Envelope) -> Result<()> {
        make_private_folder(&self.folder)?;
        atomic_write::sweep(&self.folder, TEMPORARY_AGE);
        let path = self.folder.join(format!("{run_id}{SUFFIX}"));
        let entry = EntryJson { dir: &measured_folder(dir), envelope };
        let bytes = serde_json::to_vec(&entry).expect("texts only");
        atomic_write::replace(&path, &bytes, PRIVATE_MODE).map_err(|error| {
            Error::from_io(ErrorKind::CannotCreate, &format!("write {}", path.display()), &error)
        })?;
        self.prune(HISTORY_BYTES_MAX)
    }

    /// The entries, oldest first, as run ids begin with their time. A missing folder is empty.
    pub fn files(&self) -> Result<Vec<PathBuf>> {
        let entries = match std::fs::read_dir(&self.folder) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            folder => folder.and_then(|entries| {
                entries.map(|entry| Ok(entry?.path())).collect::<io::Result<Vec<PathBuf>>>()
            }),
        };
        let mut paths = entries.map_err(|error| {
            let doing = format!("read the history, {}", self.folder.display());
            Error::from_io(ErrorKind::NoInput, &doing, &error)
        })?;
        let is_entry = |name: &OsStr| name.to_str().is_some_and(|name| name.ends_with(SUFFIX));
        paths.retain(|path| path.file_name().is_some_and(is_entry));
        paths.sort();
        Ok(paths)
    }

    /// Removes the oldest until `bytes_max` hold the rest; the newest stays whatever it takes.
    fn prune(&self, bytes_max: u64) -> Result<()> {
        let mut bytes = 0;
        for (age, path) in self.files()?.iter().rev().enumerate() {
            bytes += std::fs::metadata(path).map_or(0, |metadata| metadata.len());
            if bytes > bytes_max && age > 0 {
                // One that another run removed meanwhile is gone as well.
                let _ = std::fs::remove_file(path);
            }
        }
        Ok(())
    }
}

/// The folder that an entry was measured in; `None` for a result from elsewhere.
pub fn folder_of_entry(bytes: &[u8]) -> Option<String> {
    serde_json::from_slice(bytes).ok().map(|entry: EntryFolder| entry.dir)
}

/// The folder's own name, whichever way led there.
pub fn measured_folder(dir: &Path) -> String {
    dir.canonicalize().unwrap_or_else(|_| dir.to_owned()).to_string_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use ed25519_dalek::SigningKey;

    use super::*;
    use crate::analysis::figures::examples::example;
    use crate::delivery::seal;

    fn names(history: &History) -> Vec<String> {
        let name = |path: PathBuf| path.file_name().unwrap().to_str().unwrap().to_owned();
        history.files().unwrap().into_iter().map(name).collect()
    }

    #[test]
    fn an_entry_is_the_signed_result_with_the_folder_beside_it() {
        use std::os::unix::fs::PermissionsExt;
        let dir = tempfile::tempdir().unwrap();
        let history = History::in_home(&Home::below(dir.path()));
        assert_eq!(history.files(), Ok(Vec::new()), "nobody has made the folder yet");
        let envelope = seal(&example(), &SigningKey::from_bytes(&[1; 32]));
        history.keep("0199-b", &dir.path().join("history/.."), &envelope).unwrap();
        let file = history.files().unwrap().pop().unwrap();
        assert_eq!(std::fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
        let bytes = std::fs::read(file).unwrap();
        assert_eq!(folder_of_entry(&bytes), Some(measured_folder(dir.path())));
        let read = Envelope::parse(&bytes).unwrap();
        assert_eq!(read, envelope);
        assert_eq!(folder_of_entry(&read.to_bytes()), None, "what is sent of it has no folder");
    }

    #[test]
    fn the_oldest_go_first_and_the_newest_never() {
        let dir = tempfile::tempdir().unwrap();
        let history = History::in_home(&Home::below(dir.path()));
        std::fs::create_dir(history.folder()).unwrap();
        for name in ["0197-a", "0198-b", "0199-c"] {
            std::fs::write(history.folder().join(format!("{name}{SUFFIX}")), [b' '; 100]).unwrap();
        }
        std::fs::write(history.folder().join("notes"), [b' '; 1000]).unwrap();
        history.prune(200).unwrap();
        assert_eq!(names(&history), ["0198-b.dsse.json", "0199-c.dsse.json"]);
        history.prune(1).unwrap();
        assert_eq!(names(&history), ["0199-c.dsse.json"]);
        assert!(history.folder().join("notes").exists());
    }
}
