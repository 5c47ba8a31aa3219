//! What is asked of a server: it is told of the key, asked for a challenge, and given a signed result.

use std::time::{Duration, Instant};

use super::challenge::{self, Challenge};
use super::connection::{Connection, Method};
use super::delivery_error::{DeliveryError, Retry};
use super::outcome::Receipt;
use super::statements;
use crate::delivery::retry::{ATTEMPT_TIMEOUT, Backoff, RetryPolicy};
use crate::error::{Error, ErrorKind, Result};
use crate::plan::workload::Suite;
use crate::wire::envelope::{self, Envelope};
use ed25519_dalek::SigningKey;

/// How long a run waits, before it begins, for a server that does not answer.
const BEFORE_A_RUN_TIMEOUT: Duration = Duration::from_secs(5);

/// Names the server of the commands about keys and runs that were sent.
pub const SERVER_VARIABLE: &str = "FSYNCMARK_SERVER";

/// A pause between two attempts to deliver.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AttemptPause {
    /// How long it is.
    pub wait: Duration,
    /// After how long from now it is given up at the latest.
    pub ends_within: Duration,
}

/// The shortest timeout of a request: zero would mean no limit.
const TIMEOUT_MIN: Duration = Duration::from_millis(1);

/// The address that a command line names, else `FSYNCMARK_SERVER`.
pub fn address(stated: Option<&str>) -> Option<String> {
    let variable = || std::env::var(SERVER_VARIABLE).ok().filter(|url| !url.is_empty());
    stated.map(str::to_owned).or_else(variable)
}

/// A server to talk to.
#[derive(Debug)]
pub struct Server {
    connection: Connection,
}

impl Server {
    /// The server that a command line or `FSYNCMARK_SERVER` names.
    pub fn named(stated: Option<&str>) -> Result<Self> {
        match Self::wished(stated)? {
            Some(server) => Ok(server),
            None => Err(Error::new(ErrorKind::Usage, "no server is named").advise(format!(
                "Add --server URL, for example https://bench.example.org, or set {SERVER_VARIABLE}."
            ))),
        }
    }

    /// The server that a command line or `FSYNCMARK_SERVER` names, where one of them does.
    pub fn wished(stated: Option<&str>) -> Result<Option<Self>> {
        address(stated).map(|url| Self::at(&url)).transpose()
    }

    /// The way there.
    pub(super) const fn connection(&self) -> &Connection {
        &self.connection
    }

    /// The server at `url`, like `https://host` or `http://127.0.0.1:8000`. Nothing is sent yet.
    pub fn at(url: &str) -> Result<Self> {
        Ok(Self { connection: Connection::to(url)? })
    }

    /// Its address.
    pub fn address(&self) -> &str {
        self.connection.address()
    }

    /// Reads what the server publishes at `path`.
    pub fn get(&self, path: &str) -> std::result::Result<Vec<u8>, DeliveryError> {
        self.connection.get(path, ATTEMPT_TIMEOUT)
    }

    /// Makes the key known to the server; the same key may be enrolled again.
    pub fn enrol(&self, key: &SigningKey, timeout: Duration) -> std::result::Result<(), DeliveryError> {
        let path = format!("/api/v1/keys/{}", envelope::key_id(&key.verifying_key()));
        let envelope = envelope::seal(statements::KEY_TYPE, &statements::key_statement(key), key);
        self.connection.send(Method::Put, &path, &envelope.to_bytes(), key, timeout).map(|_| ())
    }

    /// Enrols the key and asks for a challenge for this run, which a ticket says for whom it is.
    pub fn challenge(
        &self,
        key: &SigningKey,
        run_id: &str,
        suite: &Suite,
        ticket: Option<&str>,
    ) -> std::result::Result<Challenge, DeliveryError> {
        self.enrol(key, BEFORE_A_RUN_TIMEOUT)?;
        let request = statements::challenge_request(run_id, suite, ticket);
        let envelope = envelope::seal(statements::CHALLENGE_TYPE, &request, key);
        let body = self.connection.send(
            Method::Post,
            "/api/v1/challenges",
            &envelope.to_bytes(),
            key,
            BEFORE_A_RUN_TIMEOUT,
        )?;
        challenge::parse(&body).ok_or_else(|| DeliveryError::NotOurs {
            why: format!("{} answered without a challenge", self.address()),
        })
    }

