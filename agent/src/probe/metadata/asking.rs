//! Asks the metadata service, and says in sentences what will be asked and what was answered.

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use super::error::{BUDGET, MetadataError};
use super::exchange;
use super::services::{self, Service};
use crate::wire::payload::CloudMetadata;

/// Asks the service of the provider that the firmware names; for an unknown one, OpenStack's.
pub fn ask(provider: Option<&str>) -> Result<CloudMetadata, MetadataError> {
    let service = Service::for_provider(provider)?;
    ask_at(service, SocketAddr::new(service.address.into(), services::PORT), BUDGET)
}

/// Asks a service at any address. The first question decides whether there is an answer at all; when a
/// later one fails, what is known by then counts.
pub(super) fn ask_at(
    service: &Service,
    address: SocketAddr,
    budget: Duration,
) -> Result<CloudMetadata, MetadataError> {
    let deadline = Instant::now() + budget;
    let mut metadata = services::Metadata::default();
    for (index, question) in service.questions.iter().enumerate() {
        let body = exchange::get(address, &service.request(question), deadline);
        match body.and_then(|body| (question.read)(&body).ok_or(MetadataError::NotUnderstood)) {
            Ok(answer) => metadata.add(answer),
            Err(error) if index == 0 => return Err(error),
            Err(_) => break,
        }
        if metadata.is_complete() {
            break;
        }
    }
    let provider = service.provider.to_owned();
    Ok(CloudMetadata { provider, instance_type: metadata.instance_type, region: metadata.region })
}

/// What will be asked, or why nothing will, as a sentence.
pub fn describe_question(provider: Option<&str>) -> String {
    match Service::for_provider(provider) {
        Ok(service) => format!(
            "Asks the metadata service at {} for instance type and region, for at most {} ms.",
            service.address,
            BUDGET.as_millis()
        ),
        Err(error) => format!("No metadata service is asked: {error}."),
    }
}

/// The result, as a sentence.
pub fn describe_answer(provider: Option<&str>, answer: &Result<CloudMetadata, MetadataError>) -> String {
    match (Service::for_provider(provider), answer) {
        (Ok(service), Ok(answer)) => format!("The metadata service at {} says: {answer}.", service.address),
        (Ok(service), Err(error)) => {
            format!("The metadata service at {} says nothing: {error}.", service.address)
        }
        (Err(error), _) => format!("No metadata service was asked: {error}."),
    }
}
