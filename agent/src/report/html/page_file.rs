//! The file of a page: checks before a run whether it can be written, and writes it afterwards.

use std::fs::Permissions;
use std::io;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::path::Path;

use rustix::fs::{Access, AtFlags, CWD, accessat};

use crate::error::{Error, ErrorKind, Result};
use crate::report::shown_run::ShownRun;
use crate::sys::atomic_write::{self, folder_of};

/// Mode of a new page, before the user's umask.
const PAGE_MODE: u32 = 0o666;

/// Refuses a file that could not be written after the run.
pub fn check_place(path: &Path) -> Result<()> {
    let fault = |what: &str| {
        Error::new(ErrorKind::CannotCreate, format!("cannot write the page {}: {what}", path.display()))
    };
    if path.is_dir() {
        return Err(fault("it is a folder"));
    }
    // What is written in place needs no more than itself.
    if path.exists() && may(path, Access::WRITE_OK).is_ok() {
        return Ok(());
    }
    // What is behind a link that leads nowhere yet is made where it leads.
    let target = std::fs::read_link(path).map(|target| folder_of(path).join(target));
    let folder = folder_of(target.as_deref().unwrap_or(path));
    if !folder.is_dir() {
        return Err(fault("its folder does not exist"));
    }
    // A new file, or one in the place of this, which may itself be unwritable.
    let is_written_in_place = path.exists() && is_no_regular_file(path);
    let (place, needed) = if is_written_in_place {
        (path, Access::WRITE_OK)
    } else {
        (folder, Access::WRITE_OK | Access::EXEC_OK)
    };
    may(place, needed).map_err(|error| cannot_write(path, &error))
}

/// Whether there is something that is written through: a link, a device, a pipe.
fn is_no_regular_file(path: &Path) -> bool {
    std::fs::symlink_metadata(path).is_ok_and(|present| !present.is_file())
}

/// Whether the effective user may use a path so.
fn may(path: &Path, access: Access) -> io::Result<()> {
    Ok(accessat(CWD, path, access, AtFlags::EACCESS)?)
}

fn cannot_write(path: &Path, error: &io::Error) -> Error {
    Error::from_io(ErrorKind::CannotCreate, &format!("write the page {}", path.display()), error)
}

/// Writes the page of a result.
pub fn write(path: &Path, shown: ShownRun<'_>) -> Result<()> {
    replace_file(path, super::page(shown).as_bytes()).map_err(|error| cannot_write(path, &error))
}

/// Replaces a file as a whole. What is no regular file, such as `/dev/stdout` or a link, and what cannot be
/// replaced, such as a single file mounted into a container, is written in place.
fn replace_file(path: &Path, page: &[u8]) -> io::Result<()> {
    use io::ErrorKind::{InvalidInput, PermissionDenied, ReadOnlyFilesystem, ResourceBusy, Unsupported};
    let present = std::fs::symlink_metadata(path).ok();
    if present.as_ref().is_some_and(|present| !present.is_file()) {
        return std::fs::write(path, page);
    }
    let replaced = match present {
        Some(present) => {
            let permissions = Permissions::from_mode(present.mode() & 0o777);
            atomic_write::replace_with(path, page, permissions)
        }
        None => atomic_write::replace(path, page, PAGE_MODE),
    };
    match replaced.as_ref().map_err(io::Error::kind) {
        Err(PermissionDenied | ResourceBusy | ReadOnlyFilesystem | InvalidInput | Unsupported) => {
            std::fs::write(path, page)
        }
        _ => replaced,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_that_cannot_be_written_is_known_before_the_run() {
        let dir = tempfile::tempdir().unwrap();
        assert_eq!(check_place(&dir.path().join("page.html")), Ok(()));
        assert_eq!(check_place(Path::new("page.html")), Ok(()));
        for wrong in [dir.path().to_owned(), dir.path().join("missing/page.html")] {
            assert_eq!(check_place(&wrong).unwrap_err().kind, ErrorKind::CannotCreate, "{}", wrong.display());
        }
    }

    #[test]
    fn a_folder_that_takes_no_file_is_known_before_the_run() {
        if rustix::process::geteuid().is_root() {
            return; // may write everywhere
        }
        let dir = tempfile::tempdir().unwrap();
        let [new, page, link] = ["new.html", "page.html", "link.html"].map(|name| dir.path().join(name));
        std::fs::write(&page, b"an earlier page").unwrap();
        std::os::unix::fs::symlink(&new, &link).unwrap();
        let set_mode = |path: &Path, mode| {
            std::fs::set_permissions(path, Permissions::from_mode(mode)).unwrap();
        };
        set_mode(dir.path(), 0o555);
        let answers = [&new, &link, &page].map(|path| check_place(path).map_err(|error| error.kind));
        set_mode(&page, 0o444);
        let unwritable = check_place(&page).map_err(|error| error.kind);
        set_mode(dir.path(), 0o755);
        let refused = Err(ErrorKind::NoPermission);
        assert_eq!(answers, [refused, refused, Ok(())], "what is there is written in place");
        assert_eq!([unwritable, check_place(&page).map_err(|error| error.kind)], [refused, Ok(())]);
    }

    #[test]
    fn what_is_written_through_needs_no_folder() {
        assert_eq!(check_place(Path::new("/dev/null")), Ok(()));
    }

    #[test]
    fn a_page_replaces_a_file_and_is_written_through_what_is_none() {
        let dir = tempfile::tempdir().unwrap();
        let [file, link] = ["page.html", "link.html"].map(|name| dir.path().join(name));
        replace_file(&file, b"an earlier page").unwrap();
        // Whoever could not read it cannot now, and who may write it still may, whatever the umask is.
        for mode in [0o664, 0o666, 0o600] {
            std::fs::set_permissions(&file, Permissions::from_mode(mode)).unwrap();
            replace_file(&file, b"page").unwrap();
            assert_eq!(std::fs::read(&file).unwrap(), b"page");
            assert_eq!(std::fs::metadata(&file).unwrap().mode() & 0o777, mode);
        }
        std::os::unix::fs::symlink(&file, &link).unwrap();
        replace_file(&link, b"through").unwrap();
        assert!(link.is_symlink());
        assert_eq!(std::fs::read(&file).unwrap(), b"through");
        replace_file(Path::new("/dev/null"), b"page").unwrap();
        assert!(!Path::new("/dev/null").is_file());
        assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 2, "nothing else is left");
    }
}
