//! Talks to a server: enrols the key, asks for a challenge, delivers a signed result.

mod answer;
mod connection;
pub mod statements;

use std::time::Duration;

use ed25519_dalek::SigningKey;
use serde::Deserialize;

pub use self::answer::Trouble;
use self::connection::{Connection, Method};
use crate::delivery::retry::{ATTEMPT_TIMEOUT, Patience, Waits};
use crate::disk::contents::Seed;
use crate::error::Result;
use crate::hex;
use crate::plan::workload::Suite;
use crate::wire::envelope::{self, Envelope};

/// A run does not wait longer than this for a server that does not answer.
const BEFORE_A_RUN_TIMEOUT: Duration = Duration::from_secs(5);

/// A server to talk to.
#[derive(Debug)]
pub struct Server {
    connection: Connection,
}

/// A single-use promise of the server: this run began after it was issued.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Challenge {
    /// Its id.
    pub id: String,
    /// From which the file's contents follow.
    pub seed: Seed,
    /// The suite's definition as the server has it.
    pub suite_sha256: String,
}

/// What a server says of a run that it has taken.
#[derive(Debug, Clone, Deserialize, PartialEq, Eq)]
pub struct Receipt {
    /// Where people see it.
    pub run_url: String,
}

#[derive(Deserialize)]
struct ChallengeAnswer {
    id: String,
    seed: String,
    suite_sha256: String,
}

impl Server {
    /// The server at `url`, like `https://host` or `http://127.0.0.1:8000`. Nothing is sent yet.
    pub fn at(url: &str) -> Result<Self> {
        Ok(Self { connection: Connection::to(url)? })
    }

    /// Its address.
    pub fn address(&self) -> &str {
        self.connection.address()
    }

    /// Reads what the server publishes at `path`.
    pub fn get(&self, path: &str) -> std::result::Result<Vec<u8>, Trouble> {
        self.connection.get(path, ATTEMPT_TIMEOUT)
    }

    /// Makes the key known to the server; the same key may be enrolled again.
    pub fn enrol(&self, key: &SigningKey) -> std::result::Result<(), Trouble> {
        let path = format!("/api/v1/keys/{}", envelope::key_id(&key.verifying_key()));
        let envelope = envelope::seal(statements::KEY_TYPE, &statements::key_statement(key), key);
        self.connection.send(Method::Put, &path, &envelope.to_bytes(), BEFORE_A_RUN_TIMEOUT).map(|_| ())
    }

    /// Enrols the key and asks for a challenge for this run.
    pub fn challenge(
        &self,
        key: &SigningKey,
        run_id: &str,
        suite: &Suite,
    ) -> std::result::Result<Challenge, Trouble> {
        self.enrol(key)?;
        let envelope =
            envelope::seal(statements::CHALLENGE_TYPE, &statements::challenge_request(run_id, suite), key);
        let body = self.connection.send(
            Method::Post,
            "/api/v1/challenges",
            &envelope.to_bytes(),
            BEFORE_A_RUN_TIMEOUT,
        )?;
        parse_challenge(&body).ok_or_else(|| Trouble::NotOurs {
            why: format!("{} answered without a challenge", self.address()),
        })
    }

    /// Delivers an envelope, again and again while `patience` lasts.
    pub fn deliver(
        &self,
        key: &SigningKey,
        run_id: &str,
        envelope: &Envelope,
        patience: Patience,
        mut waiting: impl FnMut(&str, Duration),
    ) -> std::result::Result<Receipt, Trouble> {
        let bytes = envelope.to_bytes();
        let mut waits = Waits::new(patience);
        loop {
            let trouble = match self.deliver_once(key, run_id, &bytes) {
                Ok(receipt) => return Ok(receipt),
                Err(trouble) => trouble,
            };
            let Some(retry_after) = trouble.retry() else { return Err(trouble) };
            let jitter = f64::from(u32::from_le_bytes(crate::sys::random())) / f64::from(u32::MAX);
            let Some(wait) = waits.next_wait(retry_after, jitter) else { return Err(trouble) };
            waiting(trouble.why(), wait);
            std::thread::sleep(wait);
        }
    }

    /// A server that does not know the key (the run was offline) is told, and asked once more.
    fn deliver_once(
        &self,
        key: &SigningKey,
        run_id: &str,
        bytes: &[u8],
    ) -> std::result::Result<Receipt, Trouble> {
        let path = format!("/api/v1/runs/{run_id}");
        let body = match self.connection.send(Method::Put, &path, bytes, ATTEMPT_TIMEOUT) {
            Err(Trouble::Permanent { slug, .. }) if slug == "unknown-key" => {
                self.enrol(key)?;
                self.connection.send(Method::Put, &path, bytes, ATTEMPT_TIMEOUT)?
            }
            answer => answer?,
        };
        let mut receipt: Receipt = serde_json::from_slice(&body).map_err(|_| Trouble::NotOurs {
            why: format!("{} answered without an address of the run", self.address()),
        })?;
        if receipt.run_url.starts_with('/') {
            receipt.run_url = format!("{}{}", self.address(), receipt.run_url);
        }
        Ok(receipt)
    }
}

fn parse_challenge(body: &[u8]) -> Option<Challenge> {
    let answer: ChallengeAnswer = serde_json::from_slice(body).ok()?;
    let id_fits = answer.id.strip_prefix("c_").is_some_and(|rest| {
        (22..=64).contains(&rest.len())
            && rest.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-".contains(&byte))
    });
    let suite_sha256 = hex::decode::<32>(&answer.suite_sha256).map(|digest| hex::encode(&digest))?;
    id_fits.then_some(Challenge { id: answer.id, seed: Seed::from_hex(&answer.seed)?, suite_sha256 })
}
