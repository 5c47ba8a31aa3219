//! Whether the figures of a workload add up: its histograms, its passes and its time state the same
//! operations.

use crate::plan::workload::{Tally, WorkloadDefinition};
use crate::text::printable;
use crate::wire::histogram::Distribution;
use crate::wire::judgement::latencies::SUM_TOLERANCE;
use crate::wire::workload::{LatencyKind, Pass, Workload};

/// Contradictions within one workload.
pub fn faults(workload: &Workload) -> Vec<String> {
    let id = printable(&workload.id, 64);
    let mut faults = Vec::new();
    let mut totals = Vec::new();
    for (kind, histogram) in workload.histograms.present() {
        let distribution = Distribution::from(histogram);
        match distribution.fault() {
            Some(fault) => faults.push(format!("{id}: the {} histogram {fault}", kind.name())),
            None => totals.push((kind, distribution.total())),
        }
    }
    faults.extend(count_fault(workload, &totals).map(|fault| format!("{id}: {fault}")));
    let passes = |field: fn(&Pass) -> u64| workload.passes.iter().map(field).fold(0, u64::saturating_add);
    for (name, stated, sum) in [
        ("operations", workload.operations, passes(|pass| pass.operations)),
        ("bytes", workload.bytes, passes(|pass| pass.bytes)),
        ("nanoseconds", workload.elapsed_ns, passes(|pass| pass.elapsed_ns)),
    ] {
        if stated != sum {
            faults.push(format!("{id}: its passes have {sum} {name}, not {stated}"));
        }
    }
    faults.extend(time_fault(workload).map(|fault| format!("{id}: {fault}")));
    faults
}

/// Checks that each operation has one latency in each histogram, except where an operation is either a read
/// or a write, or where one write and one sync serve many commits.
fn count_fault(workload: &Workload, totals: &[(LatencyKind, u64)]) -> Option<String> {
    if WorkloadDefinition::is_another_version(&workload.id, workload.version) {
        return None; // how that version counts is not known here
    }
    let row = WorkloadDefinition::of_version(&workload.id, workload.version);
    let operations = workload.operations;
    let is_shared: fn(LatencyKind) -> bool =
        match row.map_or(Tally::InEach, |row| row.operation.facts().tally) {
            Tally::InEach => |_| false,
            Tally::InCommits => |kind| kind != LatencyKind::Commit,
            Tally::InOne => {
                let sum = totals.iter().fold(0, |sum: u64, (_, total)| sum.saturating_add(*total));
                return (sum != operations && totals.len() == 2)
                    .then(|| format!("its histograms hold {sum} operations together, not {operations}"));
            }
        };
    totals
        .iter()
        .find(
            |&&(kind, total)| {
                if is_shared(kind) { total == 0 || total > operations } else { total != operations }
            },
        )
        .map(|(kind, total)| {
            format!("the {} histogram holds {total} operations, not {operations}", kind.name())
        })
}

/// Checks the sum of latencies: with one operation in flight they fill the elapsed time; with many they are
/// at most that many times as long.
fn time_fault(workload: &Workload) -> Option<String> {
    // In an open loop any number of operations wait outside of the device.
    if workload.passes.iter().any(|pass| pass.open_loop.is_some()) {
        return None;
    }
    let in_flight = in_flight(workload);
    let sum_ns = match &workload.histograms.commit {
        Some(commit) => u128::from(commit.sum_ns),
        None => workload.histograms.present().map(|(_, histogram)| u128::from(histogram.sum_ns)).sum(),
    };
    let share = sum_ns as f64 / workload.elapsed_ns.max(1) as f64 / in_flight as f64;
    let fits = share <= 1.0 + SUM_TOLERANCE && (in_flight > 1 || share >= 1.0 - SUM_TOLERANCE);
    (!fits).then(|| {
        let of = if in_flight > 1 { format!("{in_flight} times its time") } else { "its time".to_owned() };
        format!("its latencies add up to {:.0} % of {of}", 100.0 * share)
    })
}

