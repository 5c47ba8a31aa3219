//! A disk whose latencies are scripted and whose clock only moves when the disk works, so that a
//! test knows every figure beforehand.

use std::cell::Cell;
use std::io;
use std::rc::Rc;

use crate::disk::{Disk, SyncCall};
use crate::engine::clock::Clock;

/// A clock that stands still until somebody moves it. Clones show the same time.
#[derive(Debug, Clone, Default)]
pub struct FakeClock(Rc<Cell<u64>>);

impl FakeClock {
    /// Moves the time on.
    pub fn advance(&self, by_ns: u64) {
        self.0.set(self.0.get() + by_ns);
    }
}

impl Clock for FakeClock {
    fn now_ns(&self) -> u64 {
        self.0.get()
    }
}

/// Latencies that come one after another and begin again at the end.
#[derive(Debug, Clone)]
pub struct Script {
    latencies_ns: Vec<u64>,
    next: usize,
}

impl Script {
    /// A script of at least one latency.
    ///
    /// # Panics
    /// When there is none.
    pub fn new(latencies_ns: impl Into<Vec<u64>>) -> Self {
        let latencies_ns = latencies_ns.into();
        assert!(!latencies_ns.is_empty(), "a script needs a latency");
        Self { latencies_ns, next: 0 }
    }

    fn next_ns(&mut self) -> u64 {
        let latency = self.latencies_ns[self.next];
        self.next = (self.next + 1) % self.latencies_ns.len();
        latency
    }
}

/// What a fake disk was asked to do.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Calls {
    /// Writes.
    pub writes: u64,
    /// Reads.
    pub reads: u64,
    /// Syncs of either kind.
    pub syncs: u64,
    /// Bytes written.
    pub bytes_written: u64,
    /// Where the last write began.
    pub last_offset: u64,
}

/// A disk that does nothing but take its scripted time.
#[derive(Debug)]
pub struct FakeDisk {
    clock: FakeClock,
    write: Script,
    read: Script,
    sync: Script,
    /// What was asked of it.
    pub calls: Calls,
    /// Fails the write with this number (from 1) by this error number of the system.
    pub fail_write: Option<(u64, i32)>,
}

impl FakeDisk {
    /// Writes, and reads, take `write_ns`; syncs take `sync_ns`.
    pub fn new(clock: &FakeClock, write_ns: impl Into<Vec<u64>>, sync_ns: impl Into<Vec<u64>>) -> Self {
        let write = Script::new(write_ns);
        Self {
            clock: clock.clone(),
            read: write.clone(),
            write,
            sync: Script::new(sync_ns),
            calls: Calls::default(),
            fail_write: None,
        }
    }
}

impl Disk for FakeDisk {
    fn write_at(&mut self, offset: u64, block: &[u8]) -> io::Result<()> {
        self.calls.writes += 1;
        if let Some((number, errno)) = self.fail_write
            && number == self.calls.writes
        {
            return Err(io::Error::from_raw_os_error(errno));
        }
        self.calls.bytes_written += block.len() as u64;
        self.calls.last_offset = offset;
        self.clock.advance(self.write.next_ns());
        Ok(())
    }

    fn read_at(&mut self, offset: u64, _block: &mut [u8]) -> io::Result<()> {
        self.calls.reads += 1;
        self.calls.last_offset = offset;
        self.clock.advance(self.read.next_ns());
        Ok(())
    }

    fn sync(&mut self, _call: SyncCall) -> io::Result<()> {
        self.calls.syncs += 1;
        self.clock.advance(self.sync.next_ns());
        Ok(())
    }
}
