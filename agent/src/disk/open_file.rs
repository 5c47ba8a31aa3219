//! An open test file as the timed loop uses it, and what makes a write durable on each system.
//!
//! What a row of the table means:
//!
//! | row's sync | Linux | macOS |
//! | --- | --- | --- |
//! | `fdatasync` | `fdatasync` | `F_FULLFSYNC` |
//! | `fsync` | `fsync` | `F_FULLFSYNC`: the same as the row above |
//! | `o_dsync` | each write to a file opened with `O_DSYNC` | the same, and `F_FULLFSYNC` after each |
//! | `rwf_dsync` | each write with `RWF_DSYNC` | a plain write, and `F_FULLFSYNC` after each |
//!
//! On macOS everything else stops at the drive's volatile cache (`fsync(2)` there): a row that asks for
//! durability never ends without `F_FULLFSYNC`.

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;
use std::path::Path;

use rustix::fs::{Mode, OFlags};

use super::FileUnderTest;
use crate::disk::ring_queue::RingQueue;
use crate::plan::workload::{Durability, PageCache, WorkloadDefinition};
use crate::sys::io_request::{RingMode, SyncCall};

/// The operating systems that differ here. Both are compiled everywhere, so that each is tested everywhere.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum System {
    /// Linux.
    Linux,
    /// macOS.
    MacOs,
}

impl System {
    /// The system that this program was built for.
    pub const HERE: Self = if cfg!(target_os = "macos") { Self::MacOs } else { Self::Linux };
}

/// `O_DSYNC` of Linux. `OFlags::DSYNC` of rustix 1.1 is `O_SYNC` there, which also makes times durable: on a
/// journalled filesystem a second flush in some of the writes, or in all.
#[cfg(target_os = "linux")]
const O_DSYNC: OFlags = OFlags::from_bits_retain(libc::O_DSYNC.cast_unsigned());
#[cfg(not(target_os = "linux"))]
const O_DSYNC: OFlags = OFlags::DSYNC;

/// A call that makes the whole file durable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Flush {
    /// `fdatasync`.
    Fdatasync,
    /// `fsync`.
    Fsync,
    /// `fcntl(F_FULLFSYNC)`: also empties the drive's cache.
    FullFsync,
}

/// How one write is done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Write {
    /// `pwrite`, as durable as the flags that the file was opened with make it.
    Plain,
    /// `pwritev2` with `RWF_DSYNC`.
    Dsync,
    /// `pwrite`, then this flush.
    Then(Flush),
}

/// How a system provides the durability that a workload asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DurableCalls {
    /// Whether the file is opened with `O_DSYNC`.
    pub opens_dsync: bool,
    /// How a write is done.
    pub write: Write,
    /// The flush that stands for `fdatasync`.
    pub fdatasync: Flush,
    /// The flush that stands for `fsync`.
    pub fsync: Flush,
}

/// How `system` provides `durability`: the table of this module.
pub const fn durable_calls(system: System, durability: Durability) -> DurableCalls {
    let opens_dsync = matches!(durability, Durability::ODsync);
    let by_write = matches!(durability, Durability::ODsync | Durability::RwfDsync);
    match system {
        System::Linux => DurableCalls {
            opens_dsync,
            write: if by_write && !opens_dsync { Write::Dsync } else { Write::Plain },
            fdatasync: Flush::Fdatasync,
            fsync: Flush::Fsync,
        },
        System::MacOs => DurableCalls {
            opens_dsync,
            write: if by_write { Write::Then(Flush::FullFsync) } else { Write::Plain },
            fdatasync: Flush::FullFsync,
            fsync: Flush::FullFsync,
        },
    }
}

/// The calls on an open file. A test takes another type in the place of a real file, and records the calls.
pub trait FileCalls {
    /// Writes all of `block` at `offset`.
    fn write(&mut self, offset: u64, block: &[u8]) -> io::Result<()>;
    /// Writes all of `block` at `offset`, durably.
    fn write_dsync(&mut self, offset: u64, block: &[u8]) -> io::Result<()>;
    /// Fills all of `block` from `offset`.
    fn read(&mut self, offset: u64, block: &mut [u8]) -> io::Result<()>;
    /// Makes the file durable.
    fn flush(&mut self, flush: Flush) -> io::Result<()>;
    /// See [`FileUnderTest::into_queue`].
    fn into_queue(self, slots: usize, block_bytes: usize, ring_mode: RingMode) -> io::Result<RingQueue>;
}

/// The standard library's calls retry after an interruption and finish a short transfer.
impl FileCalls for File {
    #[inline]
    fn write(&mut self, offset: u64, block: &[u8]) -> io::Result<()> {
        self.write_all_at(block, offset)
    }

