//! Two results side by side: which workloads are comparable, which side is faster, and whether the difference
//! is larger than the variation within each result.

mod middle_run;

use std::collections::BTreeSet;

use serde::Serialize;

use crate::analysis::figures::{latencies_shown, percentile, rate_shown};
use crate::analysis::{disturbed_workloads, slo};
use crate::text::printable;
use crate::units::per_s;
use crate::wire::payload::{Device, Run};
use crate::wire::workload::Workload;

/// From this many passes on, the lowest and the highest rate say how much a result varies. With two passes,
/// equal disks would be told apart in one of five comparisons; with three in one of twenty.
const PASSES_MIN: usize = 3;
/// With fewer passes, the middle half of the rate samples says how much a result varies, if there are at
/// least this many. With eight samples, equal disks are told apart in one of a hundred comparisons; with
/// more, in fewer.
const SAMPLES_MIN: usize = 8;
/// Ratios nearer to 1 than this are called equal: it is the width of a histogram's bucket.
pub const EQUAL_WITHIN: f64 = 0.008;

/// Figures of one workload on one side.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[allow(missing_docs)] // the names say it
pub struct Figures {
    pub per_s: f64,
    pub p50_ns: Option<u64>,
    pub p99_ns: Option<u64>,
    pub p999_ns: Option<u64>,
    #[serde(rename = "spread")]
    pub rate_range: Option<RateRange>,
    /// How far each percentile was from run to run, where it is the middle of several runs.
    #[serde(skip_serializing_if = "LatencyRanges::is_empty")]
    pub latency_spread: LatencyRanges,
    /// Whether other programs disturbed it, so that it is not the disk's.
    pub disturbed: bool,
}

/// The shortest and the longest of each percentile, in nanoseconds, where enough runs have it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[allow(missing_docs)] // the names say it
pub struct LatencyRanges {
    pub p50_ns: Option<(u64, u64)>,
    pub p99_ns: Option<(u64, u64)>,
    pub p999_ns: Option<(u64, u64)>,
}

impl LatencyRanges {
    /// Whether nothing is known.
    #[allow(clippy::trivially_copy_pass_by_ref)]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// The range in which the rate of a result varied.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[allow(missing_docs)]
pub struct RateRange {
    pub low_per_s: f64,
    pub high_per_s: f64,
    /// What the range was taken from: `passes`, `samples` (their middle half), `searches`, `runs`, or a
    /// server's word.
    pub of: String,
}

/// One side: the name of what was measured, and its workloads.
#[derive(Debug, Clone)]
pub struct ComparisonSide {
    /// Each workload's name and version, with its figures.
    pub workloads: Vec<((String, u16), Figures)>,
    /// The result itself, unless it is a plan's standing.
    pub run: Option<Run>,
}

/// How a workload's rates compare.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum RateVerdict {
    /// A is faster, by more than either varies.
    AFaster,
    /// B is faster, by more than either varies.
    BFaster,
    /// The difference is within what one of them varies.
    WithinSpread,
    /// Too few passes and samples to say.
    SpreadUnknown,
    /// Others disturbed one of the sides.
    Disturbed,
}

/// One workload that both sides have.
#[derive(Debug, Clone, Serialize)]
#[allow(missing_docs)]
pub struct Pair {
    pub id: String,
    pub version: u16,
    pub a: Figures,
    pub b: Figures,
    /// Rate of B over rate of A.
    pub rate_ratio_b_to_a: f64,
    /// The least and the most that this can be, by what both vary; `None` where one of them is not known.
    pub rate_ratio_range: Option<(f64, f64)>,
    pub verdict: RateVerdict,
}

/// A difference in the surroundings, which keeps two results from being strictly comparable.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Difference {
    /// Its name, for programs.
    pub id: &'static str,
    /// A sentence.
    pub text: String,
}

/// The whole comparison.
#[derive(Debug, Clone, Serialize)]
#[allow(missing_docs)]
pub struct Comparison {
    pub pairs: Vec<Pair>,
    pub differences: Vec<Difference>,
}

impl ComparisonSide {
    /// A result.
    pub fn from_run(run: Run) -> Self {
        let workloads = run
            .workloads
            .iter()
            .filter(|workload| workload.operations > 0 && workload.elapsed_ns > 0)
            .filter_map(|workload| {
                let figures = figures(workload)?;
                let disturbed = disturbed_workloads::is_disturbed(&run, workload);
                Some(((workload.id.clone(), workload.version), Figures { disturbed, ..figures }))
            })
            .collect();
        Self { workloads, run: Some(run) }
    }
}

