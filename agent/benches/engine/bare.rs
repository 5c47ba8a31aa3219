//! The calls of our loop, at the same offsets and with the same data, without a clock and without a
//! histogram.

use std::fs::OpenOptions;
use std::io;
use std::os::unix::fs::FileExt;
use std::path::Path;

use clap::ValueEnum;
use fsyncmark::disk::blocks::Blocks;
use fsyncmark::engine::offsets::{Area, Offsets};
use fsyncmark::sys::clock::{Clock, Monotonic};
use fsyncmark::sys::memory::AlignedBuffer;
use serde_json::{Value, json};

use crate::loops::CACHED_BYTES;

const BLOCK_BYTES: usize = 4 << 10;
/// Operations between two looks at the clock: about 4 ms of a cached file.
const BATCH: u64 = 4096;

/// Which way the data goes.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub enum Direction {
    /// From the file.
    Read,
    /// To the file, each block stamped.
    Write,
}

/// Repeats the call until the time is up; only the number of operations is known.
pub fn run(direction: Direction, path: &Path, milliseconds: u64) -> io::Result<Value> {
    let file = OpenOptions::new().read(true).write(true).open(path)?;
    let mut offsets = Offsets::random(Area::whole(CACHED_BYTES), BLOCK_BYTES as u64, 1);
    let (mut block, mut blocks) = (AlignedBuffer::zeroed(BLOCK_BYTES), Blocks::new(BLOCK_BYTES));
    let (mut operations, began_ns) = (0_u64, Monotonic.now_ns());
    let elapsed_ns = loop {
        for _ in 0..BATCH {
            match direction {
                Direction::Read => file.read_exact_at(block.as_mut(), offsets.next_offset())?,
                Direction::Write => file.write_all_at(blocks.next_stamped(), offsets.next_offset())?,
            }
        }
        operations += BATCH;
        let elapsed_ns = Monotonic.now_ns() - began_ns;
        if elapsed_ns >= milliseconds * 1_000_000 {
            break elapsed_ns;
        }
    };
    Ok(json!({ "operations": operations, "elapsed_ns": elapsed_ns, "latencies": {} }))
}
