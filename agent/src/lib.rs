//! Fsyncmark's agent: measures how many durable commits a second a disk really does, signs the result, and
//! sends it if somebody agrees.
//!
//! The way of a run: `cli` > `probe` > `plan` (refuses before any write) > `measure` over `engine` on
//! `disk` > `report` > `envelope` > `spool` > `upload`.

pub mod analysis;
pub mod cli;
pub mod delivery;
pub mod derived;
pub mod disk;
pub mod dry_run;
pub mod engine;
pub mod envelope;
pub mod error;
pub mod fio;
pub mod groups;
pub mod hex;
pub mod home;
pub mod html;
pub mod judgement;
pub mod key;
pub mod measure;
pub mod metadata;
pub mod payload;
pub mod plan;
pub mod probe;
pub mod report;
pub mod result_file;
pub mod retry;
pub mod run;
pub mod signals;
pub mod spool;
pub mod sys;
pub mod terminal;
pub mod units;
pub mod upload;
pub mod verbs;
pub mod workload;

use std::process::ExitCode;

use clap::Parser;

use cli::{Cli, Verb};
use error::{Error, Kind};

/// The whole program. The one place where errors become exit codes.
pub fn main() -> ExitCode {
    std::panic::set_hook(Box::new(end_after_panic));
    match dispatch(&Cli::parse().verb) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            terminal::Terminal::detect().say(&format!("fsyncmark: {error}"));
            ExitCode::from(error.kind.exit_code())
        }
    }
}

/// A panic is always a mistake of ours: it becomes a sentence and an exit code. The process ends here, and a
/// test file that still has a name is removed by its watcher.
fn end_after_panic(panic: &std::panic::PanicHookInfo<'_>) {
    terminal::Terminal::detect().say(&format!(
        "fsyncmark: a mistake in the program: {panic}\n  \
         No test file is left behind. Please report this, with the command that you ran."
    ));
    std::process::exit(Kind::Internal.exit_code().into());
}

fn dispatch(verb: &Verb) -> Result<(), Error> {
    match verb {
        Verb::Run(args) => run::run(args),
        Verb::Info(args) => verbs::info::info(args),
        Verb::Doctor(args) => verbs::doctor::doctor(args),
        Verb::Verify(args) => verbs::verify::verify(args),
        Verb::Upload(args) => verbs::upload::upload(args),
        Verb::Key => verbs::key::key(),
        Verb::Compare(args) => verbs::compare::compare(args),
        Verb::Explain(args) => verbs::explain::explain(args),
        Verb::Report(args) => verbs::report::report(args),
        Verb::Fio(args) => verbs::fio::fio(args),
        Verb::Man => verbs::man::man(),
        Verb::Completions(args) => verbs::man::completions(args),
        Verb::RemoveOrphanedTestFile => {
            disk::leftovers::watch_until_orphaned(std::io::stdin());
            Ok(())
        }
    }
}

/// Random bytes from the system.
///
/// # Panics
/// When the system has none, which no supported system does.
pub fn random<const N: usize>() -> [u8; N] {
    let mut bytes = [0; N];
    getrandom::getrandom(&mut bytes).expect("the system has random numbers");
    bytes
}
