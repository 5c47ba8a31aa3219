//! What the agent signs besides results: the statement that enrols its key, and the request for a challenge.

use ed25519_dalek::SigningKey;
use serde::Serialize;

use crate::plan::workload::Suite;
use crate::wire::envelope;

/// `payloadType` of the statement that enrols a key.
pub const KEY_TYPE: &str = "application/vnd.fsyncmark.key.v1+json";
/// `payloadType` of the request for a challenge.
pub const CHALLENGE_TYPE: &str = "application/vnd.fsyncmark.challenge.v1+json";
/// The value of `schema` in a key statement.
pub const KEY_SCHEMA: &str = "fsyncmark.key/1";
const CHALLENGE_SCHEMA: &str = "fsyncmark.challenge/1";

#[derive(Serialize)]
struct KeyStatement {
    schema: &'static str,
    public_key: String,
}

#[derive(Serialize)]
struct ChallengeRequest<'a> {
    schema: &'static str,
    run_id: &'a str,
    suite: &'a str,
    suite_version: u16,
}

/// The body of the statement that enrols a key.
pub fn key_statement(key: &SigningKey) -> Vec<u8> {
    let public_key = envelope::public_key_base64(&key.verifying_key());
    serde_json::to_vec(&KeyStatement { schema: KEY_SCHEMA, public_key }).expect("texts only")
}

/// The body of the request for a challenge.
pub fn challenge_request(run_id: &str, suite: &Suite) -> Vec<u8> {
    let request =
        ChallengeRequest { schema: CHALLENGE_SCHEMA, run_id, suite: suite.id, suite_version: suite.version };
    serde_json::to_vec(&request).expect("texts and numbers only")
}
