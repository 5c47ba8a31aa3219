//! What a provider signs of a machine, for `--ask-cloud=proof`: its identity document, bound to an audience
//! where the provider can do that (`docs/commands.md` has the table).

use std::net::{Ipv4Addr, SocketAddr};
use std::time::{Duration, Instant};

use super::error::MetadataError;
use super::exchange;
use super::services::{self, LINK_LOCAL, OF_ALIBABA};
use crate::wire::USER_AGENT;

/// The time limit for all questions together: signing takes a service longer than a name.
pub const PROOF_BUDGET: Duration = Duration::from_secs(3);
/// The longest document or signature: what all are is under 4 kB.
const PART_BYTES_MAX: usize = 16 << 10;
/// The longest token of Amazon's service, which is 56 characters.
const TOKEN_BYTES_MAX: usize = 256;

/// What a provider signed of this machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IdentityDocument {
    /// Who signed it.
    pub provider: &'static str,
    /// What was signed: JSON, or a JSON Web Token.
    pub document: String,
    /// The signature in base64, or empty where the document carries it.
    pub signature: String,
}

/// A provider that signs, and how it is asked.
struct Signer {
    provider: &'static str,
    address: Ipv4Addr,
    fetch: fn(&Way<'_>) -> Result<(String, String), MetadataError>,
}

static SIGNERS: [Signer; 3] = [
    Signer { provider: "alibaba", address: OF_ALIBABA, fetch: alibaba },
    Signer { provider: "aws", address: LINK_LOCAL, fetch: aws },
    Signer { provider: "gcp", address: LINK_LOCAL, fetch: gcp },
];

/// The way to a service, and what the document shall be good for.
struct Way<'a> {
    host: Ipv4Addr,
    address: SocketAddr,
    audience: &'a str,
    deadline: Instant,
}

impl Way<'_> {
    fn ask(&self, method: &str, path: &str, headers: &str) -> Result<String, MetadataError> {
        let request = format!(
            "{method} {path} HTTP/1.1\r\nHost: {}\r\nUser-Agent: {USER_AGENT}\r\nAccept: */*\r\n{headers}Connection: close\r\n\r\n",
            self.host
        );
        let answer = exchange::get(self.address, &request, self.deadline)?;
        if answer.len() > PART_BYTES_MAX { Err(MetadataError::NotUnderstood) } else { Ok(answer) }
    }
}

/// Fetches the document of the provider that the firmware names, for this audience: a server's challenge.
pub fn fetch_proof(provider: Option<&str>, audience: &str) -> Result<IdentityDocument, MetadataError> {
    let signer = signer(provider)?;
    let address = SocketAddr::new(signer.address.into(), services::PORT);
    fetch_at(signer.provider, address, audience, PROOF_BUDGET)
}

/// Fetches it from a service at any address.
pub(super) fn fetch_at(
    provider: &str,
    address: SocketAddr,
    audience: &str,
    budget: Duration,
) -> Result<IdentityDocument, MetadataError> {
    let signer = signer(Some(provider))?;
    // It becomes a part of an address.
    let is_plain = audience.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-".contains(&byte));
    if audience.is_empty() || !is_plain {
        return Err(MetadataError::NotUnderstood);
    }
    let way = Way { host: signer.address, address, audience, deadline: Instant::now() + budget };
    let (document, signature) = (signer.fetch)(&way)?;
    Ok(IdentityDocument { provider: signer.provider, document, signature })
}

/// What will be asked for, or why nothing will, as a sentence.
pub fn describe_proof(provider: Option<&str>) -> String {
    match signer(provider) {
        Ok(signer) => format!(
            "After the run it asks {} for what {} signed of this machine, which names its account, its \
             instance and its addresses, and sends that to the server apart from the result.",
            signer.address, signer.provider
        ),
        Err(error) => format!("No proof of place is sent: {error}."),
    }
}

fn signer(provider: Option<&str>) -> Result<&'static Signer, MetadataError> {
    let name = provider.unwrap_or("this machine's provider");
    let signer = SIGNERS.iter().find(|signer| signer.provider == name);
    signer.ok_or_else(|| MetadataError::SignsNothing(name.to_owned()))
}

/// PKCS#7 over the document with the audience in it.
fn alibaba(way: &Way<'_>) -> Result<(String, String), MetadataError> {
    let document = way.ask("GET", "/latest/dynamic/instance-identity/document", "")?;
    let path = format!("/latest/dynamic/instance-identity/pkcs7?audience={}", way.audience);
    Ok((document, base64_text(&way.ask("GET", &path, "")?)?))
}

/// RSA with SHA-256 over the document, which no audience can be put into. Its service wants a token first
/// (IMDSv2); that is good for a minute here, and dropped.
fn aws(way: &Way<'_>) -> Result<(String, String), MetadataError> {
    let headers = "X-aws-ec2-metadata-token-ttl-seconds: 60\r\nContent-Length: 0\r\n";
    let token = way.ask("PUT", "/latest/api/token", headers)?;
    // It becomes a header.
    let is_token =
        (1..=TOKEN_BYTES_MAX).contains(&token.len()) && token.bytes().all(|byte| byte.is_ascii_graphic());
    if !is_token {
        return Err(MetadataError::NotUnderstood);
    }
    let header = format!("X-aws-ec2-metadata-token: {token}\r\n");
    let document = way.ask("GET", "/latest/dynamic/instance-identity/document", &header)?;
    let signature = way.ask("GET", "/latest/dynamic/instance-identity/signature", &header)?;
    Ok((document, base64_text(&signature)?))
}

/// A JSON Web Token, which carries its signature.
fn gcp(way: &Way<'_>) -> Result<(String, String), MetadataError> {
    let path = format!(
        "/computeMetadata/v1/instance/service-accounts/default/identity?audience={}&format=full",
        way.audience
    );
    let token = way.ask("GET", &path, "Metadata-Flavor: Google\r\n")?;
    let token = token.trim();
    let is_part = |part: &str| {
        !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-".contains(&byte))
    };
    let parts: Vec<&str> = token.split('.').collect();
    if parts.len() == 3 && parts.iter().all(|part| is_part(part)) {
        return Ok((token.to_owned(), String::new()));
    }
    Err(MetadataError::NotUnderstood)
}

/// Base64 without the breaks of its lines.
fn base64_text(text: &str) -> Result<String, MetadataError> {
    let joined: String = text.split_ascii_whitespace().collect();
    let is_base64 = joined.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+/=".contains(&byte));
    if joined.is_empty() || !is_base64 { Err(MetadataError::NotUnderstood) } else { Ok(joined) }
}
