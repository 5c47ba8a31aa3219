//! Talks to a server: enrols the key, asks for a challenge, delivers a signed result.

use std::io;
use std::time::Duration;

use ed25519_dalek::SigningKey;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::delivery::retry::{self, Patience, Waits};
use crate::disk::contents::Seed;
use crate::error::{Error, Kind, Result};
use crate::hex;
use crate::plan::workload::Suite;
use crate::sys::clock;
use crate::wire::USER_AGENT;
use crate::wire::envelope::{self, Envelope};

/// `payloadType` of the statement that enrols a key.
pub const KEY_TYPE: &str = "application/vnd.fsyncmark.key.v1+json";
/// `payloadType` of the request for a challenge.
pub const CHALLENGE_TYPE: &str = "application/vnd.fsyncmark.challenge.v1+json";
/// The value of `schema` in a key statement.
pub const KEY_SCHEMA: &str = "fsyncmark.key/1";
const CHALLENGE_SCHEMA: &str = "fsyncmark.challenge/1";

/// A run does not wait longer than this for a server that does not answer.
const BEFORE_A_RUN_TIMEOUT: Duration = Duration::from_secs(5);
/// An envelope is a few hundred kilobytes; this is a minute on a 100 kbit/s line.
const DELIVERY_TIMEOUT: Duration = Duration::from_secs(60);
const CONNECT_TIMEOUT: Duration = Duration::from_secs(4);
/// No honest answer is longer.
const ANSWER_BYTES_MAX: u64 = 256 << 10;
/// Longer addresses are cut when they are shown.
const ADDRESS_LENGTH_SHOWN: usize = 200;
/// PEM file with the roots to trust instead of the built-in ones, as OpenSSL and curl know it.
const ROOTS_VARIABLE: &str = "SSL_CERT_FILE";

/// A server to talk to.
#[derive(Debug)]
pub struct Server {
    base: String,
    agent: ureq::Agent,
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

/// Why a request did not succeed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Trouble {
    /// It may succeed later: nobody answered, or the server is busy.
    Temporary {
        /// For people.
        why: String,
        /// When the server wants to be asked again.
        retry_after: Option<Duration>,
    },
    /// It will never succeed: the server understood and refused.
    Permanent {
        /// The problem's type, its last path segment.
        slug: String,
        /// For people.
        why: String,
        /// The whole answer.
        body: Vec<u8>,
    },
    /// Whoever answered is not a Fsyncmark server.
    NotOurs {
        /// For people.
        why: String,
    },
}

impl Trouble {
    /// For people.
    pub fn why(&self) -> &str {
        match self {
            Self::Temporary { why, .. } | Self::Permanent { why, .. } | Self::NotOurs { why } => why,
        }
    }
}

struct Response {
    status: u16,
    is_problem: bool,
    retry_after: Option<Duration>,
    /// Where a redirect points.
    location: String,
    body: Vec<u8>,
}

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

#[derive(Deserialize)]
struct ChallengeAnswer {
    id: String,
    seed: String,
    suite_sha256: String,
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

impl Server {
    /// The server at `url`, like `https://host` or `http://127.0.0.1:8000`. Nothing is sent yet.
    pub fn at(url: &str) -> Result<Self> {
        let base = check_address(url)?;
        let config = ureq::Agent::config_builder()
            .timeout_connect(Some(CONNECT_TIMEOUT))
            .http_status_as_error(false)
            .max_redirects(0)
            .max_redirects_will_error(false)
            .tls_config(tls()?)
            .user_agent(USER_AGENT)
            .build();
        Ok(Self { base, agent: config.into() })
    }

    /// Its address.
    pub fn address(&self) -> &str {
        &self.base
    }

    /// Makes the key known to the server; the same key may be enrolled again.
    pub fn enrol(&self, key: &SigningKey) -> std::result::Result<(), Trouble> {
        let path = format!("/api/v1/keys/{}", envelope::key_id(&key.verifying_key()));
        let envelope = envelope::seal(KEY_TYPE, &key_statement(key), key);
        self.send(Method::Put, &path, &envelope.to_bytes(), BEFORE_A_RUN_TIMEOUT).map(|_| ())
    }

