//! Real test files: created so that none is left behind, filled, and opened with the flags that a workload
//! asks for.
//!
//! Where the filesystem syncs a file without a name like any other, the file never has a name, so that even
//! `kill -9` leaves nothing behind. On other filesystems the file has a name, and a guard removes it: on ZFS,
//! which writes no log for a file without a name, so that a sync would look free; on btrfs, whose code has
//! had exceptions for such files; and on filesystems that nobody has tried.

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

#[cfg(target_os = "linux")]
use rustix::fs::{Mode, OFlags};

use super::FileUnderTest as _;
use super::leftovers::NameGuard;
use super::open_file::OpenFile;
use crate::disk::contents::{self, Seed};
use crate::disk::test_site::LayOutError;
use crate::plan::file_naming::FileNaming;
use crate::plan::workload::{FileSpec, FileState, WorkloadDefinition};
use crate::sys::memory::AlignedBuffer;

/// Bytes of one write while a file is filled.
const FILL_CHUNK_BYTES: usize = 1 << 20;
/// A file is synced after this many bytes while it is filled, so that no gigabyte of dirty pages piles up and
/// Ctrl-C is answered soon.
const FILL_SYNC_BYTES: u64 = 64 << 20;

/// A file under test. Dropping it removes it.
#[derive(Debug)]
pub struct TestFile {
    file: File,
    /// The path that opens the same file again with other flags: its entry in `/proc/self/fd`, which cannot
    /// be redirected, or its name where the system has no `/proc`.
    reopen: PathBuf,
    /// Removes its name when it is dropped; `None` where it has no name.
    name_guard: Option<NameGuard>,
}

impl TestFile {
    /// A new, empty file in `dir`, readable and writable by its owner alone.
    pub fn create(dir: &Path, naming: FileNaming) -> io::Result<Self> {
        if naming == FileNaming::Nameless
            && let Some(nameless) = Self::create_nameless(dir)?
        {
            return Ok(nameless);
        }
        let (guard, file) = NameGuard::create(dir)?;
        let reopen = place_among_open_files(&file).unwrap_or_else(|| guard.path().to_owned());
        Ok(Self { file, reopen, name_guard: Some(guard) })
    }

    /// A file that never had a name; `None` where that, or reaching it again, is not possible.
    #[cfg(target_os = "linux")]
    fn create_nameless(dir: &Path) -> io::Result<Option<Self>> {
        use rustix::io::Errno;
        let flags = OFlags::RDWR | OFlags::TMPFILE | OFlags::CLOEXEC;
        let file = match rustix::fs::open(dir, flags, Mode::RUSR | Mode::WUSR) {
            Ok(file) => File::from(file),
            // A kernel or filesystem that does not know the flag takes the call for opening a folder for
            // writing.
            Err(Errno::OPNOTSUPP | Errno::ISDIR | Errno::INVAL | Errno::NOENT) => return Ok(None),
            Err(error) => return Err(error.into()),
        };
        Ok(place_among_open_files(&file).map(|reopen| Self { file, reopen, name_guard: None }))
    }

    /// Elsewhere every file has a name.
    #[cfg(not(target_os = "linux"))]
    #[allow(clippy::unnecessary_wraps)] // as it is on Linux
    fn create_nameless(_dir: &Path) -> io::Result<Option<Self>> {
        Ok(None)
    }

    /// Whether it has a name in its folder.
    pub fn is_named(&self) -> bool {
        self.name_guard.is_some()
    }

    /// Writes `bytes` of keystream and makes them durable. Reports how many bytes are written as it
    /// goes; ends early when `stop` is set.
    pub fn fill(
        &self,
        bytes: u64,
        seed: &Seed,
        stop: &AtomicBool,
        progress: &mut dyn FnMut(u64),
    ) -> Result<(), LayOutError> {
        let mut chunk = AlignedBuffer::zeroed(FILL_CHUNK_BYTES);
        let chunk_bytes = chunk.as_ref().len() as u64;
        for offset in (0..bytes).step_by(FILL_CHUNK_BYTES) {
            if stop.load(Relaxed) {
                return Err(LayOutError::Stopped);
            }
            let length = chunk_bytes.min(bytes - offset);
            let part = &mut chunk.as_mut()[..usize::try_from(length).expect("at most a chunk")];
            contents::fill(seed, offset / contents::BLOCK_BYTES, part);
            self.file.write_all_at(part, offset)?;
            if (offset + length).is_multiple_of(FILL_SYNC_BYTES) {
                self.file.sync_data()?;
                progress(offset + length);
            }
        }
        self.file.sync_all()?;
        Ok(self.drop_page_cache()?)
    }

