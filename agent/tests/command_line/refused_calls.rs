//! What a person is told when the kernel refuses a call of a run.

use crate::refusals::{
    without_direct_io, without_hard_links, without_locks, without_nameless_files, without_random_bytes,
    without_registered_buffers, without_renames,
};
use crate::support::{Place, assert_exit, text};
use serde_json::{Value, json};

const REASON: &str = "this filesystem has no O_DIRECT";

#[test]
fn what_cannot_be_measured_here_is_said_at_the_end_and_in_the_json() {
    let place = Place::new();
    without_direct_io();
    let only = "commit-8k-dsync,read-4k-floor";
    let output = place.run(&["run", place.disk.to_str().unwrap(), "--only", only, "--no-upload", "--json"]);
    assert_exit(&output, 0);
    let printed: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(printed["left_out"], json!([{"workload": "read-4k-floor", "why": REASON}]));
    let said = text(&output.stderr);
    let (_, after_the_tables) = said.split_once("Durability").unwrap();
    assert!(after_the_tables.contains(&format!("Left out: read-4k-floor ({REASON})")), "{said}");
}

#[test]
fn a_run_of_which_nothing_can_be_measured_says_why() {
    let place = Place::new();
    without_direct_io();
    let args = ["run", place.disk.to_str().unwrap(), "--only", "read-4k-floor", "--no-upload"];
    let output = place.run(&args);
    assert_exit(&output, 69);
    let said = text(&output.stderr);
    assert!(said.contains(&format!("nothing can be measured here: read-4k-floor ({REASON})")), "{said}");
    assert!(place.is_clean());
}

#[test]
fn buffers_that_cannot_be_registered_are_in_the_result() {
    let place = Place::new();
    without_registered_buffers();
    let folder = place.disk.to_str().unwrap();
    let args = ["--suite", "standard", "--only", "randread-4k-qd32", "--no-upload", "--yes", "--json"];
    let output = place.run(&[&["run", folder][..], &args].concat());
    assert_exit(&output, 0);
    let printed: Value = serde_json::from_slice(&output.stdout).unwrap();
    let fallback = printed["payload"]["workloads"][0]["engine"]["fallback"].as_str().unwrap();
    // Where there is no ring at all, that is what is said.
    assert!(fallback.starts_with("io_uring_"), "{fallback}");
    let queued = printed["payload"]["workloads"][0]["engine"]["kind"] != "psync";
    assert_eq!(fallback.starts_with("io_uring_register: "), queued, "{fallback}");
}

#[test]
fn a_result_that_a_full_spool_cannot_keep_is_printed_and_nothing_half_stays() {
    let place = Place::new();
    without_renames();
    let output =
        place.run(&["run", place.disk.to_str().unwrap(), "--only", "commit-8k-dsync", "--no-upload"]);
    assert_exit(&output, 75);
    let said = text(&output.stderr);
    assert!(said.contains("cannot keep the result in") && said.contains("No space left"), "{said}");
    let envelope: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert!(envelope["payload"].is_string(), "the signed result itself");
    assert_eq!(std::fs::read_dir(place.home.join("spool")).unwrap().count(), 0, "no half of it");
    assert!(place.is_clean());
}

#[test]
fn a_folder_whose_files_cannot_be_locked_is_named_as_such() {
    let place = Place::new();
    without_nameless_files();
    without_locks();
    let output = place.run(&["run", place.disk.to_str().unwrap(), "--no-upload"]);
    assert_exit(&output, 74);
    let said = text(&output.stderr);
    assert!(said.contains("No locks available"), "{said}");
    assert!(place.is_clean());
}

#[test]
fn a_key_is_made_once_where_there_are_no_hard_links() {
    let place = Place::new();
    without_hard_links();
    let first = place.run(&["key"]);
    assert_exit(&first, 0);
    assert_eq!(text(&place.run(&["key"]).stdout), text(&first.stdout));
}

#[test]
fn a_mistake_of_ours_is_a_sentence_that_promises_nothing() {
    let place = Place::new();
    without_random_bytes();
    let output = place.run(&["run", place.disk.to_str().unwrap(), "--no-upload"]);
    assert_exit(&output, 70);
    let said = text(&output.stderr);
    assert!(said.contains("fsyncmark: a mistake in the program"), "{said}");
    assert!(said.contains("If a test file is left, the next run in its folder removes it."), "{said}");
}
