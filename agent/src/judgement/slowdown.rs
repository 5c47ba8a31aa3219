//! Whether B is slower than A by more than is allowed, for programs that stop there. What a disk does varies,
//! so a figure counts as slower only where the difference is also larger than what either side varies itself;
//! what cannot be judged is said to be that, and is neither good nor bad.

use serde::Serialize;

use super::comparison::{Comparison, Figures, Pair, RateVerdict};
use crate::plan::workload::HEADLINE;
use crate::units;

/// A figure that may become worse only so far.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HeldFigure {
    /// Operations a second.
    Rate,
    /// The median latency.
    P50,
    /// The latency that one of a hundred exceeds.
    P99,
    /// The latency that one of a thousand exceeds.
    P999,
}

/// How much slower B may be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Allowance {
    /// Of which figure.
    pub figure: HeldFigure,
    /// How much worse it may be, in tenths of a percent.
    pub permille: u32,
    /// Of which workloads; of the headline where none is named.
    pub workloads: Vec<String>,
}

/// What became of one workload.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum SlowdownOutcome {
    /// Not slower by more than is allowed and than the sides vary.
    Holds,
    /// Slower by more than both.
    Slower,
    /// There is too little to judge it by, or others disturbed it.
    NotJudged,
}

/// The judgement on one workload.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[allow(missing_docs)] // the names say it
pub struct SlowdownJudgement {
    pub workload: String,
    pub outcome: SlowdownOutcome,
    /// The figures behind it, as a clause.
    pub text: String,
}

/// Judges what is held; a workload that one side lacks is not judged.
pub fn judge_slowdown(comparison: &Comparison, allowance: &Allowance) -> Vec<SlowdownJudgement> {
    let headline = [HEADLINE.to_owned()];
    let held = if allowance.workloads.is_empty() { &headline[..] } else { &allowance.workloads };
    let judge = |id: &String| {
        let pair = comparison.pairs.iter().find(|pair| pair.id == *id);
        let (outcome, text) = pair.map_or_else(
            || (SlowdownOutcome::NotJudged, "both have to have it".to_owned()),
            |pair| judge_pair(pair, allowance),
        );
        SlowdownJudgement { workload: id.clone(), outcome, text }
    };
    held.iter().map(judge).collect()
}

fn judge_pair(pair: &Pair, allowance: &Allowance) -> (SlowdownOutcome, String) {
    if pair.verdict == RateVerdict::Disturbed {
        return (SlowdownOutcome::NotJudged, "other programs disturbed it".to_owned());
    }
    match allowance.figure {
        HeldFigure::Rate => judge_rate(pair, allowance),
        HeldFigure::P50 => judge_latency(pair, allowance, "p50", |of| (of.p50_ns, of.latency_spread.p50_ns)),
        HeldFigure::P99 => judge_latency(pair, allowance, "p99", |of| (of.p99_ns, of.latency_spread.p99_ns)),
        HeldFigure::P999 => {
            judge_latency(pair, allowance, "p99.9", |of| (of.p999_ns, of.latency_spread.p999_ns))
        }
    }
}

fn judge_rate(pair: &Pair, allowance: &Allowance) -> (SlowdownOutcome, String) {
    let (a, b) = (pair.a.per_s, pair.b.per_s);
    if a <= 0.0 {
        return (SlowdownOutcome::NotJudged, "A has no rate".to_owned());
    }
    let range = pair.rate_ratio_range.map(|(low, high)| format!(" ({low:.2} to {high:.2})"));
    let figures = format!(
        "{} a second instead of {}, {:.2}{} times as many",
        units::rate(b),
        units::rate(a),
        b / a,
        range.unwrap_or_default()
    );
    if pair.verdict == RateVerdict::SpreadUnknown {
        let why = "too few passes and samples to say whether that is more than chance";
        return (SlowdownOutcome::NotJudged, format!("{figures}: {why}"));
    }
    judged(figures, b / a < 1.0 - allowance.share(), pair.verdict == RateVerdict::AFaster)
}

/// A percentile of one side, and from where to where it went.
type PercentileOf = fn(&Figures) -> (Option<u64>, Option<(u64, u64)>);

/// One run has no range of its percentiles, so that they can be held only against several.
fn judge_latency(
    pair: &Pair,
    allowance: &Allowance,
    name: &str,
    of: PercentileOf,
) -> (SlowdownOutcome, String) {
    let ((Some(a), range), (Some(b), _)) = (of(&pair.a), of(&pair.b)) else {
        return (SlowdownOutcome::NotJudged, format!("too few operations for a {name}"));
    };
    let figures = format!("{name} of {} instead of {}", units::latency(b), units::latency(a));
    let Some((least, most)) = range else {
        let why = "how much it varies is known only from three runs before it: --runs";
        return (SlowdownOutcome::NotJudged, format!("{figures}: {why}"));
    };
    let ratio = b as f64 / a.max(1) as f64;
    let is_apart = b > most && ratio > most as f64 / least.max(1) as f64;
    let range = format!("{} to {}", units::latency(least), units::latency(most));
    judged(format!("{figures}, which was {range}"), ratio > 1.0 + allowance.share(), is_apart)
}

