//! The verbs `login`, `key`, `key rotate` and `withdraw`, and what is said of a run that was sent.

use std::io::{BufRead as _, BufReader, Read as _};
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};
use std::process::Stdio;

use crate::support::server::{Answer, Request, Server};
use crate::support::{Place, assert_exit, text};
use fsyncmark::delivery::key;
use fsyncmark::wire::envelope::key_id;
use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};

fn body(request: &Request) -> Value {
    serde_json::from_slice(&request.body()).unwrap()
}

fn keyid(place: &Place) -> String {
    key_id(&key::load_or_make(&place.settings()).unwrap().verifying_key())
}

fn pending() -> Answer {
    Answer::json(200, &json!({"state": "pending", "interval": 1}))
}

fn enrolled() -> Answer {
    Answer::json(200, &json!({}))
}

fn codes() -> Answer {
    Answer::json(
        201,
        &json!({"device_code": "SECRET-CODE", "user_code": "BCDF-GHJK\u{1b}[2J", "expires_in": 600,
            "interval": 1, "verification_url": "https://example.org/account/link/"}),
    )
}

#[test]
fn login_shows_code_and_fingerprint_and_waits_for_a_yes() {
    let place = Place::new();
    let server = Server::start(vec![enrolled(), codes(), pending(), Answer::throttled(1)]);
    let output = place.command(&["login"]).env("FSYNCMARK_SERVER", server.url()).output().unwrap();
    assert_exit(&output, 0);
    let keyid = keyid(&place);
    assert_eq!(text(&output.stdout), "https://example.org/account/link/\nBCDF-GHJK [2J\n");
    let said = text(&output.stderr);
    let short = format!("{}·{}", &keyid[..6], &keyid[58..]);
    let grouped = format!("  {} {} ", &keyid[..8], &keyid[8..16]);
    assert!(said.contains(&grouped) && said.replace(' ', "").contains(&keyid), "{said}");
    assert!(said.contains(&short) && said.contains("Linked."), "{said}");
    assert!(!said.contains("SECRET-CODE"), "{said}");
    let requests = server.requests();
    let kinds: Vec<String> = requests.iter().map(Request::kind).collect();
    assert_eq!(kinds, ["keys", "key-logins", "key-logins", "key-logins", "key-logins"]);
    assert_eq!(body(&requests[1])["keyid"], Value::from(keyid.clone()));
    let asked = json!({
        "schema": "fsyncmark.key-login/1",
        "server": server.url().trim_start_matches("http://"),
        "device_code": "SECRET-CODE",
        "keyid": keyid,
    });
    for request in &requests[2..] {
        assert_eq!((body(request), request.signers()), (asked.clone(), vec![keyid.clone()]));
    }
}

#[test]
fn a_login_that_nobody_wants_ends_in_what_was_said() {
    for (state, code, said) in [("denied", 76, "somebody said no"), ("expired", 75, "in time")] {
        let place = Place::new();
        let standing = Answer::json(200, &json!({"state": state, "interval": 1}));
        let server = Server::start(vec![enrolled(), codes(), standing]);
        let output = place.run(&["login", "--server", &server.url()]);
        assert_exit(&output, code);
        assert!(text(&output.stderr).contains(said), "{}", text(&output.stderr));
    }
    let place = Place::new();
    let server = Server::start(vec![enrolled(), Answer::problem(403, "revoked-key")]);
    let output = place.run(&["login", "--server", &server.url()]);
    assert_exit(&output, 76);
    let said = text(&output.stderr);
    assert!(said.contains("this machine's key was revoked") && said.contains("makes a new key"), "{said}");
    assert_exit(&place.run(&["login"]), 2);
}

#[test]
fn ctrl_c_ends_a_login_cleanly() {
    let place = Place::new();
    let server = Server::start(vec![enrolled(), codes(), pending(), pending(), pending()]);
    let mut child = place
        .command(&["login", "--server", &server.url()])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdout = BufReader::new(child.stdout.take().unwrap()).lines();
    assert!(stdout.next().unwrap().unwrap().contains("/account/link/"));
    kill_process(Pid::from_child(&child), Signal::INT).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(130));
    let mut said = String::new();
    child.stderr.take().unwrap().read_to_string(&mut said).unwrap();
    assert!(said.contains("nothing was linked by this login"), "{said}");
}

