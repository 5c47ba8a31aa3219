//! Blocks to write, which no layer below can compress or leave out.

use crate::disk::contents;
use crate::sys::memory::{AlignedBuffer, PAGE_BYTES};

/// Blocks to write, no two of them alike: a ring of random blocks. Every 4 KiB gets a new 8-byte stamp before
/// each write, so that a layer that deduplicates or compresses gains nothing.
#[derive(Debug, Clone)]
pub struct Blocks {
    ring: AlignedBuffer,
    block_bytes: usize,
    next: usize,
    /// The last stamp; `None` for blocks that never change.
    stamp: Option<u64>,
}

impl Blocks {
    /// Bytes of the ring: the longest extent of btrfs and the longest record of ZFS by default, beyond which
    /// their compression does not look back. It is no longer because copying from memory outside the CPU's
    /// caches adds to a commit, a tenth of it from 1 MiB on.
    const RING_BYTES: usize = 128 << 10;

    /// A ring of blocks of this size.
    pub fn new(block_bytes: usize) -> Self {
        Self::for_runs(block_bytes, 1)
    }

    /// A ring that can hand out up to `count_max` consecutive blocks at once.
    pub fn for_runs(block_bytes: usize, count_max: usize) -> Self {
        let bytes = Self::RING_BYTES.max(block_bytes * count_max).next_multiple_of(block_bytes);
        Self { ring: contents::random_buffer(bytes), block_bytes, next: 0, stamp: Some(0) }
    }

    /// Blocks of zeros, without stamps.
    pub fn zeros(block_bytes: usize) -> Self {
        Self { ring: AlignedBuffer::zeroed(block_bytes), block_bytes, next: 0, stamp: None }
    }

    /// The next block, stamped.
    #[inline]
    pub fn next_stamped(&mut self) -> &[u8] {
        self.next_run(1)
    }

    /// The next `count` blocks, side by side, stamped.
    ///
    /// # Panics
    /// When they are longer than the whole ring.
    #[inline]
    pub fn next_run(&mut self, count: usize) -> &[u8] {
        let bytes = self.block_bytes * count;
        let start = if self.next + bytes > self.ring.as_ref().len() { 0 } else { self.next };
        self.next = start + bytes;
        let run = &mut self.ring.as_mut()[start..start + bytes];
        if let Some(stamp) = &mut self.stamp {
            *stamp = put_stamps(run, *stamp);
        }
        run
    }
}

/// Writes a new number at the start of each page; returns the last one.
#[inline]
pub fn put_stamps(block: &mut [u8], mut stamp: u64) -> u64 {
    for page in block.chunks_mut(PAGE_BYTES) {
        stamp += 1;
        let bytes = page.len().min(8);
        page[..bytes].copy_from_slice(&stamp.to_le_bytes()[..bytes]);
    }
    stamp
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
    fn a_run_of_blocks_is_in_one_piece_and_zeros_stay_zeros() {
        let mut blocks = Blocks::for_runs(8192, 128);
        for count in [100, 60, 128, 1] {
            assert_eq!(blocks.next_run(count).len(), count * 8192);
        }
        let mut odd = Blocks::new(2300);
        let first = odd.next_stamped().to_vec();
        assert_eq!((first.len(), odd.next_stamped() == first), (2300, false));
        assert!(Blocks::zeros(4096).next_run(1).iter().all(|byte| *byte == 0));
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
