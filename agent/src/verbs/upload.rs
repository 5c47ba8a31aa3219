//! The verb `upload`: sends the results that wait.

use ed25519_dalek::SigningKey;
use serde::Serialize;

use super::consent::terms;
use super::sent::{SentJson, report_outcome};
use crate::analysis::figures::commits_per_s;
use crate::cli::UploadArgs;
use crate::delivery::home::Home;
use crate::delivery::outcome_wait::{OUTCOME_WAIT, OutcomeWait};
use crate::delivery::server::Server;
use crate::delivery::spool::Spool;
use crate::delivery::{DeliveryFailure, PendingUpload, key, retry};
use crate::error::{Error, ErrorKind, Result};
use crate::report::terminal::{self, Terminal};
use crate::units;

/// Sends the named files, or all that wait. A file that cannot be read, sent or accepted does not stop the
/// others; a server that does not answer, or asks for a pause, does. Returns the first problem.
pub fn upload(args: &UploadArgs) -> Result<()> {
    let terminal = Terminal::detect();
    let home = Home::locate()?;
    let server = Server::named(args.server.as_deref())?;
    let spool = Spool::in_home(&home);
    let files = if args.files.is_empty() { spool.waiting_files()? } else { args.files.clone() };
    if files.is_empty() {
        terminal.say("  Nothing waits to be sent.");
        return Ok(());
    }
    let key = key::load(&home)?.ok_or_else(|| {
        Error::new(ErrorKind::NoInput, format!("there is no key in {}", home.key_file().display()))
            .advise("Results can only be sent with the key that signed them. Was FSYNCMARK_HOME another when you measured?")
    })?;
    let mut problems = Problems { terminal, first: None };
    let uploads =
        files.iter().filter_map(|file| problems.keep_going(PendingUpload::read(file, &key))).collect();
    let sending = send(args, &Sender { terminal, server, spool, key }, uploads, &mut problems);
    problems.end_with(sending)
}

/// What sending needs: the server, the key that signs, and where results wait.
struct Sender {
    terminal: Terminal,
    server: Server,
    spool: Spool,
    key: SigningKey,
}

/// Sends the results that could be read, if the person agrees.
fn send(
    args: &UploadArgs,
    Sender { terminal, server, spool, key }: &Sender,
    mut uploads: Vec<PendingUpload>,
    problems: &mut Problems,
) -> Result<()> {
    if !uploads.is_empty() && !agree(terminal, args, server, &uploads)? {
        terminal.say("  Nothing was sent.");
        return Ok(());
    }
    let count = uploads.len();
    let mut delivered = Vec::new();
    for (index, upload) in uploads.iter_mut().enumerate() {
        let sent = upload.agree(key, spool).map_err(DeliveryFailure::from).and_then(|()| {
            upload.deliver(server, key, spool, retry::UPLOAD_ALONE, &|line| terminal.say(line))
        });
        let concerns_every_result = matches!(&sent, Err(failure) if failure.concerns_every_result);
        let receipt = problems.keep_going(sent.map_err(Error::from));
        delivered.extend(receipt.map(|receipt| (upload.run.run_id.clone(), receipt)));
        if concerns_every_result && index + 1 < count {
            terminal
                .say(&format!("  {} more wait for the same server and were not tried.", count - index - 1));
            break;
        }
    }
    // The server judges the first ones while the last ones are sent.
    let wait = (!args.no_wait).then(|| OutcomeWait::begin(OUTCOME_WAIT));
    for (run_id, receipt) in &delivered {
        let outcome = report_outcome(terminal, wait.as_ref(), server, run_id, receipt);
        print_sent(args, run_id, &SentJson::of(Some(receipt), outcome.as_ref()), &receipt.run_url)?;
    }
    Ok(())
}

/// What `--json` prints for each result.
#[derive(Serialize)]
struct UploadJson<'a> {
    run_id: &'a str,
    #[serde(flatten)]
    sent: &'a SentJson<'a>,
}

/// The address of the page alone, for programs that only want that; with `--json` all that is known.
fn print_sent(args: &UploadArgs, run_id: &str, sent: &SentJson<'_>, run_url: &str) -> Result<()> {
    if !args.json {
        return terminal::print(run_url);
    }
    let line = serde_json::to_string(&UploadJson { run_id, sent }).expect("texts only");
    terminal::print(&line)
}

/// Keeps the first problem for the end and prints the others.
struct Problems {
    terminal: Terminal,
    first: Option<Error>,
}

impl Problems {
    fn keep_going<T>(&mut self, result: Result<T>) -> Option<T> {
        match result {
            Ok(value) => return Some(value),
            Err(error) if self.first.is_none() => self.first = Some(error),
            Err(error) => self.terminal.say(&format!("  {error}")),
        }
        None
    }

    /// The first problem of all; `last` is the result of the last step.
    fn end_with(mut self, last: Result<()>) -> Result<()> {
        let _ = self.keep_going(last);
        self.first.map_or(Ok(()), Err)
    }
}

fn agree(terminal: &Terminal, args: &UploadArgs, server: &Server, uploads: &[PendingUpload]) -> Result<bool> {
    if args.yes {
        return Ok(true);
    }
    if !terminal.can_ask() {
        return Err(Error::new(ErrorKind::NotDelivered, "nothing was sent: there is nobody to ask")
            .advise("Add --yes to agree to publish the results under CC0."));
    }
    for PendingUpload { run, .. } in uploads {
        let when = units::utc(run.clock.wall_start_unix_us);
        let rate = commits_per_s(run).map(units::rate).unwrap_or_default();
        let early = if run.suite.complete { "" } else { ", not the whole suite" };
        terminal.say(&format!("  {when} {rate:>10} commits/s  {}{early}", run.claim));
    }
    let with_cloud = uploads.iter().any(|upload| upload.run.env.cloud_metadata.is_some());
    terminal.say(&format!("\n{}", terms(server, with_cloud)));
    let what = if uploads.len() == 1 { "it".to_owned() } else { format!("these {}", uploads.len()) };
    Ok(terminal.ask(&format!("  Send {what}?")))
}