    /// Enrols the key and asks for a challenge for this run.
    pub fn challenge(
        &self,
        key: &SigningKey,
        run_id: &str,
        suite: &Suite,
    ) -> std::result::Result<Challenge, Trouble> {
        self.enrol(key)?;
        let envelope = envelope::seal(CHALLENGE_TYPE, &challenge_request(run_id, suite), key);
        let body =
            self.send(Method::Post, "/api/v1/challenges", &envelope.to_bytes(), BEFORE_A_RUN_TIMEOUT)?;
        parse_challenge(&body)
            .ok_or_else(|| Trouble::NotOurs { why: format!("{} answered without a challenge", self.base) })
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
            let Trouble::Temporary { why, retry_after } = &trouble else { return Err(trouble) };
            let jitter = f64::from(u32::from_le_bytes(crate::sys::random())) / f64::from(u32::MAX);
            let Some(wait) = waits.next_wait(*retry_after, jitter) else { return Err(trouble) };
            waiting(why, wait);
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
        let body = match self.send(Method::Put, &path, bytes, DELIVERY_TIMEOUT) {
            Err(Trouble::Permanent { slug, .. }) if slug == "unknown-key" => {
                self.enrol(key)?;
                self.send(Method::Put, &path, bytes, DELIVERY_TIMEOUT)?
            }
            answer => answer?,
        };
        let mut receipt: Receipt = serde_json::from_slice(&body).map_err(|_| Trouble::NotOurs {
            why: format!("{} answered without an address of the run", self.base),
        })?;
        if receipt.run_url.starts_with('/') {
            receipt.run_url = format!("{}{}", self.base, receipt.run_url);
        }
        Ok(receipt)
    }

    /// Reads what the server publishes at `path`.
    pub fn get(&self, path: &str) -> std::result::Result<Vec<u8>, Trouble> {
        let request = self.agent.get(format!("{}{path}", self.base));
        let answer = request
            .config()
            .timeout_global(Some(DELIVERY_TIMEOUT))
            .build()
            .call()
            .and_then(read_answer)
            .map_err(|error| self.no_answer(&error))?;
        self.judge(answer)
    }

    fn send(
        &self,
        method: Method,
        path: &str,
        body: &[u8],
        timeout: Duration,
    ) -> std::result::Result<Vec<u8>, Trouble> {
        let address = format!("{}{path}", self.base);
        let request = match method {
            Method::Put => self.agent.put(&address),
            Method::Post => self.agent.post(&address),
        };
        let answer = request
            .config()
            .timeout_global(Some(timeout))
            .build()
            .content_type(envelope::CONTENT_TYPE)
            .send(body)
            .and_then(read_answer)
            .map_err(|error| self.no_answer(&error))?;
        self.judge(answer)
    }

    /// No answer came. A certificate that does not fit today will not fit in a minute; all else may pass.
    fn no_answer(&self, error: &ureq::Error) -> Trouble {
        let base = &self.base;
        match error {
            ureq::Error::Io(error) if error.kind() == io::ErrorKind::InvalidData => Trouble::NotOurs {
                why: format!("{base}: {error}. If its certificate is your own: {ROOTS_VARIABLE}=roots.pem"),
            },
            ureq::Error::Tls(_)
            | ureq::Error::Rustls(_)
            | ureq::Error::BadUri(_)
            | ureq::Error::Protocol(_) => Trouble::NotOurs { why: format!("{base}: {error}") },
            ureq::Error::Io(error) => {
                Trouble::Temporary { why: format!("{base}: {error}"), retry_after: None }
            }
            error => Trouble::Temporary { why: format!("{base}: {error}"), retry_after: None },
        }
    }

