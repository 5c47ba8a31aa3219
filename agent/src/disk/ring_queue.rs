//! Many operations in flight through Linux' `io_uring`, and a stub of the type for systems that have none.

use std::fs::File;
use std::io;

#[cfg(target_os = "linux")]
use super::blocks;
use crate::disk::Queue;
#[cfg(target_os = "linux")]
use crate::disk::contents;
use crate::sys::io_request::{Request, RingMode};

/// Which ring the kernel offers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RingSupport {
    /// The best mode; `None` where there is no ring.
    pub ring_mode: Option<RingMode>,
    /// Why it is not the preferred mode, in the kernel's words.
    pub reason: Option<String>,
}

impl RingSupport {
    /// The preferred mode: every kernel since Linux 6.1 that allows it.
    pub const FULL: Self = Self { ring_mode: Some(RingMode::Deferred), reason: None };

    /// What this system offers.
    pub fn detect() -> Self {
        let reason = |refusal: &io::Error| format!("io_uring_setup: {refusal}");
        match detect_ring_mode() {
            Ok((ring_mode, refusal)) => {
                Self { ring_mode: Some(ring_mode), reason: refusal.as_ref().map(reason) }
            }
            Err(refusal) => Self { ring_mode: None, reason: Some(reason(&refusal)) },
        }
    }
}

/// Tries the modes on a file of the system. Returns the best one and the error that excluded a better one, or
/// the last error if none works.
pub fn detect_ring_mode() -> io::Result<(RingMode, Option<io::Error>)> {
    let make = |ring_mode| {
        File::open("/dev/null").and_then(|file| RingQueue::new(file, 1, 4096, ring_mode)).map(|_| ring_mode)
    };
    match make(RingMode::Deferred) {
        Ok(ring_mode) => Ok((ring_mode, None)),
        Err(refusal) => make(RingMode::Plain).map(|ring_mode| (ring_mode, Some(refusal))),
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
    pub fn new(file: File, slots: usize, block_bytes: usize, ring_mode: RingMode) -> io::Result<Self> {
        let memory = contents::random_buffer(slots * block_bytes);
        Ok(Self { ring: crate::sys::io_uring::Ring::new(file, memory, block_bytes, ring_mode)?, stamp: 0 })
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
    pub fn new(_file: File, _slots: usize, _block_bytes: usize, _ring_mode: RingMode) -> io::Result<Self> {
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
    fn a_run_uses_the_ring_mode_that_doctor_finds() {
        let support = RingSupport::detect();
        match detect_ring_mode() {
            Ok((ring_mode, refusal)) => {
                assert_eq!(
                    (support.ring_mode, support.reason.is_some()),
                    (Some(ring_mode), refusal.is_some())
                );
            }
            Err(refusal) => {
                assert_eq!(support.ring_mode, None);
                assert!(support.reason.unwrap().ends_with(&refusal.to_string()));
            }
        }
    }

    /// Every mode that the kernel under the test has.
    fn ring_modes() -> Vec<RingMode> {
        let null = || File::open("/dev/null").unwrap();
        [RingMode::Deferred, RingMode::Plain]
            .into_iter()
            .filter(|ring_mode| RingQueue::new(null(), 1, 4096, *ring_mode).is_ok())
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
        for ring_mode in ring_modes() {
            let file = tempfile::tempfile_in("/var/tmp").unwrap();
            let mut queue = RingQueue::new(file.try_clone().unwrap(), 2, 8192, ring_mode).unwrap();
            queue.stamp(0);
            let written = queue.ring.block_mut(0).to_vec();
            queue.prepare(0, Request::Write(8192, 0));
            assert_eq!(wait(&mut queue).1.unwrap(), 8192);
            queue.prepare(0, Request::Sync(SyncCall::Fdatasync));
            assert_eq!(wait(&mut queue).1.unwrap(), 0);
            queue.prepare(1, Request::Read(8192, 0));
            let (slot, read) = wait(&mut queue);
            assert_eq!((slot, read.unwrap()), (1, 8192));
            assert_eq!(queue.ring.block_mut(1), written, "{ring_mode:?}");
            // Behind the end there is nothing, and before it only a part.
            queue.prepare(0, Request::Read(12_288, 0));
            assert_eq!(wait(&mut queue).1.unwrap(), 4096);
            queue.prepare(0, Request::Read(12_288, 4096));
            assert_eq!(wait(&mut queue).1.unwrap(), 0);
        }
    }

    #[test]
    fn an_error_of_the_file_is_the_requests_and_a_ring_can_be_dropped_in_flight() {
        for ring_mode in ring_modes() {
            let read_only = File::open("/dev/null").unwrap();
            let mut queue = RingQueue::new(read_only, 2, 4096, ring_mode).unwrap();
            queue.prepare(1, Request::Write(0, 0));
            let (slot, result) = wait(&mut queue);
            assert_eq!((slot, result.unwrap_err().raw_os_error()), (1, Some(libc::EBADF)));
            queue.prepare(0, Request::Read(0, 0));
        }
    }

    #[test]
    #[should_panic(expected = "the kernel owns this block")]
    fn the_block_of_a_slot_in_flight_is_out_of_reach() {
        let mut queue = RingQueue::new(File::open("/dev/zero").unwrap(), 1, 4096, RingMode::Plain).unwrap();
        queue.prepare(0, Request::Read(0, 0));
        queue.stamp(0);
    }
}
