//! Blocks to write, which no layer below can compress or leave out.

use crate::sys::memory::{AlignedBuffer, PAGE_BYTES};

/// Blocks to write, each unlike any other: a ring of random blocks, in which every 4 KiB gets a new
/// 8-byte stamp each time, so that a deduplicating or compressing layer gains nothing.
#[derive(Debug, Clone)]
pub struct Blocks {
    ring: AlignedBuffer,
    block_bytes: usize,
    next: usize,
    /// The last stamp; nothing where blocks stay what they are.
    stamp: Option<u64>,
}

impl Blocks {
    /// Bytes of the ring: as far as the compressing filesystems look back, because neither an extent of btrfs nor
    /// a record of ZFS is longer by default. No longer than that: what is copied from memory that
    /// the CPU has not at hand is time that a commit takes, a tenth of it from 1 MiB.
    const RING_BYTES: usize = 128 << 10;

    /// A ring of blocks of this size.
    pub fn new(block_bytes: usize) -> Self {
        Self::for_runs(block_bytes, 1)
    }

    /// A ring from which runs of so many blocks side by side can be taken.
    pub fn for_runs(block_bytes: usize, count_max: usize) -> Self {
        let bytes = Self::RING_BYTES.max(block_bytes * count_max).next_multiple_of(block_bytes);
        Self { ring: AlignedBuffer::random(bytes), block_bytes, next: 0, stamp: Some(0) }
    }

    /// Blocks that are all zeros, always.
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

/// Writes a new number into the begin of each page; returns the last one.
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
