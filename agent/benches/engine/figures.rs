//! What a pass brought, as JSON.

use std::io;

use fsyncmark::engine::pass::PassOutcome;
use fsyncmark::engine::recorder::Recorder;
use fsyncmark::plan::pass_limits::PassLimits;
use fsyncmark::wire::histogram::Distribution;
use fsyncmark::wire::workload::{LatencyKind, whole_operations};
use serde_json::{Map, Value, json};

/// Limits of a pass of this length without a warm-up: fio gets none either.
pub const fn limits(milliseconds: u64, bytes_max: u64) -> PassLimits {
    let ns = milliseconds * 1_000_000;
    PassLimits {
        warm_up_ns: 0,
        warm_up_bytes_max: 0,
        pass_ns_min: ns,
        pass_operations_min: 1,
        pass_ns_max: ns,
        pass_bytes_max: bytes_max,
    }
}

/// Rate, latencies and depth; the error of a pass that failed.
pub fn of(pass: PassOutcome, recorder: &Recorder, depth: usize) -> io::Result<Value> {
    if let Some(error) = pass.error {
        return Err(error);
    }
    // Little's law, over whole operations: a commit's write and sync are in the commit.
    let busy_ns = whole_operations(|kind| recorder.merge(kind)).map_or(0, |latencies| latencies.sum_ns);
    // What is in flight at the end is not counted: of each slot half an operation, on average.
    let counted_ns = pass.elapsed_ns.saturating_sub(busy_ns / pass.operations.max(1) / 2);
    let latencies: Map<String, Value> = LatencyKind::ALL
        .into_iter()
        .filter_map(|kind| Some((kind.name().to_owned(), percentiles(&recorder.merge(kind)?))))
        .collect();
    Ok(json!({
        "operations": pass.operations,
        "elapsed_ns": pass.elapsed_ns,
        "effective_depth": busy_ns as f64 / counted_ns.max(1) as f64 / depth as f64,
        "latencies": latencies,
    }))
}

fn percentiles(latencies: &Distribution) -> Value {
    json!({
        "count": latencies.total(),
        "mean_ns": latencies.mean_ns(),
        "p50_ns": latencies.percentile_ns(5_000),
        "p99_ns": latencies.percentile_ns(9_900),
        "max_ns": latencies.max_ns,
    })
}
