//! The verb `key`: how this machine identifies itself to a server. `key rotate` and `login` have files of
//! their own.

pub mod login;
mod rotate;

use crate::cli::{KeyAction, KeyArgs};
use crate::delivery::home::Home;
use crate::delivery::key;
use crate::delivery::rotation::Rotation;
use crate::delivery::server::{KeyStanding, SERVER_VARIABLE, Server};
use crate::error::Result;
use crate::report::terminal::Terminal;
use crate::wire::envelope::{key_id, public_key_base64, short_key_id};

/// Prints the key and its state, or replaces it.
pub fn key(args: &KeyArgs) -> Result<()> {
    match &args.action {
        Some(KeyAction::Rotate(rotated)) => rotate::rotate(rotated.server.as_deref()),
        None => show(args.place.server.as_deref()),
    }
}

/// Prints the key's id, its public half and its file; where a server is named, what that knows of it.
fn show(stated: Option<&str>) -> Result<()> {
    let home = Home::locate()?;
    let key = key::load_or_make(&home)?.verifying_key();
    let keyid = key_id(&key);
    let terminal = Terminal::detect();
    terminal.print_broken(&format!(
        "key         {}\nkey id      {keyid}\npublic key  {}\nkept in     {}",
        short_key_id(&keyid),
        public_key_base64(&key),
        home.key_file().display()
    ))?;
    if Rotation::is_under_way(&home) {
        terminal.print_broken("rotation    begun and not finished: fsyncmark key rotate")?;
    }
    if stated.is_none() && std::env::var_os(SERVER_VARIABLE).is_none_or(|url| url.is_empty()) {
        return Ok(());
    }
    let server = Server::named(stated)?;
    let standing = server
        .key_standing(&keyid)
        .map_err(|error| error.into_error(server.address(), "the state of the key"))?;
    terminal.print_broken(&describe(server.address(), standing.as_ref()))
}

fn describe(address: &str, standing: Option<&KeyStanding>) -> String {
    let Some(standing) = standing else {
        return format!("at          {address}\nstate       not known there");
    };
    let owner = if standing.is_claimed { "linked with an account" } else { "without an account" };
    let mut lines = vec![
        format!("at          {address}"),
        format!("state       {}, {owner}", standing.state),
        format!("first seen  {}", standing.first_seen),
    ];
    lines.extend(standing.revoked_at.as_ref().map(|at| format!("revoked     {at}")));
    lines.extend(standing.replaced_by.as_ref().map(|id| format!("replaced by {}", short_key_id(id))));
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_server_knows_of_a_key_is_said_in_lines() {
        let mut standing = KeyStanding {
            state: "anonymous".to_owned(),
            first_seen: "2026-01-01T00:00:00Z".to_owned(),
            is_claimed: false,
            revoked_at: None,
            replaced_by: None,
        };
        let fresh = describe("https://a", Some(&standing));
        assert!(
            fresh.ends_with("anonymous, without an account\nfirst seen  2026-01-01T00:00:00Z"),
            "{fresh}"
        );
        standing.is_claimed = true;
        standing.revoked_at = Some("2026-02-01".to_owned());
        standing.replaced_by = Some("ab".repeat(32));
        let old = describe("https://a", Some(&standing));
        assert!(old.contains("linked with an account"), "{old}");
        assert!(old.ends_with("revoked     2026-02-01\nreplaced by ababab·ababab"), "{old}");
        assert!(describe("https://a", None).ends_with("not known there"));
    }
}
