//! A disk whose latencies are scripted and whose clock only moves when the disk works, so that a
//! test knows every figure beforehand.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use crate::disk::{FileUnderTest, Queue};
use crate::sys::clock::Clock;
use crate::sys::io_request::{Request, RingMode, SyncCall};

/// A clock that stands still until `advance` moves it. Clones show the same time.
#[derive(Debug, Clone, Default)]
pub struct FakeClock(Arc<AtomicU64>);

impl FakeClock {
    /// Moves the time on.
    pub fn advance(&self, by_ns: u64) {
        self.0.store(self.0.load(Relaxed) + by_ns, Relaxed);
    }

    /// A separate clock that starts at the current time, for a writer beside others.
    #[must_use]
    pub fn fork(&self) -> Self {
        Self(Arc::new(AtomicU64::new(self.0.load(Relaxed))))
    }
}

impl Clock for FakeClock {
    fn now_ns(&self) -> u64 {
        self.0.load(Relaxed)
    }
}

/// Latencies in a fixed order, repeated from the first after the last.
#[derive(Debug, Clone)]
pub struct Script {
    latencies_ns: Vec<u64>,
    next: usize,
}

impl Script {
    /// A script of at least one latency.
    ///
    /// # Panics
    /// When there is no latency.
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

/// The calls that a fake disk received.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct CallCounts {
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

/// A disk that only takes its scripted time.
#[derive(Debug)]
pub struct FakeDisk {
    clock: FakeClock,
    write: Script,
    read: Script,
    sync: Script,
    /// How many requests of a queue it serves at the same time.
    servers: usize,
    /// The calls so far.
    pub calls: CallCounts,
    /// The number (from 1) of the write that fails, and the errno it fails with.
    pub fail_write: Option<(u64, i32)>,
}

impl FakeDisk {
    /// A disk whose writes and reads take `write_ns` and whose syncs take `sync_ns`.
    pub fn new(clock: &FakeClock, write_ns: impl Into<Vec<u64>>, sync_ns: impl Into<Vec<u64>>) -> Self {
        let write = Script::new(write_ns);
        Self {
            clock: clock.clone(),
            read: write.clone(),
            write,
            sync: Script::new(sync_ns),
            servers: usize::MAX,
            calls: CallCounts::default(),
            fail_write: None,
        }
    }

    /// This disk, serving at most this many requests of a queue at the same time; the others wait in order.
    #[must_use]
    pub fn with_servers(self, servers: usize) -> Self {
        Self { servers, ..self }
    }

    fn count_write(&mut self, offset: u64, bytes: usize) -> io::Result<()> {
        self.calls.writes += 1;
        if let Some((number, errno)) = self.fail_write
            && number == self.calls.writes
        {
            return Err(io::Error::from_raw_os_error(errno));
        }
        self.calls.bytes_written += bytes as u64;
        self.calls.last_offset = offset;
        Ok(())
    }
}

impl FileUnderTest for FakeDisk {
    type Queue = FakeQueue;

    fn into_queue(self, slots: usize, block_bytes: usize, _ring_mode: RingMode) -> io::Result<FakeQueue> {
        let free_at_ns = vec![0; self.servers.min(slots)];
        Ok(FakeQueue { disk: self, block_bytes, requests: Vec::with_capacity(slots), free_at_ns })
    }

    fn write_at(&mut self, offset: u64, block: &[u8]) -> io::Result<()> {
        self.count_write(offset, block.len())?;
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

/// A queue on a fake disk: every request takes its scripted time, and as many run in parallel as the disk has
/// servers.
#[derive(Debug)]
pub struct FakeQueue {
    /// The disk that it works on.
    pub disk: FakeDisk,
    block_bytes: usize,
    requests: Vec<ScriptedRequest>,
    /// When each server will be free.
    free_at_ns: Vec<u64>,
}

/// A prepared request, and when it will be finished.
#[derive(Debug)]
struct ScriptedRequest {
    slot: usize,
    finished_ns: u64,
    result: io::Result<usize>,
}

impl Queue for FakeQueue {
    fn stamp(&mut self, _slot: usize) {}

    fn prepare(&mut self, slot: usize, request: Request) {
        assert!(self.requests.iter().all(|request| request.slot != slot), "slot {slot} is in flight");
        let disk = &mut self.disk;
        let (took_ns, result) = match request {
            Request::Read(offset, from) => {
                disk.calls.reads += 1;
                disk.calls.last_offset = offset;
                (disk.read.next_ns(), Ok(self.block_bytes - from))
            }
            Request::Write(offset, from) => {
                let written = disk.count_write(offset, self.block_bytes - from);
                (disk.write.next_ns(), written.map(|()| self.block_bytes - from))
            }
            Request::Sync(_) => {
                disk.calls.syncs += 1;
                (disk.sync.next_ns(), Ok(0))
            }
        };
        let server = self.free_at_ns.iter_mut().min().expect("a queue has a server");
        *server = disk.clock.now_ns().max(*server) + took_ns;
        self.requests.push(ScriptedRequest { slot, finished_ns: *server, result });
    }

    /// Advances the clock to the moment when `wait_for` requests are finished.
    fn submit(&mut self, wait_for: usize) -> io::Result<()> {
        self.requests.sort_by_key(|request| request.finished_ns);
        let last =
            wait_for.min(self.requests.len()).checked_sub(1).map(|index| self.requests[index].finished_ns);
        let now_ns = self.disk.clock.now_ns();
        self.disk.clock.advance(last.unwrap_or(now_ns).saturating_sub(now_ns));
        Ok(())
    }

    fn poll(&mut self, until_ns: u64) -> io::Result<()> {
        let first_ns = self.requests.iter().map(|request| request.finished_ns).min().unwrap_or(u64::MAX);
        let now_ns = self.disk.clock.now_ns();
        self.disk.clock.advance(first_ns.min(until_ns).saturating_sub(now_ns));
        Ok(())
    }

    fn completion(&mut self) -> Option<(usize, io::Result<usize>)> {
        let now_ns = self.disk.clock.now_ns();
        let index = self.requests.iter().position(|request| request.finished_ns <= now_ns)?;
        let request = self.requests.remove(index);
        Some((request.slot, request.result))
    }
}
