//! Why a metadata service gave no answer, and how long the agent waits for one.

use std::fmt;
use std::time::Duration;

/// The time limit for all questions together, connections included. A service answers from the machine's own
/// host within milliseconds; where there is none, the wait should not be noticed.
pub const BUDGET: Duration = Duration::from_millis(200);

/// Why a service gave no usable answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MetadataError {
    /// This provider has no service, or one that wants a token, or one that says neither type nor region.
    NoService(String),
    /// Nothing that this provider signs is known.
    SignsNothing(String),
    /// Nothing listens at the address, or a firewall closes the way.
    Unreachable,
    /// The time limit was reached.
    Late,
    /// An answer that is not 200.
    Status(u16),
    /// An answer in another form than the documented one, or one that is too long.
    NotUnderstood,
}

impl fmt::Display for MetadataError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoService(provider) => {
                write!(f, "none of {provider} is known to answer without a token")
            }
            Self::SignsNothing(provider) => {
                write!(f, "nothing is known that {provider} signs of a machine")
            }
            Self::Unreachable => f.write_str("nobody listens there"),
            Self::Late => f.write_str("no answer in time"),
            Self::Status(status @ (401 | 403)) => {
                write!(f, "it answers {status}: it wants a token, and none is fetched")
            }
            Self::Status(status) => write!(f, "it answers {status}"),
            Self::NotUnderstood => f.write_str("its answer was not understood"),
        }
    }
}
