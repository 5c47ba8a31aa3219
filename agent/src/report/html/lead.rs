//! The first section: the figure of the page's subject in large, a sentence on it, and its latencies as a
//! curve.

use std::fmt::Write as _;

use super::charts::{self, Curve};
use super::text::{escape, read_and_escape};
use super::workload_row::WorkloadRow;
use crate::analysis::figures;
use crate::judgement::comparison::rate_range;
use crate::judgement::workload_notes;
use crate::report::shown_run::ShownRun;
use crate::units;

/// Curves of other workloads behind the subject's: more cannot be told apart.
const GHOSTS_MAX: usize = 5;

/// The first section, of the row that is the subject.
pub(super) fn section(shown: ShownRun<'_>, rows: &[WorkloadRow<'_>], subject: usize) -> String {
    let run = shown.run;
    let Some(row) = rows.get(subject) else {
        return "<section class=\"lead row\"><div class=\"words\"><h1>Nothing was measured</h1></div></section>\n".to_owned();
    };
    let ghosts: Vec<&WorkloadRow<'_>> = rows
        .iter()
        .enumerate()
        .filter_map(|(index, ghost)| (index != subject && ghost.latencies.is_some()).then_some(ghost))
        .take(if row.latencies.is_some() { GHOSTS_MAX } else { 0 })
        .collect();
    let curves: Vec<Curve<'_>> = ghosts.iter().filter_map(|ghost| ghost.curve()).collect();
    let chart = row.curve().map(|subject| charts::percentiles(&subject, &curves)).unwrap_or_default();
    let (number, what) = (row.rate(), row.noun());
    let mut words = format!(
        "<p class=\"kicker\">{} &middot; suite {} v{}{} &middot; {}</p>\n<h1>{number} <span>{what}</span></h1>\n",
        units::utc(run.clock.wall_start_unix_us),
        read_and_escape(&run.suite.id),
        run.suite.version,
        if run.suite.complete { "" } else { ", not the whole suite" },
        if shown.envelope.is_some() { "signed" } else { "not signed" },
    );
    words.push_str(&workload_notes::not_the_disks(run, row.workload).map_or_else(
        || opening_sentence(row),
        |(claim, why)| format!("<p class=\"lede\"><b>{}</b> {}</p>\n", escape(claim), escape(&why)),
    ));
    words.push_str(&key_figures(row));
    if !ghosts.is_empty() {
        words.push_str("<ul class=\"ghosts\"><li>Grey, by their letters:</li>");
        for (ghost, letter) in ghosts.iter().zip('a'..) {
            let _ = write!(words, "<li>{letter} <code>{}</code></li>", read_and_escape(&ghost.workload.id));
        }
        words.push_str("</ul>");
    }
    format!(
        "<section class=\"lead row\"><div class=\"words\">\n{words}\n</div><div class=\"field\">{chart}</div></section>\n"
    )
}

fn opening_sentence(row: &WorkloadRow<'_>) -> String {
    let Some(latencies) = &row.latencies else {
        return "<p class=\"lede\">The highest rate at which operations that arrive by themselves are answered in time.</p>\n"
            .to_owned();
    };
    let within = figures::percentile(latencies, 9_900)
        .map(|ns| format!(", and 99 of 100 within <b>{}</b>", units::latency(ns)))
        .unwrap_or_default();
    let noun = if row.is_headline() { "commits" } else { "operations" };
    let database = if row.is_headline() {
        format!(" One writer on PostgreSQL can commit at most {} times a second here.", row.rate())
    } else {
        String::new()
    };
    format!(
        "<p class=\"lede\">Half of all {noun} finished in <b>{}</b>{within}.{database}</p>\n",
        row.latency(5_000),
    )
}

/// The three figures that everybody compares.
fn key_figures(row: &WorkloadRow<'_>) -> String {
    let spread = rate_range(row.workload).map_or_else(
        || "spread not known".to_owned(),
        |range| {
            let (low, high) = (units::rate(range.low_per_s), units::rate(range.high_per_s));
            let of = if range.of == "samples" { "half of the samples" } else { &range.of };
            format!("{low}–{high}, {of}")
        },
    );
    let figure = |ns: String| {
        let (value, unit) = ns.split_once(' ').unwrap_or((&ns, ""));
        format!("{value} <small>{unit}</small>")
    };
    let (third, third_figure, third_under) = match figures::flushes_per_operation(row.workload) {
        Some(flushes) if row.is_headline() => (
            "Flushes a commit",
            format!("{flushes:.2}"),
            figures::bytes_per_byte(row.workload)
                .map(|bytes| format!("{bytes:.2} bytes written per byte"))
                .unwrap_or_default(),
        ),
        _ => {
            let slowest = row.latencies.as_ref().map(|latencies| units::latency(latencies.max_ns));
            ("Slowest", figure(slowest.unwrap_or_else(|| units::NOT_SHOWN.to_owned())), "of all".to_owned())
        }
    };
    format!(
        "<dl class=\"keys\"><div><dt>A second</dt><dd>{}</dd><dd class=\"under\">{spread}</dd></div>\
         <div><dt>p99</dt><dd>{}</dd><dd class=\"under\">p99.9 {}</dd></div>\
         <div><dt>{third}</dt><dd>{third_figure}</dd><dd class=\"under\">{third_under}</dd></div></dl>",
        row.rate(),
        figure(row.latency(9_900)),
        row.latency(9_990),
    )
}
