//! What `run` and `upload` say of a run that a server has: waited for, shown, and as JSON.

use serde::Serialize;

use crate::delivery::outcome_wait::OutcomeWait;
use crate::delivery::server::{Receipt, RunOutcome, Server};
use crate::report::terminal::{Terminal, outcome};

/// Waits for what the server makes of a run, unless nobody wants to, and prints it.
pub fn report_outcome(
    terminal: &Terminal,
    wait: Option<&OutcomeWait>,
    server: &Server,
    run_id: &str,
    receipt: &Receipt,
) -> Option<Result<RunOutcome, String>> {
    let found = wait.map(|wait| {
        let found = wait.outcome(server, run_id, receipt, &|left| {
            terminal.show_waiting(&format!("  Waiting until it is judged, {} s at most", left.as_secs()));
        });
        terminal.show_waiting("");
        found
    });
    outcome::print(terminal, receipt, found.as_ref());
    found
}

/// The members of JSON about a run that was sent.
#[derive(Debug, Serialize)]
pub struct SentJson<'a> {
    run_url: Option<&'a str>,
    short_url: Option<&'a str>,
    claim_url: Option<&'a str>,
    /// What the server makes of it, if it said so in time.
    outcome: Option<&'a RunOutcome>,
}

impl<'a> SentJson<'a> {
    /// The members for what is known of it.
    pub fn of(receipt: Option<&'a Receipt>, outcome: Option<&'a Result<RunOutcome, String>>) -> Self {
        Self {
            run_url: receipt.map(|receipt| receipt.run_url.as_str()),
            short_url: receipt.and_then(|receipt| receipt.short_url.as_deref()),
            claim_url: receipt.and_then(|receipt| receipt.claim_url.as_deref()),
            outcome: outcome.and_then(|outcome| outcome.as_ref().ok()),
        }
    }
}
