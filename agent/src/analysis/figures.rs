//! The figures of one result, found by the names of their workloads. Terminal, page and verdict all take them
//! from here, so that none shows another figure than the rest.

use super::slo;
use crate::plan::judged_ids::{READ_FLOOR, READS_ONE_AT_A_TIME};
use crate::plan::workload::{HEADLINE, WorkloadDefinition};
use crate::units::{self, per_s};
use crate::wire::histogram::Distribution;
use crate::wire::payload::Run;
use crate::wire::workload::{LatencyKind, Workload};

/// The workload of this name, if it finished an operation and has the version that this program knows.
pub fn workload<'a>(run: &'a Run, id: &str) -> Option<&'a Workload> {
    let is_meant = |version| !WorkloadDefinition::is_another_version(id, version);
    run.workloads
        .iter()
        .find(|workload| workload.id == id && workload.operations > 0 && workload.elapsed_ns > 0)
        .filter(|workload| is_meant(workload.version))
}

/// The rate shown for a workload: operations a second, or for an open loop the highest rate that kept its
/// limit. `None` where that search did not finish.
pub fn rate_shown(workload: &Workload) -> Option<f64> {
    if workload.is_open_loop() {
        return slo::useful_rate(workload).map(|useful| useful.per_s as f64);
    }
    Some(rate(workload))
}

/// The latencies shown for a workload; `None` for an open loop, which has them at many rates.
pub fn latencies_shown(workload: &Workload) -> Option<Distribution> {
    if workload.is_open_loop() { None } else { workload.whole_operations() }
}

/// A percentile, if at least one operation lies above it: with a thousand operations, p99.9 is the second
/// slowest.
pub fn percentile(latencies: &Distribution, per_ten_thousand: u64) -> Option<u64> {
    const WHOLE: u64 = 10_000;
    let above = latencies.total().saturating_mul(WHOLE.saturating_sub(per_ten_thousand));
    (above >= WHOLE).then(|| latencies.percentile_ns(per_ten_thousand))
}

/// The percentile as text; a dash where there are too few operations to show it.
pub fn percentile_text(latencies: &Distribution, per_ten_thousand: u64) -> String {
    percentile(latencies, per_ten_thousand).map_or_else(|| units::NOT_SHOWN.to_owned(), units::latency)
}

/// The rate as text; a dash where there is none.
pub fn rate_text(workload: &Workload) -> String {
    rate_shown(workload).map_or_else(|| units::NOT_SHOWN.to_owned(), units::rate)
}

/// Operations a second.
pub fn rate(workload: &Workload) -> f64 {
    per_s(workload.operations, workload.elapsed_ns)
}

/// Operations a second of the workload of this name.
pub fn rate_of(run: &Run, id: &str) -> Option<f64> {
    workload(run, id).map(rate)
}

/// A percentile of one kind of latency of the workload of this name, in nanoseconds, if an operation lies
/// above it.
pub fn percentile_of(run: &Run, id: &str, kind: LatencyKind, per_ten_thousand: u64) -> Option<u64> {
    percentile(&distribution_of(run, id, kind)?, per_ten_thousand)
}

/// All latencies of one kind of the workload of this name.
pub fn distribution_of(run: &Run, id: &str, kind: LatencyKind) -> Option<Distribution> {
    workload(run, id)?.histograms.get(kind).map(Distribution::from)
}

/// Random 4 KiB reads past the page cache, one at a time over the whole file: the least time that the way to
/// the medium takes.
pub fn read_floor(run: &Run) -> Option<Distribution> {
    [READ_FLOOR, READS_ONE_AT_A_TIME].into_iter().find_map(|id| distribution_of(run, id, LatencyKind::Read))
}

/// Flush requests for each operation, where they could be counted.
pub fn flushes_per_operation(workload: &Workload) -> Option<f64> {
    Some(workload.flushes? as f64 / workload.operations.max(1) as f64)
}

/// Bytes that the devices wrote for each byte that the workload wrote, where they could be counted.
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

/// Commits a second of the headline workload to two decimals, if it was measured.
pub fn commits_per_s(run: &Run) -> Option<f64> {
    Some((rate_of(run, HEADLINE)? * 100.0).round() / 100.0)
}

/// A ratio in words: `1.25 times`, `2.4 times`, `41 times`. Near 1 the second decimal matters.
pub fn times(ratio: f64) -> String {
    match ratio {
        ratio if ratio < 1.995 => format!("{ratio:.2} times"),
        ratio if ratio < 9.95 => format!("{ratio:.1} times"),
        ratio => format!("{ratio:.0} times"),
    }
}

#[cfg(test)]
pub(crate) mod examples {
    //! Results for tests: workloads whose operations all take the same time.

    use super::*;
    use crate::engine::slo_search::next_rate;
    use crate::wire::histogram::bucket_of;
    use crate::wire::workload::{EndReason, HistogramData, Histograms, OpenLoop, Pass, Purpose};

    /// The run that agent and server share as an example, as text.
    pub const EXAMPLE: &str =
        include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/wire/v1/valid/witnessed.json"));

    /// The run that agent and server share as an example.
    pub fn example() -> Run {
        serde_json::from_str(EXAMPLE).unwrap()
    }

    /// The example with only these workloads.
    pub fn run(workloads: Vec<Workload>) -> Run {
        Run { workloads, ..example() }
    }

