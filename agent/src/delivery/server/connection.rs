//! One request to a server and its answer: address, certificates, time limits.

use std::io;
use std::time::Duration;

use super::answer::{DeliveryError, Response};
use crate::error::{Error, ErrorKind, Result};
use crate::wire::USER_AGENT;
use crate::wire::envelope;

const CONNECT_TIMEOUT: Duration = Duration::from_secs(4);
/// PEM file with the roots to trust instead of the built-in ones, as OpenSSL and curl know it.
const ROOTS_VARIABLE: &str = "SSL_CERT_FILE";

/// The way to a server.
#[derive(Debug)]
pub(super) struct Connection {
    address: String,
    agent: ureq::Agent,
}

/// How an envelope is sent.
#[derive(Clone, Copy)]
pub(super) enum Method {
    Put,
    Post,
}

impl Connection {
    /// A connection to the server at `url`. Nothing is sent yet.
    pub fn to(url: &str) -> Result<Self> {
        let address = check_address(url)?;
        let config = ureq::Agent::config_builder()
            .timeout_connect(Some(CONNECT_TIMEOUT))
            .http_status_as_error(false)
            .max_redirects(0)
            .max_redirects_will_error(false)
            .tls_config(tls()?)
            .user_agent(USER_AGENT)
            .build();
        Ok(Self { address, agent: config.into() })
    }

    /// The server's address.
    pub fn address(&self) -> &str {
        &self.address
    }

    /// Requests `path`.
    pub fn get(&self, path: &str, timeout: Duration) -> std::result::Result<Vec<u8>, DeliveryError> {
        let request = self.agent.get(format!("{}{path}", self.address));
        let answer = request.config().timeout_global(Some(timeout)).build().call();
        self.body(answer)
    }

    /// Sends an envelope to `path`.
    pub fn send(
        &self,
        method: Method,
        path: &str,
        envelope: &[u8],
        timeout: Duration,
    ) -> std::result::Result<Vec<u8>, DeliveryError> {
        let address = format!("{}{path}", self.address);
        let request = match method {
            Method::Put => self.agent.put(&address),
            Method::Post => self.agent.post(&address),
        };
        let request = request.config().timeout_global(Some(timeout)).build();
        self.body(request.content_type(envelope::CONTENT_TYPE).send(envelope))
    }

    fn body(
        &self,
        answer: std::result::Result<ureq::http::Response<ureq::Body>, ureq::Error>,
    ) -> std::result::Result<Vec<u8>, DeliveryError> {
        let response = answer.and_then(Response::read).map_err(|error| self.no_answer(&error))?;
        response.into_body(&self.address)
    }

    /// The error for a request without an answer. An invalid certificate stays invalid; anything else may be
    /// temporary.
    fn no_answer(&self, error: &ureq::Error) -> DeliveryError {
        let address = &self.address;
        match error {
            ureq::Error::Io(error) if error.kind() == io::ErrorKind::InvalidData => DeliveryError::NoServer {
                why: format!(
                    "{address}: {error}. If its certificate is your own: {ROOTS_VARIABLE}=roots.pem"
                ),
            },
            ureq::Error::Tls(_)
            | ureq::Error::Rustls(_)
            | ureq::Error::BadUri(_)
            | ureq::Error::Protocol(_) => DeliveryError::NoServer { why: format!("{address}: {error}") },
            ureq::Error::Io(error) => DeliveryError::NoAnswer { why: format!("{address}: {error}") },
            error => DeliveryError::NoAnswer { why: format!("{address}: {error}") },
        }
    }
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
    Err(Error::new(ErrorKind::Usage, format!("{url} is not a server's address"))
        .advise("Write it like https://bench.example.org or http://127.0.0.1:8000"))
}

fn tls() -> Result<ureq::tls::TlsConfig> {
    let builder = ureq::tls::TlsConfig::builder();
    let Some(path) = std::env::var_os(ROOTS_VARIABLE).filter(|path| !path.is_empty()) else {
        return Ok(builder.build());
    };
    let path = std::path::PathBuf::from(path);
    let bytes = std::fs::read(&path).map_err(|error| {
        Error::from_io(ErrorKind::NoInput, &format!("read {ROOTS_VARIABLE} {}", path.display()), &error)
    })?;
    let roots: Vec<_> = ureq::tls::parse_pem(&bytes)
        .filter_map(|item| match item {
            Ok(ureq::tls::PemItem::Certificate(certificate)) => Some(certificate),
            _ => None,
        })
        .collect();
    if roots.is_empty() {
        return Err(Error::new(
            ErrorKind::Data,
            format!("{ROOTS_VARIABLE} {} holds no certificate", path.display()),
        ));
    }
    Ok(builder.root_certs(ureq::tls::RootCerts::new_with_certs(&roots)).build())
}
