//! The server's challenge, which shows that a run was not made before it was issued.

use ed25519_dalek::SigningKey;

use crate::delivery::server::{Challenge, Server, ShownTicket};
use crate::error::Result;
use crate::plan::workload::Suite;
use crate::report::payload_assembly;
use crate::report::terminal::Terminal;

/// Names the ticket where the command line does not: other processes read a command line.
const TICKET_VARIABLE: &str = "FSYNCMARK_TICKET";
/// A server takes as many characters.
const TICKET_LENGTH_MAX: usize = 64;

/// Asks the server for a challenge; without one the run goes on, but for an address on a terminal at which no
/// server of ours answers: there somebody can mend it, before minutes were measured for nothing.
pub(super) fn ask_for_challenge(
    terminal: &Terminal,
    server: Option<&Server>,
    key: &SigningKey,
    run_id: &str,
    suite: &Suite,
    stated_ticket: Option<&str>,
) -> Result<Option<Challenge>> {
    let Some(server) = server else { return Ok(None) };
    let ticket = ticket_named(stated_ticket).filter(|text| say_unless_sendable(terminal, text));
    match server.challenge(key, run_id, suite, ticket.as_deref()) {
        Ok(challenge) => {
            if ticket.is_some() {
                terminal.say(&what_became_of(challenge.ticket.as_ref()));
            }
            if challenge.suite_sha256 != payload_assembly::suite_sha256(suite) {
                terminal.say("  The server has another definition of this suite: it may refuse the result. Update fsyncmark.");
            }
            Ok(Some(challenge))
        }
        Err(error) if error.is_elsewhere() && terminal.can_ask() => {
            let advice = error.advice().map(|advice| format!("{advice} ")).unwrap_or_default();
            let error = error.into_error(server.address(), "the run");
            Err(error.advise(format!("{advice}To measure all the same, and send it later: --no-upload.")))
        }
        Err(error) => {
            let advice = error.advice().map(|advice| format!(" {advice}")).unwrap_or_default();
            terminal.say(&format!(
                "  No challenge ({}): the run goes on. Its result can be sent later, and will count as signed, not as witnessed.{advice}",
                error.why()
            ));
            if ticket.is_some() {
                terminal.say("  Without it the ticket was not shown: the run will be nobody's.");
            }
            Ok(None)
        }
    }
}

/// The ticket that a command line names, else `FSYNCMARK_TICKET`.
fn ticket_named(stated: Option<&str>) -> Option<String> {
    stated.map(str::to_owned).or_else(|| std::env::var(TICKET_VARIABLE).ok()).filter(|text| !text.is_empty())
}

/// What cannot be a ticket costs nobody a measurement: it is not sent.
fn say_unless_sendable(terminal: &Terminal, text: &str) -> bool {
    let is_sendable = text.len() <= TICKET_LENGTH_MAX && text.bytes().all(|byte| byte.is_ascii_graphic());
    if !is_sendable {
        terminal.say("  What was given as a ticket is none: the run will be nobody's.");
    }
    is_sendable
}

/// One line on what a ticket is good for; without an answer the server is older than tickets.
fn what_became_of(shown: Option<&ShownTicket>) -> String {
    let state = shown.map_or("", |shown| shown.state.as_str());
    let why = match state {
        "accepted" => {
            let plan = shown.map_or("", |shown| shown.plan.as_str());
            return format!("  Ticket taken: if it is of {plan}, the run counts for its maker.");
        }
        "used" => "it was used for another run",
        "expired" => "it is too old",
        "claimed" => return "  The ticket stays unused: this key has an owner, whose run it is.".to_owned(),
        _ => "the server does not know it",
    };
    format!("  Ticket not taken, {why}: the run will be nobody's.")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_answer_about_a_ticket_is_one_line() {
        let shown = |state: &str, plan: &str| {
            what_became_of(Some(&ShownTicket { state: state.to_owned(), plan: plan.to_owned() }))
        };
        assert!(shown("accepted", "hetzner-cx23").contains("if it is of hetzner-cx23, the run counts"));
        for (state, why) in [
            ("used", "another run"),
            ("expired", "too old"),
            ("unknown", "not know it"),
            ("new", "not know it"),
        ] {
            assert!(shown(state, "").contains(why), "{state}");
            assert!(shown(state, "").ends_with("the run will be nobody's."), "{state}");
        }
        assert!(shown("claimed", "").contains("has an owner"));
        assert!(what_became_of(None).contains("not know it"), "a server that is older than tickets");
    }

    #[test]
    fn what_cannot_be_a_ticket_is_not_sent() {
        let terminal = Terminal::detect();
        assert!(say_unless_sendable(&terminal, "t_0123456789abcdef"));
        for wrong in ["t_ 0", "t_\u{7}", "t_ä", &"x".repeat(65)] {
            assert!(!say_unless_sendable(&terminal, wrong), "{wrong}");
        }
    }
}
