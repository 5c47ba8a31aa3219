//! What a server's answer means: the requested bytes, try again later, refused for good, or not a Fsyncmark
//! server.

use std::time::Duration;

use serde_json::Value;

use crate::delivery::retry;
use crate::error::ErrorKind;
use crate::sys::clock;
use crate::text::printable;

/// The longest answer that is read. A Fsyncmark server sends far less.
const ANSWER_BYTES_MAX: u64 = 256 << 10;
/// Longer addresses are cut when they are shown.
const ADDRESS_LENGTH_SHOWN: usize = 200;
/// Longer texts of a problem are cut when they are shown.
const TEXT_LENGTH_SHOWN: usize = 300;

/// Why a request did not succeed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DeliveryError {
    /// No answer: nobody listens at the address, or the connection broke. Another attempt may succeed.
    NoAnswer {
        /// The reason, in words for people.
        why: String,
    },
    /// No attempt can succeed: the certificate is not valid, or the other side does not speak HTTP.
    NoServer {
        /// The reason, in words for people.
        why: String,
    },
    /// It may succeed later: the server is busy, or failed.
    Temporary {
        /// The reason, in words for people.
        why: String,
        /// How long the server asks to wait.
        retry_after: Option<Duration>,
    },
    /// It will never succeed: the server understood and refused.
    Permanent {
        /// The problem's type, its last path segment.
        slug: String,
        /// The reason, in words for people.
        why: String,
        /// The whole answer.
        body: Vec<u8>,
    },
    /// The answer is not that of a Fsyncmark server.
    NotOurs {
        /// The reason, in words for people.
        why: String,
    },
}

/// Whether another attempt may succeed, and when to make it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Retry {
    /// None can succeed.
    Never,
    /// After a wait that we choose.
    AfterOurWait,
    /// After the pause that the server asks for.
    AfterPause(Duration),
}

impl DeliveryError {
    /// The reason, in words for people.
    pub fn why(&self) -> &str {
        match self {
            Self::NoAnswer { why }
            | Self::NoServer { why }
            | Self::Temporary { why, .. }
            | Self::Permanent { why, .. }
            | Self::NotOurs { why } => why,
        }
    }

    /// The kind of error that it is, and with that the exit code of the program.
    pub const fn kind(&self) -> ErrorKind {
        match self {
            Self::NoAnswer { .. } | Self::NoServer { .. } | Self::Temporary { .. } | Self::NotOurs { .. } => {
                ErrorKind::NotDelivered
            }
            Self::Permanent { .. } => ErrorKind::RejectedByServer,
        }
    }

    /// Whether another attempt may succeed, and when to make it.
    pub const fn retry(&self) -> Retry {
        match self {
            Self::NoAnswer { .. } | Self::Temporary { retry_after: None, .. } => Retry::AfterOurWait,
            Self::Temporary { retry_after: Some(pause), .. } => Retry::AfterPause(*pause),
            Self::NoServer { .. } | Self::Permanent { .. } | Self::NotOurs { .. } => Retry::Never,
        }
    }

    /// Whether another request would fail in the same way: no server answered, or it asked for a pause. Any
    /// other answer concerns the result that was sent.
    pub fn concerns_every_result(&self) -> bool {
        match self {
            Self::NoAnswer { .. } | Self::NoServer { .. } => true,
            Self::Temporary { retry_after, .. } => retry_after.is_some(),
            Self::Permanent { .. } | Self::NotOurs { .. } => false,
        }
    }
}

/// An answer as it was received.
pub(super) struct Response {
    status: u16,
    is_problem: bool,
    retry_after: Option<Duration>,
    /// Where a redirect points.
    location: String,
    body: Vec<u8>,
}

impl Response {
    /// Reads the whole answer.
    pub fn read(mut response: ureq::http::Response<ureq::Body>) -> Result<Self, ureq::Error> {
        let header = |name: &str| {
            response.headers().get(name).and_then(|value| value.to_str().ok()).unwrap_or_default()
        };
        let is_problem = header("content-type").starts_with("application/problem+json");
        let retry_after = retry::parse_retry_after(header("retry-after"), clock::wall_unix_us() / 1_000_000);
        let location = printable(header("location"), ADDRESS_LENGTH_SHOWN);
        let status = response.status().as_u16();
        let body = response.body_mut().with_config().limit(ANSWER_BYTES_MAX).read_to_vec()?;
        Ok(Self { status, is_problem, retry_after, location, body })
    }

    /// The requested bytes, or why the server at `address` did not return them.
    pub fn into_body(self, address: &str) -> Result<Vec<u8>, DeliveryError> {
        let why = self.explain();
        match self.status {
            200 | 201 => Ok(self.body),
            408 | 425 | 429 | 500..=599 => {
                Err(DeliveryError::Temporary { why, retry_after: self.retry_after })
            }
            400..=499 if self.is_problem => {
                Err(DeliveryError::Permanent { slug: problem_slug(&self.body), why, body: self.body })
            }
            300..=399 if !self.location.is_empty() => Err(DeliveryError::NotOurs {
                why: format!("{address} says to go to {}: name that server instead", self.location),
            }),
            status => Err(DeliveryError::NotOurs {
                why: format!("{address} answered {status}, but not as a Fsyncmark server does"),
            }),
        }
    }

    /// What a problem document says: its title and detail, or the bare status.
    fn explain(&self) -> String {
        let problem: Value = serde_json::from_slice(&self.body).unwrap_or_default();
        let text =
            |value: &Value| value.as_str().map(|text| printable(text, TEXT_LENGTH_SHOWN)).unwrap_or_default();
        let mut parts = vec![text(&problem["title"]), text(&problem["detail"])];
        for error in problem["errors"].as_array().into_iter().flatten().take(3) {
            parts.push(format!("{} {}", text(&error["pointer"]), text(&error["detail"])).trim().to_owned());
        }
        parts.retain(|part| !part.is_empty());
        parts.dedup();
        if parts.is_empty() { format!("the server answered {}", self.status) } else { parts.join(": ") }
    }
}

fn problem_slug(body: &[u8]) -> String {
    let problem: Value = serde_json::from_slice(body).unwrap_or_default();
    problem["type"].as_str().and_then(|kind| kind.rsplit('/').next()).unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_silence_and_a_wish_for_a_pause_concern_every_request() {
        let why = || "because".to_owned();
        let temporary = |retry_after| DeliveryError::Temporary { why: why(), retry_after };
        let pause = Duration::from_secs(3_600);
        let permanent = DeliveryError::Permanent { slug: String::new(), why: why(), body: Vec::new() };
        let (late, refused) = (ErrorKind::NotDelivered, ErrorKind::RejectedByServer);
        for (error, concerns_every_result, retry, kind) in [
            (DeliveryError::NoAnswer { why: why() }, true, Retry::AfterOurWait, late),
            (DeliveryError::NoServer { why: why() }, true, Retry::Never, late),
            (temporary(None), false, Retry::AfterOurWait, late),
            (temporary(Some(pause)), true, Retry::AfterPause(pause), late),
            (permanent, false, Retry::Never, refused),
            (DeliveryError::NotOurs { why: why() }, false, Retry::Never, late),
        ] {
            assert_eq!(error.concerns_every_result(), concerns_every_result, "{error:?}");
            assert_eq!((error.retry(), error.kind()), (retry, kind), "{error:?}");
            assert_eq!(error.why(), "because");
        }
    }
}
