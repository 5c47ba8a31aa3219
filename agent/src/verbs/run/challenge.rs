//! The server's challenge, which shows that a run was not made before it was issued.

use ed25519_dalek::SigningKey;

use crate::delivery::server::{Challenge, Server};
use crate::error::Result;
use crate::plan::workload::Suite;
use crate::report::payload_assembly;
use crate::report::terminal::Terminal;

/// Asks the server for a challenge; without one the run goes on, but for an address on a terminal at which no
/// server of ours answers: there somebody can mend it, before minutes were measured for nothing.
pub(super) fn ask_for_challenge(
    terminal: &Terminal,
    server: Option<&Server>,
    key: &SigningKey,
    run_id: &str,
    suite: &Suite,
) -> Result<Option<Challenge>> {
    let Some(server) = server else { return Ok(None) };
    match server.challenge(key, run_id, suite) {
        Ok(challenge) => {
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
            Ok(None)
        }
    }
}