    /// `count` latencies of `ns` nanoseconds.
    #[allow(clippy::unnecessary_wraps)] // as the fields of histograms are
    pub fn latencies(count: u64, ns: u64) -> Option<HistogramData> {
        let counts = vec![(bucket_of(ns), count)];
        Some(Distribution { counts, sum_ns: count * ns, min_ns: ns, max_ns: ns }.into())
    }

    /// A workload of a thousand operations of 8 KiB, with one flush and 8 KiB on the device for each.
    pub fn workload(id: &str, histograms: Histograms, ns: u64) -> Workload {
        let (operations, bytes, elapsed_ns) = (1_000, 1_000 << 13, 1_000 * ns);
        let pass = Pass {
            operations,
            bytes,
            elapsed_ns,
            ended_by: EndReason::Time,
            rate_samples: vec![100_000_000 / ns; 8],
            open_loop: None,
            interference: None,
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
            intent_log_commits: None,
            engine: None,
            repeated_passes: 0,
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

    /// A finished search for a limit of 1 ms. The capacity is 100,000 a second, trials below `limits_per_s`
    /// are good, and the generator was late in the first trial of each search.
    pub fn search(id: &str, limits_per_s: [u64; 3]) -> Workload {
        let capacity =
            Pass { operations: 100_000, elapsed_ns: 1_000_000_000, ..reads(id, 1).passes[0].clone() };
        let mut passes = Vec::new();
        for limit_per_s in limits_per_s {
            passes.push(capacity.clone());
            let mut were_good = Vec::new();
            while let Some(offered_per_s) = next_rate(100_000, &were_good) {
                let is_good = offered_per_s < limit_per_s;
                let lag_p99_ns = if were_good.is_empty() { 900_000 } else { 0 };
                let p99_ns = if is_good { 900_000 } else { 2_000_000 };
                let open =
                    OpenLoop { purpose: Purpose::Search, offered_per_s, p50_ns: 80_000, p99_ns, lag_p99_ns };
                passes.push(Pass { operations: offered_per_s, open_loop: Some(open), ..capacity.clone() });
                were_good.push(is_good);
            }
        }
        Workload { passes, ..reads(id, 100_000) }
    }

    /// Nine flushes of `ns` nanoseconds after a drain.
    pub fn flushes(id: &str, ns: u64) -> Workload {
        let mut drain = commits(id, 10 * ns);
        (drain.operations, drain.histograms.sync) = (9, latencies(9, ns));
        drain
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::judged_ids::COMMIT_FSYNC;
    use crate::wire::workload::Histograms;

    #[test]
    fn figures_are_found_by_name_and_kind_of_latency() {
        let run = examples::run(vec![examples::commits("commit-8k", 100_000)]);
        assert!((rate_of(&run, "commit-8k").unwrap() - 10_000.0).abs() < 1e-6);
        assert_eq!(percentile_of(&run, "commit-8k", LatencyKind::Sync, 9_900), Some(50_000));
        assert_eq!(percentile_of(&run, "commit-8k", LatencyKind::Sync, 9_999), None);
        assert_eq!(percentile_of(&run, "commit-8k", LatencyKind::Read, 9_900), None);
        assert!(workload(&run, COMMIT_FSYNC).is_none());
        let found = workload(&run, "commit-8k").unwrap();
        assert_eq!((flushes_per_operation(found), bytes_per_byte(found)), (Some(1.0), Some(1.0)));
    }

    #[test]
    fn a_percentile_needs_an_operation_above_it() {
        let of = |count| Distribution::from(&examples::latencies(count, 50_000).unwrap());
        assert_eq!([percentile_text(&of(99), 9_900), percentile_text(&of(100), 9_900)], ["–", "50.0 µs"]);
        assert_eq!([percentile(&of(999), 9_990), percentile(&of(1_000), 9_990)], [None, Some(50_000)]);
        assert_eq!([percentile(&of(1), 5_000), percentile(&of(2), 5_000)], [None, Some(50_000)]);
    }

    #[test]
    fn a_mix_has_the_latencies_of_reads_and_writes() {
        let histograms = Histograms {
            read: examples::latencies(40, 100_000),
            write: examples::latencies(60, 9_000),
            ..Histograms::default()
        };
        let mix = examples::workload("mix-4k", histograms, 100_000);
        let whole = latencies_shown(&mix).unwrap();
        assert_eq!((whole.total(), whole.min_ns, whole.max_ns), (100, 9_000, 100_000));
        assert!(whole.percentile_ns(5_000) < 10_000, "a write: {whole:?}");
    }

    #[test]
    fn what_arrived_at_many_rates_is_shown_with_the_highest_good_one() {
        let search = examples::search("slo-randread-4k-1ms", [40_000, 50_000, 60_000]);
        let useful = slo::useful_rate(&search).unwrap().per_s;
        assert!((49_000..50_000).contains(&useful), "{useful}");
        assert_eq!(rate_shown(&search), Some(useful as f64));
        assert_eq!(latencies_shown(&search), None);
        let cut_short = Workload { passes: search.passes[..5].to_vec(), ..search };
        assert_eq!((rate_shown(&cut_short), rate_text(&cut_short)), (None, "–".to_owned()));
    }

    #[test]
    fn variation_is_relative_and_needs_samples() {
        let mut workload = examples::commits("commit-8k", 100_000);
        assert_eq!(variation(&workload), None);
        workload.passes[0].rate_samples = [90, 110].repeat(5);
        assert!((variation(&workload).unwrap() - 0.1).abs() < 1e-9);
        assert_eq!([1.246, 2.44, 40.6].map(times), ["1.25 times", "2.4 times", "41 times"]);
    }
}
