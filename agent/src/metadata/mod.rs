//! What the cloud's metadata service says of this machine: asked only with `--ask-cloud`.
//!
//! Such a service answers on a fixed address that never leaves the provider's network; all but Alibaba's are
//! link-local. Only those are asked that answer without a token, and only for the type of the machine and for where
//! it stands. Where a service has no address for the two alone, the rest of its answer is dropped when it has been
//! read: ids, addresses, names, keys and user data are neither kept nor shown.

mod exchange;
mod http;
mod services;

use std::fmt;
use std::net::SocketAddr;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use crate::probe::printable;
use services::Service;

/// What all questions may take together, connections included. A service that is there answers from the machine's
/// own host in a few milliseconds; where none is, a person shall not notice the wait.
pub const BUDGET: Duration = Duration::from_millis(200);
/// Longer parts are cut when they are shown: the longest slug of the wire format.
const SHOWN_LENGTH_MAX: usize = 64;

/// What a service said. On the wire it is `env.cloud_metadata`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CloudMetadata {
    /// Whose service answered: the provider that the firmware names, else `openstack`.
    pub provider: String,
    /// The provider's name for this kind of machine; nothing where its service does not say.
    pub instance_type: Option<String>,
    /// Where it stands, likewise.
    pub region: Option<String>,
}

/// For people: `aws / m7g.medium / eu-central-1`.
impl fmt::Display for CloudMetadata {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts = [Some(&self.provider), self.instance_type.as_ref(), self.region.as_ref()];
        let shown: Vec<String> =
            parts.into_iter().flatten().map(|part| printable(part, SHOWN_LENGTH_MAX)).collect();
        f.write_str(&shown.join(" / "))
    }
}

/// Why nothing was learnt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Silence {
    /// This provider has no service, or one that wants a token, or one that says neither type nor place.
    NoService(String),
    /// Nobody listens at the address, or the way there is closed.
    Unreachable,
    /// The budget was spent.
    Late,
    /// An answer that is not 200.
    Status(u16),
    /// An answer in another form than the documented one, or one that is too long.
    NotUnderstood,
}

impl fmt::Display for Silence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoService(provider) => {
                write!(f, "none of {provider} is known to answer without a token")
            }
            Self::Unreachable => f.write_str("nobody listens there"),
            Self::Late => write!(f, "no answer within {} ms", BUDGET.as_millis()),
            Self::Status(status @ (401 | 403)) => {
                write!(f, "it answers {status}: it wants a token, and none is fetched")
            }
            Self::Status(status) => write!(f, "it answers {status}"),
            Self::NotUnderstood => f.write_str("its answer was not understood"),
        }
    }
}

/// Asks the service of this provider, as the firmware names it; of an unknown one, OpenStack's.
pub fn ask(provider: Option<&str>) -> Result<CloudMetadata, Silence> {
    let service = Service::of(provider)?;
    ask_at(service, SocketAddr::new(service.address.into(), services::PORT), BUDGET)
}

/// Likewise, of a service at any address. The first question decides whether there is an answer at all; when a
/// later one fails, what is known by then counts.
fn ask_at(service: &Service, address: SocketAddr, budget: Duration) -> Result<CloudMetadata, Silence> {
    let deadline = Instant::now() + budget;
    let mut told = services::Answer::default();
    for (place, question) in service.questions.iter().enumerate() {
        let body = exchange::get(address, &service.request(question), deadline);
        match body.and_then(|body| (question.read)(&body).ok_or(Silence::NotUnderstood)) {
            Ok(answer) => told.add(answer),
            Err(silence) if place == 0 => return Err(silence),
            Err(_) => break,
        }
        if told.is_complete() {
            break;
        }
    }
    let provider = service.provider.to_owned();
    Ok(CloudMetadata { provider, instance_type: told.instance_type, region: told.region })
}

/// What is going to be asked, or why nothing is, as a sentence.
pub fn announce(provider: Option<&str>) -> String {
    match Service::of(provider) {
        Ok(service) => format!(
            "Asks the metadata service at {} for instance type and region, for at most {} ms.",
            service.address,
            BUDGET.as_millis()
        ),
        Err(silence) => format!("No metadata service is asked: {silence}."),
    }
}

/// What came of it, as a sentence.
pub fn recount(provider: Option<&str>, told: &Result<CloudMetadata, Silence>) -> String {
    match (Service::of(provider), told) {
        (Ok(service), Ok(told)) => format!("The metadata service at {} says: {told}.", service.address),
        (Ok(service), Err(silence)) => {
            format!("The metadata service at {} says nothing: {silence}.", service.address)
        }
        (Err(silence), _) => format!("No metadata service was asked: {silence}."),
    }
}

#[cfg(test)]
mod tests;
