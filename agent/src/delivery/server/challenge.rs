//! A server's challenge, as its answer states it.

use serde::Deserialize;

use crate::disk::contents::Seed;
use crate::hex;
use crate::text::displayable;

/// The longest slug of a plan has as many characters.
const TICKET_WORD_LENGTH_MAX: usize = 160;

/// A single-use promise of the server: this run began after it was issued.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Challenge {
    /// Its id.
    pub id: String,
    /// The seed of the test file's contents.
    pub seed: Seed,
    /// SHA-256 of the suite's definition on the server.
    pub suite_sha256: String,
    /// What became of the ticket that was shown with the request.
    pub ticket: Option<ShownTicket>,
}

/// What a server says of a ticket.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShownTicket {
    /// `accepted`, or why it is not.
    pub state: String,
    /// The plan that it is for, as the server's addresses spell it; empty where it was not accepted.
    pub plan: String,
}

#[derive(Deserialize)]
struct ChallengeAnswer {
    id: String,
    seed: String,
    suite_sha256: String,
    ticket: Option<String>,
    #[serde(default)]
    ticket_plan: String,
}

/// Reads an answer; `None` where it is no challenge.
pub(super) fn parse(body: &[u8]) -> Option<Challenge> {
    let answer: ChallengeAnswer = serde_json::from_slice(body).ok()?;
    let id_fits = answer.id.strip_prefix("c_").is_some_and(|rest| {
        (22..=64).contains(&rest.len())
            && rest.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-".contains(&byte))
    });
    let suite_sha256 = hex::decode::<32>(&answer.suite_sha256).map(|digest| hex::encode(&digest))?;
    let plan = displayable(&answer.ticket_plan, TICKET_WORD_LENGTH_MAX);
    let ticket =
        answer.ticket.map(|state| ShownTicket { state: displayable(&state, TICKET_WORD_LENGTH_MAX), plan });
    id_fits.then_some(Challenge { id: answer.id, seed: Seed::from_hex(&answer.seed)?, suite_sha256, ticket })
}