fn judged(figures: String, is_beyond: bool, is_apart: bool) -> (SlowdownOutcome, String) {
    match (is_beyond, is_apart) {
        (true, true) => (SlowdownOutcome::Slower, figures),
        (true, false) => (SlowdownOutcome::Holds, format!("{figures}: no more than it varies")),
        (false, _) => (SlowdownOutcome::Holds, figures),
    }
}

impl Allowance {
    fn share(&self) -> f64 {
        f64::from(self.permille) / 1e3
    }
}

#[cfg(test)]
mod tests {
    use super::SlowdownOutcome::{Holds, NotJudged, Slower};
    use super::*;
    use crate::analysis::figures::examples::{commits, run};
    use crate::judgement::comparison::{ComparisonSide, compare};
    use crate::wire::payload::Run;

    fn allowance(figure: HeldFigure, workloads: &[&str]) -> Allowance {
        let workloads = workloads.iter().map(|&id| id.to_owned()).collect();
        Allowance { figure, permille: 100, workloads }
    }

    fn of(ns: u64) -> Run {
        run(vec![commits(HEADLINE, ns)])
    }

    /// The judgement on a run of commits of `b_ns` beside the middle of runs of commits of these lengths.
    fn judge(a_ns: &[u64], b_ns: u64, allowance: &Allowance) -> (SlowdownOutcome, String) {
        let a = ComparisonSide::middle_of(a_ns.iter().map(|&ns| of(ns)).collect());
        let one = judge_slowdown(&compare(&a, &ComparisonSide::from_run(of(b_ns))), allowance).remove(0);
        (one.outcome, one.text)
    }

    #[test]
    fn slower_is_what_is_beyond_the_allowance_and_beyond_what_varies() {
        let rate = allowance(HeldFigure::Rate, &[]);
        let steady = [100_000, 100_000, 100_000];
        let (outcome, text) = judge(&steady, 125_000, &rate);
        assert_eq!(
            (outcome, text.as_str()),
            (Slower, "8,000 a second instead of 10,000, 0.80 (0.80 to 0.80) times as many")
        );
        assert_eq!(judge(&steady, 105_000, &rate).0, Holds, "apart, and allowed");
        assert_eq!(judge(&steady, 50_000, &rate).0, Holds, "quicker");
        let (outcome, text) = judge(&[70_000, 100_000, 130_000], 125_000, &rate);
        assert_eq!(outcome, Holds);
        assert!(text.ends_with("times as many: no more than it varies"), "{text}");
    }

    #[test]
    fn a_percentile_is_held_against_three_runs_at_least() {
        let p99 = allowance(HeldFigure::P99, &[]);
        let (outcome, text) = judge(&[100_000, 100_000], 500_000, &p99);
        assert_eq!(outcome, NotJudged);
        assert!(text.contains("three runs"), "{text}");
        let (outcome, text) = judge(&[100_000, 101_000, 99_000], 500_000, &p99);
        assert_eq!(outcome, Slower);
        assert!(text.starts_with("p99 of 500 µs instead of 100 µs, which was 99.0 µs to 101 µs"), "{text}");
        assert_eq!(judge(&[100_000, 400_000, 99_000], 395_000, &p99).0, Holds, "it varied that much before");
        for figure in [HeldFigure::P50, HeldFigure::P999] {
            assert_ne!(judge(&[100_000; 3], 500_000, &allowance(figure, &[])).0, Holds);
        }
    }

    #[test]
    fn what_cannot_be_judged_is_neither_good_nor_bad() {
        let rate = allowance(HeldFigure::Rate, &["sync-probe", HEADLINE]);
        let mut unsure = of(500_000);
        unsure.workloads[0].passes[0].rate_samples.clear();
        let sides = [of(100_000), unsure].map(ComparisonSide::from_run);
        let judged = judge_slowdown(&compare(&sides[0], &sides[1]), &rate);
        assert_eq!(judged.iter().map(|one| one.outcome).collect::<Vec<_>>(), [NotJudged, NotJudged]);
        assert!(judged[0].text.contains("both have") && judged[1].text.contains("chance"), "{judged:?}");
        let mut disturbed = compare(&sides[0], &sides[0]);
        disturbed.pairs[0].verdict = RateVerdict::Disturbed;
        assert_eq!(judge_slowdown(&disturbed, &allowance(HeldFigure::P50, &[]))[0].outcome, NotJudged);
    }
}
