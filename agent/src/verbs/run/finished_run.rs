//! What becomes of a result, in this order: it is signed, kept in the spool, shown in the terminal, drawn as
//! a page, sent, and printed as JSON.

use std::path::{Path, PathBuf};

use ed25519_dalek::SigningKey;
use serde::Serialize;
use serde_json::Value;

use crate::analysis::figures::commits_per_s;
use crate::cli::RunArgs;
use crate::delivery::history::History;
use crate::delivery::outcome_wait::{OUTCOME_WAIT, OutcomeWait};
use crate::delivery::server::{self, Receipt, RunOutcome, Server};
use crate::delivery::spool::Spool;
use crate::delivery::{self, PendingUpload, retry};
use crate::engine::suite_run::preparation::Omission;
use crate::error::{Error, ErrorKind, Result};
use crate::report::shown_run::ShownRun;
use crate::report::terminal::{Terminal, print, summary};
use crate::report::{html, output_file};
use crate::wire::envelope::Envelope;
use crate::wire::payload::Run;

use super::{omissions, placement};
use crate::verbs::sent::{SentJson, report_outcome};

/// A finished run, and what was done with its result so far.
pub(super) struct FinishedRun {
    run: Run,
    omissions: Vec<Omission>,
    envelope: Envelope,
    /// Where the signed result waits, or was put when the server refused it; `None` once it is delivered, or
    /// when it could not be kept.
    spool_file: Option<PathBuf>,
    receipt: Option<Receipt>,
    /// What the server makes of it; the error is why that is not known.
    outcome: Option<std::result::Result<RunOutcome, String>>,
}

/// What sending a run needs, where it shall be sent.
pub(super) struct RunSender<'a> {
    pub server: Option<Server>,
    pub spool: &'a Spool,
    pub key: &'a SigningKey,
    /// Whose machine this is, by its firmware.
    pub provider: Option<&'a str>,
}

impl FinishedRun {
    /// Signs a run.
    pub fn seal(run: Run, omissions: Vec<Omission>, key: &SigningKey) -> Self {
        let envelope = delivery::seal(&run, key);
        Self { run, omissions, envelope, spool_file: None, receipt: None, outcome: None }
    }

    /// Keeps the signed result, so that neither a power cut nor a server can lose it any more.
    pub fn keep(&mut self, spool: &Spool) -> Result<()> {
        let file = spool.save(&self.run.run_id, &self.envelope.to_bytes());
        self.spool_file = Some(file.map_err(|error| Error {
            kind: ErrorKind::NotDelivered,
            what: error.what,
            advice: Some(
                "The signed result is on stdout: save it, and send it with fsyncmark upload FILE.".to_owned(),
            ),
        })?);
        Ok(())
    }

    /// Puts a copy into this machine's history. A failure is said and changes nothing: the result itself is
    /// kept elsewhere.
    pub fn remember(&self, terminal: &Terminal, history: &History, dir: &Path) {
        if let Err(error) = history.keep(&self.run.run_id, dir, &self.envelope) {
            terminal.say(&format!("  It is not in the history: {error}"));
        }
    }

