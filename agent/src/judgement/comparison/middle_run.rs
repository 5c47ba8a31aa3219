//! Several runs of the same as one side of a comparison: of each workload the middle rate and the middle
//! percentiles, and from where to where they went. What a disk does differs more from run to run than within
//! one, so this says better than a single run what is usual.

use super::{ComparisonSide, Figures, LatencyRanges, PASSES_MIN, RateRange};
use crate::wire::payload::Run;

impl ComparisonSide {
    /// The middle of several runs, the newest first. What others disturbed is left out. With fewer than three
    /// of a workload, it varies as these vary themselves.
    pub fn middle_of(runs: Vec<Run>) -> Self {
        let newest = runs.first().cloned();
        let sides: Vec<Self> = runs.into_iter().map(Self::from_run).collect();
        let mut names: Vec<(String, u16)> = Vec::new();
        for (name, _) in sides.iter().flat_map(|side| &side.workloads) {
            if !names.contains(name) {
                names.push(name.clone());
            }
        }
        let workloads = names
            .into_iter()
            .filter_map(|name| {
                let of_name =
                    sides.iter().flat_map(|side| &side.workloads).filter(|(other, _)| *other == name);
                let (disturbed, quiet): (Vec<&Figures>, Vec<&Figures>) =
                    of_name.map(|(_, figures)| figures).partition(|figures| figures.disturbed);
                let middle = middle_figures(if quiet.is_empty() { &disturbed } else { &quiet })?;
                Some((name, Figures { disturbed: quiet.is_empty(), ..middle }))
            })
            .collect();
        Self { workloads, run: newest }
    }
}

fn middle_figures(of_runs: &[&Figures]) -> Option<Figures> {
    let mut rates: Vec<f64> = of_runs.iter().map(|figures| figures.per_s).collect();
    rates.sort_by(f64::total_cmp);
    let (lowest, highest) = (*rates.first()?, *rates.last()?);
    let between_runs = || RateRange { low_per_s: lowest, high_per_s: highest, of: "runs".to_owned() };
    let latencies = |of: fn(&Figures) -> Option<u64>| {
        let mut ns: Vec<u64> = of_runs.iter().filter_map(|figures| of(figures)).collect();
        ns.sort_unstable();
        ns
    };
    let [medians, hundredths, thousandths] =
        [latencies(|one| one.p50_ns), latencies(|one| one.p99_ns), latencies(|one| one.p999_ns)];
    Some(Figures {
        per_s: f64::midpoint(rates[(rates.len() - 1) / 2], rates[rates.len() / 2]),
        p50_ns: middle(&medians),
        p99_ns: middle(&hundredths),
        p999_ns: middle(&thousandths),
        rate_range: if rates.len() >= PASSES_MIN { Some(between_runs()) } else { within_runs(of_runs) },
        latency_spread: LatencyRanges {
            p50_ns: ends(&medians),
            p99_ns: ends(&hundredths),
            p999_ns: ends(&thousandths),
        },
        disturbed: false,
    })
}

/// From the lowest to the highest that one of the runs did; `None` where one of them has no range.
fn within_runs(of_runs: &[&Figures]) -> Option<RateRange> {
    let ranges = of_runs.iter().map(|figures| figures.rate_range.clone());
    ranges.reduce(|all, one| {
        let (all, one) = (all?, one?);
        Some(RateRange {
            low_per_s: all.low_per_s.min(one.low_per_s),
            high_per_s: all.high_per_s.max(one.high_per_s),
            of: if all.of == one.of { all.of } else { "runs".to_owned() },
        })
    })?
}

/// The middle one; of an even number the upper of the two, which is one that was measured.
fn middle(sorted_ns: &[u64]) -> Option<u64> {
    sorted_ns.get(sorted_ns.len() / 2).copied()
}

fn ends(sorted_ns: &[u64]) -> Option<(u64, u64)> {
    (sorted_ns.len() >= PASSES_MIN).then(|| (sorted_ns[0], sorted_ns[sorted_ns.len() - 1]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::figures::examples::{commits, run};
    use crate::wire::interference::Interference;

    /// Runs whose commits take so many nanoseconds each.
    fn runs(ns: &[u64]) -> Vec<Run> {
        ns.iter().map(|&ns| run(vec![commits("commit-8k", ns)])).collect()
    }

    fn figures(runs: Vec<Run>) -> Figures {
        ComparisonSide::middle_of(runs).workloads.pop().unwrap().1
    }

    #[test]
    fn three_runs_have_a_middle_and_a_range() {
        let of = figures(runs(&[100_000, 50_000, 200_000]));
        assert_eq!((of.per_s.round(), of.p50_ns, of.p99_ns), (10_000.0, Some(100_000), Some(100_000)));
        let range = of.rate_range.unwrap();
        assert_eq!((range.low_per_s.round(), range.high_per_s.round()), (5_000.0, 20_000.0));
        assert_eq!(range.of, "runs");
        assert_eq!(of.latency_spread.p50_ns, Some((50_000, 200_000)));
    }

    #[test]
    fn fewer_vary_as_each_varies_itself() {
        let mut two = runs(&[100_000, 200_000]);
        for run in &mut two {
            run.workloads[0].passes[0].rate_samples.clear();
        }
        assert_eq!(figures(two.clone()).rate_range, None, "one pass and no samples");
        for run in &mut two {
            let pass = run.workloads[0].passes[0].clone();
            run.workloads[0].passes.resize(PASSES_MIN, pass);
        }
        let of = figures(two.clone());
        let range = of.rate_range.unwrap();
        assert_eq!((range.of.as_str(), of.latency_spread), ("passes", LatencyRanges::default()));
        assert!(range.low_per_s < range.high_per_s);
        assert_eq!(figures(two[..1].to_vec()), ComparisonSide::from_run(two[0].clone()).workloads[0].1);
    }

    #[test]
    fn what_others_disturbed_is_left_out_unless_there_is_nothing_else() {
        let mut disturbed = runs(&[900_000]);
        let seen = Interference { other_cpu_ns: Some(u64::MAX >> 20), ..Interference::default() };
        disturbed[0].workloads[0].passes[0].interference = Some(seen);
        let mut all = runs(&[100_000, 100_000, 100_000]);
        all.extend(disturbed.clone());
        let of = figures(all);
        assert!((of.rate_range.unwrap().low_per_s - 10_000.0).abs() < 1.0);
        assert!(!of.disturbed && figures(disturbed).disturbed);
    }
}
