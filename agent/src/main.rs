//! The program `fsyncmark`: reads the command line, runs the verb, and ends with an exit code. Only here do
//! errors become exit codes; everything else is in the library, so that tests can reach it.

use std::process::ExitCode;

use clap::Parser;

use fsyncmark::cli::{Cli, Verb};
use fsyncmark::disk::leftovers;
use fsyncmark::error::{Error, ErrorKind};
use fsyncmark::report::terminal::Terminal;
use fsyncmark::verbs;

fn main() -> ExitCode {
    std::panic::set_hook(Box::new(end_after_panic));
    match dispatch(&Cli::parse().verb) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            Terminal::detect().say(&format!("fsyncmark: {error}"));
            ExitCode::from(error.kind.exit_code())
        }
    }
}

/// A panic is always a bug in fsyncmark: it becomes a sentence and an exit code, and the process ends here. A
/// test file that still has a name is removed by its watcher, or by the next run where no watcher could be
/// started. Nothing unwinds after it.
fn end_after_panic(panic: &std::panic::PanicHookInfo<'_>) {
    Terminal::detect().say(&format!(
        "fsyncmark: a mistake in the program: {panic}\n  \
         If a test file is left, the next run in its folder removes it. Please report this, with the command that \
         you ran."
    ));
    std::process::exit(ErrorKind::Internal.exit_code().into());
}

fn dispatch(verb: &Verb) -> Result<(), Error> {
    match verb {
        Verb::Run(args) => verbs::run::run(args),
        Verb::Info(args) => verbs::info::info(args),
        Verb::Doctor(args) => verbs::doctor::doctor(args),
        Verb::Verify(args) => verbs::verify::verify(args),
        Verb::Upload(args) => verbs::upload::upload(args),
        Verb::Key(args) => verbs::key::key(args),
        Verb::Login(args) => verbs::key::login::login(args),
        Verb::Withdraw(args) => verbs::withdraw::withdraw(args),
        Verb::Compare(args) => verbs::compare::compare(args),
        Verb::History(args) => verbs::history::history(args),
        Verb::Explain(args) => verbs::explain::explain(args),
        Verb::Report(args) => verbs::report::report(args),
        Verb::Fio(args) => verbs::fio::fio(args),
        Verb::Man => verbs::man::man(),
        Verb::Completions(args) => verbs::man::completions(args),
        Verb::RemoveOrphanedTestFile => {
            leftovers::watch_until_orphaned(std::io::stdin());
            Ok(())
        }
    }
}