#[test]
fn key_shows_what_a_server_knows_of_it() {
    let place = Place::new();
    let standing = json!({"keyid": "x", "state": "revoked", "first_seen": "2026-01-01T00:00:00Z",
        "is_claimed": true, "revoked_at": "2026-02-01T00:00:00Z", "compromised_since": null, "replaced_by": null});
    let server = Server::start(Vec::new())
        .reading(vec![Answer::json(200, &standing), Answer::problem(404, "unknown-key")]);
    let output = place.run(&["key", "--server", &server.url()]);
    assert_exit(&output, 0);
    let printed = text(&output.stdout);
    assert!(printed.contains("state       revoked, linked with an account\n"), "{printed}");
    assert!(printed.contains("revoked     2026-02-01T00:00:00Z\n"), "{printed}");
    let unknown = text(&place.run(&["key", "--server", &server.url()]).stdout);
    assert!(unknown.ends_with("state       not known there\n"), "{unknown}");
    assert!(!text(&place.run(&["key"]).stdout).contains("state"));
    let silent = place.run(&["key", "--server", "http://127.0.0.1:1"]);
    assert_exit(&silent, 75);
    assert!(text(&silent.stdout).contains("kept in"));
}

#[test]
fn a_rotation_is_signed_by_both_keys_and_keeps_the_old_one() {
    let place = Place::new();
    let old = keyid(&place);
    let server = Server::start(Vec::new());
    let output = place.run(&["key", "rotate", "--server", &server.url()]);
    assert_exit(&output, 0);
    let new = keyid(&place);
    assert_ne!(old, new);
    let requests = server.requests();
    assert_eq!(requests.len(), 3);
    assert_eq!(requests[2].path, format!("/api/v1/keys/{old}/rotation"));
    let asked = server.url();
    let named = asked.trim_start_matches("http://");
    let stated = json!({"schema": "fsyncmark.key-rotation/1", "server": named, "old": old, "new": new});
    assert_eq!(body(&requests[2]), stated);
    assert_eq!(requests[2].signers(), [old.clone(), new.clone()]);
    let kept = place.home.join(format!("key.old-{}", &old[..12]));
    assert_eq!(std::fs::metadata(&kept).unwrap().permissions().mode() & 0o777, 0o600);
    assert!(text(&output.stdout).contains(kept.to_str().unwrap()));
}

#[test]
fn a_rotation_that_was_interrupted_goes_on_where_it_stopped() {
    let place = Place::new();
    let old = keyid(&place);
    // The network breaks when the server is told: the old key stays in force.
    let server = Server::start(vec![enrolled(), enrolled(), Answer::busy(3_600)]);
    assert_exit(&place.run(&["key", "rotate", "--server", &server.url()]), 75);
    assert_eq!(keyid(&place), old);
    assert!(text(&place.run(&["key"]).stdout).contains("begun and not finished"));
    let new = body(&server.requests()[2])["new"].as_str().unwrap().to_owned();
    // The server has heard it, and refuses to hear it again.
    let refuses = vec![enrolled(), enrolled(), Answer::problem(403, "rotated-key")];
    let standing = json!({"keyid": old, "state": "rotated", "first_seen": "2026-01-01T00:00:00Z",
        "replaced_by": new});
    let server = Server::start(refuses).reading(vec![Answer::json(200, &standing)]);
    let output = place.run(&["key", "rotate", "--server", &server.url()]);
    assert_exit(&output, 0);
    assert_eq!(keyid(&place), new, "{}", text(&output.stderr));
    assert!(text(&output.stderr).contains("An earlier rotation was interrupted"));
}

#[test]
fn a_rotation_that_the_server_refuses_leaves_the_key_in_force() {
    let place = Place::new();
    let old = keyid(&place);
    let standing = json!({"keyid": old, "state": "revoked", "first_seen": "2026-01-01T00:00:00Z"});
    let server = Server::start(vec![enrolled(), enrolled(), Answer::problem(403, "revoked-key")])
        .reading(vec![Answer::json(200, &standing)]);
    assert_exit(&place.run(&["key", "rotate", "--server", &server.url()]), 76);
    assert_eq!(keyid(&place), old);
}

#[test]
fn results_that_wait_keep_their_key_in_force() {
    let place = Place::new();
    place.spooled(true);
    let server = Server::start(Vec::new());
    let output = place.run(&["key", "rotate", "--server", &server.url()]);
    assert_exit(&output, 75);
    let said = text(&output.stderr);
    assert!(said.contains("fsyncmark upload --server") && server.requests().is_empty(), "{said}");
}

