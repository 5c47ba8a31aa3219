//! One run at a time in a folder: two that measure the same disk would measure each other.
//!
//! The lock is the kernel's, on the folder itself: it leaves no file behind, and ends with the process that
//! holds it, however that ends. Where a folder cannot be locked, as on NFS, runs go on as if they were alone.

use std::fs::File;
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::time::{Duration, Instant};

use rustix::fs::{FlockOperation, Mode, OFlags};
use rustix::io::Errno;

use crate::error::{Error, ErrorKind, Result};
use crate::text::printable_or_none;

/// The longest wait for others: a whole `deep` takes a few hours, and nobody watches a timer for a day.
pub const WAIT_MAX: Duration = Duration::from_secs(24 * 60 * 60);
/// How often it is looked whether the folder is free.
const LOOK_EVERY: Duration = Duration::from_millis(200);
/// The longest name of a program, in the kernel's own list of processes.
const PROGRAM_LENGTH_MAX: usize = 64;

/// The lock on a folder, held until it is dropped.
#[derive(Debug)]
pub struct FolderLock {
    /// Open for as long as it is locked; `None` where it cannot be.
    folder: Option<File>,
}

impl FolderLock {
    /// Whether the folder is really locked.
    pub const fn is_held(&self) -> bool {
        self.folder.is_some()
    }

    /// Locks `dir`, and waits while somebody else holds it. `waits_for` hears who that is, once.
    ///
    /// # Errors
    /// `Refused` when the folder is not free after [`WAIT_MAX`].
    pub fn acquire(dir: &Path, waits_for: impl FnMut(&str)) -> Result<Self> {
        Self::acquire_within(dir, WAIT_MAX, waits_for)
    }

    fn acquire_within(dir: &Path, wait_max: Duration, mut waits_for: impl FnMut(&str)) -> Result<Self> {
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let Ok(folder) = rustix::fs::open(dir, flags, Mode::empty()).map(File::from) else {
            return Ok(Self { folder: None });
        };
        let end = Instant::now() + wait_max;
        let mut was_said = false;
        loop {
            match rustix::fs::flock(&folder, FlockOperation::NonBlockingLockExclusive) {
                Ok(()) => return Ok(Self { folder: Some(folder) }),
                Err(Errno::WOULDBLOCK | Errno::INTR) => {}
                Err(_) => return Ok(Self { folder: None }),
            }
            let holder = holder_of(&folder);
            if Instant::now() >= end {
                let what = format!("{holder} still has {}", dir.display());
                return Err(Error::new(ErrorKind::Refused, what)
                    .advise("Runs in one folder would measure each other. End it, or try again later."));
            }
            if !was_said {
                waits_for(&holder);
                was_said = true;
            }
            std::thread::sleep(LOOK_EVERY);
        }
    }
}

/// Who holds the lock on a folder, in words.
fn holder_of(folder: &File) -> String {
    let named = || {
        let metadata = folder.metadata().ok()?;
        let locks = std::fs::read_to_string("/proc/locks").ok()?;
        let pid = pid_of_holder(&locks, metadata.dev(), metadata.ino())?;
        let program = std::fs::read_to_string(format!("/proc/{pid}/comm")).ok()?;
        Some(format!("{} (process {pid})", printable_or_none(&program, PROGRAM_LENGTH_MAX)?))
    };
    named().unwrap_or_else(|| "another program".to_owned())
}

/// The process that holds a lock of this kind on a file, by the kernel's list of locks:
/// `1: FLOCK  ADVISORY  WRITE 4711 08:01:131 0 EOF`. Waiting ones have `->` behind their number; a process
/// of another container has the number 0.
fn pid_of_holder(locks: &str, device: u64, inode: u64) -> Option<u32> {
    let (major, minor) = (rustix::fs::major(device), rustix::fs::minor(device));
    let file = format!("{major:02x}:{minor:02x}:{inode}");
    locks.lines().find_map(|line| {
        let words: Vec<&str> = line.split_ascii_whitespace().collect();
        let [_, "FLOCK", _, _, pid, of, ..] = words[..] else { return None };
        (of == file).then(|| pid.parse().ok())?.filter(|&pid| pid > 0)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_is_one_run_s_until_it_ends_and_the_next_hears_whose() {
        let dir = tempfile::tempdir().unwrap();
        let first = FolderLock::acquire(dir.path(), |_| panic!("nobody has it")).unwrap();
        let mut said = Vec::new();
        let refused =
            FolderLock::acquire_within(dir.path(), Duration::ZERO, |holder| said.push(holder.to_owned()));
        let refused = refused.unwrap_err();
        assert_eq!((refused.kind, said.len()), (ErrorKind::Refused, 0));
        std::thread::scope(|scope| {
            let (heard, waits) = std::sync::mpsc::channel();
            let path = dir.path();
            let second = scope
                .spawn(move || FolderLock::acquire(path, |holder| heard.send(holder.to_owned()).unwrap()));
            let holder = waits.recv().unwrap();
            assert!(holder.contains(&format!("(process {})", std::process::id())), "{holder}");
            drop(first);
            assert!(second.join().unwrap().unwrap().is_held());
        });
    }

    #[test]
    fn what_cannot_be_locked_holds_nobody_up() {
        let dir = tempfile::tempdir().unwrap();
        let missing = FolderLock::acquire(&dir.path().join("missing"), |_| panic!("nobody")).unwrap();
        assert!(!missing.is_held());
    }

    #[test]
    fn the_holder_is_found_in_the_kernel_s_list() {
        let locks = "1: POSIX  ADVISORY  WRITE 11 fd:01:131 0 EOF\n\
                     2: FLOCK  ADVISORY  WRITE 4711 fd:01:131 0 EOF\n\
                     2: -> FLOCK  ADVISORY  WRITE 4712 fd:01:131 0 EOF\n\
                     3: FLOCK  ADVISORY  WRITE 0 fd:01:132 0 EOF\n";
        let device = rustix::fs::makedev(0xfd, 1);
        assert_eq!(pid_of_holder(locks, device, 131), Some(4711));
        assert_eq!(pid_of_holder(locks, device, 132), None, "of another container");
        assert_eq!(pid_of_holder(locks, device, 133), None);
    }
}
