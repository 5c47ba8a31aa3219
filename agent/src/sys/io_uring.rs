//! An `io_uring` with one file and one piece of memory, cut into the blocks of its slots. What makes it
//! safe: a block can be reached only while its slot is free, and the memory outlives every request.
#![allow(unsafe_code)]

use std::fs::File;
use std::io;
use std::mem::ManuallyDrop;
use std::os::fd::AsRawFd;

use io_uring::types::{Fd, Fixed, FsyncFlags};
use io_uring::{EnterFlags, IoUring, opcode, squeue};

use super::io_request::{Request, RingMode, SyncCall};
use super::memory::AlignedBuffer;

/// The ring, its file and its memory.
pub struct Ring {
    io: IoUring,
    file: File,
    /// Not given back while the kernel may still use it.
    memory: ManuallyDrop<AlignedBuffer>,
    base: *mut u8,
    block_bytes: usize,
    in_flight: Vec<bool>,
    in_flight_count: usize,
    /// Prepared requests that are not submitted yet.
    pending: u32,
    has_fixed_buffers: bool,
    has_fixed_file: bool,
    refusal: Option<io::Error>,
}

impl Ring {
    /// A ring of as many slots as `memory` has blocks. Memory and file are registered where the limits
    /// (`ulimit -l`) and the kernel allow it.
    ///
    /// # Errors
    /// Whatever `io_uring_setup` answers: `ENOSYS` without it, `EPERM` where it is forbidden, `EINVAL` where
    /// it does not know the mode.
    pub fn new(
        file: File,
        memory: AlignedBuffer,
        block_bytes: usize,
        ring_mode: RingMode,
    ) -> io::Result<Self> {
        let slots = memory.as_ref().len() / block_bytes;
        let entries = u32::try_from(slots).map_err(|_| io::Error::from(io::ErrorKind::InvalidInput))?;
        let mut builder = IoUring::builder();
        builder.dontfork();
        if ring_mode == RingMode::Deferred {
            builder.setup_single_issuer().setup_coop_taskrun().setup_defer_taskrun();
        }
        let ring = builder.build(entries.next_power_of_two())?;
        let mut memory = ManuallyDrop::new(memory);
        let base = memory.as_mut().as_mut_ptr();
        let whole = libc::iovec { iov_base: base.cast(), iov_len: slots * block_bytes };
        // SAFETY: the memory is not given back before the ring is gone or idle, see `drop`.
        let buffers = unsafe { ring.submitter().register_buffers(&[whole]) };
        let fixed_file = ring.submitter().register_files(&[file.as_raw_fd()]);
        let (has_fixed_buffers, has_fixed_file) = (buffers.is_ok(), fixed_file.is_ok());
        Ok(Self {
            io: ring,
            file,
            memory,
            base,
            block_bytes,
            in_flight: vec![false; slots],
            in_flight_count: 0,
            pending: 0,
            has_fixed_buffers,
            has_fixed_file,
            refusal: buffers.and(fixed_file).err(),
        })
    }

    /// Why memory or file is not registered, so that the kernel has to look it up for each request.
    pub fn refusal(&self) -> Option<&io::Error> {
        self.refusal.as_ref()
    }

    /// The block of a free slot.
    ///
    /// # Panics
    /// While the slot is in flight.
    #[inline]
    pub fn block_mut(&mut self, slot: usize) -> &mut [u8] {
        assert!(!self.in_flight[slot], "the kernel owns this block");
        // SAFETY: inside the memory, because `in_flight` has as many slots as it has blocks; the kernel
        // does not touch it, because nothing is in flight for it; and no other reference exists, because
        // blocks do not overlap and this one borrows the ring.
        unsafe { std::slice::from_raw_parts_mut(self.base.add(slot * self.block_bytes), self.block_bytes) }
    }

    /// Prepares a request for a free slot; the next `enter` begins it.
    ///
    /// # Panics
    /// When the slot is in flight already.
    #[inline]
    pub fn prepare(&mut self, slot: usize, request: Request) {
        assert!(!self.in_flight[slot], "slot {slot} is in flight");
        let entry = self.entry(slot, request).user_data(slot as u64);
        self.in_flight[slot] = true;
        self.in_flight_count += 1;
        self.pending += 1;
        let mut submission = self.io.submission();
        // SAFETY: the entry names the block of a slot that stays in flight, and so untouched and in
        // place, until its completion was seen, and the file that this ring owns.
        unsafe { submission.push(&entry) }.expect("as many entries as slots, and one request per slot");
        // Dropping `submission` publishes the new entry to the kernel.
    }

