//! Memory for I/O: page aligned, prefaulted, filled with data that no layer can compress.

use crate::engine::contents::{self, Seed};

/// Alignment that every O_DIRECT device here asks for at most.
pub const PAGE_BYTES: usize = 4096;

/// A page-aligned piece of memory whose pages are all present.
#[derive(Debug)]
pub struct AlignedBuffer {
    memory: Vec<u8>,
    start: usize,
    len: usize,
}

impl AlignedBuffer {
    /// `len` zero bytes, aligned to a page.
    pub fn zeroed(len: usize) -> Self {
        let mut memory = vec![0_u8; len + PAGE_BYTES];
        let start = memory.as_ptr().align_offset(PAGE_BYTES);
        // Zeroed memory may be one shared page until it is written: touch each page now.
        for byte in memory.iter_mut().step_by(PAGE_BYTES) {
            *std::hint::black_box(byte) = 0;
        }
        Self { memory, start, len }
    }

    /// `len` bytes of ChaCha20 keystream from a fresh seed, aligned to a page.
    pub fn random(len: usize) -> Self {
        let mut buffer = Self::zeroed(len);
        contents::fill(&Seed::random(), 0, buffer.as_mut());
        buffer
    }
}

impl AsRef<[u8]> for AlignedBuffer {
    fn as_ref(&self) -> &[u8] {
        &self.memory[self.start..self.start + self.len]
    }
}

impl AsMut<[u8]> for AlignedBuffer {
    fn as_mut(&mut self) -> &mut [u8] {
        &mut self.memory[self.start..self.start + self.len]
    }
}

/// Blocks to write, each unlike any other: a ring of random blocks, in which every 4 KiB gets a new
/// 8-byte stamp each time, so that a deduplicating or compressing layer gains nothing.
#[derive(Debug)]
pub struct Blocks {
    ring: AlignedBuffer,
    block_bytes: usize,
    next: usize,
    stamp: u64,
}

impl Blocks {
    /// Bytes of the ring: small enough for the cache of any CPU since 2010, large enough that the
    /// same random data does not return within a flash page.
    const RING_BYTES: usize = 1 << 20;

    /// A ring of blocks of this size.
    pub fn new(block_bytes: usize) -> Self {
        let ring = AlignedBuffer::random(Self::RING_BYTES.next_multiple_of(block_bytes));
        Self { ring, block_bytes, next: 0, stamp: 0 }
    }

    /// The next block, stamped.
    #[inline]
    pub fn next_stamped(&mut self) -> &[u8] {
        let start = self.next;
        let end = start + self.block_bytes;
        self.next = if end == self.ring.len { 0 } else { end };
        let block = &mut self.ring.as_mut()[start..end];
        for page in block.chunks_mut(PAGE_BYTES) {
            self.stamp += 1;
            page[..8].copy_from_slice(&self.stamp.to_le_bytes());
        }
        block
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn a_buffer_is_aligned_to_a_page() {
        for len in [1, 4096, 8192, 1 << 20] {
            let buffer = AlignedBuffer::zeroed(len);
            assert_eq!(buffer.as_ref().len(), len);
            assert_eq!(buffer.as_ref().as_ptr().align_offset(PAGE_BYTES), 0);
        }
    }

    #[test]
    fn no_page_is_ever_written_twice() {
        let mut blocks = Blocks::new(8192);
        let mut seen = HashSet::new();
        for _ in 0..300 {
            for page in blocks.next_stamped().chunks(PAGE_BYTES) {
                assert!(seen.insert(page.to_vec()));
            }
        }
    }
}
