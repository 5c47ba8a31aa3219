//! A result as one HTML file that needs nothing else: no script, no request, light and dark.
//!
//! Every text of the result is made printable and escaped (`text`), and the page's own policy forbids it to load or
//! run anything. Its parts from top to bottom: `judgement`, `tables` of `workload_row`s, `scaling`, `surroundings`; what is
//! drawn in them is in `charts`. `page_file` writes it.

mod charts;
mod judgement;
pub mod page_file;
mod scaling;
mod surroundings;
mod tables;
mod text;
mod workload_row;

use std::fmt::Write as _;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest, Sha256};

use self::charts::Curve;
use self::text::{escape, name};
use self::workload_row::WorkloadRow;
use crate::analysis::{disturbed_workloads, figures};
use crate::engine::disturbance::OthersShare;
use crate::judgement::comparison::rate_range;
use crate::plan::workload::HEADLINE;
use crate::units;
use crate::wire::envelope::Envelope;
use crate::wire::payload::Run;

const STYLE: &str = include_str!("style.css");
/// Curves of other workloads behind the subject's: more cannot be told apart.
const GHOSTS_MAX: usize = 5;
/// The mark of the product: a whisker on a ruler.
const MARK: &str = "<svg viewBox=\"0 0 30 16\" aria-hidden=\"true\"><path class=\"l-edge\" d=\"M1 3V13M29 3V13M1 8H29\"/>\
                    <circle class=\"f-hot\" cx=\"15\" cy=\"8\" r=\"4\"/></svg>";

/// The page of a result.
pub fn page(run: &Run, envelope: Option<&Envelope>) -> String {
    let rows: Vec<WorkloadRow<'_>> = run.workloads.iter().filter_map(WorkloadRow::from_workload).collect();
    let subject = rows.iter().position(|row| row.workload.id == HEADLINE).unwrap_or(0);
    let title = rows.get(subject).map_or("Nothing was measured".to_owned(), WorkloadRow::headline);
    let policy = STANDARD.encode(Sha256::digest(STYLE));
    let mut page = format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n<meta name=\"referrer\" content=\"no-referrer\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'sha256-{policy}'\">\n\
         <title>{title}, {}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n\
         <header class=\"mast\">{MARK}fsyncmark<small>{}</small></header>\n",
        escape(&name(run)),
        units::utc(run.clock.wall_start_unix_us),
    );
    page.push_str(&ruler(run));
    page.push_str("<main>\n");
    page.push_str(&first_section(run, &rows, subject, envelope.is_some()));
    page.push_str(&judgement::section(run));
    let is_disturbed = |row: &&WorkloadRow<'_>| disturbed_workloads::is_disturbed(run, row.workload);
    page.push_str(&ladder(rows.get(subject).filter(|row| !is_disturbed(row))));
    page.push_str(&tables::sections(&rows, subject));
    page.push_str(&scaling::section(run));
    page.push_str(&tables::rates(&rows, subject));
    page.push_str(&surroundings::section(run, envelope));
    let _ = write!(
        page,
        "</main>\n<footer>Made by fsyncmark {}. Words of this page: <code>fsyncmark explain</code></footer>\n</body>\n</html>\n",
        escape(&run.agent.version)
    );
    page
}

fn ruler(run: &Run) -> String {
    format!(
        "<div class=\"row ruler\"><div class=\"words\"><span>{} / <b>{}</b></span>\
         <span class=\"scales\"><b>one takes</b><br>so many a second</span></div><div class=\"field\">{}</div></div>\n",
        escape(&run.suite.id),
        escape(&name(run)),
        charts::ruler()
    )
}

fn first_section(run: &Run, rows: &[WorkloadRow<'_>], subject: usize, is_signed: bool) -> String {
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
    let (number, what) =
        (row.rate(), if row.is_headline() { "durable commits a second".to_owned() } else { row.noun() });
    let mut words = format!(
        "<p class=\"kicker\">{} &middot; suite {} v{}{} &middot; {}</p>\n<h1>{number} <span>{what}</span></h1>\n",
        units::utc(run.clock.wall_start_unix_us),
        escape(&run.suite.id),
        run.suite.version,
        if run.suite.complete { "" } else { ", not the whole suite" },
        if is_signed { "signed" } else { "not signed" },
    );
    let others = disturbed_workloads::share_of_others(run, row.workload).filter(OthersShare::disturbs);
    words.push_str(&others.map_or_else(|| opening_sentence(row), |others| {
        format!("<p class=\"lede\"><b>This is not the disk&#39;s figure:</b> other programs had {others} during a pass.</p>\n")
    }));
    words.push_str(&key_figures(row));
    if !ghosts.is_empty() {
        words.push_str("<ul class=\"ghosts\"><li>Grey, by their letters:</li>");
        for (ghost, letter) in ghosts.iter().zip('a'..) {
            let _ = write!(words, "<li>{letter} <code>{}</code></li>", escape(&ghost.workload.id));
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

fn ladder(subject: Option<&WorkloadRow<'_>>) -> String {
    let Some(row) = subject.filter(|row| row.is_headline()) else { return String::new() };
    let Some(latencies) = &row.latencies else { return String::new() };
    let p50_ns = latencies.percentile_ns(5_000);
    format!(
        "<section class=\"ladder row\"><div class=\"words\"><h2>The fsync ladder</h2><p>How long a sync usually takes on each \
         class of storage, and where this disk stands: half of its commits, with the write and the filesystem, took \
         {}. The ladder is physics, so a place above one&#39;s class needs an explanation.</p></div>\
         <div class=\"field\">{}</div></section>\n",
        units::latency(p50_ns),
        charts::ladder(p50_ns)
    )
}

#[cfg(test)]
mod tests;
