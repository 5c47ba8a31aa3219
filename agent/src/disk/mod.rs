//! The file under test, as the timed loop sees it: a real one, or one with scripted latencies.

pub mod fake;
pub mod file;
pub mod leftovers;
pub mod open_file;
pub mod site;

use std::io;

use crate::engine::queue::Queue;
use crate::engine::uring::Flavour;

/// The call that makes what was written durable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SyncCall {
    /// `fdatasync`: the data, and the metadata needed to read it back.
    Fdatasync,
    /// `fsync`: the data and all metadata.
    Fsync,
}

/// One open file. Every call is complete or an error: interruptions and short transfers are
/// dealt with inside.
pub trait Disk {
    /// Writes all of `block` at `offset`.
    fn write_at(&mut self, offset: u64, block: &[u8]) -> io::Result<()>;
    /// Fills all of `block` from `offset`.
    fn read_at(&mut self, offset: u64, block: &mut [u8]) -> io::Result<()>;
    /// Returns when everything written before is durable.
    fn sync(&mut self, call: SyncCall) -> io::Result<()>;

    /// What performs many requests on this file side by side.
    type Queue: Queue;
    /// The same file, for `slots` requests at a time, each with a block of its own. To be called by the
    /// thread that will use it.
    fn into_queue(self, slots: usize, block_bytes: usize, flavour: Flavour) -> io::Result<Self::Queue>;
}
