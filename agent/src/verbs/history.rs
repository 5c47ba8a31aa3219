//! The verb `history`: what was measured on this machine before.

use std::borrow::Cow;

use serde::Serialize;

use super::earlier_runs::{EarlierRun, EarlierRuns};
use crate::analysis::figures::commits_per_s;
use crate::cli::HistoryArgs;
use crate::error::Result;
use crate::plan::workload::HEADLINE_COUNTS;
use crate::report::markdown;
use crate::report::terminal::{self, Terminal};
use crate::text::displayable;
use crate::units::{self, NOT_SHOWN};
use crate::wire::payload::Run;

/// The longest folder that is shown: Linux opens no longer path.
const FOLDER_LENGTH_MAX: usize = 4096;

/// Lists the runs of the history, the newest last, where it remains on the screen.
pub fn history(args: &HistoryArgs) -> Result<()> {
    let terminal = Terminal::detect();
    let mut found = EarlierRuns::read(&terminal)?;
    let (place, unreadable) = (found.place.clone(), std::mem::take(&mut found.unreadable));
    let mut runs = found.of_folder(args.dir.as_deref());
    runs.reverse();
    if args.json {
        let runs: Vec<RunJson<'_>> = runs.iter().map(RunJson::of).collect();
        let unreadable = unreadable
            .iter()
            .map(|(file, why)| UnreadableJson { file: file.to_string_lossy(), why: &why.what })
            .collect();
        let printed =
            HistoryJson { schema: "fsyncmark.history/1", place: place.to_string_lossy(), runs, unreadable };
        return terminal::print(&serde_json::to_string(&printed).expect("texts and numbers only"));
    }
    if args.markdown {
        return terminal::print(&table(&runs));
    }
    if runs.is_empty() {
        terminal.say(&format!("  No run is in {}.", place.display()));
        return Ok(());
    }
    terminal.print_broken(&runs.iter().map(lines).collect::<Vec<_>>().join("\n"))?;
    terminal.say(&format!("\n  Each is a file in {}", place.display()));
    Ok(())
}

/// A run in three lines, which fit into narrow terminals: when and how many, of what, and where it is kept.
fn lines(run: &EarlierRun) -> String {
    let rate = commits_per_s(&run.result.run).map(|rate| format!("{} {HEADLINE_COUNTS}", units::rate(rate)));
    let file = run.file.file_name().unwrap_or_default().to_string_lossy();
    format!(
        "  {}  {}\n    {} of {}\n    {file}",
        day(&run.result.run),
        rate.unwrap_or_else(|| NOT_SHOWN.to_owned()),
        suite(&run.result.run),
        folder(run),
    )
}

fn day(run: &Run) -> String {
    units::utc(run.clock.wall_start_unix_us)
}

fn suite(run: &Run) -> String {
    let part = if run.suite.complete { "" } else { ", in part" };
    format!("{}{part}", displayable(&run.suite.id, 64))
}

fn folder(run: &EarlierRun) -> String {
    let folder = run.folder.as_deref().map(|folder| displayable(folder, FOLDER_LENGTH_MAX));
    folder.unwrap_or_else(|| "a folder that is not stated".to_owned())
}

fn table(runs: &[EarlierRun]) -> String {
    let row = |run: &EarlierRun| {
        let rate = commits_per_s(&run.result.run).map_or_else(|| NOT_SHOWN.to_owned(), units::rate);
        let escape = markdown::escape;
        vec![day(&run.result.run), rate, escape(&format!("{} of {}", suite(&run.result.run), folder(run)))]
    };
    markdown::table(&["", HEADLINE_COUNTS, ""], &runs.iter().map(row).collect::<Vec<_>>())
}

/// What `--json` prints.
#[derive(Serialize)]
struct HistoryJson<'a> {
    schema: &'static str,
    place: Cow<'a, str>,
    runs: Vec<RunJson<'a>>,
    unreadable: Vec<UnreadableJson<'a>>,
}

/// One run.
#[derive(Serialize)]
struct RunJson<'a> {
    run_id: &'a str,
    file: Cow<'a, str>,
    folder: Option<&'a str>,
    started_unix_us: u64,
    suite: &'a str,
    complete: bool,
    commits_per_s: Option<f64>,
}

impl<'a> RunJson<'a> {
    fn of(run: &'a EarlierRun) -> Self {
        let measured = &run.result.run;
        Self {
            run_id: &measured.run_id,
            file: run.file.to_string_lossy(),
            folder: run.folder.as_deref(),
            started_unix_us: measured.clock.wall_start_unix_us,
            suite: &measured.suite.id,
            complete: measured.suite.complete,
            commits_per_s: commits_per_s(measured),
        }
    }
}

/// An entry that cannot be read.
#[derive(Serialize)]
struct UnreadableJson<'a> {
    file: Cow<'a, str>,
    why: &'a str,
}
