//! A comparison as Markdown: what a job of CI puts on its page.

use super::beside;
use crate::judgement::comparison::{Comparison, Figures, Pair};
use crate::judgement::slowdown::{SlowdownJudgement, SlowdownOutcome};
use crate::report::markdown;
use crate::units::{self, NOT_SHOWN};

/// The comparison, and what was held where something was.
pub(super) fn markdown(
    comparison: &Comparison,
    a: &str,
    b: &str,
    held: Option<&[SlowdownJudgement]>,
) -> String {
    let mut parts = held.map(|held| vec![held_list(held)]).unwrap_or_default();
    parts.push(format!("- **A**: {}\n- **B**: {}", markdown::escape(a), markdown::escape(b)));
    let rows: Vec<Vec<String>> = comparison.pairs.iter().flat_map(rows).collect();
    parts.push(markdown::table(&["", "A", "B", ""], &rows));
    if !comparison.differences.is_empty() {
        let lines = comparison.differences.iter().map(|each| format!("- {}", markdown::escape(&each.text)));
        parts.push(lines.collect::<Vec<_>>().join("\n"));
    }
    parts.join("\n\n")
}

/// What became of each workload that is held.
pub(super) fn held_list(held: &[SlowdownJudgement]) -> String {
    let line = |one: &SlowdownJudgement| {
        let outcome = match one.outcome {
            SlowdownOutcome::Holds => "holds",
            SlowdownOutcome::Slower => "**slower**",
            SlowdownOutcome::NotJudged => "not judged",
        };
        format!("- {}: {outcome}. {}", markdown::escape(&one.workload), markdown::escape(&one.text))
    };
    held.iter().map(line).collect::<Vec<_>>().join("\n")
}

/// The rows of a workload: its rate with the judgement, then its percentiles.
fn rows(pair: &Pair) -> Vec<Vec<String>> {
    let rate = |figures: &Figures| units::rate(figures.per_s);
    let mut rows = vec![vec![
        format!("**{}**, a second", markdown::escape(&pair.id)),
        rate(&pair.a),
        rate(&pair.b),
        markdown::escape(&beside::sentence(pair)),
    ]];
    let latency = |ns: Option<u64>| ns.map_or_else(|| NOT_SHOWN.to_owned(), units::latency);
    for (name, of_a, of_b) in [
        ("p50", pair.a.p50_ns, pair.b.p50_ns),
        ("p99", pair.a.p99_ns, pair.b.p99_ns),
        ("p99.9", pair.a.p999_ns, pair.b.p999_ns),
    ] {
        if of_a.is_some() || of_b.is_some() {
            rows.push(vec![name.to_owned(), latency(of_a), latency(of_b), String::new()]);
        }
    }
    rows
}
