//! The agent's loops on a given file: rows of the workload table, and rows derived from them that no disk
//! limits.

use std::io;
use std::path::Path;

use fsyncmark::disk::open_file::OpenFile;
use fsyncmark::disk::ring_queue::RingSupport;
use fsyncmark::engine::open_loop::OfferedLoad;
use fsyncmark::engine::pass::Gate;
use fsyncmark::engine::recorder::Recorder;
use fsyncmark::engine::suite_run::SAMPLE_NS;
use fsyncmark::engine::writer_tasks;
use fsyncmark::engine::writer_threads::{self, Writer};
use fsyncmark::plan::workload::{FileState, Operation, PageCache, WorkloadDefinition};
use fsyncmark::sys::clock::Monotonic;
use serde_json::Value;

use crate::figures;

/// Small enough to lie in memory on any machine, larger than the caches of its CPUs.
pub const CACHED_BYTES: u64 = 256 << 20;

/// A row of the table, or one that no disk limits.
pub fn row(shape: &str) -> io::Result<WorkloadDefinition> {
    let cached = |base: &str| {
        let base = WorkloadDefinition::with_id(base).expect("a row of the table");
        WorkloadDefinition { page_cache: PageCache::Through, area_bytes: CACHED_BYTES, ..*base }
    };
    Ok(match shape {
        "cached-read-4k" => cached("randread-4k-qd1"),
        "cached-read-4k-qd32" => cached("randread-4k-qd32"),
        "cached-write-4k" => WorkloadDefinition { operation: Operation::Write, ..cached("randread-4k-qd1") },
        id => *WorkloadDefinition::with_id(id).ok_or_else(|| io::Error::other(format!("no shape {id}")))?,
    })
}

/// One pass of all writers of a shape. A file that is to be overwritten is used again from its begin; one
/// that grows or was only allocated is used once. With an offer operations arrive, whether or not others are
/// finished.
pub fn run(
    workload: &WorkloadDefinition,
    path: &Path,
    milliseconds: u64,
    offer: Option<OfferedLoad>,
) -> io::Result<Value> {
    let bytes_max = match workload.file_state {
        FileState::Overwritten => u64::MAX,
        FileState::Growing | FileState::Fallocated => {
            workload.area_bytes / workload.block_bytes * workload.block_bytes
        }
    };
    let choice = writer_tasks::engine_choice(workload, &RingSupport::detect());
    let log = writer_tasks::group_log(workload);
    let mut writers = Vec::with_capacity(choice.writers);
    for index in 0..choice.writers {
        let disk = OpenFile::open(path, workload)?;
        writers.push(Writer {
            disk,
            clock: Monotonic,
            task: writer_tasks::task(workload, &choice, index, log.as_ref(), offer),
        });
    }
    let recorder = Recorder::for_writers(choice.writers);
    let mut on_start = || ();
    let gate = Gate::new(&crate::NEVER, &mut on_start);
    let limits = figures::limits(milliseconds, bytes_max);
    let pass = writer_threads::run(writers, &limits, &recorder, SAMPLE_NS, &gate);
    figures::of(pass, &recorder, choice.writers * choice.queue_depth)
}
