//! The verb `history`: what was measured on this machine before.

use serde::Serialize;

use super::earlier_runs::{self, EarlierRun};
use crate::analysis::figures::commits_per_s;
use crate::cli::HistoryArgs;
use crate::delivery::history::measured_folder;
use crate::delivery::home::Home;
use crate::error::Result;
use crate::plan::workload::HEADLINE_COUNTS;
use crate::report::markdown;
use crate::report::terminal::{self, Terminal};
use crate::text::displayable;
use crate::units::{self, NOT_SHOWN};

/// The longest folder that is shown: Linux opens no longer path.
const FOLDER_LENGTH_MAX: usize = 4096;
/// The longest name of a suite that is shown.
const SUITE_LENGTH_MAX: usize = 64;

/// Lists the runs of the history, the newest last, where it remains on the screen.
pub fn history(args: &HistoryArgs) -> Result<()> {
    let terminal = Terminal::detect();
    let folder = args.dir.as_deref().map(measured_folder);
    let place = Home::locate()?.history.to_string_lossy().into_owned();
    let (mut runs, mut unreadable) = (Vec::new(), Vec::new());
    for entry in earlier_runs::newest_first(terminal)? {
        match entry {
            Ok(run) if run.is_of(folder.as_deref()) => runs.push(ListedRun::of(run)),
            Ok(_) => {}
            Err(one) => {
                unreadable
                    .push(UnreadableJson { file: one.file.to_string_lossy().into_owned(), why: one.why });
            }
        }
    }
    runs.reverse();
    if args.json {
        let printed = HistoryJson { schema: "fsyncmark.history/1", place, runs, unreadable };
        return terminal::print(&serde_json::to_string(&printed).expect("texts and numbers only"));
    }
    if args.markdown {
        return terminal::print(&table(&runs));
    }
    if runs.is_empty() {
        terminal.say(&format!("  No run is in {place}."));
        return Ok(());
    }
    terminal.print_broken(&runs.iter().map(ListedRun::lines).collect::<Vec<_>>().join("\n"))?;
    terminal.say(&format!("\n  Each is a file in {place}"));
    Ok(())
}

/// A run of the list: what is said of it, as a history of runs with all their figures is large.
#[derive(Serialize)]
struct ListedRun {
    run_id: String,
    file: String,
    folder: Option<String>,
    started_unix_us: u64,
    suite: String,
    complete: bool,
    commits_per_s: Option<f64>,
}

impl ListedRun {
    fn of(EarlierRun { file, folder, result }: EarlierRun) -> Self {
        let commits_per_s = commits_per_s(&result.run);
        Self {
            run_id: result.run.run_id,
            file: file.to_string_lossy().into_owned(),
            folder,
            started_unix_us: result.run.clock.wall_start_unix_us,
            suite: result.run.suite.id,
            complete: result.run.suite.complete,
            commits_per_s,
        }
    }

    /// Three lines, which fit into narrow terminals: when and how many, of what, and where it is kept.
    fn lines(&self) -> String {
        let rate = self.commits_per_s.map(|rate| format!("{} {HEADLINE_COUNTS}", units::rate(rate)));
        let name = self.file.rsplit('/').next().unwrap_or_default();
        format!(
            "  {}  {}\n    {}\n    {}",
            units::utc(self.started_unix_us),
            rate.unwrap_or_else(|| NOT_SHOWN.to_owned()),
            self.subject(),
            displayable(name, FOLDER_LENGTH_MAX)
        )
    }

    /// What was measured, and of which folder.
    fn subject(&self) -> String {
        let part = if self.complete { "" } else { ", in part" };
        let folder = self.folder.as_deref().map(|folder| displayable(folder, FOLDER_LENGTH_MAX));
        let folder = folder.unwrap_or_else(|| "a folder that is not stated".to_owned());
        format!("{}{part} of {folder}", displayable(&self.suite, SUITE_LENGTH_MAX))
    }
}

fn table(runs: &[ListedRun]) -> String {
    let row = |run: &ListedRun| {
        let rate = run.commits_per_s.map_or_else(|| NOT_SHOWN.to_owned(), units::rate);
        vec![units::utc(run.started_unix_us), rate, markdown::escape(&run.subject())]
    };
    markdown::table(&["", HEADLINE_COUNTS, ""], &runs.iter().map(row).collect::<Vec<_>>())
}

/// What `--json` prints.
#[derive(Serialize)]
struct HistoryJson {
    schema: &'static str,
    place: String,
    runs: Vec<ListedRun>,
    unreadable: Vec<UnreadableJson>,
}

/// An entry that cannot be read.
#[derive(Serialize)]
struct UnreadableJson {
    file: String,
    why: String,
}
