//! Many operations in flight through Linux' `io_uring`, and what is used where it is missing.

use std::fs::File;
use std::io;

#[cfg(target_os = "linux")]
use super::blocks;
use crate::disk::Queue;
use crate::sys::io_request::{Flavour, Request};
#[cfg(target_os = "linux")]
use crate::sys::memory::AlignedBuffer;

/// Which ring the kernel offers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Support {
    /// The best flavour; `None` where there is no ring.
    pub flavour: Option<Flavour>,
    /// Why it is not the preferred flavour, in the kernel's words.
    pub reason: Option<String>,
}

impl Support {
    /// The preferred flavour: every kernel since Linux 6.1 that allows it.
    pub const FULL: Self = Self { flavour: Some(Flavour::Deferred), reason: None };

    /// What this system offers.
    pub fn detect() -> Self {
        let reason = |refusal: &io::Error| format!("io_uring_setup: {refusal}");
        match try_flavours() {
            Ok((flavour, refusal)) => Self { flavour: Some(flavour), reason: refusal.as_ref().map(reason) },
            Err(refusal) => Self { flavour: None, reason: Some(reason(&refusal)) },
        }
    }
}

/// Tries the flavours on a file of the system. Returns the best one and the error that excluded a better one, or the
/// last error if none works.
pub fn try_flavours() -> io::Result<(Flavour, Option<io::Error>)> {
    let make = |flavour| {
        File::open("/dev/null").and_then(|file| RingQueue::new(file, 1, 4096, flavour)).map(|_| flavour)
    };
    match make(Flavour::Deferred) {
        Ok(flavour) => Ok((flavour, None)),
        Err(refusal) => make(Flavour::Plain).map(|flavour| (flavour, Some(refusal))),
    }
}

/// A ring as the timed loop sees it.
#[cfg(target_os = "linux")]
pub struct RingQueue {
    ring: crate::sys::io_uring::Ring,
    stamp: u64,
}

#[cfg(target_os = "linux")]
impl RingQueue {
    /// `slots` blocks of random data for `file`.
    pub fn new(file: File, slots: usize, block_bytes: usize, flavour: Flavour) -> io::Result<Self> {
        let memory = AlignedBuffer::random(slots * block_bytes);
        Ok(Self { ring: crate::sys::io_uring::Ring::new(file, memory, block_bytes, flavour)?, stamp: 0 })
    }
}

#[cfg(target_os = "linux")]
impl Queue for RingQueue {
    #[inline]
    fn stamp(&mut self, slot: usize) {
        self.stamp = blocks::put_stamps(self.ring.block_mut(slot), self.stamp);
    }

    #[inline]
    fn prepare(&mut self, slot: usize, request: Request) {
        self.ring.prepare(slot, request);
    }

    #[inline]
    fn submit(&mut self, wait_for: usize) -> io::Result<()> {
        self.ring.enter(wait_for)
    }

    /// Polls once; the caller spins, because a sleeping thread wakes up 20 µs late, which every latency would
    /// contain.
    #[inline]
    fn poll(&mut self, _until_ns: u64) -> io::Result<()> {
        self.ring.enter(0)
    }

    #[inline]
    fn completion(&mut self) -> Option<(usize, io::Result<usize>)> {
        self.ring.completion()
    }

    fn fallback(&self) -> Option<String> {
        self.ring.refusal().map(|refusal| format!("io_uring_register: {refusal}"))
    }
}

/// A queue cannot be created where there is no `io_uring`.
#[cfg(not(target_os = "linux"))]
pub enum RingQueue {}

#[cfg(not(target_os = "linux"))]
impl RingQueue {
    /// Always an error.
    pub fn new(_file: File, _slots: usize, _block_bytes: usize, _flavour: Flavour) -> io::Result<Self> {
        Err(io::ErrorKind::Unsupported.into())
    }
}

#[cfg(not(target_os = "linux"))]
impl Queue for RingQueue {
    fn stamp(&mut self, _slot: usize) {
        match *self {}
    }
    fn prepare(&mut self, _slot: usize, _request: Request) {
        match *self {}
    }
    fn submit(&mut self, _wait_for: usize) -> io::Result<()> {
        match *self {}
    }
    fn poll(&mut self, _until_ns: u64) -> io::Result<()> {
        match *self {}
    }
    fn completion(&mut self) -> Option<(usize, io::Result<usize>)> {
        match *self {}
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;
    use crate::sys::io_request::SyncCall;

    #[test]
    fn a_run_uses_the_flavour_that_doctor_finds() {
        let support = Support::detect();
        match try_flavours() {
            Ok((flavour, refusal)) => {
                assert_eq!((support.flavour, support.reason.is_some()), (Some(flavour), refusal.is_some()));
            }
            Err(refusal) => {
                assert_eq!(support.flavour, None);
                assert!(support.reason.unwrap().ends_with(&refusal.to_string()));
            }
        }
    }

    /// Every flavour that the kernel under the test has.
    fn flavours() -> Vec<Flavour> {
        let null = || File::open("/dev/null").unwrap();
        [Flavour::Deferred, Flavour::Plain]
            .into_iter()
            .filter(|flavour| RingQueue::new(null(), 1, 4096, *flavour).is_ok())
            .collect()
    }

    fn wait(queue: &mut RingQueue) -> (usize, io::Result<usize>) {
        loop {
            queue.submit(1).unwrap();
            if let Some(completion) = queue.completion() {
                return completion;
            }
        }
    }

    #[test]
    fn what_a_ring_writes_is_in_the_file_and_comes_back() {
        for flavour in flavours() {
            let file = tempfile::tempfile_in("/var/tmp").unwrap();
            let mut queue = RingQueue::new(file.try_clone().unwrap(), 2, 8192, flavour).unwrap();
            queue.stamp(0);
            let written = queue.ring.block_mut(0).to_vec();
            queue.prepare(0, Request::Write(8192, 0));
            assert_eq!(wait(&mut queue).1.unwrap(), 8192);
            queue.prepare(0, Request::Sync(SyncCall::Fdatasync));
            assert_eq!(wait(&mut queue).1.unwrap(), 0);
            queue.prepare(1, Request::Read(8192, 0));
            let (slot, read) = wait(&mut queue);
            assert_eq!((slot, read.unwrap()), (1, 8192));
            assert_eq!(queue.ring.block_mut(1), written, "{flavour:?}");
            // Behind the end there is nothing, and before it only a part.
            queue.prepare(0, Request::Read(12_288, 0));
            assert_eq!(wait(&mut queue).1.unwrap(), 4096);
            queue.prepare(0, Request::Read(12_288, 4096));
            assert_eq!(wait(&mut queue).1.unwrap(), 0);
        }
    }

    #[test]
    fn an_error_of_the_file_is_the_requests_and_a_ring_can_be_dropped_in_flight() {
        for flavour in flavours() {
            let read_only = File::open("/dev/null").unwrap();
            let mut queue = RingQueue::new(read_only, 2, 4096, flavour).unwrap();
            queue.prepare(1, Request::Write(0, 0));
            let (slot, result) = wait(&mut queue);
            assert_eq!((slot, result.unwrap_err().raw_os_error()), (1, Some(libc::EBADF)));
            queue.prepare(0, Request::Read(0, 0));
        }
    }

    #[test]
    #[should_panic(expected = "the kernel owns this block")]
    fn the_block_of_a_slot_in_flight_is_out_of_reach() {
        let mut queue = RingQueue::new(File::open("/dev/zero").unwrap(), 1, 4096, Flavour::Plain).unwrap();
        queue.prepare(0, Request::Read(0, 0));
        queue.stamp(0);
    }
}
