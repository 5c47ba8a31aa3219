//! Talks to a server. Each file answers one question:
//!
//! - `client`: what is asked of a server, and how often?
//! - `keys`: what is asked about keys, and about runs that were sent?
//! - `outcome`: what became of a run?
//! - `statements`: what is signed for that, beside results?
//! - `connection`: how does one request get there (address, certificates, time limits)?
//! - `answer`: what does the answer mean?
//! - `delivery_error`: why did a request fail, what does the program end with, is another attempt worth it?
//! - `challenge`: what does a challenge consist of?

mod answer;
mod challenge;
mod client;
mod connection;
mod delivery_error;
mod keys;
mod outcome;
pub mod statements;

pub use self::challenge::{Challenge, ShownTicket};
pub use self::client::{AttemptPause, SERVER_VARIABLE, Server, address};
pub use self::delivery_error::{DeliveryError, Retry};
pub use self::keys::{KeyStanding, LoginCodes, LoginStanding};
pub use self::outcome::{NewerAgent, OutcomeLabel, Receipt, RunOutcome};
