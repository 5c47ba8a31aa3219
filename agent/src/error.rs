//! The one error type: what happened, what the person can do, and the exit code of the program. Every exit code, and
//! what help and manual say about it, stands here.

use std::fmt;
use std::io;

/// What help and manual say of the exit codes.
pub(crate) const EXIT_CODES: &str = "\
Exit codes:
    0  done, all that was asked
    2  the command line is wrong
   65  a file is not what it should be, or its signature does not fit
   66  a file or folder that was named does not exist
   69  this folder cannot be measured; nothing was written
   70  a mistake in fsyncmark itself
   73  the key, the spool or the test file cannot be created
   74  the device or filesystem failed while it was measured
   75  measured, but not delivered yet: kept for fsyncmark upload, or printed
   76  the server refused the result for good
   77  no permission
  130  stopped by Ctrl-C or a signal; what was measured is kept";

/// Classes of failure; each has one exit code (`sysexits.h` where one fits).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// The command line combines things that do not go together.
    Usage = 2,
    /// A file is not what it should be, or its signature does not fit.
    Data = 65,
    /// A file or folder that was named does not exist.
    NoInput = 66,
    /// This folder cannot be measured: nothing was written.
    Refused = 69,
    /// A bug in fsyncmark.
    Internal = 70,
    /// The key, the spool or the test file cannot be created.
    CannotCreate = 73,
    /// The device or filesystem failed while it was measured.
    Io = 74,
    /// Measured, but not delivered yet: the result waits in the spool, or is on stdout where the spool cannot take it.
    NotDelivered = 75,
    /// The server refused the result for good.
    RejectedByServer = 76,
    /// The system denies permission.
    NoPermission = 77,
    /// Ctrl-C or a termination signal.
    Interrupted = 130,
}

impl Kind {
    /// Every class.
    pub const ALL: [Self; 11] = [
        Self::Usage,
        Self::Data,
        Self::NoInput,
        Self::Refused,
        Self::Internal,
        Self::CannotCreate,
        Self::Io,
        Self::NotDelivered,
        Self::RejectedByServer,
        Self::NoPermission,
        Self::Interrupted,
    ];

    /// The exit code of the program, as `--help` lists it.
    pub const fn exit_code(self) -> u8 {
        self as u8
    }
}

/// What happened and what to do about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Error {
    /// Decides the exit code.
    pub kind: Kind,
    /// What happened, as a clause without a full stop.
    pub what: String,
    /// What the person can do, as a sentence.
    pub advice: Option<String>,
}

impl Error {
    /// An error without advice.
    pub fn new(kind: Kind, what: impl Into<String>) -> Self {
        Self { kind, what: what.into(), advice: None }
    }

    /// Adds what the person can do.
    #[must_use]
    pub fn advise(mut self, advice: impl Into<String>) -> Self {
        self.advice = Some(advice.into());
        self
    }

    /// An I/O error while doing `doing` ("write the key to /etc/fsyncmark/key").
    pub fn from_io(kind: Kind, doing: &str, error: &io::Error) -> Self {
        let kind = match error.kind() {
            io::ErrorKind::PermissionDenied => Kind::NoPermission,
            io::ErrorKind::NotFound if kind == Kind::Data => Kind::NoInput,
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_help_has_each_exit_code_once_and_no_other() {
        let listed_codes: Vec<u8> =
            EXIT_CODES.lines().filter_map(|line| line.get(..5)?.trim().parse().ok()).collect();
        assert_eq!(listed_codes, [&[0][..], &Kind::ALL.map(Kind::exit_code)].concat());
    }
}
