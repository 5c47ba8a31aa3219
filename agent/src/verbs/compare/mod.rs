//! The verb `compare`: two results side by side, a result and where a plan stands on a server, or the newest
//! run and those before it. `sides` reads them, `beside` and `table` show them, `junit` writes for programs
//! what `--fail-if-slower` found.

mod beside;
mod junit;
mod plan_standing;
mod sides;
mod table;

use serde::Serialize;

use self::sides::Sides;
use crate::cli::CompareArgs;
use crate::error::{Error, ErrorKind, Result};
use crate::judgement::comparison::{self, Comparison, Difference, Pair};
use crate::judgement::slowdown::{self, SlowdownJudgement, SlowdownOutcome};
use crate::report::terminal::{self, Terminal};

/// Compares and prints the result.
///
/// # Errors
/// `Slower` where B is, beyond what `--fail-if-slower` allows.
pub fn compare(args: &CompareArgs) -> Result<()> {
    let terminal = Terminal::detect();
    let Sides { a, b: (b, title_b) } = sides::read(args, &terminal)?;
    let Some((a, title_a)) = a else { return nothing_before(args, &terminal) };
    let comparison = comparison::compare(&a, &b);
    if comparison.pairs.is_empty() {
        let texts: Vec<&str> = comparison.differences.iter().map(|each| each.text.as_str()).collect();
        return Err(Error::new(
            ErrorKind::Data,
            format!("they have no workload in common. {}", texts.join(" ")),
        )
        .advise("Compare only what did the same: fsyncmark explain WORKLOAD"));
    }
    let allowance = args.allowance();
    let held = allowance.as_ref().map(|allowance| slowdown::judge_slowdown(&comparison, allowance));
    if args.json {
        terminal::print(&json(&comparison, &title_a, &title_b, held.as_deref()))?;
    } else if args.markdown {
        terminal::print(&table::markdown(&comparison, &title_a, &title_b, held.as_deref()))?;
    } else {
        terminal.print(&beside::text(&comparison, &title_a, &title_b, terminal.width))?;
    }
    held.map_or(Ok(()), |held| conclude(args, &terminal, &held))
}

/// The first run has nothing to be slower than: an error, unless only slower ones should end in one.
fn nothing_before(args: &CompareArgs, terminal: &Terminal) -> Result<()> {
    const WHY: &str = "the history has no run before it of the same folder and suite";
    let Some(allowance) = args.allowance() else {
        return Err(
            Error::new(ErrorKind::NoInput, WHY).advise("Measure once more; what it holds: fsyncmark history")
        );
    };
    let nothing = Comparison { pairs: Vec::new(), differences: Vec::new() };
    let mut held = slowdown::judge_slowdown(&nothing, &allowance);
    for judgement in &mut held {
        WHY.clone_into(&mut judgement.text);
    }
    if args.json {
        terminal::print(&json(&nothing, "", "", Some(&held)))?;
    } else if args.markdown {
        terminal::print(&table::held_list(&held))?;
    }
    conclude(args, terminal, &held)
}

/// Writes and says what was found; an error where something is slower.
fn conclude(args: &CompareArgs, terminal: &Terminal, held: &[SlowdownJudgement]) -> Result<()> {
    args.junit.as_deref().map(|path| junit::write(path, held)).transpose()?;
    for one in held.iter().filter(|one| one.outcome != SlowdownOutcome::Slower) {
        let outcome = if one.outcome == SlowdownOutcome::Holds { "holds" } else { "not judged" };
        terminal.say(&format!("  {}, {outcome}: {}.", one.workload, one.text));
    }
    let slower: Vec<String> = held
        .iter()
        .filter(|one| one.outcome == SlowdownOutcome::Slower)
        .map(|one| format!("{}: {}", one.workload, one.text))
        .collect();
    if slower.is_empty() {
        return Ok(());
    }
    Err(Error::new(ErrorKind::Slower, format!("B is slower than it may be. {}", slower.join("; "))))
}

/// What `--json` prints.
#[derive(Serialize)]
struct ComparisonJson<'a> {
    schema: &'static str,
    a: &'a str,
    b: &'a str,
    workloads: &'a [Pair],
    differences: &'a [Difference],
    /// What `--fail-if-slower` found.
    #[serde(skip_serializing_if = "Option::is_none")]
    held: Option<&'a [SlowdownJudgement]>,
}

fn json(comparison: &Comparison, a: &str, b: &str, held: Option<&[SlowdownJudgement]>) -> String {
    let Comparison { pairs, differences } = comparison;
    let printed =
        ComparisonJson { schema: "fsyncmark.comparison/1", a, b, workloads: pairs, differences, held };
    serde_json::to_string(&printed).expect("texts and numbers only")
}