#[test]
fn a_run_is_withdrawn_by_a_signed_statement_and_taken_back_by_a_later_one() {
    let place = Place::new();
    let keyid = keyid(&place);
    let id = "01993b7c-4b1e-7a5b-8c2d-112233445566";
    let server = Server::start(Vec::new());
    let page = format!("{}/runs/{id}/", server.url());
    let output = place.run(&["withdraw", &page, "--reason", "the disk was broken"]);
    assert_exit(&output, 0);
    assert_eq!(text(&output.stdout), format!("{id}\n"));
    assert_exit(&place.run(&["withdraw", id, "--undo", "--server", &server.url()]), 0);
    let requests = server.requests();
    let stated: Vec<Value> = requests.iter().map(body).collect();
    assert_eq!(stated[0]["schema"], "fsyncmark.withdrawal/1");
    assert_eq!(stated[0]["server"], server.url().trim_start_matches("http://"));
    assert_eq!((&stated[0]["withdrawn"], &stated[1]["withdrawn"]), (&json!(true), &json!(false)));
    assert_eq!((&stated[0]["reason"], &stated[1]["reason"]), (&json!("the disk was broken"), &json!("")));
    assert!(stated[0]["issued_at_unix_ns"].as_u64() < stated[1]["issued_at_unix_ns"].as_u64());
    for request in requests {
        assert_eq!(request.path, format!("/api/v1/runs/{id}/withdrawal"));
        assert_eq!(request.signers(), std::slice::from_ref(&keyid));
    }
}

#[test]
fn a_short_address_names_the_run_that_the_server_says() {
    let place = Place::new();
    keyid(&place);
    let id = "01993b7c-4b1e-7a5b-8c2d-112233445566";
    let server =
        Server::start(Vec::new()).reading(vec![Answer::json(200, &json!({"run_id": id, "state": "done"}))]);
    assert_exit(&place.run(&["withdraw", &format!("{}/r/k3f9x2ab", server.url())]), 0);
    assert_eq!(server.all_requests()[0].path, "/api/v1/runs/k3f9x2ab");
    assert!(server.requests()[0].path.contains(id));
}

#[test]
fn a_refused_withdrawal_says_why_in_words_of_ours() {
    let place = Place::new();
    keyid(&place);
    let id = "01993b7c-4b1e-7a5b-8c2d-112233445566";
    for (status, slug, said) in [
        (403, "not-your-run", "another key sent that run"),
        (410, "run-deleted", "the run was deleted there"),
        (409, "statement-replayed", "Check this machine's clock"),
        (403, "rotated-key", "replaced by another"),
    ] {
        let server = Server::start(vec![Answer::problem(status, slug)]);
        let output = place.run(&["withdraw", id, "--server", &server.url()]);
        assert_exit(&output, 76);
        assert!(text(&output.stderr).contains(said), "{}", text(&output.stderr));
    }
    let stranger = Place::new();
    assert_exit(&stranger.run(&["withdraw", id, "--server", "http://127.0.0.1:1"]), 66);
    assert!(!stranger.home.exists(), "no key is made to withdraw with");
    assert_exit(&place.run(&["withdraw", id, "--reason", "a\nb", "--server", "http://127.0.0.1:1"]), 2);
}

/// All that the files below a folder hold.
fn anything_in(folder: &Path) -> String {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let content =
        |path: PathBuf| if path.is_dir() { anything_in(&path) } else { text(&std::fs::read(path).unwrap()) };
    entries.map(content).collect()
}

fn receipt(id: &str) -> Answer {
    Answer::json(
        201,
        &json!({"run_id": id, "state": "received", "level": null, "run_url": format!("https://a.example/runs/{id}/"),
            "short_url": "https://a.example/r/k3f9x2ab", "claim_url": "https://a.example/claim/SINGLE-USE/"}),
    )
}

fn judged(id: &str) -> Answer {
    Answer::json(
        200,
        &json!({"run_id": id, "slug": id, "state": "done", "level": "signed", "in_standings": false,
            "is_listed": true, "claimed_provider": "Hetzner", "claimed_plan": "CX22", "labels": [
                {"rule": "few-flushes", "text": "few\u{202e} flushes\u{1b}[2J", "keeps_out": "run"}]}),
    )
}

