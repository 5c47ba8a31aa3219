//! Removes named test files whose run has ended.
//!
//! Three guards, each for what the one before cannot do: dropping the owner removes the file; a small second
//! process removes it when the first is killed, or ends by a panic, which drops nothing; the next run in the
//! same folder removes what is left after the machine itself went down.

use std::fs::File;
use std::io::{self, Read, Write};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use rustix::fs::{FlockOperation, Mode, OFlags};
use rustix::io::Errno;

use crate::hex;

const PREFIX: &str = ".fsyncmark-";
const SUFFIX: &str = ".tmp";
/// Two agents that start in one folder at the same time may take each other's new file for a leftover.
/// Creating the file is tried this often.
const CREATE_ATTEMPTS: usize = 5;
/// The hidden verb of the second process.
pub const WATCH_VERB: &str = "remove-orphaned-test-file";

/// The name of a test file that is locked for as long as its run lasts. Dropping the guard removes the file.
#[derive(Debug)]
pub struct NameGuard {
    path: PathBuf,
    watcher: Option<Child>,
    /// Whether the file is this guard's to remove.
    is_armed: bool,
}

impl NameGuard {
    /// Creates and locks a file with a new name in `dir`. The second process is started before the file
    /// exists, so that there is no moment without a guard. If it cannot be started the run goes on: then a
    /// file that `kill -9` or a panic leaves behind is removed by the next run. Whatever fails, the guard
    /// ends that process again.
    ///
    /// # Errors
    /// A filesystem without locks returns an error of its own, which ends this. Only where somebody else
    /// holds the lock is it tried again.
    pub fn create(dir: &Path) -> io::Result<(Self, File)> {
        let dir = std::path::absolute(dir)?;
        for _ in 0..CREATE_ATTEMPTS {
            let name: [u8; 8] = crate::sys::random();
            let path = dir.join(format!("{PREFIX}{}{SUFFIX}", hex::encode(&name)));
            let watcher = if cfg!(test) { None } else { watch(&path) };
            let guard = Self { path, watcher, is_armed: true };
            let (guard, file) = guard.make_file()?;
            let is_ours = is_taken(rustix::fs::flock(&file, FlockOperation::NonBlockingLockExclusive))?;
            if is_ours && file.metadata()?.nlink() == 1 {
                return Ok((guard, file));
            }
            // Unlock before waiting for the watcher, which may be waiting for the lock.
            drop(file);
        }
        Err(io::ErrorKind::ResourceBusy.into())
    }

    /// Makes the file. One that is there already is somebody else's: then nothing is removed.
    fn make_file(mut self) -> io::Result<(Self, File)> {
        let flags = OFlags::RDWR | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        match rustix::fs::open(&self.path, flags, Mode::RUSR | Mode::WUSR) {
            Ok(file) => Ok((self, File::from(file))),
            Err(error) => {
                if error == Errno::EXIST {
                    self.disarm();
                }
                Err(error.into())
            }
        }
    }

    /// Ends the second process before it can remove anything, and leaves the file alone.
    fn disarm(&mut self) {
        self.is_armed = false;
        if let Some(mut watcher) = self.watcher.take() {
            let _ = watcher.kill();
            let _ = watcher.wait();
        }
    }

