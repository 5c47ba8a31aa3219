//! One request to a server and its answer: address, certificates, time limits.

use std::io;
use std::time::Duration;

use super::answer::Response;
use super::delivery_error::DeliveryError;
use super::statements;
use crate::error::{Error, ErrorKind, Result};
use crate::sys::clock;
use crate::text::printable_error;
use crate::wire::USER_AGENT;
use crate::wire::envelope;
use ed25519_dalek::SigningKey;

const CONNECT_TIMEOUT: Duration = Duration::from_secs(4);
/// Says which key sends a request.
const SENDER_HEADER: &str = "Fsyncmark-Sender";
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

    /// The server's name, with its port where that is not the one of its scheme: what it sees in `Host`.
    pub fn name(&self) -> String {
        let (scheme, rest) = self.address.split_once("://").expect("an address was checked");
        let name = rest.split('/').next().unwrap_or(rest).to_ascii_lowercase();
        let usual = if scheme == "https" { ":443" } else { ":80" };
        name.strip_suffix(usual).map_or(name.clone(), str::to_owned)
    }

    /// Requests `path`.
    pub fn get(&self, path: &str, timeout: Duration) -> std::result::Result<Vec<u8>, DeliveryError> {
        let request = self.agent.get(format!("{}{path}", self.address));
        let answer = request.config().timeout_global(Some(timeout)).build().call();
        self.body(answer)
    }

    /// Sends an envelope to `path`, by the owner of a key.
    pub fn send(
        &self,
        method: Method,
        path: &str,
        envelope: &[u8],
        key: &SigningKey,
        timeout: Duration,
    ) -> std::result::Result<Vec<u8>, DeliveryError> {
        let address = format!("{}{path}", self.address);
        let request = match method {
            Method::Put => self.agent.put(&address),
            Method::Post => self.agent.post(&address),
        };
        let request = request.config().timeout_global(Some(timeout)).build();
        let request = request.header(SENDER_HEADER, self.sender(path, key));
        self.body(request.content_type(envelope::CONTENT_TYPE).send(envelope))
    }

    /// Sends JSON that nobody signed to `path`, by the owner of a key.
    pub fn post_json(
        &self,
        path: &str,
        json: &[u8],
        key: &SigningKey,
        timeout: Duration,
    ) -> std::result::Result<Vec<u8>, DeliveryError> {
        let request = self.agent.post(format!("{}{path}", self.address));
        let request = request.config().timeout_global(Some(timeout)).build();
        let request = request.header(SENDER_HEADER, self.sender(path, key));
        self.body(request.content_type("application/json").send(json))
    }

    fn sender(&self, path: &str, key: &SigningKey) -> String {
        statements::sender(&self.name(), path, key, clock::wall_unix_us() / 1_000_000)
    }

    fn body(
        &self,
        answer: std::result::Result<ureq::http::Response<ureq::Body>, ureq::Error>,
    ) -> std::result::Result<Vec<u8>, DeliveryError> {
        let response = answer.and_then(Response::read).map_err(|error| self.no_answer(&error))?;
        response.into_body(&self.address)
    }

    /// The error for a request without an answer. An invalid certificate stays invalid, and so does an
    /// address at which nobody speaks HTTP; any other error may be temporary.
    fn no_answer(&self, error: &ureq::Error) -> DeliveryError {
        let (address, said) = (&self.address, printable_error(error));
        match error {
            ureq::Error::Io(error) if is_invalid_certificate(error) => {
                DeliveryError::NotTrusted { why: format!("{address}: {said}") }
            }
            ureq::Error::Tls(_)
            | ureq::Error::Rustls(_)
            | ureq::Error::BadUri(_)
            | ureq::Error::Protocol(_) => DeliveryError::NoServer { why: format!("{address}: {said}") },
            _ => DeliveryError::NoAnswer { why: format!("{address}: {said}") },
        }
    }
}

/// Whether TLS refused the server's certificate. Other data that make no sense, such as an answer that was
/// cut off, come with the same kind of error.
fn is_invalid_certificate(error: &io::Error) -> bool {
    let of_tls = error.get_ref().and_then(|inner| inner.downcast_ref::<rustls::Error>());
    matches!(of_tls, Some(rustls::Error::InvalidCertificate(_)))
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

#[cfg(test)]
mod tests {
    use std::io::{Read as _, Write as _};
    use std::net::{Ipv4Addr, TcpListener, TcpStream};
    use std::sync::Arc;

    use rustls::pki_types::pem::PemObject as _;
    use rustls::pki_types::{CertificateDer, PrivateKeyDer};

    use super::*;
    use crate::delivery::server::delivery_error::Retry;

    /// A certificate for 127.0.0.1 that nobody vouches for, and its key.
    const SELF_SIGNED: &[u8] = include_bytes!("self_signed.pem");

    /// The error of a request to a server that does this with the connection.
    fn error_of(serve: impl FnOnce(TcpStream) + Send + 'static) -> DeliveryError {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let connection = Connection::to(&format!("https://{}", listener.local_addr().unwrap())).unwrap();
        let server = std::thread::spawn(move || serve(listener.accept().unwrap().0));
        let error = connection.get("/", Duration::from_secs(20)).unwrap_err();
        server.join().unwrap();
        error
    }

    #[test]
    fn a_server_is_named_as_it_is_asked() {
        for (url, name) in [
            ("https://Bench.example.org/", "bench.example.org"),
            ("https://bench.example.org:443", "bench.example.org"),
            ("http://127.0.0.1:8000/below", "127.0.0.1:8000"),
            ("http://[::1]:80", "[::1]"),
        ] {
            assert_eq!(Connection::to(url).unwrap().name(), name);
        }
    }

    #[test]
    fn a_certificate_that_nobody_vouches_for_is_named_and_not_tried_again() {
        let certificate = CertificateDer::from_pem_slice(SELF_SIGNED).unwrap();
        let key = PrivateKeyDer::from_pem_slice(SELF_SIGNED).unwrap();
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let config = rustls::ServerConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .unwrap()
            .with_no_client_auth()
            .with_single_cert(vec![certificate], key)
            .unwrap();
        let error = error_of(move |mut stream| {
            let mut tls = rustls::ServerConnection::new(Arc::new(config)).unwrap();
            while tls.is_handshaking() && tls.complete_io(&mut stream).is_ok() {}
        });
        assert_eq!(error.retry(), Retry::Never, "{error:?}");
        assert!(error.why().contains("invalid peer certificate"), "{error:?}");
        assert!(error.advice().unwrap().contains(&format!("{ROOTS_VARIABLE}=roots.pem")), "{error:?}");
    }

    #[test]
    fn an_answer_that_makes_no_sense_says_nothing_of_certificates_and_is_tried_again() {
        let error = error_of(|mut stream| {
            let _ = stream.read(&mut [0; 4096]).unwrap();
            stream.write_all(b"HTTP/1.0 502 Bad Gateway\r\n\r\n").unwrap();
        });
        assert_eq!(error.retry(), Retry::AfterOurWait, "{error:?}");
        assert!(!error.why().contains("certificate"), "{error:?}");
    }
}