#[test]
fn an_upload_says_what_the_server_makes_of_it() {
    let place = Place::new();
    let (run, _) = place.spooled(true);
    let id = run.run_id.as_str();
    let waits = Answer::json(200, &json!({"run_id": id, "state": "received", "level": null}));
    let server = Server::start(vec![receipt(id)]).reading(vec![waits, Answer::busy(1), judged(id)]);
    let output = place.run(&["upload", "--server", &server.url(), "--yes"]);
    assert_exit(&output, 0);
    assert_eq!(text(&output.stdout), format!("https://a.example/runs/{id}/\n"));
    let said = text(&output.stderr);
    for line in [
        "  https://a.example/r/k3f9x2ab\n",
        "  Level    signed\n",
        "  Counts   no: few flushes[2J; it came without a challenge of the server",
        "  Label    few-flushes: few flushes[2J\n",
        "  https://a.example/claim/SINGLE-USE/\n",
    ] {
        assert!(said.contains(line), "{line}\n{said}");
    }
    let badge = format!(
        "\n[![Hetzner CX22 on Fsyncmark](https://a.example/badge/run/{id}.svg)](https://a.example/runs/{id}/)\n"
    );
    assert!(said.contains(&badge), "{said}");
    assert!(!said.contains(['\u{1b}', '\u{202e}', '\r']), "{said:?}");
    assert!(!anything_in(&place.home).contains("SINGLE-USE"), "the claim link is kept nowhere");
}

#[test]
fn json_of_an_upload_carries_the_same() {
    let place = Place::new();
    let (run, _) = place.spooled(true);
    let id = run.run_id.as_str();
    let server = Server::start(vec![receipt(id)]).reading(vec![judged(id)]);
    let output = place.run(&["upload", "--server", &server.url(), "--yes", "--json"]);
    assert_exit(&output, 0);
    let printed: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(printed["short_url"], "https://a.example/r/k3f9x2ab");
    assert_eq!(printed["claim_url"], "https://a.example/claim/SINGLE-USE/");
    assert_eq!(printed["outcome"]["level"], "signed");
    assert_eq!(printed["outcome"]["counts"], false);
    assert_eq!(printed["outcome"]["labels"][0]["rule"], "few-flushes");
    assert_eq!(printed["outcome"]["because"].as_array().unwrap().len(), 2);
}

#[test]
fn who_does_not_want_to_wait_does_not_ask() {
    let place = Place::new();
    let (run, _) = place.spooled(true);
    let server = Server::start(vec![receipt(&run.run_id)]);
    let output = place.run(&["upload", "--server", &server.url(), "--yes", "--no-wait", "--json"]);
    assert_exit(&output, 0);
    let printed: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(
        (&printed["outcome"], &printed["claim_url"]),
        (&Value::Null, &json!("https://a.example/claim/SINGLE-USE/"))
    );
    assert_eq!(server.all_requests().len(), 1);
}

#[test]
fn a_server_that_does_not_say_what_it_makes_of_a_run_fails_no_upload() {
    for (answer, said) in [
        (Answer::problem(410, "run-deleted"), "not known: the run was deleted there"),
        (Answer::html(200), "not with a run"),
        (Answer::busy(3_600), "not known: No: because of a test"),
    ] {
        let place = Place::new();
        let (run, file) = place.spooled(true);
        let server = Server::start(vec![receipt(&run.run_id)]).reading(vec![answer]);
        let output = place.run(&["upload", "--server", &server.url(), "--yes"]);
        assert_exit(&output, 0);
        assert!(text(&output.stderr).contains(said), "{}", text(&output.stderr));
        assert!(!file.exists());
    }
}

#[test]
fn a_result_of_a_revoked_key_says_how_to_get_a_new_one() {
    for (slug, said) in
        [("revoked-key", "the next run makes a new key. It is kept in"), ("run-deleted", "Measure again")]
    {
        let place = Place::new();
        place.spooled(true);
        let server = Server::start(vec![Answer::problem(403, slug)]);
        let output = place.run(&["upload", "--server", &server.url(), "--yes"]);
        assert_exit(&output, 76);
        assert!(text(&output.stderr).contains(said), "{}", text(&output.stderr));
    }
}

#[test]
fn a_key_that_is_a_link_of_ones_own_is_taken() {
    let place = Place::new();
    let first = keyid(&place);
    std::fs::rename(place.home.join("key"), place.home.join("elsewhere")).unwrap();
    symlink("elsewhere", place.home.join("key")).unwrap();
    assert_eq!(keyid(&place), first);
}
