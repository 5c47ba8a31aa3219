//! Where the two sides of a comparison come from: files, the plan of a server, the history.

use std::path::Path;

use super::plan_standing;
use crate::cli::CompareArgs;
use crate::delivery::history::measured_folder;
use crate::delivery::server;
use crate::error::{Error, ErrorKind, Result};
use crate::judgement::comparison::ComparisonSide;
use crate::report::terminal::Terminal;
use crate::text::printable;
use crate::units;
use crate::verbs::earlier_runs::{self, EarlierRun};
use crate::verbs::result_file::{self, ResultFile, SignatureState};
use crate::wire::payload::Run;

/// The word for the newest run of the history.
const LAST: &str = "last";

/// A side with its title.
pub(super) type Titled = (ComparisonSide, String);

/// The two sides of a command line.
pub(super) struct Sides {
    /// `None` where the history has no earlier run.
    pub a: Option<Titled>,
    pub b: Titled,
}

/// Reads both sides.
pub(super) fn read(args: &CompareArgs, terminal: &Terminal) -> Result<Sides> {
    let wrong = |what: &str| Error::new(ErrorKind::Usage, what);
    match (is_last(&args.a), &args.b) {
        (true, Some(file)) if file.is_file() => Err(wrong("after last stands a folder")
            .advise("To compare the newest run with a file, name the file first: fsyncmark compare FILE last")),
        (false, _) if args.runs > 1 => Err(wrong("--runs is for the runs before the last one")
            .advise("Compare them so: fsyncmark compare last --runs=7")),
        (true, folder) => last_and_before(args, terminal, folder.as_deref()),
        (false, Some(b)) => Ok(Sides { a: Some(of_file(&args.a)?), b: second(args, terminal, b)? }),
        (false, None) => Err(wrong("a comparison needs two results")
            .advise("Name another file, or a plan with --server URL; or compare the runs here: fsyncmark compare last")),
    }
}

/// The word, unless a file is named so. Then `last` is that file.
fn is_last(path: &Path) -> bool {
    path.as_os_str() == LAST && !path.exists()
}

fn second(args: &CompareArgs, terminal: &Terminal, b: &Path) -> Result<Titled> {
    if is_last(b) {
        let newest = readable(terminal)?.next().ok_or_else(|| nothing_kept(None))?;
        return Ok(of_result(newest.result));
    }
    match server::address(args.server.as_deref()) {
        Some(server) if !b.exists() => plan_standing::ask(&server, &b.to_string_lossy()),
        _ => of_file(b).map_err(|error| match error.kind {
            ErrorKind::NoInput => {
                error.advise("To compare with a plan of a server, name it too: --server URL")
            }
            _ => error,
        }),
    }
}

/// The newest run, of a folder where one is named, and the ones before it that were measured in the same way.
fn last_and_before(args: &CompareArgs, terminal: &Terminal, folder: Option<&Path>) -> Result<Sides> {
    let wanted = folder.map(measured_folder);
    let mut runs = readable(terminal)?.filter(|run| run.is_of(wanted.as_deref()));
    let newest = runs.next().ok_or_else(|| nothing_kept(folder))?;
    let is_alike = |run: &EarlierRun| {
        run.folder == newest.folder && run.result.run.suite.id == newest.result.run.suite.id
    };
    let before: Vec<EarlierRun> = runs.filter(is_alike).take(args.runs.into()).collect();
    Ok(Sides { a: middle(before), b: of_result(newest.result) })
}

/// The runs of the history that can be read, the newest first.
fn readable(terminal: &Terminal) -> Result<impl Iterator<Item = EarlierRun>> {
    Ok(earlier_runs::newest_first(*terminal)?.filter_map(std::result::Result::ok))
}

/// One run as it is, several as their middle.
fn middle(mut before: Vec<EarlierRun>) -> Option<Titled> {
    if before.len() < 2 {
        return before.pop().map(|one| of_result(one.result));
    }
    let runs: Vec<Run> = before.into_iter().map(|one| one.result.run).collect();
    let day = |run: &Run| units::utc(run.clock.wall_start_unix_us);
    let title = format!(
        "the middle of the {} runs before B, {} to {}",
        runs.len(),
        runs.last().map(day).unwrap_or_default(),
        runs.first().map(day).unwrap_or_default()
    );
    Some((ComparisonSide::middle_of(runs), title))
}

fn nothing_kept(folder: Option<&Path>) -> Error {
    let of = folder.map(|folder| format!(" of {}", measured_folder(folder))).unwrap_or_default();
    Error::new(ErrorKind::NoInput, format!("the history has no run{of}"))
        .advise("Every run is put there; what it holds: fsyncmark history")
}

fn of_file(path: &Path) -> Result<Titled> {
    result_file::open(path).map(of_result)
}

fn of_result(result: ResultFile) -> Titled {
    let signature = match &result.signature {
        SignatureState::Valid { key_id } => format!("signed by key {}", key_id.get(..12).unwrap_or(key_id)),
        SignatureState::Unchecked => "its signature was not checked: the key is not here".to_owned(),
        SignatureState::Absent => "not signed".to_owned(),
    };
    let title = title(&result.run, &signature);
    (ComparisonSide::from_run(result.run), title)
}

/// What a side is called.
pub(super) fn title(run: &Run, signature: &str) -> String {
    let model = run.devices_state(|device| printable(&device.model, 64)).join(" + ");
    format!(
        "{}; {} on {}; {}; {signature}",
        run.claim,
        printable(&run.env.fs, 32),
        if model.is_empty() { "a drive whose model is not stated" } else { &model },
        units::utc(run.clock.wall_start_unix_us)
    )
}