    fn entry(&self, slot: usize, request: Request) -> squeue::Entry {
        let part = |from: usize| {
            assert!(from < self.block_bytes, "the rest of a block is inside it");
            // SAFETY: inside the slot's block.
            let start = unsafe { self.base.add(slot * self.block_bytes + from) };
            (start, u32::try_from(self.block_bytes - from).expect("a block is below 4 GiB"))
        };
        macro_rules! on_file {
            ($fd:ident => $build:expr) => {
                if self.has_fixed_file {
                    let $fd = Fixed(0);
                    $build
                } else {
                    let $fd = Fd(self.file.as_raw_fd());
                    $build
                }
            };
        }
        match request {
            Request::Read(offset, from) => {
                let ((start, length), at) = (part(from), offset + from as u64);
                if self.has_fixed_buffers {
                    on_file!(fd => opcode::ReadFixed::new(fd, start, length, 0).offset(at).build())
                } else {
                    on_file!(fd => opcode::Read::new(fd, start, length).offset(at).build())
                }
            }
            Request::Write(offset, from) => {
                let ((start, length), at) = (part(from), offset + from as u64);
                if self.has_fixed_buffers {
                    on_file!(fd => opcode::WriteFixed::new(fd, start, length, 0).offset(at).build())
                } else {
                    on_file!(fd => opcode::Write::new(fd, start, length).offset(at).build())
                }
            }
            Request::Sync(call) => {
                let flags = match call {
                    SyncCall::Fdatasync => FsyncFlags::DATASYNC,
                    SyncCall::Fsync => FsyncFlags::empty(),
                };
                on_file!(fd => opcode::Fsync::new(fd).flags(flags).build())
            }
        }
    }

    /// Begins the prepared requests, lets the kernel finish what it can, and waits until `wait_for` are
    /// finished.
    ///
    /// # Errors
    ///
    /// What `io_uring_enter` answers, except for a signal and for a kernel that wants its completions to be
    /// taken first: then it returns early.
    #[inline]
    pub fn enter(&mut self, wait_for: usize) -> io::Result<()> {
        let wait_for = u32::try_from(wait_for.min(self.in_flight_count)).unwrap_or(u32::MAX);
        // SAFETY: no argument is passed, and the counts are those of this ring.
        let entered = unsafe {
            let flags = EnterFlags::GETEVENTS.bits();
            self.io.submitter().enter::<libc::sigset_t>(self.pending, wait_for, flags, None)
        };
        match entered {
            Ok(submitted) => {
                self.pending -= u32::try_from(submitted).unwrap_or(self.pending).min(self.pending);
                Ok(())
            }
            Err(error) if matches!(error.raw_os_error(), Some(libc::EINTR | libc::EAGAIN | libc::EBUSY)) => {
                Ok(())
            }
            Err(error) => Err(error),
        }
    }

    /// A finished request: its slot, which is free again, and the bytes or the error.
    #[inline]
    pub fn completion(&mut self) -> Option<(usize, io::Result<usize>)> {
        // Creating and dropping the view of the queue each time reads and writes its shared ends, so they are
        // never stale.
        let entry = self.io.completion().next()?;
        let slot = usize::try_from(entry.user_data()).expect("we numbered it");
        assert!(std::mem::take(&mut self.in_flight[slot]), "slot {slot} was not in flight");
        self.in_flight_count -= 1;
        let result = entry.result();
        Some((slot, usize::try_from(result).map_err(|_| io::Error::from_raw_os_error(-result))))
    }
}

impl Drop for Ring {
    /// Waits for what is in flight. If even that fails, the memory is left to the kernel forever.
    fn drop(&mut self) {
        while self.in_flight_count > 0 {
            if self.enter(1).is_err() {
                return;
            }
            while self.completion().is_some() {}
        }
        // SAFETY: never used again, and no request that could touch it is left.
        unsafe { ManuallyDrop::drop(&mut self.memory) };
    }
}