/// The figures of a workload; `None` for a search that did not finish.
fn figures(workload: &Workload) -> Option<Figures> {
    let latencies = latencies_shown(workload);
    let percentile = |q| latencies.as_ref().and_then(|latencies| percentile(latencies, q));
    Some(Figures {
        per_s: rate_shown(workload)?,
        p50_ns: percentile(5_000),
        p99_ns: percentile(9_900),
        p999_ns: percentile(9_990),
        rate_range: rate_range(workload),
        latency_spread: LatencyRanges::default(),
        disturbed: false,
    })
}

/// How much a workload varied: over its passes, or over its samples where there are few passes; for a search,
/// over the rates that its searches found.
pub fn rate_range(workload: &Workload) -> Option<RateRange> {
    if workload.is_open_loop() {
        let rates = slo::useful_rate(workload)?.searches_per_s;
        let (low, high) = (rates.iter().min()?, rates.iter().max()?);
        return Some(RateRange {
            low_per_s: *low as f64,
            high_per_s: *high as f64,
            of: "searches".to_owned(),
        });
    }
    let sorted = |mut rates: Vec<f64>| {
        rates.sort_by(f64::total_cmp);
        rates
    };
    let passes = sorted(workload.passes.iter().map(|pass| per_s(pass.operations, pass.elapsed_ns)).collect());
    if passes.len() >= PASSES_MIN {
        return Some(RateRange {
            low_per_s: passes[0],
            high_per_s: passes[passes.len() - 1],
            of: "passes".to_owned(),
        });
    }
    let samples = workload.passes.iter().flat_map(|pass| &pass.rate_samples);
    let samples = sorted(samples.map(|&operations| per_s(operations, workload.sample_ns)).collect());
    (samples.len() >= SAMPLES_MIN).then(|| RateRange {
        low_per_s: samples[samples.len().div_ceil(4) - 1],
        high_per_s: samples[(samples.len() * 3).div_ceil(4) - 1],
        of: "samples".to_owned(),
    })
}

/// Compares two rates: they differ if their ranges do not overlap and the difference is larger than either
/// varies.
fn verdict(a: &Figures, b: &Figures) -> RateVerdict {
    if a.disturbed || b.disturbed {
        return RateVerdict::Disturbed;
    }
    let (Some(of_a), Some(of_b)) = (&a.rate_range, &b.rate_range) else { return RateVerdict::SpreadUnknown };
    let width = |range: &RateRange| (range.high_per_s / range.low_per_s.max(f64::MIN_POSITIVE)).ln();
    let difference = (b.per_s / a.per_s).ln();
    let overlap = of_a.low_per_s.max(of_b.low_per_s) <= of_a.high_per_s.min(of_b.high_per_s);
    if overlap || difference.abs() <= width(of_a).max(width(of_b)) {
        RateVerdict::WithinSpread
    } else if difference > 0.0 {
        RateVerdict::BFaster
    } else {
        RateVerdict::AFaster
    }
}

/// The least and the most that the rate of B can be over that of A.
fn ratio_range(a: &Figures, b: &Figures) -> Option<(f64, f64)> {
    let (of_a, of_b) = (a.rate_range.as_ref()?, b.rate_range.as_ref()?);
    // A pass of A in which nothing was done: there is no most.
    let is_bounded = of_a.low_per_s > 0.0 && of_a.high_per_s > 0.0;
    is_bounded.then(|| (of_b.low_per_s / of_a.high_per_s, of_b.high_per_s / of_a.low_per_s))
}

/// Whether one workload is faster than another of the same result, by more than either varies.
pub fn is_faster(one: &Workload, other: &Workload) -> bool {
    let sides = figures(other).zip(figures(one));
    sides.is_some_and(|(other, one)| verdict(&other, &one) == RateVerdict::BFaster)
}

/// Puts two sides beside each other.
pub fn compare(a: &ComparisonSide, b: &ComparisonSide) -> Comparison {
    let pairs = a
        .workloads
        .iter()
        .filter_map(|(name, a)| {
            let (_, b) = b.workloads.iter().find(|(other, _)| other == name)?;
            Some(Pair {
                id: printable(&name.0, 64),
                version: name.1,
                a: a.clone(),
                b: b.clone(),
                rate_ratio_b_to_a: b.per_s / a.per_s,
                rate_ratio_range: ratio_range(a, b),
                verdict: verdict(a, b),
            })
        })
        .collect();
    let mut differences = unpaired_workloads(a, b);
    if let (Some(a), Some(b)) = (&a.run, &b.run) {
        differences.splice(0..0, surroundings(a, b));
    }
    Comparison { pairs, differences }
}

