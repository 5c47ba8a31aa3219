//! Writes a file whole or not at all: beside its place first, made durable, and only then under its name.

use std::fs::File;
use std::io::{self, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use crate::hex;

/// Replaces what is there. Until this returns, a power cut leaves the earlier file or the new one; then the new one.
pub fn replace(path: &Path, bytes: &[u8], mode: u32) -> io::Result<()> {
    let temporary = Temporary::write(path, bytes, mode)?;
    std::fs::rename(&temporary.path, path)?;
    File::open(folder_of(path))?.sync_all()
}

/// Makes a file where there is none; `false` where there is one already, which stays as it is.
pub fn create_new(path: &Path, bytes: &[u8], mode: u32) -> io::Result<bool> {
    let temporary = Temporary::write(path, bytes, mode)?;
    // A link, unlike a rename, does not replace what another run put there meanwhile.
    let created = match std::fs::hard_link(&temporary.path, path) {
        Ok(()) => true,
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => false,
        Err(error) => return Err(error),
    };
    drop(temporary);
    File::open(folder_of(path))?.sync_all()?;
    Ok(created)
}

/// A durable file beside the one that it is to become. Its name is random: two runs may write the same file at the
/// same moment. What has still this name when it is dropped goes away.
struct Temporary {
    path: PathBuf,
}

impl Temporary {
    fn write(beside: &Path, bytes: &[u8], mode: u32) -> io::Result<Self> {
        let path = beside.with_extension(format!("{}.tmp", hex::encode(&super::random::<4>())));
        let mut file = File::options().write(true).create_new(true).mode(mode).open(&path)?;
        let temporary = Self { path };
        file.write_all(bytes)?;
        file.sync_all()?;
        Ok(temporary)
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.path);
    }
}

fn folder_of(path: &Path) -> &Path {
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
