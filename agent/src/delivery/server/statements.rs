//! What the agent signs besides results: statements about its keys and runs, and the request for a challenge.
//! `server` is the name of the server that was asked: what one is told, it cannot tell another.

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
    #[serde(skip_serializing_if = "Option::is_none")]
    ticket: Option<&'a str>,
}

/// `payloadType` of a question how a login stands.
pub const LOGIN_TYPE: &str = "application/vnd.fsyncmark.key-login.v1+json";
/// `payloadType` of the statement by which a key replaces another.
pub const ROTATION_TYPE: &str = "application/vnd.fsyncmark.key-rotation.v1+json";
/// `payloadType` of the statement that withdraws a run.
pub const WITHDRAWAL_TYPE: &str = "application/vnd.fsyncmark.withdrawal.v1+json";
/// `payloadType` of what a provider signed of the machine of a run.
pub const PLACEMENT_TYPE: &str = "application/vnd.fsyncmark.placement.v1+json";

/// Type of what a key signs in the header of a request.
pub const SENDER_TYPE: &str = "application/vnd.fsyncmark.sender.v1";

#[derive(Serialize)]
struct LoginPoll<'a> {
    schema: &'static str,
    server: &'a str,
    device_code: &'a str,
    keyid: &'a str,
}

#[derive(Serialize)]
struct RotationStatement<'a> {
    schema: &'static str,
    server: &'a str,
    old: &'a str,
    new: &'a str,
}

#[derive(Serialize)]
struct Withdrawal<'a> {
    schema: &'static str,
    server: &'a str,
    run_id: &'a str,
    withdrawn: bool,
    reason: &'a str,
    issued_at_unix_ns: u64,
}

#[derive(Serialize)]
struct Placement<'a> {
    schema: &'static str,
    run_id: &'a str,
    challenge: &'a str,
    provider: &'a str,
    document: &'a str,
    signature: &'a str,
}

/// The body of a question how a login stands.
pub fn login_poll(server: &str, device_code: &str, keyid: &str) -> Vec<u8> {
    bytes(&LoginPoll { schema: "fsyncmark.key-login/1", server, device_code, keyid })
}

/// The body of the statement that `new` stands in for `old`.
pub fn rotation(server: &str, old: &str, new: &str) -> Vec<u8> {
    bytes(&RotationStatement { schema: "fsyncmark.key-rotation/1", server, old, new })
}

/// The body of the statement that withdraws a run, or takes that back.
pub fn withdrawal(
    server: &str,
    run_id: &str,
    withdrawn: bool,
    reason: &str,
    issued_at_unix_ns: u64,
) -> Vec<u8> {
    let schema = "fsyncmark.withdrawal/1";
    bytes(&Withdrawal { schema, server, run_id, withdrawn, reason, issued_at_unix_ns })
}

/// The body of what a provider signed of the machine of a run.
pub fn placement(run_id: &str, challenge: &str, provider: &str, document: &str, signature: &str) -> Vec<u8> {
    let schema = "fsyncmark.placement/1";
    bytes(&Placement { schema, run_id, challenge, provider, document, signature })
}

/// What the header of a request says of who sends it: the key, the second, and its signature over server,
/// path and second. Where neighbours have used up what their network may ask, a server that knows the key
/// lets it in by that.
pub fn sender(server: &str, path: &str, key: &SigningKey, unix_s: u64) -> String {
    let envelope = envelope::seal(SENDER_TYPE, format!("{server}\n{path}\n{unix_s}").as_bytes(), key);
    let [signature] = envelope.signatures.as_slice() else { unreachable!("one key signed") };
    format!("{} {unix_s} {}", signature.keyid, signature.sig)
}

fn bytes(statement: &impl Serialize) -> Vec<u8> {
    serde_json::to_vec(statement).expect("texts and numbers only")
}

/// The body of the statement that enrols a key.
pub fn key_statement(key: &SigningKey) -> Vec<u8> {
    let public_key = envelope::public_key_base64(&key.verifying_key());
    bytes(&KeyStatement { schema: KEY_SCHEMA, public_key })
}

/// The body of the request for a challenge; `ticket` says for whom the run is measured.
pub fn challenge_request(run_id: &str, suite: &Suite, ticket: Option<&str>) -> Vec<u8> {
    bytes(&ChallengeRequest {
        schema: CHALLENGE_SCHEMA,
        run_id,
        suite: suite.id,
        suite_version: suite.version,
        ticket,
    })
}
