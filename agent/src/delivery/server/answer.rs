//! What a server's answer means: the requested bytes, try again later, refused for good, or not a Fsyncmark
//! server.

use std::time::Duration;

use serde_json::Value;

use super::delivery_error::{DeliveryError, Refusal};
use crate::delivery::retry;
use crate::sys::clock;
use crate::text::printable;

/// The longest answer that is read: a run in full has up to 4.2 MB, one line for each pass.
const ANSWER_BYTES_MAX: u64 = 8 << 20;
/// Longer addresses are cut when they are shown.
const ADDRESS_LENGTH_SHOWN: usize = 200;
/// Longer texts of a problem are cut when they are shown.
const TEXT_LENGTH_SHOWN: usize = 300;

/// An answer as it was received.
pub(super) struct Response {
    status: u16,
    is_problem: bool,
    retry_after: Option<Duration>,
    /// Where a redirect points.
    location: String,
    body: Vec<u8>,
}

impl Response {
    /// Reads the whole answer.
    pub fn read(mut response: ureq::http::Response<ureq::Body>) -> Result<Self, ureq::Error> {
        let header = |name: &str| {
            response.headers().get(name).and_then(|value| value.to_str().ok()).unwrap_or_default()
        };
        let is_problem = header("content-type").starts_with("application/problem+json");
        let retry_after = retry::parse_retry_after(header("retry-after"), clock::wall_unix_us() / 1_000_000);
        let location = printable(header("location"), ADDRESS_LENGTH_SHOWN);
        let status = response.status().as_u16();
        let body = response.body_mut().with_config().limit(ANSWER_BYTES_MAX).read_to_vec()?;
        Ok(Self { status, is_problem, retry_after, location, body })
    }

    /// The requested bytes, or why the server at `address` did not return them.
    pub fn into_body(self, address: &str) -> Result<Vec<u8>, DeliveryError> {
        let why = self.explain();
        let slug = if self.is_problem { slug_of_ours(&self.body) } else { None };
        match (self.status, slug) {
            (200 | 201, _) => Ok(self.body),
            (408 | 425 | 429 | 500..=599, _) => {
                Err(DeliveryError::Temporary { why, retry_after: self.retry_after })
            }
            (400..=499, Some(slug)) => {
                let refusal = Refusal { status: self.status, slug, body: self.body };
                Err(DeliveryError::Permanent { why, refusal })
            }
            (300..=399, _) if !self.location.is_empty() => Err(DeliveryError::NotOurs {
                why: format!("{address} says to go to {}: name that server instead", self.location),
            }),
            (status, _) => Err(DeliveryError::NotOurs {
                why: format!("{address} answered {status}, but not as a Fsyncmark server does"),
            }),
        }
    }

    /// What a problem document says: our words for it, else its title and detail, or the bare status.
    fn explain(&self) -> String {
        if let Some(sentence) = slug_of_ours(&self.body).and_then(|slug| sentence_of(&slug)) {
            return sentence.to_owned();
        }
        let problem: Value = serde_json::from_slice(&self.body).unwrap_or_default();
        let text =
            |value: &Value| value.as_str().map(|text| printable(text, TEXT_LENGTH_SHOWN)).unwrap_or_default();
        let mut parts = vec![text(&problem["title"]), text(&problem["detail"])];
        for error in problem["errors"].as_array().into_iter().flatten().take(3) {
            parts.push(format!("{} {}", text(&error["pointer"]), text(&error["detail"])).trim().to_owned());
        }
        parts.retain(|part| !part.is_empty());
        parts.dedup();
        if parts.is_empty() { format!("the server answered {}", self.status) } else { parts.join(": ") }
    }
}

/// What a problem means to whoever holds the key: the server's words are for those who build clients.
fn sentence_of(slug: &str) -> Option<&'static str> {
    Some(match slug {
        "revoked-key" => "this machine's key was revoked, and nothing that it signs is taken any more",
        "rotated-key" => "this machine's key was replaced by another, and signs nothing new",
        "agent-too-old" => "this fsyncmark is too old for it; its /measure/ has a newer one",
        "run-deleted" => "the run was deleted there, and is not taken again",
        "not-your-run" => "another key sent that run",
        "statement-replayed" => "it has a later statement about this run, or a clock is wrong",
        "other-server" => "it goes by another name than the one that was asked",
        "slow-down" => "it was asked again too soon",
        _ => return None,
    })
}

/// The slug of a problem document of a Fsyncmark server, `None` for one of another API. Slugs may
/// be added, so that ours are known by what all of them have (`problem_document` of
/// `apps/wire/problems.py`).
fn slug_of_ours(body: &[u8]) -> Option<String> {
    let problem: Value = serde_json::from_slice(body).ok()?;
    let (_, slug) = problem["type"].as_str()?.rsplit_once("/problems/")?;
    let is_slug = !slug.is_empty() && slug.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-');
    let has_our_members = problem["instance"].is_string() && problem["errors"].is_array();
    (is_slug && has_our_members).then(|| slug.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_problem_of_ours_has_a_slug() {
        for (body, slug) in [
            (
                r#"{"type": "https://a/problems/bad-key", "instance": "/api/v1/keys/0", "errors": []}"#,
                Some("bad-key"),
            ),
            (r#"{"type": "/problems/not-found", "instance": "/", "errors": []}"#, Some("not-found")),
            (r#"{"type": "https://api.example/problems/not-found", "title": "Not Found"}"#, None),
            (r#"{"type": "https://api.example/errors/404", "instance": "/", "errors": []}"#, None),
            (r#"{"type": "https://a/problems/", "instance": "/", "errors": []}"#, None),
            (r#"{"type": "https://a/problems/x/y", "instance": "/", "errors": []}"#, None),
            (r#"{"type": "about:blank", "title": "Unauthorized", "status": 401}"#, None),
            (r#"{"title": "Method Not Allowed"}"#, None),
            ("[]", None),
            ("no JSON", None),
        ] {
            assert_eq!(slug_of_ours(body.as_bytes()).as_deref(), slug, "{body}");
        }
    }
}
