//! What the kernel can be asked to do with an open file.

/// The call that makes what was written durable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SyncCall {
    /// `fdatasync`: the data, and the metadata needed to read it back.
    Fdatasync,
    /// `fsync`: the data and all metadata.
    Fsync,
}

/// What a queue is asked to do with the block of a slot.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Request {
    /// Fill the block from the file, from this byte of the block on.
    Read(u64, usize),
    /// Write the block to the file, from this byte of the block on.
    Write(u64, usize),
    /// Make the file durable.
    Sync(SyncCall),
}

/// How a ring is set up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RingMode {
    /// Completions are worked on only when this thread asks for them (Linux 6.1): no interrupts of the
    /// timed loop.
    Deferred,
    /// As every kernel with `io_uring` can (Linux 5.1).
    Plain,
}
