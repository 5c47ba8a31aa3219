//! Memory for I/O: page aligned and prefaulted.

/// Alignment that satisfies every O_DIRECT device known here.
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
}

/// A copy is aligned by itself: the memory of the original may begin elsewhere in its page.
impl Clone for AlignedBuffer {
    fn clone(&self) -> Self {
        let mut copy = Self::zeroed(self.len);
        copy.as_mut().copy_from_slice(self.as_ref());
        copy
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
