//! The one error type: what happened, what the person can do, and its kind, which decides the exit code.

use std::fmt;
use std::io;

pub use crate::exit_code::ErrorKind;

/// What happened and what to do about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Error {
    /// Decides the exit code.
    pub kind: ErrorKind,
    /// What happened, as a clause without a full stop.
    pub what: String,
    /// What the person can do, as a sentence.
    pub advice: Option<String>,
}

impl Error {
    /// An error without advice.
    pub fn new(kind: ErrorKind, what: impl Into<String>) -> Self {
        Self { kind, what: what.into(), advice: None }
    }

    /// Adds what the person can do.
    #[must_use]
    pub fn advise(mut self, advice: impl Into<String>) -> Self {
        self.advice = Some(advice.into());
        self
    }

    /// An I/O error while doing `doing` ("write the key to /etc/fsyncmark/key").
    pub fn from_io(kind: ErrorKind, doing: &str, error: &io::Error) -> Self {
        let kind = match error.kind() {
            io::ErrorKind::PermissionDenied => ErrorKind::NoPermission,
            io::ErrorKind::NotFound if kind == ErrorKind::Data => ErrorKind::NoInput,
            _ => kind,
        };
        Self::new(kind, format!("cannot {doing}: {error}"))
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.what)?;
        if let Some(advice) = &self.advice {
            write!(f, "\n  {advice}")?;
        }
        Ok(())
    }
}

impl std::error::Error for Error {}

/// The result of everything that can fail.
pub type Result<T> = std::result::Result<T, Error>;
