//! What `./run bench engine` times beside fio: one pass of one loop, its figures as one JSON object.
//!
//! The loops are the library's own and unchanged. What is here chooses the file, the length and the shape,
//! because a comparison needs the same file for both programs, and shapes that no disk limits.

mod bare;
mod figures;
mod loops;
mod null;

use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::AtomicBool;

use clap::{Parser, Subcommand};
use fsyncmark::disk::contents::{self, Seed};
use fsyncmark::engine::open_loop::OfferedLoad;
use fsyncmark::plan::workload::WorkloadDefinition;
use fsyncmark::wire::workload::Purpose;

/// Times one pass of one loop and prints its figures as JSON.
#[derive(Debug, Parser)]
struct Arguments {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Debug, Subcommand)]
enum Verb {
    /// Write a file full of random data and make it durable
    Fill {
        /// The file, which is made or replaced
        path: PathBuf,
        /// Its size
        bytes: u64,
    },
    /// Operations begin when others are finished: a workload of the table, or one that no disk limits
    Closed {
        /// The name of the shape
        shape: String,
        /// A file that is there and large enough
        path: PathBuf,
        /// How long; 0 is a single operation
        milliseconds: u64,
    },
    /// The loop over a disk that does nothing, every latency kept
    Null {
        /// How long
        milliseconds: u64,
    },
    /// Reads or writes without a clock and without a histogram: what the system calls alone allow
    Bare {
        /// read or write
        direction: bare::Direction,
        /// A file that is there
        path: PathBuf,
        /// How long
        milliseconds: u64,
    },
    /// Reads begin at Poisson arrivals of this rate, whether or not others are finished
    Open {
        /// A file that is there and large enough for randread-4k-qd32
        path: PathBuf,
        /// Arrivals a second
        per_second: u64,
        /// How many may be in flight
        slots: u16,
        /// How long
        milliseconds: u64,
    },
}

fn main() -> ExitCode {
    match perform(Arguments::parse().verb) {
        Ok(figures) => {
            println!("{figures}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("engine: {error}");
            ExitCode::FAILURE
        }
    }
}

fn perform(verb: Verb) -> io::Result<serde_json::Value> {
    match verb {
        Verb::Fill { path, bytes } => fill(&path, bytes),
        Verb::Closed { shape, path, milliseconds } => {
            loops::run(&loops::row(&shape)?, &path, milliseconds, None)
        }
        Verb::Null { milliseconds } => null::run(milliseconds),
        Verb::Bare { direction, path, milliseconds } => bare::run(direction, &path, milliseconds),
        Verb::Open { path, per_second, slots, milliseconds } => {
            let workload = WorkloadDefinition { queue_depth: slots, ..loops::row("randread-4k-qd32")? };
            let offer = OfferedLoad { per_s: per_second, purpose: Purpose::Load };
            loops::run(&workload, &path, milliseconds, Some(offer))
        }
    }
}

/// Writes the bytes of a run's test file, in the pieces of a run.
fn fill(path: &Path, bytes: u64) -> io::Result<serde_json::Value> {
    use std::os::unix::fs::FileExt;
    const CHUNK_BYTES: usize = 1 << 20;
    let (file, seed) = (std::fs::File::create(path)?, Seed::random());
    let mut chunk = vec![0; CHUNK_BYTES];
    for offset in (0..bytes).step_by(CHUNK_BYTES) {
        let length = usize::try_from(bytes - offset).unwrap_or(usize::MAX).min(CHUNK_BYTES);
        contents::fill(&seed, offset / contents::BLOCK_BYTES, &mut chunk[..length]);
        file.write_all_at(&chunk[..length], offset)?;
    }
    file.sync_all()?;
    Ok(serde_json::json!({ "bytes": bytes }))
}

/// Nobody interrupts a pass but by ending the process.
static NEVER: AtomicBool = AtomicBool::new(false);