    /// What the forms of the report show.
    fn shown(&self) -> ShownRun<'_> {
        ShownRun { run: &self.run, envelope: Some(&self.envelope) }
    }

    /// Shows the tables and what they mean, and what was left out.
    pub fn show(&self, terminal: &Terminal) {
        summary::print(terminal, self.shown());
        omissions::say(terminal, &self.omissions);
    }

    /// Writes the page, where one was asked for. A failure here loses nothing: `fsyncmark report` can write
    /// it again.
    pub fn draw(&self, args: &RunArgs, terminal: &Terminal) -> Result<()> {
        let Some(path) = &args.html else { return Ok(()) };
        output_file::write(path, &html::page(self.shown()))?;
        terminal.say(&format!("\n  The page is in {}", path.display()));
        Ok(())
    }

    /// Sends a complete result if that was agreed; says where any other is kept, and returns the error that
    /// ended its run.
    pub fn deliver(
        &mut self,
        args: &RunArgs,
        terminal: &Terminal,
        sender: &RunSender<'_>,
        ended_early: Option<Error>,
    ) -> Result<()> {
        match (&sender.server, ended_early) {
            (Some(server), None) => self.send(args, terminal, server, sender),
            (_, ended_early) => {
                self.say_kept(args, terminal);
                ended_early.map_or(Ok(()), Err)
            }
        }
    }

    /// Sends the result, and prints what the server makes of it.
    fn send(
        &mut self,
        args: &RunArgs,
        terminal: &Terminal,
        server: &Server,
        RunSender { spool, key, provider, .. }: &RunSender<'_>,
    ) -> Result<()> {
        let file = spool.path(&self.run.run_id);
        let pending = PendingUpload { file, envelope: self.envelope.clone(), run: self.run.clone() };
        terminal.say("");
        let delivered = pending.deliver(server, key, spool, retry::AFTER_A_RUN, &|line| terminal.say(line));
        let receipt = match delivered {
            Ok(receipt) => receipt,
            Err(failure) => {
                self.spool_file = Some(failure.moved_to.unwrap_or(pending.file));
                return Err(failure.error);
            }
        };
        self.spool_file = Some(pending.file).filter(|file| file.exists());
        if args.wants_proof() {
            placement::prove(terminal, *provider, server, key, &self.run);
        }
        let wait = (!args.no_wait).then(|| OutcomeWait::begin(OUTCOME_WAIT));
        self.outcome = report_outcome(terminal, wait.as_ref(), server, &self.run.run_id, &receipt);
        self.receipt = Some(receipt);
        Ok(())
    }

    /// Says where a result that was not sent is kept.
    fn say_kept(&self, args: &RunArgs, terminal: &Terminal) {
        let Some(file) = &self.spool_file else { return };
        terminal.say(&format!(
            "\n  Nothing was sent. The signed result is kept in\n    {}\n  To send it:  fsyncmark upload --server {}",
            file.display(),
            server::address(args.server.as_deref()).as_deref().unwrap_or("URL")
        ));
    }

    /// Prints the result. Returns the gravest problem of printing, delivery and drawing, in this order, and
    /// says the others.
    pub fn close(
        &self,
        args: &RunArgs,
        terminal: &Terminal,
        delivery: Result<()>,
        drawing: Result<()>,
    ) -> Result<()> {
        let printing = self.print(args, delivery.as_ref().err());
        let mut problems = [printing, delivery, drawing].into_iter().filter_map(Result::err);
        let gravest = problems.next();
        for error in problems {
            terminal.say(&format!("  {error}"));
        }
        gravest.map_or(Ok(()), Err)
    }

    /// With `--json` the whole result; without it, only a result that is kept nowhere else.
    fn print(&self, args: &RunArgs, problem: Option<&Error>) -> Result<()> {
        let unkept =
            self.spool_file.is_none() && problem.is_some_and(|error| error.kind == ErrorKind::NotDelivered);
        let envelope = Some(&self.envelope).filter(|_| unkept);
        if args.json {
            let printed = RunJson {
                run_id: &self.run.run_id,
                commits_per_s: commits_per_s(&self.run),
                uploaded: self.receipt.is_some(),
                sent: SentJson::of(self.receipt.as_ref(), self.outcome.as_ref()),
                spool_file: self.spool_file.as_deref(),
                left_out: omissions::to_json(&self.omissions),
                payload: &self.run,
                envelope,
            };
            print(&serde_json::to_string(&printed).expect("texts and numbers only"))
        } else if let Some(envelope) = envelope {
            print(&String::from_utf8_lossy(&envelope.to_bytes()))
        } else {
            Ok(())
        }
    }
}

/// The error for a signal after the last pass: the result is complete, and nothing more is done with it.
pub(super) fn late_interruption() -> Error {
    Error::new(ErrorKind::Interrupted, "stopped when everything was measured")
}

/// What `--json` prints.
#[derive(Serialize)]
struct RunJson<'a> {
    run_id: &'a str,
    commits_per_s: Option<f64>,
    uploaded: bool,
    #[serde(flatten)]
    sent: SentJson<'a>,
    spool_file: Option<&'a Path>,
    /// What could not be measured here, and why.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    left_out: Vec<Value>,
    payload: &'a Run,
    /// Only when it is kept nowhere else.
    #[serde(skip_serializing_if = "Option::is_none")]
    envelope: Option<&'a Envelope>,
}
