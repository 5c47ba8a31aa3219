//! A file that a person wants written, such as a page: checks beforehand whether it can be, and writes it.

use std::fs::{File, Permissions};
use std::io::{self, Write as _};
use std::os::unix::fs::{MetadataExt as _, OpenOptionsExt as _, PermissionsExt as _};
use std::path::Path;

use rustix::fs::{Access, AtFlags, CWD, OFlags, accessat};

use crate::error::{Error, ErrorKind, Result};
use crate::sys::atomic_write::{self, folder_of};

/// Mode of a new file, before the user's umask.
const FILE_MODE: u32 = 0o666;

/// Why a symbolic link is not written through.
const LINK: &str = "it is a symbolic link";

/// Refuses a file that could not be written after the run.
pub fn check_place(path: &Path) -> Result<()> {
    let fault =
        |what: &str| Error::new(ErrorKind::CannotCreate, format!("cannot write {}: {what}", path.display()));
    if path.is_dir() {
        return Err(fault("it is a folder"));
    }
    if is_link(path) {
        return Err(fault(LINK).advise("Name the file itself: who owns a link could have any file replaced."));
    }
    // What is written in place needs no more than itself.
    if path.exists() && may(path, Access::WRITE_OK).is_ok() {
        return Ok(());
    }
    let folder = folder_of(path);
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

/// Whether a path is a symbolic link, but for the system's own names of what a process has open.
fn is_link(path: &Path) -> bool {
    !is_own_output(path) && std::fs::symlink_metadata(path).is_ok_and(|present| present.is_symlink())
}

/// `/dev/stdout` and its like, which Linux has as links into `/proc/self/fd`.
fn is_own_output(path: &Path) -> bool {
    ["/dev/stdout", "/dev/stderr"].iter().any(|name| path == Path::new(name))
        || path.parent() == Some(Path::new("/dev/fd"))
}

/// Whether there is something that is written through: a device, a pipe.
fn is_no_regular_file(path: &Path) -> bool {
    std::fs::symlink_metadata(path).is_ok_and(|present| !present.is_file())
}

/// Whether the effective user may use a path so.
fn may(path: &Path, access: Access) -> io::Result<()> {
    Ok(accessat(CWD, path, access, AtFlags::EACCESS)?)
}

fn cannot_write(path: &Path, error: &io::Error) -> Error {
    Error::from_io(ErrorKind::CannotCreate, &format!("write {}", path.display()), error)
}

/// Writes the file.
pub fn write(path: &Path, text: &str) -> Result<()> {
    replace_file(path, text.as_bytes()).map_err(|error| cannot_write(path, &error))
}

/// Replaces a file as a whole. What is no regular file, such as a pipe, and what cannot be replaced, such as
/// a single file mounted into a container, is written in place; a link never.
fn replace_file(path: &Path, bytes: &[u8]) -> io::Result<()> {
    use io::ErrorKind::{InvalidInput, PermissionDenied, ReadOnlyFilesystem, ResourceBusy, Unsupported};
    let present = std::fs::symlink_metadata(path).ok();
    if present.as_ref().is_some_and(|present| !present.is_file()) {
        return write_in_place(path, bytes);
    }
    let replaced = match present {
        Some(present) => {
            let permissions = Permissions::from_mode(present.mode() & 0o777);
            atomic_write::replace_with(path, bytes, permissions)
        }
        None => atomic_write::replace(path, bytes, FILE_MODE),
    };
    match replaced.as_ref().map_err(io::Error::kind) {
        Err(PermissionDenied | ResourceBusy | ReadOnlyFilesystem | InvalidInput | Unsupported) => {
            write_in_place(path, bytes)
        }
        _ => replaced,
    }
}

/// Writes what is there anew. The kernel refuses a link, also one that has come since it was looked for.
fn write_in_place(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let flags = if is_own_output(path) { OFlags::empty() } else { OFlags::NOFOLLOW };
    let flags = i32::try_from(flags.bits()).unwrap_or_default();
    let opened = File::options().write(true).create(true).truncate(true).custom_flags(flags).open(path);
    opened.map_err(|error| if is_link(path) { io::Error::other(LINK) } else { error })?.write_all(bytes)
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
        let [new, page] = ["new.html", "page.html"].map(|name| dir.path().join(name));
        std::fs::write(&page, b"an earlier page").unwrap();
        let set_mode = |path: &Path, mode| {
            std::fs::set_permissions(path, Permissions::from_mode(mode)).unwrap();
        };
        set_mode(dir.path(), 0o555);
        let answers = [&new, &page].map(|path| check_place(path).map_err(|error| error.kind));
        set_mode(&page, 0o444);
        let unwritable = check_place(&page).map_err(|error| error.kind);
        set_mode(dir.path(), 0o755);
        let refused = Err(ErrorKind::NoPermission);
        assert_eq!(answers, [refused, Ok(())], "what is there is written in place");
        assert_eq!([unwritable, check_place(&page).map_err(|error| error.kind)], [refused, Ok(())]);
    }

    #[test]
    fn what_is_written_through_needs_no_folder() {
        assert_eq!(check_place(Path::new("/dev/null")), Ok(()));
    }

    #[test]
    fn a_page_replaces_a_file_and_is_written_into_a_device() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("page.html");
        replace_file(&file, b"an earlier page").unwrap();
        // Whoever could not read it cannot now, and who may write it still may, whatever the umask is.
        for mode in [0o664, 0o666, 0o600] {
            std::fs::set_permissions(&file, Permissions::from_mode(mode)).unwrap();
            replace_file(&file, b"page").unwrap();
            assert_eq!(std::fs::read(&file).unwrap(), b"page");
            assert_eq!(std::fs::metadata(&file).unwrap().mode() & 0o777, mode);
        }
        replace_file(Path::new("/dev/null"), b"page").unwrap();
        assert!(!Path::new("/dev/null").is_file());
        assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 1, "nothing else is left");
    }

    #[test]
    fn a_link_is_never_written_through() {
        let dir = tempfile::tempdir().unwrap();
        let [file, link] = ["shadow", "link.html"].map(|name| dir.path().join(name));
        std::fs::write(&file, b"of root").unwrap();
        for target in [&file, &dir.path().join("nowhere")] {
            std::os::unix::fs::symlink(target, &link).unwrap();
            let error = check_place(&link).unwrap_err();
            assert_eq!(error.kind, ErrorKind::CannotCreate);
            assert!(error.what.contains(LINK), "{error}");
            // It came after that was looked for.
            assert_eq!(replace_file(&link, b"page").unwrap_err().to_string(), LINK);
            std::fs::remove_file(&link).unwrap();
        }
        assert_eq!(std::fs::read(&file).unwrap(), b"of root");
        assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 1);
        assert_eq!(check_place(Path::new("/dev/stdout")), Ok(()), "it is a link of the system");
    }
}