/// How many operations may be in flight at once: as the result states, else as the workload asks for.
fn in_flight(workload: &Workload) -> u64 {
    let row = WorkloadDefinition::of_version(&workload.id, workload.version);
    let (writers, queue_depth) = match (&workload.engine, row) {
        (Some(engine), _) => (engine.writers, engine.queue_depth),
        (None, Some(row)) => (row.writers.into(), row.queue_depth.into()),
        (None, None) => (1, 1),
    };
    u64::from(writers.max(1)) * u64::from(queue_depth.max(1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::histogram::bucket_of;
    use crate::wire::workload::{EndReason, Engine, HistogramData, Histograms};

    /// `count` latencies of `ns` nanoseconds each.
    #[allow(clippy::unnecessary_wraps)] // as the fields of histograms are
    fn latencies(count: u64, ns: u64) -> Option<HistogramData> {
        let counts = vec![(bucket_of(ns), count)];
        Some(Distribution { counts, sum_ns: count * ns, min_ns: ns, max_ns: ns }.into())
    }

    fn result(
        id: &str,
        operations: u64,
        elapsed_ns: u64,
        engine: (u32, u32),
        histograms: Histograms,
    ) -> Workload {
        let pass = Pass {
            operations,
            bytes: 0,
            elapsed_ns,
            ended_by: EndReason::Time,
            rate_samples: Vec::new(),
            open_loop: None,
            interference: None,
        };
        Workload {
            id: id.to_owned(),
            version: 1,
            operations,
            bytes: 0,
            elapsed_ns,
            sample_ns: 100_000_000,
            passes: vec![pass],
            histograms,
            flushes: None,
            device_bytes: None,
            intent_log_commits: None,
            engine: Some(Engine {
                kind: "psync".to_owned(),
                writers: engine.0,
                queue_depth: engine.1,
                effective_depth_milli: 0,
                cpu_ns: 0,
                fallback: None,
            }),
            repeated_passes: 0,
        }
    }

    fn reads(count: u64) -> Histograms {
        Histograms { read: latencies(count, 1_000), ..Histograms::default() }
    }

    #[test]
    fn latencies_may_fill_the_time_as_often_as_operations_are_in_flight() {
        let faults =
            |elapsed_ns, engine| faults(&result("randread-4k-qd32", 3_200, elapsed_ns, engine, reads(3_200)));
        assert_eq!(faults(100_000, (1, 32)), [""; 0], "32 at a time");
        assert_eq!(faults(200_000, (1, 32)), [""; 0], "a ring need not be full");
        assert!(faults(50_000, (1, 32))[0].ends_with("its latencies add up to 200 % of 32 times its time"));
        assert_eq!(faults(3_200_000, (1, 1)), [""; 0]);
        assert!(faults(6_400_000, (1, 1))[0].ends_with("add up to 50 % of its time"));
        assert!(faults(1_600_000, (1, 1))[0].ends_with("add up to 200 % of its time"));
    }

    #[test]
    fn the_operations_of_a_version_that_is_not_known_here_are_not_counted() {
        let mix = Histograms { write: latencies(60, 1_000), ..self::reads(41) };
        let newer = Workload { version: 2, ..result("mix-4k", 100, 100_000, (2, 64), mix) };
        assert_eq!(faults(&newer), [""; 0]);
    }

    #[test]
    fn an_operation_of_a_mix_is_a_read_or_a_write() {
        let mix = |reads: u64| Histograms { write: latencies(60, 1_000), ..self::reads(reads) };
        assert_eq!(faults(&result("mix-4k", 100, 100_000, (2, 64), mix(40))), [""; 0]);
        assert!(
            faults(&result("mix-4k", 100, 100_000, (2, 64), mix(41)))[0]
                .contains("hold 101 operations together")
        );
        let both = faults(&result("randread-4k-qd32", 100, 100_000, (2, 64), mix(40)));
        assert!(both[0].contains("the write histogram holds 60 operations, not 100"), "{both:?}");
    }

    #[test]
    fn a_group_shares_its_write_and_its_sync() {
        let group = |syncs| Histograms {
            commit: latencies(100, 1_000),
            write: latencies(syncs, 400),
            sync: latencies(syncs, 600),
            ..Histograms::default()
        };
        assert_eq!(faults(&result("group-commit-8k-8", 100, 20_000, (8, 1), group(25))), [""; 0]);
        assert!(
            faults(&result("group-commit-8k-8", 100, 20_000, (8, 1), group(101)))[0].contains("holds 101")
        );
        assert!(!faults(&result("commit-8k", 100, 100_000, (1, 1), group(25))).is_empty());
    }
}
