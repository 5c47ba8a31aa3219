//! The server's challenge, which shows that a run was not made before it was issued.

use ed25519_dalek::SigningKey;

use crate::delivery::server::{Challenge, Server};
use crate::plan::workload::Suite;
use crate::report::payload_assembly;
use crate::report::terminal::Terminal;

/// Asks the server for a challenge; without one the run goes on.
pub(super) fn ask_for_challenge(
    terminal: &Terminal,
    server: &Server,
    key: &SigningKey,
    run_id: &str,
    suite: &Suite,
) -> Option<Challenge> {
    match server.challenge(key, run_id, suite) {
        Ok(challenge) => {
            if challenge.suite_sha256 != payload_assembly::suite_sha256(suite) {
                terminal.say("  The server has another definition of this suite: it may refuse the result. Update fsyncmark.");
            }
            Some(challenge)
        }
        Err(error) => {
            let advice = error.advice().map(|advice| format!(" {advice}")).unwrap_or_default();
            terminal.say(&format!(
                "  No challenge ({}): the run goes on. Its result can be sent later, and will count as signed, not as witnessed.{advice}",
                error.why()
            ));
            None
        }
    }
}
