//! Several writers in parallel, each on its own thread: they start counting together, and the first to end
//! ends all of them.

use std::io;

use crate::disk::{FileUnderTest, Queue as _};
use crate::engine::group_commit::Committer;
use crate::engine::open_loop::{Arrivals, OfferedLoad};
use crate::engine::pass::{Gate, LoopContext, PassOutcome};
use crate::engine::rate_samples::RateSamples;
use crate::engine::recorder::{Lane, Recorder};
use crate::engine::{psync, queue};
use crate::plan::pass_limits::PassLimits;
use crate::probe::machine::cpu_time;
use crate::probe::tree::Tree;
use crate::sys::clock::Clock;
use crate::sys::io_request::RingMode;

/// What one writer does.
pub enum Task<'a> {
    /// One operation at a time.
    Psync(psync::PsyncJob),
    /// Many in flight.
    Queue {
        /// The operations to repeat.
        job: queue::QueueJob,
        /// How many are in flight.
        depth: usize,
        /// Bytes of one block.
        block_bytes: usize,
        /// The ring that the system has.
        ring_mode: RingMode,
        /// The rate at which operations arrive; `None` for a closed loop.
        offer: Option<OfferedLoad>,
    },
    /// Commits to a log that other writers commit to as well.
    Commit(Committer<'a>),
}

/// A writer with its open file and its clock.
pub struct Writer<'a, D, C> {
    /// The file.
    pub disk: D,
    /// Tells the time.
    pub clock: C,
    /// Its task.
    pub task: Task<'a>,
}

impl<D: FileUnderTest, C: Clock> Writer<'_, D, C> {
    fn run(mut self, limits: &PassLimits, lane: &Lane, sample_ns: u64, gate: &Gate<'_>) -> PassOutcome {
        let mut samples = RateSamples::new(sample_ns);
        let context = LoopContext { clock: &self.clock, limits, lane, samples: &mut samples, gate };
        match &mut self.task {
            Task::Psync(job) => psync::run(job, &mut self.disk, context),
            Task::Commit(committer) => committer.run(&mut self.disk, context),
            Task::Queue { job, depth, block_bytes, ring_mode, offer } => {
                let queue = match self.disk.into_queue(*depth, *block_bytes, *ring_mode) {
                    Ok(queue) => queue,
                    Err(error) => return PassOutcome::failed(error, gate),
                };
                let fallback = queue.fallback();
                let timed = queue::Loop { queue, depth: *depth, context };
                let pass = match offer {
                    None => timed.run(job),
                    Some(OfferedLoad { per_s, purpose }) => {
                        let seed = u64::from_le_bytes(crate::sys::random());
                        let mut arrivals = Arrivals::new(*per_s, self.clock.now_ns(), seed);
                        timed.run_open(job, &mut arrivals, *purpose)
                    }
                };
                PassOutcome { fallback, ..pass }
            }
        }
    }
}

/// Runs all writers and returns their merged pass. `limits` are those of all writers together; rates are
/// counted in intervals of `sample_ns`.
pub fn run<D: FileUnderTest + Send, C: Clock + Send>(
    writers: Vec<Writer<'_, D, C>>,
    limits: &PassLimits,
    recorder: &Recorder,
    sample_ns: u64,
    gate: &Gate<'_>,
) -> PassOutcome {
    let share = limits.shared_by(writers.len().max(1));
    let passes: Vec<PassOutcome> = std::thread::scope(|scope| {
        let mut threads = Vec::with_capacity(writers.len());
        let mut failed = None;
        for (index, writer) in writers.into_iter().enumerate() {
            let (lane, share) = (recorder.lane(index), &share);
            let builder = std::thread::Builder::new().name(format!("writer {index}"));
            let run = move || {
                let pass = writer.run(share, lane, sample_ns, gate);
                PassOutcome { threads: cpu_time::of_this_thread(&Tree::live()), ..pass }
            };
            match builder.spawn_scoped(scope, run) {
                Ok(thread) => threads.push(thread),
                Err(error) => {
                    failed = Some(PassOutcome::failed(error, gate));
                    break;
                }
            }
        }
        let finished = threads.into_iter().map(|thread| thread.join().expect("a panic ends the process"));
        finished.chain(failed).collect()
    });
    PassOutcome::merge(passes)
        .unwrap_or_else(|| PassOutcome::failed(io::ErrorKind::InvalidInput.into(), gate))
}
