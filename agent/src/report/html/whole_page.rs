//! The page as a whole: its head, and its sections from top to bottom.

use std::fmt::Write as _;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest, Sha256};

use super::text::{escape, name, read_and_escape};
use super::workload_row::WorkloadRow;
use super::{charts, judgement, lead, scaling, surroundings, tables};
use crate::analysis::disturbed_workloads;
use crate::plan::workload::HEADLINE;
use crate::report::shown_run::ShownRun;
use crate::units;
use crate::wire::payload::Run;

const STYLE: &str = include_str!("style.css");
/// The mark of the product: a whisker on a ruler.
const MARK: &str = "<svg viewBox=\"0 0 30 16\" aria-hidden=\"true\"><path class=\"l-edge\" d=\"M1 3V13M29 3V13M1 8H29\"/>\
                    <circle class=\"f-hot\" cx=\"15\" cy=\"8\" r=\"4\"/></svg>";

/// The page of a result.
pub fn page(shown: ShownRun<'_>) -> String {
    let run = shown.run;
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
    page.push_str(&lead::section(shown, &rows, subject));
    page.push_str(&judgement::section(run));
    let is_disturbed = |row: &&WorkloadRow<'_>| disturbed_workloads::is_disturbed(run, row.workload);
    page.push_str(&ladder(rows.get(subject).filter(|row| !is_disturbed(row))));
    page.push_str(&tables::sections(&rows, subject));
    page.push_str(&scaling::section(run));
    page.push_str(&tables::rates(&rows, subject));
    page.push_str(&surroundings::section(shown));
    let _ = write!(
        page,
        "</main>\n<footer>Made by fsyncmark {}. Words of this page: <code>fsyncmark explain</code></footer>\n</body>\n</html>\n",
        read_and_escape(&run.agent.version)
    );
    page
}

fn ruler(run: &Run) -> String {
    format!(
        "<div class=\"row ruler\"><div class=\"words\"><span>{} / <b>{}</b></span>\
         <span class=\"scales\"><b>one takes</b><br>so many a second</span></div><div class=\"field\">{}</div></div>\n",
        read_and_escape(&run.suite.id),
        escape(&name(run)),
        charts::ruler()
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