    /// Delivers an envelope, with as many attempts as `policy` allows; `waiting` hears why one failed, and
    /// when the next one is.
    pub fn deliver(
        &self,
        key: &SigningKey,
        run_id: &str,
        envelope: &Envelope,
        policy: RetryPolicy,
        mut waiting: impl FnMut(&str, AttemptPause),
    ) -> std::result::Result<Receipt, DeliveryError> {
        let bytes = envelope.to_bytes();
        let mut backoff = Backoff::new(policy);
        loop {
            let error = match self.deliver_once(key, run_id, &bytes, ATTEMPT_TIMEOUT) {
                Ok(receipt) => return Ok(receipt),
                Err(error) => error,
            };
            let retry_after = match error.retry() {
                Retry::Never => return Err(error),
                Retry::AfterOurWait => None,
                Retry::AfterPause(pause) => Some(pause),
            };
            let jitter = f64::from(u32::from_le_bytes(crate::sys::random())) / f64::from(u32::MAX);
            let Some(wait) = backoff.next_wait(retry_after, jitter) else { return Err(error) };
            waiting(error.why(), AttemptPause { wait, ends_within: wait + backoff.time_left_max() });
            std::thread::sleep(wait);
        }
    }

    /// One attempt. If the server does not know the key, because the run was made offline, the key is
    /// enrolled and the envelope sent once more; all of that within `timeout`.
    fn deliver_once(
        &self,
        key: &SigningKey,
        run_id: &str,
        bytes: &[u8],
        timeout: Duration,
    ) -> std::result::Result<Receipt, DeliveryError> {
        let path = format!("/api/v1/runs/{run_id}");
        let began = Instant::now();
        let left = || timeout.saturating_sub(began.elapsed()).max(TIMEOUT_MIN);
        let body = match self.connection.send(Method::Put, &path, bytes, key, left()) {
            Err(error) if error.refusal().is_some_and(|refusal| refusal.slug == "unknown-key") => {
                self.enrol(key, left())?;
                self.connection.send(Method::Put, &path, bytes, key, left())?
            }
            answer => answer?,
        };
        Receipt::read(&body, self.address()).ok_or_else(|| DeliveryError::NotOurs {
            why: format!("{} answered without an address of the run", self.address()),
        })
    }
}

#[cfg(test)]
mod tests {
    use std::io::{BufRead as _, BufReader, Read as _, Write as _};
    use std::net::{Ipv4Addr, TcpListener, TcpStream};

    use super::*;

    /// Reads one request, and answers it if there is an answer.
    fn answer(stream: &mut TcpStream, answer: Option<(&str, &str)>) {
        let mut reader = BufReader::new(stream.try_clone().unwrap());
        let (mut line, mut length) = (String::new(), 0);
        while reader.read_line(&mut line).unwrap() > 2 {
            let number =
                line.to_ascii_lowercase().strip_prefix("content-length: ").map(|n| n.trim().to_owned());
            length = number.map_or(length, |number| number.parse().unwrap());
            line.clear();
        }
        reader.read_exact(&mut vec![0; length]).unwrap();
        if let Some((status, body)) = answer {
            let kind = if body.is_empty() { "text/plain" } else { "application/problem+json" };
            let text = format!(
                "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}",
                body.len()
            );
            stream.write_all(text.as_bytes()).unwrap();
        }
    }

    #[test]
    fn an_attempt_ends_in_its_time_however_many_requests_it_takes() {
        const LATE: Duration = Duration::from_millis(400);
        const TIMEOUT: Duration = Duration::from_millis(700);
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let server = Server::at(&format!("http://{}", listener.local_addr().unwrap())).unwrap();
        let (ended, end) = std::sync::mpsc::channel::<()>();
        let unknown = r#"{"type": "https://fsyncmark/problems/unknown-key", "instance": "/api/v1/runs/0199", "errors": []}"#;
        let requests = std::thread::spawn(move || {
            for (index, said) in
                [Some(("403 Forbidden", unknown)), Some(("201 Created", "{}"))].into_iter().enumerate()
            {
                let (mut stream, _) = listener.accept().unwrap();
                if index == 0 {
                    let _ = end.recv_timeout(LATE);
                }
                answer(&mut stream, said);
            }
            let (mut silent, _) = listener.accept().unwrap();
            answer(&mut silent, None);
            let _ = end.recv();
            3
        });
        let (key, began) = (SigningKey::from_bytes(&[7; 32]), Instant::now());
        let error = server.deliver_once(&key, "0199", b"{}", TIMEOUT).unwrap_err();
        let took = began.elapsed();
        drop(ended);
        assert_eq!(requests.join().unwrap(), 3, "sent, enrolled, sent again");
        assert!(matches!(error, DeliveryError::NoAnswer { .. }), "{error:?}");
        assert!((TIMEOUT..TIMEOUT + LATE).contains(&took), "{took:?}");
    }
}
