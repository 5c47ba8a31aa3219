//! Figures of one result, by the names of their workloads: what the report, its verdict and its page share.

use crate::comparison::per_s;
use crate::engine::histogram::Distribution;
use crate::payload::{Histogram, Histograms, Run, Workload};

/// One of the histograms of a workload.
pub type Side = fn(&Histograms) -> &Option<Histogram>;
/// The whole commit.
pub const COMMIT: Side = |histograms| &histograms.commit;
/// The sync alone.
pub const SYNC: Side = |histograms| &histograms.sync;
/// Reads.
pub const READ: Side = |histograms| &histograms.read;
/// Gaps between two readings of the clock.
pub const LAG: Side = |histograms| &histograms.lag;

/// The workload of this name, if it finished an operation.
pub fn workload<'a>(run: &'a Run, id: &str) -> Option<&'a Workload> {
    run.workloads
        .iter()
        .find(|workload| workload.id == id && workload.operations > 0 && workload.elapsed_ns > 0)
}

/// Operations a second.
pub fn rate(workload: &Workload) -> f64 {
    per_s(workload.operations, workload.elapsed_ns)
}

/// Operations a second of the workload of this name.
pub fn rate_of(run: &Run, id: &str) -> Option<f64> {
    workload(run, id).map(rate)
}

/// A percentile of one side of the workload of this name, in nanoseconds.
pub fn percentile_of(run: &Run, id: &str, side: Side, per_ten_thousand: u64) -> Option<u64> {
    distribution_of(run, id, side).map(|latencies| latencies.percentile_ns(per_ten_thousand))
}

/// All latencies of one side of the workload of this name.
pub fn distribution_of(run: &Run, id: &str, side: Side) -> Option<Distribution> {
    side(&workload(run, id)?.histograms).as_ref().map(Distribution::from)
}

/// Flush requests for each operation, where they could be counted.
pub fn flushes_per_operation(workload: &Workload) -> Option<f64> {
    Some(workload.flushes? as f64 / workload.operations.max(1) as f64)
}

/// Bytes that the devices wrote for each byte that was asked for, where they could be counted.
pub fn bytes_per_byte(workload: &Workload) -> Option<f64> {
    Some(workload.device_bytes? as f64 / workload.bytes.max(1) as f64)
}

/// Relative spread of the rate samples: their standard deviation over their mean.
pub fn variation(workload: &Workload) -> Option<f64> {
    const SAMPLES_MIN: usize = 10;
    let samples: Vec<f64> =
        workload.passes.iter().flat_map(|pass| &pass.rate_samples).map(|&count| count as f64).collect();
    let mean = samples.iter().sum::<f64>() / samples.len().max(1) as f64;
    if samples.len() < SAMPLES_MIN || mean <= 0.0 {
        return None;
    }
    let variance = samples.iter().map(|sample| (sample - mean).powi(2)).sum::<f64>() / samples.len() as f64;
    Some(variance.sqrt() / mean)
}

/// A ratio in words: `2.4 times`, `41 times`.
pub fn times(ratio: f64) -> String {
    if ratio < 9.95 { format!("{ratio:.1} times") } else { format!("{ratio:.0} times") }
}

#[cfg(test)]
pub(crate) mod made {
    //! Results that a test asks for: workloads whose operations all take the same time.

    use super::*;
    use crate::engine::histogram::bucket_of;
    use crate::payload::{Pass, PassEnd};

    /// The example with only these workloads.
    pub fn run(workloads: Vec<Workload>) -> Run {
        let example = include_str!("../../tests/wire/v1/valid/witnessed.json");
        Run { workloads, ..serde_json::from_str(example).unwrap() }
    }

    /// So many latencies of so many nanoseconds.
    #[allow(clippy::unnecessary_wraps)] // as the fields of histograms are
    pub fn latencies(count: u64, ns: u64) -> Option<Histogram> {
        let counts = vec![(bucket_of(ns), count)];
        Some(Distribution { counts, sum_ns: count * ns, min_ns: ns, max_ns: ns }.into())
    }

    /// A workload of a thousand operations of 8 KiB, one flush and as many bytes for each.
    pub fn workload(id: &str, histograms: Histograms, ns: u64) -> Workload {
        let (operations, bytes, elapsed_ns) = (1_000, 1_000 << 13, 1_000 * ns);
        let pass = Pass {
            operations,
            bytes,
            elapsed_ns,
            ended_by: PassEnd::Time,
            rate_samples: Vec::new(),
            open_loop: None,
        };
        Workload {
            id: id.to_owned(),
            version: 1,
            operations,
            bytes,
            elapsed_ns,
            sample_ns: 100_000_000,
            passes: vec![pass],
            histograms,
            flushes: Some(operations),
            device_bytes: Some(bytes),
            engine: None,
            other_io: None,
        }
    }

    /// Commits whose syncs take half of the time.
    pub fn commits(id: &str, ns: u64) -> Workload {
        let histograms = Histograms {
            write: latencies(1_000, ns - ns / 2),
            sync: latencies(1_000, ns / 2),
            commit: latencies(1_000, ns),
            ..Histograms::default()
        };
        workload(id, histograms, ns)
    }

    /// Reads.
    pub fn reads(id: &str, ns: u64) -> Workload {
        workload(id, Histograms { read: latencies(1_000, ns), ..Histograms::default() }, ns)
    }

    /// Nine flushes of so many nanoseconds after a drain.
    pub fn flushes(id: &str, ns: u64) -> Workload {
        let mut drain = commits(id, 10 * ns);
        (drain.operations, drain.histograms.sync) = (9, latencies(9, ns));
        drain
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_found_by_name_and_side() {
        let run = made::run(vec![made::commits("commit-8k", 100_000)]);
        assert!((rate_of(&run, "commit-8k").unwrap() - 10_000.0).abs() < 1e-6);
        assert_eq!(percentile_of(&run, "commit-8k", SYNC, 9_900), Some(50_000));
        assert_eq!(percentile_of(&run, "commit-8k", READ, 9_900), None);
        assert!(workload(&run, "commit-8k-fsync").is_none());
        let found = workload(&run, "commit-8k").unwrap();
        assert_eq!((flushes_per_operation(found), bytes_per_byte(found)), (Some(1.0), Some(1.0)));
    }

    #[test]
    fn variation_is_relative_and_needs_samples() {
        let mut workload = made::commits("commit-8k", 100_000);
        assert_eq!(variation(&workload), None);
        workload.passes[0].rate_samples = [90, 110].repeat(5);
        assert!((variation(&workload).unwrap() - 0.1).abs() < 1e-9);
        assert_eq!([times(2.44), times(40.6)], ["2.4 times", "41 times"]);
    }
}
