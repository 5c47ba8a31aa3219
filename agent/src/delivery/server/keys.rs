//! What is asked of a server about keys and runs, beside delivering them: logins, rotations, withdrawals,
//! what became of a run, and where it was measured.

use std::time::Duration;

use ed25519_dalek::SigningKey;
use serde::{Deserialize, Serialize};

use super::client::Server;
use super::connection::Method;
use super::delivery_error::DeliveryError;
use super::outcome::RunOutcome;
use super::statements;
use crate::probe::metadata::IdentityDocument;
use crate::text::printable;
use crate::wire::envelope::{self, key_id};
use crate::wire::payload::Run;

/// Somebody waits for each of these answers, and each is small.
const ASKING_TIMEOUT: Duration = Duration::from_secs(15);
/// The longest text of an answer that is shown.
const TEXT_LENGTH_MAX: usize = 200;

/// The codes of a login that has begun.
#[derive(Debug, Clone, Deserialize)]
pub struct LoginCodes {
    /// The agent's secret.
    pub device_code: String,
    /// What the person types on the page.
    pub user_code: String,
    /// The page.
    pub verification_url: String,
    /// Seconds until both are void.
    pub expires_in: u64,
    /// Seconds between two questions how the login stands.
    pub interval: u64,
}

/// How a login stands.
#[derive(Debug, Clone, Deserialize)]
pub struct LoginStanding {
    /// `pending`, `approved`, `denied` or `expired`.
    pub state: String,
    /// Seconds until the next question.
    pub interval: u64,
}

/// What everybody may know of a key.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
pub struct KeyStanding {
    /// `anonymous`, `claimed`, `rotated` or `revoked`.
    pub state: String,
    /// When the server first saw it.
    pub first_seen: String,
    /// Whether an account has it.
    #[serde(default)]
    pub is_claimed: bool,
    /// When it was revoked.
    #[serde(default)]
    pub revoked_at: Option<String>,
    /// The key that stands in for it.
    #[serde(default)]
    pub replaced_by: Option<String>,
}

#[derive(Serialize)]
struct LoginBeginning<'a> {
    keyid: &'a str,
    agent_version: &'a str,
}

#[derive(Deserialize)]
struct NamedRun {
    run_id: String,
}

type Answer<T> = Result<T, DeliveryError>;

impl Server {
    /// Begins to link an enrolled key with a person.
    pub fn begin_login(&self, key: &SigningKey) -> Answer<LoginCodes> {
        let keyid = &key_id(&key.verifying_key());
        let beginning = LoginBeginning { keyid, agent_version: env!("CARGO_PKG_VERSION") };
        let json = serde_json::to_vec(&beginning).expect("texts only");
        let body = self.connection().post_json("/api/v1/key-logins", &json, key, ASKING_TIMEOUT)?;
        let codes: LoginCodes = self.parse(&body, "a login")?;
        Ok(LoginCodes {
            user_code: printable(&codes.user_code, TEXT_LENGTH_MAX),
            verification_url: printable(&codes.verification_url, TEXT_LENGTH_MAX),
            ..codes
        })
    }

    /// Asks how a login stands; the signature proves that its key asks.
    pub fn poll_login(&self, key: &SigningKey, device_code: &str) -> Answer<LoginStanding> {
        let statement =
            statements::login_poll(&self.connection().name(), device_code, &key_id(&key.verifying_key()));
        let body = self.state(&[key], statements::LOGIN_TYPE, &statement, "/api/v1/key-logins/poll")?;
        self.parse(&body, "how a login stands")
    }

    /// Lets a new key stand in for an old one; both are enrolled.
    pub fn rotate(&self, old: &SigningKey, new: &SigningKey) -> Answer<()> {
        let [old_id, new_id] = [old, new].map(|key| key_id(&key.verifying_key()));
        let statement = statements::rotation(&self.connection().name(), &old_id, &new_id);
        let path = format!("/api/v1/keys/{old_id}/rotation");
        self.state(&[old, new], statements::ROTATION_TYPE, &statement, &path).map(|_| ())
    }

    /// Asks what became of a key; `None` where the server does not know it.
    pub fn key_standing(&self, keyid: &str) -> Answer<Option<KeyStanding>> {
        let body = match self.connection().get(&format!("/api/v1/keys/{keyid}"), ASKING_TIMEOUT) {
            Err(error) if error.refusal().is_some_and(|refusal| refusal.slug == "unknown-key") => {
                return Ok(None);
            }
            answer => answer?,
        };
        let standing: KeyStanding = self.parse(&body, "the state of a key")?;
        let text = |text: &str| printable(text, TEXT_LENGTH_MAX);
        Ok(Some(KeyStanding {
            state: text(&standing.state),
            first_seen: text(&standing.first_seen),
            revoked_at: standing.revoked_at.as_deref().map(text),
            replaced_by: standing.replaced_by.as_deref().map(text),
            ..standing
        }))
    }

    /// Withdraws a run, or takes that back.
    pub fn withdraw(
        &self,
        key: &SigningKey,
        run_id: &str,
        withdrawn: bool,
        reason: &str,
        issued_at_unix_ns: u64,
    ) -> Answer<()> {
        let statement =
            statements::withdrawal(&self.connection().name(), run_id, withdrawn, reason, issued_at_unix_ns);
        let path = format!("/api/v1/runs/{run_id}/withdrawal");
        self.state(&[key], statements::WITHDRAWAL_TYPE, &statement, &path).map(|_| ())
    }

    /// Hands over what the provider of a run's machine signed.
    pub fn place(
        &self,
        key: &SigningKey,
        run: &Run,
        challenge: &str,
        identity: &IdentityDocument,
    ) -> Answer<()> {
        let IdentityDocument { provider, document, signature } = identity;
        let run_id = &run.run_id;
        let statement = statements::placement(run_id, challenge, provider, document, signature);
        let path = format!("/api/v1/runs/{run_id}/placement");
        self.state(&[key], statements::PLACEMENT_TYPE, &statement, &path).map(|_| ())
    }

    /// The id of the run that a page or a person calls `name`.
    pub fn run_id_of(&self, name: &str) -> Answer<String> {
        let body = self.connection().get(&format!("/api/v1/runs/{name}"), ASKING_TIMEOUT)?;
        Ok(printable(&self.parse::<NamedRun>(&body, "a run")?.run_id, TEXT_LENGTH_MAX))
    }

    /// Asks what became of a run.
    pub fn outcome(&self, run_id: &str, run_url: &str) -> Answer<RunOutcome> {
        let body = self.connection().get(&format!("/api/v1/runs/{run_id}"), ASKING_TIMEOUT)?;
        RunOutcome::read(&body, run_url).ok_or_else(|| self.other_answer("a run"))
    }

    fn state(&self, keys: &[&SigningKey], kind: &str, statement: &[u8], path: &str) -> Answer<Vec<u8>> {
        let envelope = envelope::seal_by(kind, statement, keys);
        let [first, ..] = keys else { unreachable!("somebody signs a statement") };
        self.connection().send(Method::Post, path, &envelope.to_bytes(), first, ASKING_TIMEOUT)
    }

    fn parse<T: for<'a> Deserialize<'a>>(&self, body: &[u8], what: &str) -> Answer<T> {
        serde_json::from_slice(body).map_err(|_| self.other_answer(what))
    }

    fn other_answer(&self, what: &str) -> DeliveryError {
        DeliveryError::NotOurs { why: format!("{} answered, but not with {what}", self.address()) }
    }
}
