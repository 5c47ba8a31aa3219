//! Writes a file completely or not at all: to a temporary file first, made durable, then renamed.

use std::fs::{File, Permissions};
use std::io::{self, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::hex;

/// Replaces a file. A power cut during the call leaves the earlier file or the new one; after it, the new
/// one.
pub fn replace(path: &Path, bytes: &[u8], mode: u32) -> io::Result<()> {
    let temporary = Temporary::write(path, bytes, mode)?;
    temporary.rename(path)
}

/// Replaces a file by one with the same permissions, as they are: no umask narrows them.
pub fn replace_with(path: &Path, bytes: &[u8], permissions: Permissions) -> io::Result<()> {
    let temporary = Temporary::write_with(path, bytes, 0o600, Some(permissions))?;
    temporary.rename(path)
}

/// Creates a file; `false` where there is one already, which is left as it is.
pub fn create_new(path: &Path, bytes: &[u8], mode: u32) -> io::Result<bool> {
    let temporary = Temporary::write(path, bytes, mode)?;
    // A link, unlike a plain rename, does not replace a file that another run created in the meantime. A
    // filesystem without hard links, such as vfat, can rename in the same way.
    let placed = std::fs::hard_link(&temporary.path, path).or_else(|error| match error.kind() {
        io::ErrorKind::AlreadyExists => Err(error),
        _ => rename_new(&temporary.path, path),
    });
    let created = match placed {
        Ok(()) => true,
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => false,
        Err(error) => return Err(error),
    };
    drop(temporary);
    File::open(folder_of(path))?.sync_all()?;
    Ok(created)
}

/// Renames a file; `AlreadyExists` where there is one of the new name.
fn rename_new(from: &Path, to: &Path) -> io::Result<()> {
    use rustix::fs::{CWD, RenameFlags, renameat_with};
    Ok(renameat_with(CWD, from, CWD, to, RenameFlags::NOREPLACE)?)
}

/// Removes temporary files older than `age` from a folder, left there by writers that were killed or lost
/// power. What cannot be removed is tried again the next time.
pub fn sweep(folder: &Path, age: Duration) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let modified = entry.metadata().and_then(|metadata| metadata.modified());
        let is_old = modified.is_ok_and(|at| at.elapsed().is_ok_and(|since| since >= age));
        if is_old && entry.file_name().to_str().is_some_and(is_temporary) {
            let _ = std::fs::remove_file(entry.path());
        }
    }
}

/// Whether a name ends like that of a [`Temporary`]: eight hexadecimal digits and `.tmp`.
fn is_temporary(name: &str) -> bool {
    let random = name.strip_suffix(".tmp").and_then(|stem| Some(stem.rsplit_once('.')?.1));
    random.is_some_and(|random| hex::decode::<4>(random).is_some())
}

/// A durable temporary file beside its target. Its name is random, because two runs may write the same target
/// at the same time. Dropping it removes the file unless it was renamed.
struct Temporary {
    path: PathBuf,
}

impl Temporary {
    fn write(beside: &Path, bytes: &[u8], mode: u32) -> io::Result<Self> {
        Self::write_with(beside, bytes, mode, None)
    }

    fn write_with(
        beside: &Path,
        bytes: &[u8],
        mode: u32,
        permissions: Option<Permissions>,
    ) -> io::Result<Self> {
        let path = beside.with_extension(format!("{}.tmp", hex::encode(&super::random::<4>())));
        let mut file = File::options().write(true).create_new(true).mode(mode).open(&path)?;
        let temporary = Self { path };
        permissions.map(|permissions| file.set_permissions(permissions)).transpose()?;
        file.write_all(bytes)?;
        file.sync_all()?;
        Ok(temporary)
    }

    /// Gives the file its name, durably.
    fn rename(&self, path: &Path) -> io::Result<()> {
        std::fs::rename(&self.path, path)?;
        File::open(folder_of(path))?.sync_all()
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.path);
    }
}

/// The folder that a path names a file in.
pub fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    fn names(dir: &tempfile::TempDir) -> Vec<String> {
        let entries = std::fs::read_dir(dir.path()).unwrap();
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
    }

    #[test]
    fn a_file_is_replaced_whole_with_its_mode_and_nothing_is_left_beside_it() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("result.json");
        replace(&path, b"a longer one", 0o600).unwrap();
        replace(&path, b"new", 0o600).unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"new");
        assert_eq!(std::fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        assert_eq!(names(&dir), ["result.json"]);
    }

    #[test]
    fn a_file_is_made_once() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("key");
        assert!(create_new(&path, b"first", 0o600).unwrap());
        assert!(!create_new(&path, b"second", 0o600).unwrap());
        assert_eq!(std::fs::read(&path).unwrap(), b"first");
        assert_eq!(names(&dir), ["key"]);
    }

    #[test]
    fn a_rename_to_a_new_name_leaves_a_file_that_has_it() {
        let dir = tempfile::tempdir().unwrap();
        let (from, to) = (dir.path().join("from"), dir.path().join("to"));
        std::fs::write(&from, b"new").unwrap();
        std::fs::write(&to, b"first").unwrap();
        assert_eq!(rename_new(&from, &to).unwrap_err().kind(), io::ErrorKind::AlreadyExists);
        assert_eq!(std::fs::read(&to).unwrap(), b"first");
        std::fs::remove_file(&to).unwrap();
        rename_new(&from, &to).unwrap();
        assert_eq!(names(&dir), ["to"]);
    }

    #[test]
    fn what_a_killed_writer_left_is_swept_and_nothing_else() {
        let dir = tempfile::tempdir().unwrap();
        let age = Duration::from_secs(3600);
        let make = |name: &str, since: Duration| {
            let file = File::create(dir.path().join(name)).unwrap();
            file.set_modified(std::time::SystemTime::now() - since).unwrap();
        };
        let (old, new) = (2 * age, Duration::ZERO);
        let stays = [
            ("0199-a.dsse.json", old),
            ("0199-b.dsse.0a1b2c3d.tmp", new),
            ("a.persons.tmp", old),
            ("notes.tmp", old),
        ];
        for (name, since) in stays {
            make(name, since);
        }
        make("0199-a.dsse.00ff00ff.tmp", old);
        sweep(dir.path(), age);
        let mut left = names(&dir);
        left.sort_unstable();
        assert_eq!(left, stays.map(|(name, _)| name));
        sweep(&dir.path().join("missing"), age);
    }

    #[test]
    fn what_fails_leaves_everything_as_it_was() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("folder");
        std::fs::create_dir(&path).unwrap();
        assert!(replace(&path, b"new", 0o600).is_err(), "a file cannot replace a folder");
        assert_eq!(names(&dir), ["folder"]);
        assert!(replace(&dir.path().join("missing/file"), b"new", 0o600).is_err());
    }

    #[test]
    fn writers_side_by_side_leave_one_of_their_files() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("result.json");
        let texts: Vec<Vec<u8>> = (0..8).map(|writer| vec![b'0' + writer; 100_000]).collect();
        std::thread::scope(|scope| {
            for text in &texts {
                scope.spawn(|| replace(&path, text, 0o600).unwrap());
            }
        });
        assert!(texts.contains(&std::fs::read(&path).unwrap()));
        assert_eq!(names(&dir), ["result.json"]);
    }

    #[test]
    fn a_bare_name_lies_in_the_folder_of_the_process() {
        assert_eq!(folder_of(Path::new("page.html")), Path::new("."));
        assert_eq!(folder_of(Path::new("/var/page.html")), Path::new("/var"));
    }
}
