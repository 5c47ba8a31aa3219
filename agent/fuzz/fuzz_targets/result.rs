//! Results that somebody signed: whatever they state is read, checked, noted and drawn, or refused.
#![no_main]

use std::io::Write;

use ed25519_dalek::SigningKey;
use fsyncmark::analysis::figures::commits_per_s;
use fsyncmark::cli::VerifyArgs;
use fsyncmark::wire::payload::RUN_TYPE;
use fsyncmark::report::html;
use fsyncmark::report::terminal::{Terminal, summary};
use fsyncmark::verbs::verify;
use fsyncmark::delivery;
use fsyncmark::wire::envelope;
use fsyncmark::judgement::run_notes;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|payload: &[u8]| {
    let key = SigningKey::from_bytes(&[7; 32]);
    let sealed = envelope::seal(RUN_TYPE, payload, &key);
    let Ok(result) = delivery::read_run(&sealed, payload) else { return };
    let mut file = tempfile::NamedTempFile::new().expect("a temporary file");
    file.write_all(&sealed.to_bytes()).expect("a temporary file");
    // The door: behind it figures add up, and are trusted.
    if verify::verify(&VerifyArgs { file: file.path().to_owned(), key: None }).is_err() {
        return;
    }
    let _ = commits_per_s(&result);
    let _ = run_notes::notes_on_run(&result);
    let _ = html::page(&result, None);
    // Prints to stdout and stderr: to be run with -close_fd_mask=3.
    summary::print(&Terminal::detect(), &result);
});