    /// The path of the file.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

/// Whether a lock was taken; `false` where somebody else holds it, and any other answer is an error.
fn is_taken(answer: rustix::io::Result<()>) -> io::Result<bool> {
    match answer {
        Ok(()) => Ok(true),
        Err(Errno::WOULDBLOCK) => Ok(false),
        Err(error) => Err(error.into()),
    }
}

/// Starts the second process and hands it the path.
fn watch(path: &Path) -> Option<Child> {
    use std::os::unix::ffi::OsStrExt;
    use std::os::unix::process::CommandExt;
    // This link still leads to this program if somebody replaces the file at its path.
    let link = Path::new("/proc/self/exe");
    let program = if link.exists() { link.to_owned() } else { std::env::current_exe().ok()? };
    let mut child = Command::new(program)
        .arg0("fsyncmark")
        .arg(WATCH_VERB)
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .current_dir("/")
        // Ctrl-C goes to the terminal's process group, and the watcher must survive it.
        .process_group(0)
        .spawn()
        .ok()?;
    // One short write to an empty pipe is atomic: the watcher reads the whole path, or none and ends.
    let written = child.stdin.as_mut().map(|pipe| pipe.write_all(path.as_os_str().as_bytes()));
    if !matches!(written, Some(Ok(()))) {
        let _ = child.kill();
        let _ = child.wait();
        return None;
    }
    Some(child)
}

impl Drop for NameGuard {
    fn drop(&mut self) {
        if self.is_armed {
            let _ = std::fs::remove_file(&self.path);
        }
        if let Some(mut watcher) = self.watcher.take() {
            drop(watcher.stdin.take());
            let _ = watcher.wait();
        }
    }
}

/// The second process: waits until the first one is gone, which closes the pipe, and removes the file whose
/// path was sent through it, if it still exists. A killed process closes its files one by one, after the last
/// write to each, so the lock may be held a little longer; it is waited for.
pub fn watch_until_orphaned(mut pipe: impl Read) {
    use std::os::unix::ffi::OsStringExt;
    let mut path = Vec::new();
    if pipe.read_to_end(&mut path).is_ok() {
        let path = PathBuf::from(std::ffi::OsString::from_vec(path));
        if path.file_name().is_some_and(is_our_name) {
            remove_if_abandoned(&path, FlockOperation::LockExclusive);
        }
    }
}

/// Removes test files in `dir` that no living run holds; returns how many.
pub fn sweep(dir: &Path) -> usize {
    let Ok(entries) = std::fs::read_dir(dir) else { return 0 };
    entries
        .flatten()
        .filter(|entry| is_our_name(&entry.file_name()))
        .filter(|entry| remove_if_abandoned(&entry.path(), FlockOperation::NonBlockingLockExclusive))
        .count()
}

fn is_our_name(name: &std::ffi::OsStr) -> bool {
    name.to_str()
        .and_then(|name| name.strip_prefix(PREFIX)?.strip_suffix(SUFFIX))
        .is_some_and(|middle| middle.len() == 16 && middle.bytes().all(|byte| byte.is_ascii_hexdigit()))
}

/// Opens a file for writing too, although nothing is written: NFS gives an exclusive lock only to such a
/// file.
fn open_to_lock(path: &Path) -> io::Result<File> {
    let flags = OFlags::RDWR | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    Ok(File::from(rustix::fs::open(path, flags, Mode::empty())?))
}

/// Removes a regular file of this user that no run holds. `lock` says whether to wait for the lock, or to
/// leave a file alone whose lock somebody holds.
fn remove_if_abandoned(path: &Path, lock: FlockOperation) -> bool {
    let Ok(file) = open_to_lock(path) else { return false };
    let ours = file
        .metadata()
        .is_ok_and(|metadata| metadata.is_file() && metadata.uid() == rustix::process::geteuid().as_raw());
    ours && rustix::fs::flock(&file, lock).is_ok() && std::fs::remove_file(path).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sweep_takes_what_nobody_holds_and_nothing_else() {
        let dir = tempfile::tempdir().unwrap();
        let (held, _file) = NameGuard::create(dir.path()).unwrap();
        std::fs::write(dir.path().join(".fsyncmark-0123456789abcdef.tmp"), "left").unwrap();
        std::fs::write(dir.path().join(".fsyncmark-notes.tmp"), "a person's").unwrap();
        std::os::unix::fs::symlink("/etc/passwd", dir.path().join(".fsyncmark-fedcba9876543210.tmp"))
            .unwrap();
        assert_eq!(sweep(dir.path()), 1);
        assert!(held.path().exists());
        assert!(dir.path().join(".fsyncmark-notes.tmp").exists());
    }

    #[test]
    fn a_file_that_has_the_name_already_is_left_alone() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join(".fsyncmark-0123456789abcdef.tmp");
        std::fs::write(&path, "another's").unwrap();
        let guard = NameGuard { path: path.clone(), watcher: None, is_armed: true };
        assert_eq!(guard.make_file().unwrap_err().kind(), io::ErrorKind::AlreadyExists);
        assert_eq!(std::fs::read(&path).unwrap(), b"another's");
    }

    #[test]
    fn a_leftover_is_opened_as_nfs_wants_it_for_an_exclusive_lock() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("left");
        std::fs::write(&path, "left").unwrap();
        let flags = rustix::fs::fcntl_getfl(open_to_lock(&path).unwrap()).unwrap();
        assert_eq!(flags & OFlags::RWMODE, OFlags::RDWR);
    }

    #[test]
    fn a_filesystem_without_locks_is_not_a_file_that_somebody_else_holds() {
        assert!(is_taken(Ok(())).unwrap());
        assert!(!is_taken(Err(Errno::WOULDBLOCK)).unwrap());
        for errno in [Errno::NOLCK, Errno::NOSYS, Errno::BADF] {
            assert_eq!(is_taken(Err(errno)).unwrap_err().raw_os_error(), Some(errno.raw_os_error()));
        }
    }

    /// Ends like the pipe of a killed process, and says so.
    struct ClosingPipe<'a>(&'a [u8], std::sync::mpsc::Sender<()>);

    impl Read for ClosingPipe<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            if self.0.is_empty() {
                self.1.send(()).unwrap();
            }
            self.0.read(buffer)
        }
    }

    #[test]
    fn the_lock_of_a_process_that_is_still_dying_is_waited_for() {
        use std::os::unix::ffi::OsStrExt;
        let dir = tempfile::tempdir().unwrap();
        let (held, file) = NameGuard::create(dir.path()).unwrap();
        let (closed, is_closed) = std::sync::mpsc::channel();
        std::thread::scope(|scope| {
            let watcher =
                scope.spawn(|| watch_until_orphaned(ClosingPipe(held.path().as_os_str().as_bytes(), closed)));
            is_closed.recv().unwrap();
            assert!(held.path().exists());
            drop(file);
            watcher.join().unwrap();
        });
        assert!(!held.path().exists());
    }

    #[test]
    fn an_orphaned_file_is_removed_and_a_strangers_path_is_not() {
        use std::os::unix::ffi::OsStrExt;
        let dir = tempfile::tempdir().unwrap();
        let orphan = dir.path().join(".fsyncmark-0123456789abcdef.tmp");
        let other = dir.path().join("data.db");
        for path in [&orphan, &other] {
            std::fs::write(path, "x").unwrap();
            watch_until_orphaned(path.as_os_str().as_bytes());
        }
        assert!(!orphan.exists());
        assert!(other.exists());
    }
}
