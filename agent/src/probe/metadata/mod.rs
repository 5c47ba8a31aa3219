//! What the cloud's metadata service says of this machine: asked only with `--ask-cloud`.
//!
//! Such a service answers on a fixed address that never leaves the provider's network; all but Alibaba's are
//! link-local. Only those are asked that answer without a token, and only for the type of the machine and for
//! where it stands. Where a service has no address for the two alone, the rest of its answer is dropped when
//! it has been read: ids, addresses, names, keys and user data are neither kept nor shown. With
//! `--ask-cloud=proof` a provider is asked for what it signed of the machine, which holds some of them: it is
//! shown before it is sent.
//!
//! Each file answers one question:
//!
//! - `asking`: how is a service asked, and how is that said to people?
//! - `proof`: what does a provider sign of this machine?
//! - `services`: which service is asked what?
//! - `exchange`: how does a request get there and an answer back, in time?
//! - `http`: what does the answer hold?
//! - `error`: why is there no answer, and how long is one waited for?

mod asking;
mod error;
mod exchange;
mod http;
mod proof;
mod services;

pub use self::asking::{ask, describe_answer, describe_question};
pub use self::error::{BUDGET, MetadataError};
pub use self::proof::{IdentityDocument, PROOF_BUDGET, describe_proof, fetch_proof};

#[cfg(test)]
mod tests;
