//! From a signed result in the spool to a server's receipt, or to a sentence about why not. Each file answers
//! one question:
//!
//! - `home`: in which folders are the key, the results that wait and those of before?
//! - `key`: with which key is a result signed?
//! - `rotation`: how does a new key take the place of the old one?
//! - `sealing`: how does a run get into its signed envelope, and out again?
//! - `spool`: how are results kept until a server has them?
//! - `history`: what was measured here before?
//! - `pending_upload`: how is one of them sent, and what becomes of its file?
//! - `server`: what is asked of a server, and what do its answers mean?
//! - `retry`: when is it tried again?
//! - `outcome_wait`: what did the server make of it?

pub mod history;
pub mod home;
pub mod key;
pub mod outcome_wait;
mod pending_upload;
pub mod retry;
pub mod rotation;
mod sealing;
pub mod server;
pub mod spool;

pub use self::pending_upload::{DeliveryFailure, PendingUpload};
pub use self::sealing::{read_file, read_run, seal};
