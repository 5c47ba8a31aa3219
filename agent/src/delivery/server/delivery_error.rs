//! Why a request did not succeed, which exit code follows, and whether another attempt is worth it. Callers
//! ask the error and do not match its members, so that a new member changes this file alone.

use std::time::Duration;

use crate::error::{Error, ErrorKind};

/// How a certificate is trusted for which no known authority vouches.
const TRUST_YOUR_OWN: &str =
    "If its certificate is your own, name the file with it: SSL_CERT_FILE=roots.pem.";

/// Why a request did not succeed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DeliveryError {
    /// No answer: nobody listens at the address, or the connection broke. Another attempt may succeed.
    NoAnswer {
        /// The reason, in words for people.
        why: String,
    },
    /// No attempt can succeed: the other side does not speak HTTP.
    NoServer {
        /// The reason, in words for people.
        why: String,
    },
    /// No attempt can succeed: the server's certificate is not trusted.
    NotTrusted {
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
        /// The reason, in words for people.
        why: String,
        /// What the server answered.
        refusal: Refusal,
    },
    /// The answer is not that of a Fsyncmark server.
    NotOurs {
        /// The reason, in words for people.
        why: String,
    },
}

/// The answer by which a server refused for good, a problem document (RFC 9457).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// The HTTP status.
    pub status: u16,
    /// The problem's type, its last path segment.
    pub slug: String,
    /// The whole answer.
    pub body: Vec<u8>,
}

impl Refusal {
    /// Whether the server has nothing at the address that was asked for.
    pub const fn says_not_found(&self) -> bool {
        self.status == 404
    }

    /// What the person can do about it, where the answer is ours to know.
    const fn advice(&self) -> Option<&'static str> {
        Some(match self.slug.as_bytes() {
            b"revoked-key" => {
                "Move its file away (fsyncmark key says where it is): the next run makes a new key."
            }
            b"rotated-key" => {
                "If fsyncmark key rotate was interrupted, call it again: it goes on where it stopped."
            }
            b"agent-too-old" => {
                "Install a newer one: it sends what waits, and what was refused, with fsyncmark upload FILE."
            }
            b"run-deleted" => "Measure again: every run has its own id.",
            b"not-your-run" => "Use the key that sent it, or the one that replaced that.",
            b"other-server" => "Give --server as its pages show it.",
            b"statement-replayed" => "Check this machine's clock.",
            _ => return None,
        })
    }
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
            | Self::NotTrusted { why }
            | Self::Temporary { why, .. }
            | Self::Permanent { why, .. }
            | Self::NotOurs { why } => why,
        }
    }

    /// What the person can do, as a sentence, where there is more to it than waiting.
    pub const fn advice(&self) -> Option<&'static str> {
        match self {
            Self::NoServer { .. } | Self::NotOurs { .. } => Some("Is that the right address?"),
            Self::NotTrusted { .. } => Some(TRUST_YOUR_OWN),
            Self::Permanent { refusal, .. } => refusal.advice(),
            Self::NoAnswer { .. } | Self::Temporary { .. } => None,
        }
    }

    /// The error of a command that asked a server for `doing` ("the login").
    pub fn into_error(self, address: &str, doing: &str) -> Error {
        let what = match &self {
            Self::Permanent { why, .. } => format!("{address} refused {doing}: {why}"),
            Self::NoServer { why } | Self::NotTrusted { why } | Self::NotOurs { why } => why.clone(),
            Self::NoAnswer { why } | Self::Temporary { why, .. } => {
                format!("{doing} was not answered: {why}")
            }
        };
        Error { advice: self.advice().map(str::to_owned), ..Error::new(self.kind(), what) }
    }

    /// The kind of error that it is, and with that the exit code of the program.
    pub const fn kind(&self) -> ErrorKind {
        match self {
            Self::NoAnswer { .. }
            | Self::NoServer { .. }
            | Self::NotTrusted { .. }
            | Self::Temporary { .. }
            | Self::NotOurs { .. } => ErrorKind::NotDelivered,
            Self::Permanent { .. } => ErrorKind::RejectedByServer,
        }
    }

    /// Whether another attempt may succeed, and when to make it.
    pub const fn retry(&self) -> Retry {
        match self {
            Self::NoAnswer { .. } | Self::Temporary { retry_after: None, .. } => Retry::AfterOurWait,
            Self::Temporary { retry_after: Some(pause), .. } => Retry::AfterPause(*pause),
            Self::NoServer { .. }
            | Self::NotTrusted { .. }
            | Self::Permanent { .. }
            | Self::NotOurs { .. } => Retry::Never,
        }
    }

    /// Whether nobody of ours answers at the address: perhaps it was typed wrong.
    pub const fn is_elsewhere(&self) -> bool {
        match self {
            Self::NoAnswer { .. }
            | Self::NoServer { .. }
            | Self::NotTrusted { .. }
            | Self::NotOurs { .. } => true,
            Self::Temporary { .. } | Self::Permanent { .. } => false,
        }
    }

    /// What the server answered, if it refused for good.
    pub const fn refusal(&self) -> Option<&Refusal> {
        match self {
            Self::Permanent { refusal, .. } => Some(refusal),
            Self::NoAnswer { .. }
            | Self::NoServer { .. }
            | Self::NotTrusted { .. }
            | Self::Temporary { .. }
            | Self::NotOurs { .. } => None,
        }
    }

    /// Whether another request would fail in the same way: no server answered, or it asked for a pause. Any
    /// other answer concerns the result that was sent.
    pub const fn concerns_every_result(&self) -> bool {
        match self {
            Self::NoAnswer { .. } | Self::NoServer { .. } | Self::NotTrusted { .. } => true,
            Self::Temporary { retry_after, .. } => retry_after.is_some(),
            Self::Permanent { .. } | Self::NotOurs { .. } => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_error_says_what_follows_from_it() {
        let why = || "because".to_owned();
        let temporary = |retry_after| DeliveryError::Temporary { why: why(), retry_after };
        let pause = Duration::from_secs(3_600);
        let refusal = Refusal { status: 403, slug: String::new(), body: Vec::new() };
        let permanent = DeliveryError::Permanent { why: why(), refusal };
        let (late, refused) = (ErrorKind::NotDelivered, ErrorKind::RejectedByServer);
        for (error, concerns_every_result, retry, kind, advice) in [
            (DeliveryError::NoAnswer { why: why() }, true, Retry::AfterOurWait, late, ""),
            (DeliveryError::NoServer { why: why() }, true, Retry::Never, late, "right address"),
            (DeliveryError::NotTrusted { why: why() }, true, Retry::Never, late, "SSL_CERT_FILE"),
            (temporary(None), false, Retry::AfterOurWait, late, ""),
            (temporary(Some(pause)), true, Retry::AfterPause(pause), late, ""),
            (permanent, false, Retry::Never, refused, ""),
            (DeliveryError::NotOurs { why: why() }, false, Retry::Never, late, "right address"),
        ] {
            assert_eq!(error.concerns_every_result(), concerns_every_result, "{error:?}");
            assert_eq!((error.retry(), error.kind()), (retry, kind), "{error:?}");
            assert_eq!(error.refusal().is_some(), kind == refused, "{error:?}");
            assert_eq!(error.why(), "because");
            assert_eq!(error.advice().is_some(), !advice.is_empty(), "{error:?}");
            assert!(error.advice().unwrap_or_default().contains(advice), "{error:?}");
        }
    }
}