    /// Brings the file into the state that `spec` asks for before a pass: empty, or of its size and not
    /// written. A file that is overwritten stays what it is.
    ///
    /// # Errors
    /// `Unsupported` where the filesystem or the system cannot give a file space without writing it.
    pub fn reset(&self, spec: FileSpec) -> io::Result<()> {
        match spec.state {
            FileState::Overwritten => return Ok(()),
            FileState::Growing => self.file.set_len(0)?,
            FileState::Fallocated => {
                self.file.set_len(0)?;
                allocate(&self.file, spec.bytes)?;
            }
        }
        self.file.sync_all()
    }

    /// Tells the kernel to forget the clean pages of this file, as fio does before a job.
    pub fn drop_page_cache(&self) -> io::Result<()> {
        #[cfg(target_os = "linux")]
        rustix::fs::fadvise(&self.file, 0, None, rustix::fs::Advice::DontNeed)?;
        Ok(())
    }

    /// SHA-256 over the proof's blocks, read back from the file.
    pub fn proof(&self) -> io::Result<String> {
        let mut block = AlignedBuffer::zeroed(4096);
        contents::proof(|offset, block| self.file.read_exact_at(block, offset), block.as_mut())
    }

    /// Opens the file with the flags that `workload` asks for.
    pub fn open(&self, workload: &WorkloadDefinition) -> io::Result<OpenFile> {
        let disk = OpenFile::open(&self.reopen, workload)?;
        // Opened by its name, it could be another file: the owner of the folder could lead root to a file of
        // the system.
        if identity(disk.file())? != identity(&self.file)? {
            return Err(io::Error::other("somebody replaced the test file meanwhile"));
        }
        Ok(disk)
    }

    /// Whether this filesystem lets a file be read past the page cache. Tries it with the first 4 KiB.
    pub fn can_bypass_page_cache(&self, workload: &WorkloadDefinition) -> io::Result<bool> {
        let mut block = contents::random_buffer(4096);
        self.file.write_all_at(block.as_ref(), 0)?;
        self.file.sync_data()?;
        let unsupported = |error: &io::Error| {
            matches!(error.raw_os_error(), Some(code) if code == rustix::io::Errno::INVAL.raw_os_error()
                || code == rustix::io::Errno::OPNOTSUPP.raw_os_error())
        };
        let read = self.open(workload).and_then(|mut disk| disk.read_at(0, block.as_mut()));
        match read {
            Ok(()) => Ok(true),
            Err(error) if unsupported(&error) => Ok(false),
            Err(error) => Err(error),
        }
    }
}

/// Reserves the file's space without writing it: its extents stay marked as unwritten.
#[cfg(target_os = "linux")]
fn allocate(file: &File, bytes: u64) -> io::Result<()> {
    use rustix::io::Errno;
    match rustix::fs::fallocate(file, rustix::fs::FallocateFlags::empty(), 0, bytes) {
        Err(Errno::OPNOTSUPP | Errno::NOSYS) => Err(io::ErrorKind::Unsupported.into()),
        other => Ok(other?),
    }
}

/// Elsewhere there is no such call.
#[cfg(not(target_os = "linux"))]
fn allocate(_file: &File, _bytes: u64) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

/// Where Linux shows an open file, if `/proc` is there.
fn place_among_open_files(file: &File) -> Option<PathBuf> {
    use std::os::fd::AsRawFd;
    let place = PathBuf::from(format!("/proc/self/fd/{}", file.as_raw_fd()));
    place.exists().then_some(place)
}

