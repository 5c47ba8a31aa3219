//! The loop over a disk that does nothing: what is left is the cost of measuring.

use std::hint::black_box;
use std::io;

use fsyncmark::disk::FileUnderTest;
use fsyncmark::disk::ring_queue::RingQueue;
use fsyncmark::engine::offsets::{Area, Offsets};
use fsyncmark::engine::pass::{Gate, LoopContext};
use fsyncmark::engine::psync::{PsyncJob, PsyncWork, run as run_loop};
use fsyncmark::engine::rate_samples::RateSamples;
use fsyncmark::engine::recorder::Recorder;
use fsyncmark::engine::suite_run::SAMPLE_NS;
use fsyncmark::sys::clock::Monotonic;
use fsyncmark::sys::io_request::{RingMode, SyncCall};
use serde_json::Value;

use crate::figures;

/// As large as the file that fio's null engine imagines.
const AREA: Area = Area::whole(4 << 30);
const BLOCK_BYTES: u64 = 4 << 10;

struct NullDisk;

impl FileUnderTest for NullDisk {
    type Queue = RingQueue;

    fn into_queue(self, _slots: usize, _block_bytes: usize, _ring_mode: RingMode) -> io::Result<RingQueue> {
        Err(io::ErrorKind::Unsupported.into())
    }

    #[inline]
    fn write_at(&mut self, offset: u64, block: &[u8]) -> io::Result<()> {
        black_box((offset, block.as_ptr()));
        Ok(())
    }

    #[inline]
    fn read_at(&mut self, offset: u64, block: &mut [u8]) -> io::Result<()> {
        black_box((offset, block.as_mut_ptr()));
        Ok(())
    }

    #[inline]
    fn sync(&mut self, _call: SyncCall) -> io::Result<()> {
        Ok(())
    }
}

/// Random reads that return at once, each with its latency in the histogram.
pub fn run(milliseconds: u64) -> io::Result<Value> {
    let mut job = PsyncJob::new(PsyncWork::Read, Offsets::random(AREA, BLOCK_BYTES, 1), BLOCK_BYTES);
    let (recorder, mut samples) = (Recorder::for_writers(1), RateSamples::new(SAMPLE_NS));
    let mut on_start = || ();
    let gate = Gate::new(&crate::NEVER, &mut on_start);
    let limits = figures::limits(milliseconds, u64::MAX);
    let lane = recorder.lane(0);
    let context =
        LoopContext { clock: &Monotonic, limits: &limits, lane, samples: &mut samples, gate: &gate };
    let pass = run_loop(&mut job, &mut NullDisk, context);
    figures::of(pass, &recorder, 1)
}