/// Workloads that only one side has, or has in another version.
fn unpaired_workloads(a: &ComparisonSide, b: &ComparisonSide) -> Vec<Difference> {
    let mut differences = Vec::new();
    let mut only = |here: &ComparisonSide, there: &ComparisonSide, letter: char| {
        let mut missing = Vec::new();
        for ((id, version), _) in &here.workloads {
            let id_shown = printable(id, 64);
            match there.workloads.iter().find(|((other, _), _)| other == id) {
                None => missing.push(id_shown),
                Some(((_, other), _)) if other != version && letter == 'A' => differences.push(Difference {
                    id: "workload-version",
                    text: format!(
                        "{id_shown} is version {version} in A and {other} in B: they did different things and are \
                         not compared."
                    ),
                }),
                Some(_) => {}
            }
        }
        if !missing.is_empty() {
            differences.push(Difference {
                id: "workload-missing",
                text: format!("Only {letter} has {}.", missing.join(", ")),
            });
        }
    };
    only(a, b, 'A');
    only(b, a, 'B');
    differences
}

/// Reads a fact out of a result.
type Fact = fn(&Run) -> String;

/// What should be equal around the workloads: id, subject of the sentence, and the fact.
const FACTS: &[(&str, &str, Fact)] = &[
    ("suite", "The suites", |run| {
        format!("{} v{} ({})", run.suite.id, run.suite.version, &short(&run.suite.sha256))
    }),
    ("agent-version", "The versions of fsyncmark", |run| run.agent.version.clone()),
    ("filesystem", "The filesystems", |run| run.env.fs.clone()),
    ("mount-options", "The mount options", |run| {
        let sorted: BTreeSet<&str> = run.env.mount_flags.iter().map(String::as_str).collect();
        sorted.into_iter().collect::<Vec<_>>().join(",")
    }),
    ("stack", "What lies between filesystem and drive", |run| run.stack.join(" on ")),
    ("drive", "The drives", |run| of_devices(run, |device| device.model.clone())),
    ("firmware", "The drives' firmware", |run| of_devices(run, |device| device.firmware.clone())),
    ("write-cache", "The declared write caches", |run| of_devices(run, |device| device.write_cache.clone())),
    ("scheduler", "The I/O schedulers", |run| {
        of_devices(run, |device| device.scheduler.clone().unwrap_or_default())
    }),
    ("kernel", "The kernels", |run| run.env.kernel.clone()),
    ("machine", "The machines", |run| {
        let cpu = run.env.cpu_model.as_deref().unwrap_or("CPU not stated");
        format!("{} x {cpu}, {}", run.env.cpu_count, run.env.virt)
    }),
];

/// The facts in which the surroundings of two results differ.
fn surroundings(a: &Run, b: &Run) -> Vec<Difference> {
    if a.run_id == b.run_id {
        return vec![Difference { id: "same-run", text: "A and B are the same run.".to_owned() }];
    }
    let mut differences: Vec<Difference> = [("A", a), ("B", b)]
        .into_iter()
        .filter(|(_, run)| !run.suite.complete)
        .map(|(letter, _)| Difference {
            id: "incomplete",
            text: format!("{letter} is not of a whole suite: it ended early, or workloads were left out."),
        })
        .collect();
    differences.extend(FACTS.iter().filter_map(|(id, subject, fact)| {
        let (of_a, of_b) = (fact(a), fact(b));
        (of_a != of_b).then(|| Difference {
            id,
            text: format!("{subject} differ: {} in A, {} in B.", or_not_stated(&of_a), or_not_stated(&of_b)),
        })
    }));
    differences
}

fn short(digest: &str) -> String {
    digest.chars().take(8).collect()
}

fn of_devices(run: &Run, fact: fn(&Device) -> String) -> String {
    let facts: Vec<String> = run.devices.iter().map(fact).filter(|fact| !fact.is_empty()).collect();
    facts.join(" + ")
}

fn or_not_stated(fact: &str) -> String {
    let shown = printable(fact, 100);
    if shown.is_empty() { "not stated".to_owned() } else { shown }
}

#[cfg(test)]
mod tests;
