//! What the provider signed of this machine, shown and sent after the run with `--ask-cloud=proof`.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use ed25519_dalek::SigningKey;

use crate::delivery::server::Server;
use crate::probe::metadata::{self, IdentityDocument};
use crate::report::terminal::Terminal;
use crate::text::displayable;
use crate::wire::payload::Run;

/// The longest document that is shown.
const SHOWN_LENGTH_MAX: usize = 4_000;

/// Fetches the document, shows what is sent, and sends it. Whatever fails is said and changes nothing: the
/// run was delivered before.
pub(super) fn prove(
    terminal: &Terminal,
    provider: Option<&str>,
    server: &Server,
    key: &SigningKey,
    run: &Run,
) {
    let Some(challenge) = &run.challenge else {
        terminal.say("  No proof of place is sent: it would be bound to the challenge, and there was none.");
        return;
    };
    let identity = match metadata::fetch_proof(provider, challenge) {
        Ok(identity) => identity,
        Err(error) => {
            terminal.say(&format!("  No proof of place is sent: {error}."));
            return;
        }
    };
    for line in describe(&identity, server) {
        terminal.say(&line);
    }
    match server.place(key, run, challenge, &identity) {
        Ok(()) => terminal.say("  Sent."),
        Err(error) => terminal.say(&format!("  It was not taken: {}.", error.why())),
    }
}

/// What is sent, in words and in full but for signatures, with which others could pass for this machine.
fn describe(identity: &IdentityDocument, server: &Server) -> Vec<String> {
    let shown = claims(&identity.document).unwrap_or_else(|| identity.document.clone());
    vec![
        format!(
            "  To {}, apart from the result, goes what {} signed of this machine, and the signature:",
            server.address(),
            identity.provider
        ),
        format!("    {}", displayable(&shown, SHOWN_LENGTH_MAX)),
    ]
}

/// What a JSON Web Token says.
fn claims(document: &str) -> Option<String> {
    let mut parts = document.split('.');
    let (_, claims, _) = (parts.next()?, parts.next()?, parts.next()?);
    String::from_utf8(URL_SAFE_NO_PAD.decode(claims).ok()?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_sent_is_shown_in_full_without_what_others_could_use() {
        let server = Server::at("https://bench.example.org").unwrap();
        let claims = URL_SAFE_NO_PAD.encode(r#"{"aud":"c_x","zone":"europe-west1-b"}"#);
        let token = IdentityDocument {
            provider: "gcp",
            document: format!("aGVhZA.{claims}.c2VjcmV0"),
            signature: String::new(),
        };
        let shown = describe(&token, &server).join("\n");
        assert!(shown.contains(r#"{"aud":"c_x","zone":"europe-west1-b"}"#), "{shown}");
        assert!(!shown.contains("c2VjcmV0"), "{shown}");
        let json = IdentityDocument {
            provider: "aws",
            document: "{\n  \"instanceType\" : \"m7g.medium\u{1b}[2J\"\n}".to_owned(),
            signature: "U0VDUkVU".to_owned(),
        };
        let shown = describe(&json, &server).join("\n");
        assert!(shown.ends_with(r#"    { "instanceType" : "m7g.medium[2J" }"#), "{shown}");
        assert!(!shown.contains("U0VDUkVU"));
    }
}