    #[cfg(target_os = "linux")]
    #[inline]
    fn write_dsync(&mut self, offset: u64, block: &[u8]) -> io::Result<()> {
        use rustix::io::{ReadWriteFlags, pwritev2};
        write_all(offset, block, |offset, rest| {
            Ok(pwritev2(&self, &[io::IoSlice::new(rest)], offset, ReadWriteFlags::DSYNC)?)
        })
    }

    #[cfg(not(target_os = "linux"))]
    fn write_dsync(&mut self, _offset: u64, _block: &[u8]) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }

    #[inline]
    fn read(&mut self, offset: u64, block: &mut [u8]) -> io::Result<()> {
        self.read_exact_at(block, offset)
    }

    #[inline]
    fn flush(&mut self, flush: Flush) -> io::Result<()> {
        match flush {
            Flush::Fdatasync => self.sync_data(),
            Flush::Fsync => self.sync_all(),
            Flush::FullFsync => full_fsync(self),
        }
    }

    fn into_queue(self, slots: usize, block_bytes: usize, ring_mode: RingMode) -> io::Result<RingQueue> {
        RingQueue::new(self, slots, block_bytes, ring_mode)
    }
}

/// Also empties the drive's cache. A filesystem that cannot do that returns an error: nothing weaker takes
/// its place.
#[cfg(target_os = "macos")]
fn full_fsync(file: &File) -> io::Result<()> {
    Ok(rustix::fs::fcntl_fullfsync(file)?)
}

#[cfg(not(target_os = "macos"))]
fn full_fsync(_file: &File) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

/// Writes all of `block` with a call that may be interrupted or may write only a part.
#[cfg(any(target_os = "linux", test))]
#[inline]
fn write_all(
    mut offset: u64,
    mut block: &[u8],
    mut write: impl FnMut(u64, &[u8]) -> io::Result<usize>,
) -> io::Result<()> {
    while !block.is_empty() {
        match write(offset, block) {
            Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
            Ok(written) => {
                offset += written as u64;
                block = &block[written..];
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

/// An open test file: of the system, or of a test that records its calls.
#[derive(Debug)]
pub struct OpenFile<C = File> {
    calls: C,
    durable_calls: DurableCalls,
}

impl<C: FileCalls> OpenFile<C> {
    /// A file that was opened with the flags that `durable_calls` asks for.
    pub fn new(calls: C, durable_calls: DurableCalls) -> Self {
        Self { calls, durable_calls }
    }
}

impl OpenFile<File> {
    /// Opens any file with the flags that `workload` asks for.
    pub fn open(path: &Path, workload: &WorkloadDefinition) -> io::Result<Self> {
        let durable_calls = durable_calls(System::HERE, workload.durability);
        let mut flags = OFlags::RDWR | OFlags::CLOEXEC;
        if durable_calls.opens_dsync {
            flags |= O_DSYNC;
        }
        #[cfg(target_os = "linux")]
        if workload.page_cache == PageCache::Past {
            flags |= OFlags::DIRECT;
        }
        let file = File::from(rustix::fs::open(path, flags, Mode::empty())?);
        #[cfg(target_os = "macos")]
        if workload.page_cache == PageCache::Past {
            rustix::fs::fcntl_nocache(&file, true)?;
        }
        Ok(Self::new(file, durable_calls))
    }

    /// The file itself.
    pub const fn file(&self) -> &File {
        &self.calls
    }
}

impl<C: FileCalls> FileUnderTest for OpenFile<C> {
    type Queue = RingQueue;

    fn into_queue(self, slots: usize, block_bytes: usize, ring_mode: RingMode) -> io::Result<RingQueue> {
        self.calls.into_queue(slots, block_bytes, ring_mode)
    }

    #[inline]
    fn write_at(&mut self, offset: u64, block: &[u8]) -> io::Result<()> {
        match self.durable_calls.write {
            Write::Plain => self.calls.write(offset, block),
            Write::Dsync => self.calls.write_dsync(offset, block),
            Write::Then(flush) => {
                self.calls.write(offset, block)?;
                self.calls.flush(flush)
            }
        }
    }

    #[inline]
    fn read_at(&mut self, offset: u64, block: &mut [u8]) -> io::Result<()> {
        self.calls.read(offset, block)
    }

    #[inline]
    fn sync(&mut self, call: SyncCall) -> io::Result<()> {
        self.calls.flush(match call {
            SyncCall::Fdatasync => self.durable_calls.fdatasync,
            SyncCall::Fsync => self.durable_calls.fsync,
        })
    }
}

#[cfg(test)]
mod tests;
