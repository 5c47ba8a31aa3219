//! Talks to a server. Each file answers one question:
//!
//! - `client`: what is asked of a server, and how often?
//! - `statements`: what is signed for that, beside results?
//! - `connection`: how does one request get there (address, certificates, time limits)?
//! - `answer`: what does the answer mean, and is it worth another attempt?
//! - `challenge`: what does a challenge consist of?

mod answer;
mod challenge;
mod client;
mod connection;
pub mod statements;

pub use self::answer::DeliveryError;
pub use self::challenge::Challenge;
pub use self::client::{Receipt, Server};
