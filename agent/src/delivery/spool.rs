//! Signed results wait here until a server has taken them: they are written durably before the first attempt
//! to send, removed when the server has answered that it has them, and moved to `rejected/` when it refused
//! them for good.

use std::ffi::OsStr;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::delivery::home::{Home, PRIVATE_MODE, make_private_folder};
use crate::error::{Error, ErrorKind, Result};
use crate::sys::atomic_write;

const SUFFIX: &str = ".dsse.json";
const REJECTED: &str = "rejected";
/// The age from which a temporary file is abandoned: writing one takes far less.
const TEMPORARY_AGE: Duration = Duration::from_secs(3600);

/// The folder of results that wait.
#[derive(Debug, Clone)]
pub struct Spool {
    folder: PathBuf,
}

impl Spool {
    /// The spool of this user.
    pub fn in_home(home: &Home) -> Self {
        Self { folder: home.spool.clone() }
    }

    /// The path of a run's result.
    pub fn path(&self, run_id: &str) -> PathBuf {
        self.folder.join(format!("{run_id}{SUFFIX}"))
    }

    /// Writes an envelope durably: after this it survives a power cut. Replaces an earlier one of the same
    /// run.
    pub fn save(&self, run_id: &str, envelope: &[u8]) -> Result<PathBuf> {
        make_private_folder(&self.folder)?;
        atomic_write::sweep(&self.folder, TEMPORARY_AGE);
        let path = self.path(run_id);
        atomic_write::replace(&path, envelope, PRIVATE_MODE).map_err(|error| {
            Error::from_io(ErrorKind::NotDelivered, &format!("keep the result in {}", path.display()), &error)
        })?;
        Ok(path)
    }

    /// The files that wait, oldest first, as run ids begin with their time. A missing folder is empty; a
    /// folder that cannot be read is an error, because it may hold results.
    pub fn waiting_files(&self) -> Result<Vec<PathBuf>> {
        let entries = match std::fs::read_dir(&self.folder) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            folder => folder.and_then(|entries| {
                entries.map(|entry| Ok(entry?.path())).collect::<io::Result<Vec<PathBuf>>>()
            }),
        };
        let mut paths = entries.map_err(|error| {
            let doing = format!("read the folder of results that wait, {}", self.folder.display());
            Error::from_io(ErrorKind::NoInput, &doing, &error)
        })?;
        let waits = |name: &OsStr| name.to_str().is_some_and(|name| name.ends_with(SUFFIX));
        paths.retain(|path| path.file_name().is_some_and(waits));
        paths.sort();
        Ok(paths)
    }

    /// Whether `path` lies in this spool.
    pub fn holds(&self, path: &Path) -> bool {
        let canonical = |path: &Path| path.canonicalize().ok();
        path.parent().and_then(canonical).is_some_and(|parent| Some(parent) == canonical(&self.folder))
    }

    /// Removes a result that a server has accepted.
    pub fn remove(&self, path: &Path) -> Result<()> {
        std::fs::remove_file(path).map_err(|error| {
            Error::from_io(ErrorKind::NotDelivered, &format!("remove {}", path.display()), &error)
        })
    }

    /// Moves a result that a server refused for good to `rejected/`, and writes the server's answer beside
    /// it.
    pub fn move_to_rejected(&self, run_id: &str, path: &Path, problem: &[u8]) -> Result<PathBuf> {
        let folder = self.folder.join(REJECTED);
        make_private_folder(&folder)?;
        let target = folder.join(format!("{run_id}{SUFFIX}"));
        let moved = || -> io::Result<()> {
            atomic_write::replace(&folder.join(format!("{run_id}.problem.json")), problem, PRIVATE_MODE)?;
            std::fs::rename(path, &target)?;
            File::open(&folder)?.sync_all()?;
            File::open(&self.folder)?.sync_all()
        };
        moved().map_err(|error| {
            Error::from_io(ErrorKind::RejectedByServer, &format!("put {} aside", path.display()), &error)
        })?;
        Ok(target)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spool(dir: &tempfile::TempDir) -> Spool {
        Spool { folder: dir.path().join("spool") }
    }

    #[test]
    fn what_is_kept_waits_oldest_first_until_it_is_delivered() {
        let dir = tempfile::tempdir().unwrap();
        let spool = spool(&dir);
        assert_eq!(spool.waiting_files(), Ok(Vec::new()), "nobody has made the folder yet");
        let later = spool.save("0199-b", b"two").unwrap();
        let earlier = spool.save("0198-a", b"one").unwrap();
        let half = spool.folder.join("0197-c.dsse.0a1b2c3d.tmp");
        let written = File::create(&half).unwrap();
        assert_eq!(spool.waiting_files().unwrap(), [earlier.clone(), later.clone()]);
        assert!(spool.holds(&later) && !spool.holds(Path::new("/etc/passwd")));
        spool.remove(&earlier).unwrap();
        assert_eq!(spool.waiting_files().unwrap(), [later]);
        assert!(half.exists(), "somebody may be writing it");
        written.set_modified(std::time::SystemTime::now() - 2 * TEMPORARY_AGE).unwrap();
        spool.save("0200-d", b"four").unwrap();
        assert!(!half.exists(), "nobody is any more");
    }

    #[test]
    fn a_folder_that_cannot_be_read_is_not_an_empty_one() {
        let dir = tempfile::tempdir().unwrap();
        let spool = spool(&dir);
        std::fs::write(&spool.folder, "a file where the folder should be").unwrap();
        let error = spool.waiting_files().unwrap_err();
        assert_eq!(error.kind, ErrorKind::NoInput);
        assert!(error.what.contains(spool.folder.to_str().unwrap()), "{error}");
    }

    #[test]
    fn what_is_refused_is_moved_to_rejected_with_the_reason() {
        let dir = tempfile::tempdir().unwrap();
        let spool = spool(&dir);
        let path = spool.save("0199-b", b"two").unwrap();
        let rejected = spool.move_to_rejected("0199-b", &path, b"{}").unwrap();
        assert!(spool.waiting_files().unwrap().is_empty());
        assert_eq!(std::fs::read(rejected).unwrap(), b"two");
        assert_eq!(std::fs::read(spool.folder.join("rejected/0199-b.problem.json")).unwrap(), b"{}");
    }

    #[test]
    fn a_spool_that_cannot_be_a_folder_keeps_nothing() {
        let dir = tempfile::tempdir().unwrap();
        let spool = spool(&dir);
        std::fs::write(&spool.folder, "").unwrap();
        assert!(spool.save("0199-b", b"two").is_err());
    }
}
