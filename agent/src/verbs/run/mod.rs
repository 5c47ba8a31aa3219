//! The verb `run`: from flags to a figure on the screen and a result in the spool or at the server.
//!
//! This file is the whole run in its order; each of the others answers one question:
//!
//! - `dry_run`: what would be done?
//! - `turn`: is anybody else in the folder, and what is there?
//! - `agreement`: may so much be written, and may the result be sent?
//! - `announcement`: what will be done, and what does the cloud call the machine?
//! - `quiet`: do other programs leave the machine alone?
//! - `challenge`: which challenge has the server for this run?
//! - `execution`: what are the figures?
//! - `run_span`: when did the run begin, how long did it take, and how much time was stolen from it?
//! - `placement`: what did the provider sign of this machine?
//! - `omissions`: what could not be measured?
//! - `finished_run`: what becomes of the result?

mod agreement;
mod announcement;
mod challenge;
mod dry_run;
mod execution;
mod finished_run;
mod omissions;
mod placement;
mod quiet;
mod run_span;
mod turn;

use self::agreement::{agree, agree_to_write};
use self::announcement::{ask_cloud, say_plan, say_proof};
use self::challenge::ask_for_challenge;
use self::execution::{PlanOutcome, carry_out};
use self::finished_run::{FinishedRun, RunSender};
use self::quiet::{wait_for_quiet, wait_s};
use self::turn::Turn;
use crate::cli::RunArgs;
use crate::delivery::history::History;
use crate::delivery::home::Home;
use crate::delivery::key;
use crate::delivery::server::Server;
use crate::delivery::spool::Spool;
use crate::error::Result;
use crate::plan::fio::command;
use crate::plan::workload::Suite;
use crate::plan::{self, Choice};
use crate::probe;
use crate::probe::tree::Tree;
use crate::report::output_file;
use crate::report::payload_assembly::{self, Header};
use crate::report::terminal::Terminal;
use crate::sys::clock;
use crate::sys::signals::Stop;
use crate::wire::payload::CONSENT;

/// Measures, keeps the result, shows it, and sends it if that was agreed.
pub fn run(args: &RunArgs) -> Result<()> {
    let terminal = Terminal::detect();
    let suite = args.suite;
    let choice = args.choice();
    if args.as_fio {
        return print_as_fio(&terminal, args, suite, &choice);
    }
    args.html.as_deref().map(output_file::check_place).transpose()?;
    let server = if args.no_upload { None } else { Server::wished(args.server.as_deref())? };

    if args.dry_run {
        return dry_run::print(
            args,
            &plan::unchecked(&args.dir, suite, &choice)?,
            &probe::gather(&args.dir)?,
        );
    }
    let home = Home::locate()?;
    let spool = Spool::in_home(&home);
    // This turn ends here: others need not wait for answers, nor for a quiet machine.
    let Turn { facts, plan, swept, .. } = Turn::take(&terminal, args)?;
    agree_to_write(&terminal, args, &plan, &facts)?;
    let key = key::load_or_make(&home)?;
    let stop = Stop::install()?;
    say_plan(&terminal, &plan, &facts, swept);
    let cloud_metadata = args.ask_cloud.and_then(|_| ask_cloud(&terminal, &facts));
    say_proof(&terminal, args, &facts, server.as_ref());
    let agreed = agree(&terminal, args, cloud_metadata.as_ref(), server.as_ref());
    let server = server.filter(|_| agreed);
    wait_for_quiet(&terminal, &facts, wait_s(args.wait_quiet, terminal.can_ask()));
    let Turn { lock, facts, plan, .. } = Turn::take(&terminal, args)?;
    let run_id = args.run_id.clone().unwrap_or_else(new_run_id);
    let challenge =
        ask_for_challenge(&terminal, server.as_ref(), &key, &run_id, suite, args.ticket.as_deref())?;
    let header = Header {
        run_id,
        suite,
        consent: agreed.then_some(CONSENT),
        machine: key::machine_pseudonym(&Tree::live(), &home)?,
        claim: args.claim.clone().into(),
        facts: &facts,
        cloud_metadata,
    };

    let PlanOutcome { figures, omissions, ended_early } =
        carry_out(&terminal, &plan, &facts, &stop, challenge, lock);
    if figures.workloads.is_empty() {
        return Err(ended_early.unwrap_or_else(|| omissions::nothing_measured(&omissions)));
    }

    // Keep the result before showing it: then no problem with a terminal can lose a figure.
    let mut finished = FinishedRun::seal(payload_assembly::build(&header, figures), omissions, &key);
    let keeping = finished.keep(&spool);
    // The result is safe now, so a signal may end showing and delivering at once. If it could not be kept, it
    // exists nowhere until it is printed: then a first signal still waits for that.
    let was_stopped = keeping.is_ok() && stop.end();
    let ended_early = ended_early.or_else(|| was_stopped.then(finished_run::late_interruption));
    // The window may have been resized.
    let terminal = Terminal::detect();
    finished.remember(&terminal, &History::in_home(&home), &args.dir);
    finished.show(&terminal);
    if let (Err(_), Some(error)) = (&keeping, &ended_early) {
        terminal.say(&format!("  {error}"));
    }
    let drawing = finished.draw(args, &terminal);
    let sender = RunSender { server, spool: &spool, key: &key, provider: facts.machine.provider_name() };
    let delivery = keeping.and_then(|()| finished.deliver(args, &terminal, &sender, ended_early));
    finished.close(args, &terminal, delivery, drawing)
}

/// Prints the jobs by which fio measures the same.
fn print_as_fio(terminal: &Terminal, args: &RunArgs, suite: &'static Suite, choice: &Choice) -> Result<()> {
    let plan = plan::unchecked(&args.dir, suite, choice)?;
    let dir = std::path::absolute(&args.dir).unwrap_or_else(|_| args.dir.clone());
    terminal.print(&command::script(&plan.workloads, &dir))
}

/// UUID version 7: begins with the time, so that ids sort by it.
fn new_run_id() -> String {
    let millis = clock::wall_unix_us() / 1_000;
    uuid::Builder::from_unix_timestamp_millis(millis, &crate::sys::random()).into_uuid().to_string()
}