    fn judge(&self, answer: Response) -> std::result::Result<Vec<u8>, Trouble> {
        let why = explain(&answer);
        match answer.status {
            200 | 201 => Ok(answer.body),
            408 | 425 | 429 | 500..=599 => Err(Trouble::Temporary { why, retry_after: answer.retry_after }),
            400..=499 if answer.is_problem => {
                Err(Trouble::Permanent { slug: problem_slug(&answer.body), why, body: answer.body })
            }
            300..=399 if !answer.location.is_empty() => Err(Trouble::NotOurs {
                why: format!("{} says to go to {}: name that server instead", self.base, answer.location),
            }),
            status => Err(Trouble::NotOurs {
                why: format!("{} answered {status}, but not as a Fsyncmark server does", self.base),
            }),
        }
    }
}

#[derive(Clone, Copy)]
enum Method {
    Put,
    Post,
}

fn read_answer(mut response: ureq::http::Response<ureq::Body>) -> std::result::Result<Response, ureq::Error> {
    let header =
        |name: &str| response.headers().get(name).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let is_problem = header("content-type").starts_with("application/problem+json");
    let retry_after = retry::parse_retry_after(header("retry-after"), clock::wall_unix_us() / 1_000_000);
    let location = crate::text::printable(header("location"), ADDRESS_LENGTH_SHOWN);
    let status = response.status().as_u16();
    let body = response.body_mut().with_config().limit(ANSWER_BYTES_MAX).read_to_vec()?;
    Ok(Response { status, is_problem, retry_after, location, body })
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

fn problem_slug(body: &[u8]) -> String {
    let problem: Value = serde_json::from_slice(body).unwrap_or_default();
    problem["type"].as_str().and_then(|kind| kind.rsplit('/').next()).unwrap_or_default().to_owned()
}

/// What a problem says, for people: its title and detail, or the bare status.
fn explain(answer: &Response) -> String {
    let problem: Value = serde_json::from_slice(&answer.body).unwrap_or_default();
    let text =
        |value: &Value| value.as_str().map(|text| crate::text::printable(text, 300)).unwrap_or_default();
    let mut parts = vec![text(&problem["title"]), text(&problem["detail"])];
    for error in problem["errors"].as_array().into_iter().flatten().take(3) {
        parts.push(format!("{} {}", text(&error["pointer"]), text(&error["detail"])).trim().to_owned());
    }
    parts.retain(|part| !part.is_empty());
    parts.dedup();
    if parts.is_empty() { format!("the server answered {}", answer.status) } else { parts.join(": ") }
}

fn check_address(url: &str) -> Result<String> {
    let base = url.trim_end_matches('/');
    let rest = base.strip_prefix("https://").or_else(|| base.strip_prefix("http://"));
    let host_fits = rest.is_some_and(|rest| {
        !rest.is_empty()
            && !rest.starts_with('/')
            && rest.bytes().all(|byte| byte.is_ascii_graphic())
            && !rest.contains(['?', '#', '@'])
    });
    if host_fits {
        return Ok(base.to_owned());
    }
    Err(Error::new(Kind::Data, format!("{url} is not a server's address"))
        .advise("Write it like https://bench.example.org or http://127.0.0.1:8000"))
}

fn tls() -> Result<ureq::tls::TlsConfig> {
    let builder = ureq::tls::TlsConfig::builder();
    let Some(path) = std::env::var_os(ROOTS_VARIABLE).filter(|path| !path.is_empty()) else {
        return Ok(builder.build());
    };
    let path = std::path::PathBuf::from(path);
    let bytes = std::fs::read(&path).map_err(|error| {
        Error::from_io(Kind::NoInput, &format!("read {ROOTS_VARIABLE} {}", path.display()), &error)
    })?;
    let roots: Vec<_> = ureq::tls::parse_pem(&bytes)
        .filter_map(|item| match item {
            Ok(ureq::tls::PemItem::Certificate(certificate)) => Some(certificate),
            _ => None,
        })
        .collect();
    if roots.is_empty() {
        return Err(Error::new(
            Kind::Data,
            format!("{ROOTS_VARIABLE} {} holds no certificate", path.display()),
        ));
    }
    Ok(builder.root_certs(ureq::tls::RootCerts::new_with_certs(&roots)).build())
}
