//! What the timed loops ask of the file under test: call after call, or many requests side by side.

use std::io;

use crate::sys::io_request::{Request, RingMode, SyncCall};

/// Something that performs requests side by side, each with the block of its slot.
pub trait Queue {
    /// Stamps the block of a free slot, so that no two blocks written are alike.
    fn stamp(&mut self, slot: usize);
    /// Prepares a request; it begins with the next `submit`.
    fn prepare(&mut self, slot: usize, request: Request);
    /// Begins the prepared requests and returns when at least `wait_for` requests are finished. It may return
    /// early after a signal.
    fn submit(&mut self, wait_for: usize) -> io::Result<()>;
    /// Begins the prepared requests and returns when a request is finished or at `until_ns`. It may return
    /// early.
    fn poll(&mut self, until_ns: u64) -> io::Result<()>;
    /// A finished request that was not returned before: its slot, and the bytes transferred.
    fn completion(&mut self) -> Option<(usize, io::Result<usize>)>;
    /// Which call of `io_uring` the kernel refused, and its answer; `None` where it refused none. The queue
    /// works without that call, but each request costs more.
    fn fallback(&self) -> Option<String> {
        None
    }
}

/// One open file. Every call is complete or an error: interruptions and short transfers are handled inside.
pub trait FileUnderTest {
    /// Writes all of `block` at `offset`.
    fn write_at(&mut self, offset: u64, block: &[u8]) -> io::Result<()>;
    /// Fills all of `block` from `offset`.
    fn read_at(&mut self, offset: u64, block: &mut [u8]) -> io::Result<()>;
    /// Returns when everything written before is durable.
    fn sync(&mut self, call: SyncCall) -> io::Result<()>;

    /// The queue that performs many requests on this file in parallel.
    type Queue: Queue;
    /// Turns the file into a queue of `slots` requests, each with its own block. Call it on the thread that
    /// will use the queue.
    fn into_queue(self, slots: usize, block_bytes: usize, ring_mode: RingMode) -> io::Result<Self::Queue>;
}