/// The identity of a file: device and inode.
fn identity(file: &File) -> io::Result<(u64, u64)> {
    use std::os::unix::fs::MetadataExt;
    file.metadata().map(|metadata| (metadata.dev(), metadata.ino()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::workload::{PageCache, WORKLOADS};
    use crate::sys::io_request::SyncCall;

    fn never() -> AtomicBool {
        AtomicBool::new(false)
    }

    fn entries(dir: &Path) -> usize {
        std::fs::read_dir(dir).unwrap().count()
    }

    #[test]
    fn an_unlinked_file_is_never_seen_and_every_workload_can_open_it() {
        let dir = tempfile::tempdir_in("/var/tmp").unwrap();
        let file = TestFile::create(dir.path(), FileNaming::Nameless).unwrap();
        assert_eq!(entries(dir.path()), 0);
        file.fill(1 << 20, &Seed([1; 32]), &never(), &mut |_| ()).unwrap();
        for workload in WORKLOADS {
            // /var/tmp may be a filesystem without O_DIRECT, such as an old tmpfs.
            if workload.page_cache == PageCache::Past && !file.can_bypass_page_cache(workload).unwrap() {
                continue;
            }
            let mut disk = file.open(workload).unwrap();
            let mut block = AlignedBuffer::zeroed(4096);
            disk.read_at(4096, block.as_mut()).unwrap();
            let mut expected = vec![0; 4096];
            contents::fill(&Seed([1; 32]), 1, &mut expected);
            assert_eq!(block.as_ref(), expected, "{}", workload.id);
        }
    }

    #[test]
    fn a_named_file_is_there_while_it_is_used_and_gone_afterwards() {
        let dir = tempfile::tempdir_in("/var/tmp").unwrap();
        let file = TestFile::create(dir.path(), FileNaming::Named).unwrap();
        assert!(file.is_named());
        assert_eq!(entries(dir.path()), 1);
        for workload in WORKLOADS.iter().filter(|workload| workload.page_cache == PageCache::Through) {
            file.open(workload).unwrap();
        }
        drop(file);
        assert_eq!(entries(dir.path()), 0);
    }

    #[test]
    fn a_file_put_in_the_place_of_a_test_file_is_never_written() {
        let dir = tempfile::tempdir_in("/var/tmp").unwrap();
        let mut file = TestFile::create(dir.path(), FileNaming::Named).unwrap();
        let name = file.name_guard.as_ref().unwrap().path().to_owned();
        let precious = dir.path().join("precious");
        std::fs::write(&precious, "data").unwrap();
        std::fs::remove_file(&name).unwrap();
        std::os::unix::fs::symlink(&precious, &name).unwrap();
        file.open(&WORKLOADS[0]).unwrap().write_at(0, &[9; 8192]).unwrap();
        assert_eq!(std::fs::read(&precious).unwrap(), b"data");
        // Without /proc it would be opened by its name.
        file.reopen = name;
        assert!(file.open(&WORKLOADS[0]).is_err());
    }

    #[test]
    fn filling_stops_when_told_to() {
        let dir = tempfile::tempdir_in("/var/tmp").unwrap();
        let file = TestFile::create(dir.path(), FileNaming::Nameless).unwrap();
        let error = file.fill(1 << 20, &Seed([1; 32]), &AtomicBool::new(true), &mut |_| ()).unwrap_err();
        assert!(matches!(error, LayOutError::Stopped), "{error:?}");
    }

    #[test]
    fn what_is_written_is_what_is_read() {
        let dir = tempfile::tempdir_in("/var/tmp").unwrap();
        let file = TestFile::create(dir.path(), FileNaming::Nameless).unwrap();
        let mut disk = file.open(&WORKLOADS[0]).unwrap();
        disk.write_at(8192, &[9; 8192]).unwrap();
        disk.sync(SyncCall::Fdatasync).unwrap();
        disk.sync(SyncCall::Fsync).unwrap();
        let mut block = [0; 4096];
        disk.read_at(12288, &mut block).unwrap();
        assert_eq!(block, [9; 4096]);
        assert!(disk.read_at(1 << 30, &mut block).is_err());
    }
}
